// SPDX-License-Identifier: Apache-2.0
/* shared_future: two threads wait for one value.
 * treadle: --goal=traces
 * expect: traces 734
 * expect: verdict complete */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> p;
    std::shared_future<int> f = p.get_future().share();
    auto look = [f] { assert(f.get() == 3); };
    std::thread a(look), b(look);
    p.set_value(3);
    a.join();
    b.join();
}
