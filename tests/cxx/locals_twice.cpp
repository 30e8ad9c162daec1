// SPDX-License-Identifier: Apache-2.0
/* Objects of the thread library in a function that is called again: the same memory, other objects.
 * treadle:
 * expect: verdict complete */
#include <barrier>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

static std::mutex m;
static int n;

static void __attribute__((noinline)) add(int k)
{
    std::condition_variable c;
    std::condition_variable_any any;
    std::shared_mutex s;
    std::timed_mutex timed;
    std::recursive_mutex r;
    std::counting_semaphore<4> sem(1);
    std::latch l(1);
    std::barrier b(1);
    std::once_flag once;
    c.notify_one();
    any.notify_one();
    s.lock_shared();
    s.unlock_shared();
    timed.lock();
    timed.unlock();
    r.lock();
    r.unlock();
    sem.acquire();
    l.arrive_and_wait();
    b.arrive_and_wait();
    std::call_once(once, [] {});
    std::lock_guard<std::mutex> guard(m);
    n += k;
}

int main()
{
    std::thread t([] {
        add(1);
        add(2);
    });
    add(3);
    add(4);
    t.join();
}
