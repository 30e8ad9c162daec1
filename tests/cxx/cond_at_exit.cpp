// SPDX-License-Identifier: Apache-2.0
/* notify_all_at_thread_exit.
 * treadle: --goal=traces
 * expect: verdict complete
 * expect: traces 2 */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool ready;

int main()
{
    std::thread t([] {
        std::unique_lock<std::mutex> lock(m);
        ready = true;
        std::notify_all_at_thread_exit(c, std::move(lock));
    });
    {
        std::unique_lock<std::mutex> lock(m);
        c.wait(lock, [] { return ready; });
    }
    t.join();
}
