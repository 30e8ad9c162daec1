// SPDX-License-Identifier: Apache-2.0
/* latch: count_down and wait.
 * treadle: --model=sc --goal=traces
 * expect: traces 3110
 * newer: traces 32
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
    std::latch done(2);
    auto work = [&done](int i) {
        data[i] = i + 1;
        done.count_down();
    };
    std::thread a(work, 0), b(work, 1);
    done.wait();
    assert(data[0] + data[1] == 3);
    a.join();
    b.join();
}
