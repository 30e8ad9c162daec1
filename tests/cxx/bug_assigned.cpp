// SPDX-License-Identifier: Apache-2.0
/* A handle that has a thread is assigned to.
 * treadle:
 * expect: verdict bug
 * expect: finding abort
 * expect: says a std::thread was assigned to that was neither joined nor detached */
#include <thread>

int main()
{
    std::thread t([] {});
    t = std::thread([] {});
    t.join();
}
