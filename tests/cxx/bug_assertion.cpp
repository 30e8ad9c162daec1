// SPDX-License-Identifier: Apache-2.0
/* A check and an action that are two critical sections.
 * treadle:
 * expect: verdict bug
 * expect: finding assert bug_assertion.cpp:23 */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int balance = 10;

static void draw(int amount)
{
    bool enough;
    {
        std::lock_guard<std::mutex> guard(m);
        enough = balance >= amount;
    }
    if (enough) {
        std::lock_guard<std::mutex> guard(m);
        balance -= amount;
        assert(balance >= 0);
    }
}

int main()
{
    std::thread t(draw, 7);
    draw(6);
    t.join();
}
