// SPDX-License-Identifier: Apache-2.0
/* Containers of the library, each in one thread, and one behind a lock.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::mutex m;
static std::map<std::string, int> all;

static void work(const std::string &name)
{
    std::vector<std::string> words{"a", "b", name};
    std::set<int> numbers{3, 1, 2};
    std::list<int> list(numbers.begin(), numbers.end());
    std::unordered_map<std::string, int> count;
    for (const auto &w : words)
        count[w]++;
    std::lock_guard<std::mutex> guard(m);
    for (const auto &[w, n] : count)
        all[w] += n + list.front();
}

int main()
{
    std::thread t(work, "one");
    work("two");
    t.join();
    assert(all.size() == 4 && all["a"] == 4);
}
