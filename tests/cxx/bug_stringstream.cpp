// SPDX-License-Identifier: Apache-2.0
/* Two threads write to one stream of a string.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_stringstream.cpp:18 bug_stringstream.cpp:19
 * expect: ledger not watched, alone
 * treadle:
 * cflags: -std=c++17 -O0
 * expect: verdict bug
 * expect: finding race bug_stringstream.cpp:18 bug_stringstream.cpp:19
 * expect: ledger not watched, alone */
#include <sstream>
#include <thread>

int main()
{
    std::stringstream log;
    std::thread t([&] { log << "thread " << 1; });
    log << "main " << 2;
    t.join();
}
