// SPDX-License-Identifier: Apache-2.0
/* An object is deleted while the other thread uses it.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_use_after_delete.cpp:23 bug_use_after_delete.cpp:20 */
#include <atomic>
#include <thread>

struct thing {
    int n = 1;
};

static std::atomic<thing *> the{new thing};

int main()
{
    int seen = 0;
    std::thread t([&seen] {
        if (thing *p = the.load(std::memory_order_relaxed))
            seen = p->n;
    });
    thing *p = the.exchange(nullptr);
    delete p;
    t.join();
    return seen > 1;
}
