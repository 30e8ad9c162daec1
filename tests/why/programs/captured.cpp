// SPDX-License-Identifier: Apache-2.0
// Two threads add to an element that a lambda has captured; each reads and writes it under the lock, but not at once.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex m;

int main()
{
    std::vector<int> slots(2);
    auto add = [&] {
        m.lock();
        int old = slots[1];
        m.unlock();
        m.lock();
        slots[1] = old + 1;
        m.unlock();
    };
    std::thread t(add);
    add();
    t.join();
    assert(slots[1] == 2);
}
