// SPDX-License-Identifier: Apache-2.0
/* An exception leaves a thread: std::terminate.
 * treadle:
 * expect: verdict bug
 * expect: finding abort bug_uncaught.cpp:12
 * expect: says uncaught exception of type 'std::runtime_error': out of paper */
#include <stdexcept>
#include <thread>

int main()
{
    std::thread t([] { throw std::runtime_error("out of paper"); });
    t.join();
}
