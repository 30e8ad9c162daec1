// SPDX-License-Identifier: Apache-2.0
/* thread_local with constructor and destructor.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> alive{0}, made{0};

struct mine {
    int n = 0;
    mine() { alive++, made++; }
    ~mine() { alive--; }
};

static thread_local mine own;

int main()
{
    std::thread t([] { own.n++; assert(own.n == 1); });
    t.join();
    assert(alive == 0 && made == 1);
    own.n = 5;
    assert(alive == 1);
}
