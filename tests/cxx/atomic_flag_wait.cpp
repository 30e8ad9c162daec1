// SPDX-License-Identifier: Apache-2.0
/* atomic_flag: test_and_set, wait, clear.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 40
 * newer: traces 7
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag flag = ATOMIC_FLAG_INIT;
static int data;

int main()
{
    std::thread t([] {
        data = 2;
        flag.test_and_set();
        flag.notify_all();
    });
    flag.wait(false);
    assert(data == 2 && flag.test());
    t.join();
}
