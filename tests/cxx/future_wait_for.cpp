// SPDX-License-Identifier: Apache-2.0
/* wait_for of a future: ready, or a timeout.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 30
 * expect: verdict complete */
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main()
{
    using namespace std::chrono_literals;
    std::promise<int> p;
    std::future<int> f = p.get_future();
    std::thread t([&p] { p.set_value(1); });
    if (f.wait_for(1ms) == std::future_status::timeout)
        f.wait();
    assert(f.get() == 1);
    t.join();
}
