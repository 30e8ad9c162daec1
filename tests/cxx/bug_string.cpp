// SPDX-License-Identifier: Apache-2.0
/* Two threads append to one string, each under a lock of its own.
 * treadle:
 * cflags: -std=c++17
 * expect: verdict bug
 * expect: finding race bug_string.cpp:18 bug_string.cpp:18
 * treadle:
 * cflags: -std=c++17 -O0
 * expect: verdict bug
 * expect: finding race bug_string.cpp:18 bug_string.cpp:18 */
#include <mutex>
#include <string>
#include <thread>

static void add(std::string &s, std::mutex &m)
{
    std::lock_guard<std::mutex> hold(m);
    s += 'x';
}

int main()
{
    std::mutex a, b;
    std::string s;
    std::thread t([&] { add(s, a); });
    add(s, b);
    t.join();
    return s.size() > 2;
}
