// SPDX-License-Identifier: Apache-2.0
/* An exception of another type, in main.
 * treadle:
 * expect: verdict bug
 * expect: finding abort bug_uncaught_int.cpp:17
 * expect: says uncaught exception of type 'int' */
#include <atomic>
#include <thread>

static std::atomic<int> n{0};

int main()
{
    std::thread t([] { n = 1; });
    if (n == 1) {
        t.join();
        throw 42;
    }
    t.join();
}
