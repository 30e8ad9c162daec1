// SPDX-License-Identifier: Apache-2.0
/* An initialiser that throws is called again.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <cassert>
#include <thread>

static int tries;

struct thing {
    thing()
    {
        if (tries++ == 0)
            throw 1;
    }
};

static void get()
{
    try {
        static thing one;
    } catch (int) {
    }
}

int main()
{
    std::thread t(get);
    get();
    t.join();
    assert(tries == 2);
}
