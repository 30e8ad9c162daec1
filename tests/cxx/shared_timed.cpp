// SPDX-License-Identifier: Apache-2.0
/* shared_timed_mutex: a reader that gives up.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 5
 * expect: verdict complete */
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_timed_mutex m;
static int x, seen = -1;

int main()
{
    using namespace std::chrono_literals;
    std::thread a([] {
        std::shared_lock<std::shared_timed_mutex> lock(m, 1ms);
        if (lock.owns_lock())
            seen = x;
    });
    {
        std::lock_guard<std::shared_timed_mutex> lock(m);
        x = 1;
    }
    a.join();
    assert(seen >= -1 && seen <= 1);
}
