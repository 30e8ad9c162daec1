// SPDX-License-Identifier: Apache-2.0
/* A flag with relaxed order does not publish.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_atomic_order.cpp:20 bug_atomic_order.cpp:16 */
#include <atomic>
#include <cassert>
#include <thread>

static int data;
static std::atomic<bool> ready{false};

int main()
{
    std::thread t([] {
        data = 1;
        ready.store(true, std::memory_order_relaxed);
    });
    if (ready.load(std::memory_order_relaxed))
        assert(data == 1);
    t.join();
}
