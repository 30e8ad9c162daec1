// SPDX-License-Identifier: Apache-2.0
/* atomic_ref on plain variables.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <thread>

int main()
{
    int n = 0;
    auto add = [&n] { std::atomic_ref<int>(n)++; };
    std::thread a(add), b(add);
    a.join();
    b.join();
    assert(n == 2);
}
