// SPDX-License-Identifier: Apache-2.0
/* std::hex changes std::cout for all threads. Printing alone is no data race.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_stream_flags.cpp:14 bug_stream_flags.cpp:16
 * expect: ledger not watched, alone */
#include <iostream>
#include <thread>

int main()
{
    std::thread t([] {
        std::cout << "thread\n";
        std::cout << std::hex;
    });
    std::cout << 10 << "\n";
    t.join();
}
