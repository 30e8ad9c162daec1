// SPDX-License-Identifier: Apache-2.0
/* call_once: two threads, one call.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag once;
static int n;

static void first()
{
    std::call_once(once, [] { n++; });
    assert(n == 1);
}

int main()
{
    std::thread t(first);
    first();
    t.join();
}
