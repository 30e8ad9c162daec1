// SPDX-License-Identifier: Apache-2.0
/* A latch that one thread counts down too little.
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock bug_latch.cpp:13 */
#include <latch>
#include <thread>

int main()
{
    std::latch done(2);
    std::thread t([&done] { done.count_down(); });
    done.wait();
    t.join();
}
