// SPDX-License-Identifier: Apache-2.0
/* An exception leaves a noexcept function.
 * treadle:
 * expect: verdict bug
 * expect: finding abort */
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
