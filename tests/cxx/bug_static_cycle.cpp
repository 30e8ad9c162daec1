// SPDX-License-Identifier: Apache-2.0
/* Two static locals whose initialisers need each other.
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock bug_static_cycle.cpp:16 */
#include <thread>

struct thing {
    int n;
};

static thing &one(bool other);

static thing &two(bool other)
{
    static thing it{other ? one(false).n : 2};
    return it;
}

static thing &one(bool other)
{
    static thing it{other ? two(false).n : 1};
    return it;
}

int main()
{
    std::thread t([] { one(true); });
    two(true);
    t.join();
}
