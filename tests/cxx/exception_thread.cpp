// SPDX-License-Identifier: Apache-2.0
/* Thrown and caught in two threads at once, with destructors on the way.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <stdexcept>
#include <string>
#include <thread>

struct note {
    int &n;
    ~note() { n++; }
};

static int deep(int n, int &left)
{
    note here{left};
    if (n == 0)
        throw std::out_of_range("the end of a recursion, which is a long text");
    return deep(n - 1, left) + 1;
}

static void work()
{
    int left = 0;
    try {
        deep(3, left);
        assert(false);
    } catch (const std::exception &e) {
        assert(std::string(e.what()).size() > 20);
    }
    assert(left == 4);
}

int main()
{
    std::thread t(work);
    work();
    t.join();
}
