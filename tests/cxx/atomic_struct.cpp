// SPDX-License-Identifier: Apache-2.0
/* An atomic of a structure of 8 bytes, and one of 16.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <thread>

struct pair {
    int a, b;
};

static std::atomic<pair> both{pair{1, 1}};

int main()
{
    std::thread t([] {
        pair old = both.load();
        while (!both.compare_exchange_weak(old, pair{old.a + 1, old.b + 1})) {
        }
    });
    pair seen = both.load();
    assert(seen.a == seen.b);
    t.join();
    assert(both.load().a == 2);
}
