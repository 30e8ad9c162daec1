// SPDX-License-Identifier: Apache-2.0
/* atomic<shared_ptr> of libstdc++ 12: load() gives its lock back with relaxed order, so what it read may be written meanwhile.
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

static std::atomic<std::shared_ptr<int>> p{std::make_shared<int>(1)};

int main()
{
    std::thread t([] { p.store(std::make_shared<int>(2)); });
    std::shared_ptr<int> seen = p.load();
    assert(*seen == 1 || *seen == 2);
    t.join();
}
