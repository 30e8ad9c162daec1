// SPDX-License-Identifier: Apache-2.0
/* A lock is released by an exception.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int n;

static void work()
{
    try {
        std::lock_guard<std::mutex> guard(m);
        n++;
        throw n;
    } catch (int seen) {
        assert(seen == 1 || seen == 2);
    }
}

int main()
{
    std::thread t(work);
    work();
    t.join();
    assert(n == 2);
}
