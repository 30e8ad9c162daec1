// SPDX-License-Identifier: Apache-2.0
/* packaged_task in a thread.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 18
 * expect: verdict complete */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::packaged_task<int(int, int)> task([](int a, int b) { return a - b; });
    std::future<int> f = task.get_future();
    std::thread t(std::move(task), 9, 4);
    assert(f.get() == 5);
    t.join();
}
