// SPDX-License-Identifier: Apache-2.0
/* latch: arrive_and_wait, try_wait.
 * treadle: --model=sc --goal=traces
 * expect: traces 309
 * newer: traces 15
 * expect: verdict complete
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock
 * newer: verdict complete
 * newer: without deadlock */
#include <cassert>
#include <latch>
#include <thread>

static int data[2];

int main()
{
    std::latch both(2);
    std::thread t([&both] {
        data[0] = 1;
        both.arrive_and_wait();
        assert(data[1] == 1);
    });
    data[1] = 1;
    both.arrive_and_wait();
    assert(data[0] == 1 && both.try_wait());
    t.join();
}
