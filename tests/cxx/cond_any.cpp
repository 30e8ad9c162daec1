// SPDX-License-Identifier: Apache-2.0
/* condition_variable_any with a shared lock.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static std::condition_variable_any c;
static bool ready;

int main()
{
    std::thread t([] {
        std::shared_lock<std::shared_mutex> lock(m);
        c.wait(lock, [] { return ready; });
    });
    {
        std::lock_guard<std::shared_mutex> guard(m);
        ready = true;
    }
    c.notify_all();
    t.join();
}
