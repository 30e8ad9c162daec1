// SPDX-License-Identifier: Apache-2.0
/* A width that a thread sets is used by whoever prints next.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_stream_width.cpp:13 bug_stream_width.cpp:14
 * expect: ledger not watched, alone */
#include <iomanip>
#include <iostream>
#include <thread>

int main()
{
    std::thread t([] { std::cerr << std::setw(8); });
    std::cerr << 10;
    t.join();
}
