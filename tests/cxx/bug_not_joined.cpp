// SPDX-License-Identifier: Apache-2.0
/* A thread is destroyed that can be joined.
 * treadle:
 * expect: verdict bug
 * expect: finding abort
 * expect: says a std::thread was destroyed that was neither joined nor detached */
#include <thread>

int main()
{
    std::thread t([] {});
}
