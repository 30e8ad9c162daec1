// SPDX-License-Identifier: Apache-2.0
/* async in a thread of its own.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <future>

int main()
{
    std::future<int> f = std::async(std::launch::async, [](int n) { return n * 2; }, 4);
    assert(f.get() == 8);
}
