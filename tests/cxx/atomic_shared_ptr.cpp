// SPDX-License-Identifier: Apache-2.0
/* atomic<shared_ptr>: one thread stores, the other loads.
 * treadle:
 * expect: verdict complete */
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
