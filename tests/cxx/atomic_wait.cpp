// SPDX-License-Identifier: Apache-2.0
/* atomic::wait and notify_one.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 54
 * newer: traces 6
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> flag{0};
static int data;

int main()
{
    std::thread t([] {
        data = 1;
        flag.store(1);
        flag.notify_one();
    });
    flag.wait(0);
    assert(data == 1);
    t.join();
}
