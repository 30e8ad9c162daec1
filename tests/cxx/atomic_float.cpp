// SPDX-License-Identifier: Apache-2.0
/* atomic<double>::fetch_add.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 4
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<double> sum{0};

int main()
{
    std::thread t([] { sum.fetch_add(1.5); });
    sum.fetch_add(2.25);
    t.join();
    assert(sum == 3.75);
}
