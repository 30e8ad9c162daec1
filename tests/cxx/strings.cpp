// SPDX-License-Identifier: Apache-2.0
/* Strings as keys and values under a lock; one of them may get the memory of one that was freed. libstdc++ has std::string compiled before C++20, std::allocator<char> at -O0.
 * treadle: --goal=traces
 * expect: traces 3
 * expect: verdict complete
 * treadle: --goal=traces
 * cflags: -std=c++17
 * expect: traces 3
 * expect: verdict complete
 * treadle: --goal=traces
 * cflags: -std=c++17 -O0
 * expect: traces 3
 * expect: verdict complete
 * treadle: --goal=traces
 * cflags: -O0
 * expect: traces 3
 * expect: verdict complete */
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex m;
static std::string s;
static std::map<std::string, std::vector<int>> all;

static void add(const char *text, int value)
{
    std::lock_guard<std::mutex> hold(m);
    s += text;
    all[s].push_back(value);
}

int main()
{
    std::thread t([] { add("a longer text than fits in the object itself", 1); });
    add("b", 2);
    t.join();
    assert(s.find("longer") != std::string::npos && all.size() == 2);
    assert(std::to_string(all.begin()->second.size()) == "1");
}
