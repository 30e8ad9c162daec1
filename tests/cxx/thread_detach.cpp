// SPDX-License-Identifier: Apache-2.0
/* A thread that is detached is waited for by a flag.
 * treadle: --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <atomic>
#include <thread>

static std::atomic<bool> done{false};

int main()
{
    std::thread([] { done = true; }).detach();
    while (!done)
        std::this_thread::yield();
}
