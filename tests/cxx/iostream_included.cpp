// SPDX-License-Identifier: Apache-2.0
/* <iostream> is included, which has an initialiser before main, and nothing is printed.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <iostream>
#include <mutex>
#include <thread>

static std::mutex m;
static int n;

static void add()
{
    std::lock_guard<std::mutex> hold(m);
    n++;
}

int main()
{
    std::thread t(add);
    add();
    t.join();
    assert(n == 2);
}
