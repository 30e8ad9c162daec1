// SPDX-License-Identifier: Apache-2.0
/* Arguments are moved and copied to a thread; a reference by std::ref.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <functional>
#include <memory>
#include <thread>

int main()
{
    int sum = 0;
    auto add = [](int a, std::unique_ptr<int> b, int &out) { out = a + *b; };
    std::thread t(add, 1, std::make_unique<int>(2), std::ref(sum));
    t.join();
    assert(sum == 3 && !t.joinable());
}
