// SPDX-License-Identifier: Apache-2.0
/* Member functions as threads, one of them virtual.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <thread>

struct base {
    virtual ~base() = default;
    virtual void run() = 0;
};

struct counter : base {
    int n = 0;
    void run() override { n++; }
    void add(int k) { n += k; }
};

int main()
{
    counter c;
    base *b = &c;
    std::thread(&base::run, b).join();
    std::thread(&counter::add, &c, 4).join();
    assert(c.n == 5);
}
