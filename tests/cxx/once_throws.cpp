// SPDX-License-Identifier: Apache-2.0
/* call_once: a call that throws does not count.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int tries;

static void first()
{
    try {
        std::call_once(once, [] {
            if (tries++ == 0)
                throw std::runtime_error("first");
        });
    } catch (const std::runtime_error &) {
    }
}

int main()
{
    std::thread t(first);
    first();
    t.join();
    assert(tries == 2);
}
