// SPDX-License-Identifier: Apache-2.0
/* fix: order
 * edit
 * idea: delete behind the join */
#include <atomic>
#include <thread>

static std::atomic<int> *count;

static void use()
{
    count->fetch_add(1);
}

int main()
{
    count = new std::atomic<int>(0);
    std::thread t(use);
    delete count;
    t.join();
}
