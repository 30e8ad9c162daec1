// SPDX-License-Identifier: Apache-2.0
// threads.sh: threads, a mutex and a condition variable of libstdc++. -DMENDED: no bug. -DAWAY: a call that is not watched.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

static std::mutex m;
static std::condition_variable paid;
static int balance = 100;
static bool is_paid;
#ifdef AWAY
static unsigned n_away;
#endif

static bool enough(int n)
{
    std::lock_guard<std::mutex> guard(m);
    return balance >= n;
}

static void take(int n)
{
    std::lock_guard<std::mutex> guard(m);
#ifdef MENDED
    if (balance < n)
        return;
#endif
    balance -= n;
    is_paid = true;
    paid.notify_one();
}

static void draw()
{
    if (enough(60))
        take(60);
}

int main()
{
    std::thread a(draw), b(draw);
#ifdef AWAY
    n_away += std::random_device()() * 0;
#endif
    {
        std::unique_lock<std::mutex> guard(m);
        paid.wait(guard, [] { return is_paid; });
    }
    a.join();
    b.join();
    assert(balance >= 0);
    return 0;
}
