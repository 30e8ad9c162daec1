// SPDX-License-Identifier: Apache-2.0
/* recursive_timed_mutex with a point in time.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 5
 * expect: verdict complete */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::recursive_timed_mutex m;
static int n, missed;

int main()
{
    using namespace std::chrono_literals;
    std::thread t([] {
        if (m.try_lock_until(std::chrono::steady_clock::now() + 5ms)) {
            m.lock();
            n++;
            m.unlock();
            m.unlock();
        } else
            missed = 1;
    });
    m.lock();
    n++;
    m.unlock();
    t.join();
    assert(n + missed == 2);
}
