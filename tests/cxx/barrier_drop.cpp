// SPDX-License-Identifier: Apache-2.0
/* barrier: arrive_and_drop.
 * treadle: --model=sc --goal=traces
 * expect: traces 227
 * newer: traces 23
 * expect: verdict complete
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock
 * newer: verdict complete
 * newer: without deadlock
 * libcxx: complete */
#include <barrier>
#include <cassert>
#include <thread>

int main()
{
    std::barrier b(2);
    std::thread t([&b] { b.arrive_and_drop(); });
    b.arrive_and_wait();
    b.arrive_and_wait();
    t.join();
}
