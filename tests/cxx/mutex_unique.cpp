// SPDX-License-Identifier: Apache-2.0
/* unique_lock: deferred, tried, released and adopted.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 14
 * expect: verdict complete */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int n;

static void some()
{
    std::unique_lock<std::mutex> lock(m, std::defer_lock);
    if (lock.try_lock())
        n++;
    else {
        lock.lock();
        n++;
    }
    lock.unlock();
    m.lock();
    std::lock_guard<std::mutex> rest(m, std::adopt_lock);
    n++;
}

int main()
{
    std::thread t(some);
    some();
    t.join();
    assert(n == 4);
}
