// SPDX-License-Identifier: Apache-2.0
/* A static local is initialised once; the other thread waits.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 4
 * expect: verdict complete */
#include <cassert>
#include <thread>

static int made;

struct thing {
    int n;
    thing() : n(++made) {}
};

static thing &the()
{
    static thing one;
    return one;
}

int main()
{
    std::thread t([] { assert(the().n == 1); });
    assert(the().n == 1);
    t.join();
    assert(made == 1);
}
