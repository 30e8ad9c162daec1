// SPDX-License-Identifier: Apache-2.0
/* The same shared_ptr, not a copy of it, in two threads.
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <memory>
#include <thread>

static std::shared_ptr<int> p = std::make_shared<int>(1);

int main()
{
    std::thread t([] { p = std::make_shared<int>(2); });
    std::shared_ptr<int> q = p;
    t.join();
    return *q > 2;
}
