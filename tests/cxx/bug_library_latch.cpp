// SPDX-License-Identifier: Apache-2.0
/* Weak memory shows a lost wakeup of std::latch, and a bug of the program: the first is the library's, is told once, and does
 * not end the session.
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock
 * expect: finding assert bug_library_latch.cpp:20
 * newer: without deadlock */
#include <atomic>
#include <cassert>
#include <latch>
#include <thread>

static std::latch together(2);
static std::atomic<int> value, ready;

static void check()
{
    if (ready.load(std::memory_order_relaxed) == 1)
        assert(value.load(std::memory_order_relaxed) == 1);
}

int main()
{
    std::thread t([] {
        together.arrive_and_wait();
        value.store(1, std::memory_order_relaxed);
        ready.store(1, std::memory_order_relaxed);
    });
    together.arrive_and_wait();
    check();
    t.join();
}
