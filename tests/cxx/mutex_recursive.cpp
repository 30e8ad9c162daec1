// SPDX-License-Identifier: Apache-2.0
/* recursive_mutex is taken twice by one thread.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <mutex>
#include <thread>

static std::recursive_mutex m;
static int n;

static void add()
{
    std::lock_guard<std::recursive_mutex> outer(m);
    std::lock_guard<std::recursive_mutex> inner(m);
    n++;
}

int main()
{
    std::thread t(add);
    add();
    t.join();
    assert(n == 2);
}
