// SPDX-License-Identifier: Apache-2.0
/* The condition is not looked at under the lock.
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock bug_lost_wakeup.cpp:24 */
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static std::atomic<bool> ready{false};

int main()
{
    std::thread t([] {
        ready = true;
        c.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        if (!ready)
            c.wait(lock);
    }
    t.join();
}
