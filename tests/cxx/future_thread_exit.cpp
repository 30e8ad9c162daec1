// SPDX-License-Identifier: Apache-2.0
/* std::promise::set_value_at_thread_exit, std::packaged_task::make_ready_at_thread_exit: what the thread does after them
 * comes before the future is ready.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 12
 * expect: verdict complete */
#include <cassert>
#include <future>
#include <thread>

static int after;

int main()
{
    std::promise<int> promise;
    std::packaged_task<int()> task([] { return 4; });
    auto value = promise.get_future(), result = task.get_future();
    std::thread t([&] {
        promise.set_value_at_thread_exit(3);
        task.make_ready_at_thread_exit();
        after = 1;
    });
    assert(value.get() == 3 && after == 1);
    assert(result.get() == 4);
    t.join();
}
