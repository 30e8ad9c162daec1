// SPDX-License-Identifier: Apache-2.0
/* An exception leaves a noexcept function.
 * treadle:
 * expect: verdict bug
 * expect: finding abort bug_noexcept.cpp:12
 * expect: says uncaught exception of type 'std::logic_error': not here */
#include <stdexcept>
#include <thread>

static void work() noexcept
{
    throw std::logic_error("not here");
}

int main()
{
    std::thread t(work);
    t.join();
}
