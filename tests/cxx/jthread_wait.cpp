// SPDX-License-Identifier: Apache-2.0
/* condition_variable_any waits until it is asked to stop.
 * treadle: --goal=traces
 * expect: traces 1718
 * newer: traces 188
 * expect: verdict complete */
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main()
{
    std::mutex m;
    std::condition_variable_any c;
    bool ready = false, got = true;
    {
        std::jthread t([&](std::stop_token stop) {
            std::unique_lock<std::mutex> lock(m);
            got = c.wait(lock, stop, [&] { return ready; });
        });
    }
    assert(!got);
}
