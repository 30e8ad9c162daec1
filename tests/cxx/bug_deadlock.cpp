// SPDX-License-Identifier: Apache-2.0
/* Two mutexes in two orders.
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock bug_deadlock.cpp:14 bug_deadlock.cpp:17 */
#include <mutex>
#include <thread>

static std::mutex first, second;

int main()
{
    std::thread t([] {
        std::lock_guard<std::mutex> a(first), b(second);
    });
    {
        std::lock_guard<std::mutex> a(second), b(first);
    }
    t.join();
}
