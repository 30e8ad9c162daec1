// SPDX-License-Identifier: Apache-2.0
/* A promise that another thread keeps.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 6
 * expect: verdict complete */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> p;
    std::future<int> f = p.get_future();
    std::thread t([&p] { p.set_value(7); });
    assert(f.get() == 7 && !f.valid());
    t.join();
}
