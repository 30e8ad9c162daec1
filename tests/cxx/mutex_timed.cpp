// SPDX-License-Identifier: Apache-2.0
/* timed_mutex: try_lock_for gives up, or takes it.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 5
 * expect: verdict complete */
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::timed_mutex m;
static int n, missed;

int main()
{
    using namespace std::chrono_literals;
    std::thread t([] {
        if (m.try_lock_for(10ms)) {
            n++;
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
