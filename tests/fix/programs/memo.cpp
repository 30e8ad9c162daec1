// SPDX-License-Identifier: Apache-2.0
/* fix: none
 * held out
 * drops: the place of the failure is not reached
 * idea: one lock over the look and the insertion, which the guard drops: then no key is compared with another one */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<int> keys;

static bool has(int key)
{
    std::lock_guard<std::mutex> guard(lock);
    for (int k : keys)
        if (k == key)
            return true;
    return false;
}

static void insert(int key)
{
    std::lock_guard<std::mutex> guard(lock);
    for (int k : keys)
        assert(k != key);
    keys.push_back(key);
}

static void need(int key)
{
    if (!has(key))
        insert(key);
}

int main()
{
    std::thread a(need, 7), b(need, 7);
    a.join();
    b.join();
}
