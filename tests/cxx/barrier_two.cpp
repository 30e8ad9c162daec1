// SPDX-License-Identifier: Apache-2.0
/* barrier with two phases and a completion.
 * treadle: --model=sc --goal=traces
 * expect: traces 178
 * newer: traces 16
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

static int phases, data[2];

int main()
{
    auto end = []() noexcept { phases++; };
    std::barrier<decltype(end)> b(2, end);
    auto work = [&b](int i) {
        data[i] = 1;
        b.arrive_and_wait();
        assert(data[1 - i] == 1 && phases == 1);
    };
    std::thread t(work, 0);
    work(1);
    t.join();
}
