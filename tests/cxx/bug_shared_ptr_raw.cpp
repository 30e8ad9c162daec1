// SPDX-License-Identifier: Apache-2.0
/* A pointer that a shared_ptr gave away is used while another thread drops the last share.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_shared_ptr_raw.cpp:20 bug_shared_ptr_raw.cpp:19
 * expect: says use after delete: the delete and this access to the block are unordered: 'last->money' */
#include <memory>
#include <thread>

struct account {
    int money = 3;
};

int main()
{
    auto mine = std::make_shared<account>();
    account *last = mine.get();
    std::thread t([other = std::move(mine)]() mutable {
        other.reset(); });
    int money = last->money;
    t.join();
    return money > 5;
}
