// SPDX-License-Identifier: Apache-2.0
/* Handles of threads are moved, kept in a vector and swapped.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

static std::atomic<int> n{0};

int main()
{
    std::vector<std::thread> all;
    for (int i = 0; i < 2; i++)
        all.emplace_back([i] { n += i + 1; });
    std::thread other;
    all[0].swap(other);
    assert(!all[0].joinable() && other.joinable());
    other.join();
    all[1].join();
    assert(n == 3);
}
