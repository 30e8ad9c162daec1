// SPDX-License-Identifier: Apache-2.0
/* An element is erased while the other thread holds an iterator.
 * treadle:
 * expect: verdict bug
 * expect: finding memory bug_iterator.cpp:27 */
#include <list>
#include <mutex>
#include <thread>

static std::mutex m;
static std::list<int> all{1, 2};

int main()
{
    std::list<int>::iterator at;
    {
        std::lock_guard<std::mutex> guard(m);
        at = all.begin();
    }
    std::thread t([] {
        std::lock_guard<std::mutex> guard(m);
        all.erase(all.begin());
    });
    int seen;
    {
        std::lock_guard<std::mutex> guard(m);
        seen = *at;
    }
    t.join();
    return seen > 2;
}
