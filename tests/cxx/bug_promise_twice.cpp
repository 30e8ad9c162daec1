// SPDX-License-Identifier: Apache-2.0
/* Two threads keep one promise: the second one throws.
 * treadle:
 * expect: verdict bug
 * expect: finding abort bug_promise_twice.cpp:14
 * expect: says uncaught exception of type 'std::future_error': std::future_error: Promise already satisfied */
#include <future>
#include <thread>

int main()
{
    std::promise<int> p;
    std::future<int> f = p.get_future();
    std::thread t([&p] { p.set_value(1); });
    p.set_value(2);
    t.join();
    return f.get() > 2;
}
