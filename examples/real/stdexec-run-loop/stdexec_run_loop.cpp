/* SPDX-License-Identifier: Apache-2.0
 * A run_loop of stdexec that is deleted once it has ended: another thread ends it. */
#include <stdexec/execution.hpp>
#include <thread>

int main()
{
    auto *loop = new stdexec::run_loop;
    std::thread other([loop] { loop->finish(); });
    loop->run();
    delete loop;
    other.join();
}
