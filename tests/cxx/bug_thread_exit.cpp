// SPDX-License-Identifier: Apache-2.0
/* The value is there at once, and what the thread does after it is not ordered: set_value_at_thread_exit was meant.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_thread_exit.cpp:20 bug_thread_exit.cpp:18 */
#include <cassert>
#include <future>
#include <thread>

static int after;

int main()
{
    std::promise<int> promise;
    auto value = promise.get_future();
    std::thread t([&] {
        promise.set_value(3);
        after = 1;
    });
    assert(value.get() == 3 && after == 1);
    t.join();
}
