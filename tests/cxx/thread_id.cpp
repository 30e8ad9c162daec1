// SPDX-License-Identifier: Apache-2.0
/* Each thread has an id of its own.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <thread>

int main()
{
    std::thread::id mine = std::this_thread::get_id(), its;
    std::thread t([&its] { its = std::this_thread::get_id(); });
    std::thread::id seen = t.get_id();
    t.join();
    assert(seen == its && its != mine && t.get_id() == std::thread::id());
}
