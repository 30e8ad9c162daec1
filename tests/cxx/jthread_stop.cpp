// SPDX-License-Identifier: Apache-2.0
/* A jthread is asked to stop when it is destroyed.
 * treadle: --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
    int rounds = 0;
    {
        std::jthread t([&rounds](std::stop_token stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            rounds = 1;
        });
    }
    assert(rounds == 1);
}
