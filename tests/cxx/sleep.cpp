// SPDX-License-Identifier: Apache-2.0
/* sleep_for, and the clocks.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <chrono>
#include <thread>

int main()
{
    using namespace std::chrono;
    auto before = steady_clock::now();
    std::thread t([] { std::this_thread::sleep_for(milliseconds(5)); });
    t.join();
    assert(steady_clock::now() - before >= milliseconds(0));
    assert(system_clock::now().time_since_epoch().count() > 0);
}
