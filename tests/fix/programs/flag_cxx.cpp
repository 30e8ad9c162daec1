// SPDX-License-Identifier: Apache-2.0
/* fix: section
 * edit
 * idea: release the flag, acquire it */
#include <atomic>
#include <thread>

static int letter;
static std::atomic<bool> is_full{false};

static void post()
{
    letter = 42;
    is_full.store(true, std::memory_order_relaxed);
}

static void fetch()
{
    int got = 0;
    if (is_full.load(std::memory_order_acquire))
        got = letter;
    (void)got;
}

int main()
{
    std::thread a(post), b(fetch);
    a.join();
    b.join();
}
