// SPDX-License-Identifier: Apache-2.0
/* A callback of a stop token is called once, by the thread that asks.
 * treadle: --goal=traces
 * expect: traces 1733
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main()
{
    std::atomic<int> called{0};
    std::stop_source source;
    {
        std::jthread t([&] {
            std::stop_callback back(source.get_token(), [&] { called++; });
            assert(called == 0 || source.stop_requested());
        });
        source.request_stop();
    }
    assert(called <= 1 && source.stop_requested());
}
