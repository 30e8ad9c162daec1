/* SPDX-License-Identifier: Apache-2.0
 * An async_scope of stdexec with one task, which is deleted once it is empty. */
#include <exec/async_scope.hpp>
#include <stdexec/execution.hpp>
#include <thread>

int main()
{
    stdexec::run_loop loop;
    std::thread other([&loop] { loop.run(); });
    auto *scope = new exec::async_scope;
    scope->spawn(stdexec::schedule(loop.get_scheduler()));
    stdexec::sync_wait(scope->on_empty());
    delete scope;
    loop.finish();
    other.join();
}
