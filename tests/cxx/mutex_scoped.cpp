// SPDX-License-Identifier: Apache-2.0
/* scoped_lock takes two mutexes in any order without a deadlock.
 * treadle: --preemptions=1
 * expect: verdict incomplete
 * expect: runs 3
 * expect: ledger preemptions */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex a, b;
static int n;

int main()
{
    std::thread t([] {
        std::scoped_lock both(a, b);
        n++;
    });
    {
        std::scoped_lock both(b, a);
        n++;
    }
    t.join();
    assert(n == 2);
}
