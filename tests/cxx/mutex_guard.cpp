// SPDX-License-Identifier: Apache-2.0
/* A counter behind lock_guard.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int n;

static void add()
{
    std::lock_guard<std::mutex> guard(m);
    n++;
}

int main()
{
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(n == 2);
}
