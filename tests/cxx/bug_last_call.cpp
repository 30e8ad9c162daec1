// SPDX-License-Identifier: Apache-2.0
/* A thread's last call is one of the library's that is not inlined: the finding in there still has the line of the caller.
 * treadle:
 * cflags: -fno-inline
 * expect: verdict bug
 * expect: finding race bug_last_call.cpp:18 bug_last_call.cpp:21 */
#include <memory>
#include <thread>

struct account {
    int money = 3;
};

int main()
{
    auto mine = std::make_shared<account>();
    account *last = mine.get();
    auto drop = [other = std::move(mine)]() mutable { other.reset(); };
    std::thread t([&drop] { drop(); });

    int money = last->money;
    t.join();
    return money == 3 ? 0 : 1;
}
