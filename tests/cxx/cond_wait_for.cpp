// SPDX-License-Identifier: Apache-2.0
/* wait_for with a predicate: in time, or not.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 4
 * expect: verdict complete */
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static bool ready;

int main()
{
    using namespace std::chrono_literals;
    std::thread t([] {
        std::lock_guard<std::mutex> guard(m);
        ready = true;
        c.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        bool got = c.wait_for(lock, 10ms, [] { return ready; });
        assert(got == ready);
    }
    t.join();
}
