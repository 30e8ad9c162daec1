/* SPDX-License-Identifier: Apache-2.0
 * A sender of stdexec that is split, waited for by main and completed by the thread of a run_loop. */
#include <stdexec/execution.hpp>
#include <thread>

int main()
{
    stdexec::run_loop loop;
    std::thread other([&loop] { loop.run(); });
    {
        auto shared = stdexec::split(stdexec::schedule(loop.get_scheduler()));
        stdexec::sync_wait(shared);
    }
    loop.finish();
    other.join();
}
