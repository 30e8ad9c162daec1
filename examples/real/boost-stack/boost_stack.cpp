/* SPDX-License-Identifier: Apache-2.0
 * boost::lockfree::stack: two threads push a number each and try to pop one; the rest is popped at the end. Each number
 * comes out once. */
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

int main()
{
    boost::lockfree::stack<int> q(2);
    int sums[2] = {0, 0}, n;
    auto both = [&q](int value, int *sum) {
        int taken;
        if (!q.push(value))
            *sum = -100;
        if (q.pop(taken))
            *sum += taken;
    };
    std::thread other(both, 1, &sums[0]);
    both(2, &sums[1]);
    other.join();
    while (q.pop(n))
        sums[0] += n;
    assert(sums[0] + sums[1] == 3);
}
