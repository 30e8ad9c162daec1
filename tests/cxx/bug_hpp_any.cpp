// SPDX-License-Identifier: Apache-2.0
/* treadle.hpp: one value of an input fails, and only if the other thread was late.
 * treadle:
 * expect: verdict bug
 * expect: finding assert bug_hpp_any.cpp:16 */
#include <atomic>
#include <cassert>
#include <thread>
#include <treadle.hpp>

int main()
{
    std::atomic<int> seen{0};
    int n = treadle::any<int>("n", 0, 1000);
    std::thread t([&seen] { seen = 1; });
    assert(seen == 1 || n != 77);
    t.join();
}
