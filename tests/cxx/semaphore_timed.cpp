// SPDX-License-Identifier: Apache-2.0
/* try_acquire_for gives up, or not.
 * treadle: --goal=traces
 * expect: traces 1034
 * newer: traces 30
 * expect: verdict complete */
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>

static std::counting_semaphore<4> s(0);

int main()
{
    using namespace std::chrono_literals;
    std::thread t([] { s.release(); });
    if (!s.try_acquire_for(1ms))
        s.acquire();
    assert(!s.try_acquire());
    t.join();
}
