// SPDX-License-Identifier: Apache-2.0
/* A deferred task runs where it is waited for.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::thread::id id;
    auto f = std::async(std::launch::deferred, [&id] { id = std::this_thread::get_id(); });
    assert(f.wait_for(std::chrono::seconds(0)) == std::future_status::deferred);
    f.get();
    assert(id == std::this_thread::get_id());
}
