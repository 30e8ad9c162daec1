// SPDX-License-Identifier: Apache-2.0
/* Two threads drop their share; the last one deletes.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <memory>
#include <thread>

static int deleted;

struct thing {
    int n = 1;
    ~thing() { deleted++; }
};

int main()
{
    auto p = std::make_shared<thing>();
    std::thread t([q = p] { assert(q->n == 1); });
    p.reset();
    t.join();
    assert(deleted == 1);
}
