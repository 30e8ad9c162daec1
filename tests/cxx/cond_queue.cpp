// SPDX-License-Identifier: Apache-2.0
/* A queue with a condition variable, two consumers.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 44
 * expect: verdict complete */
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable c;
static std::deque<int> queue;
static int sum;

static void take()
{
    std::unique_lock<std::mutex> lock(m);
    c.wait(lock, [] { return !queue.empty(); });
    sum += queue.front();
    queue.pop_front();
}

int main()
{
    std::thread a(take), b(take);
    for (int i = 1; i <= 2; i++) {
        std::lock_guard<std::mutex> guard(m);
        queue.push_back(i);
        c.notify_one();
    }
    a.join();
    b.join();
    assert(sum == 3);
}
