// SPDX-License-Identifier: Apache-2.0
/* weak_ptr::lock while the last share is dropped.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 5
 * expect: verdict complete */
#include <cassert>
#include <memory>
#include <thread>

int main()
{
    auto p = std::make_shared<int>(5);
    std::weak_ptr<int> w = p;
    std::thread t([&w] {
        if (auto q = w.lock())
            assert(*q == 5);
    });
    p.reset();
    t.join();
    assert(w.expired());
}
