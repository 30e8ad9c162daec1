/* SPDX-License-Identifier: Apache-2.0
 * boost::lockfree::queue: two threads put in a number each and try to take one; the rest is taken at the end. Each number
 * comes out once. */
#include <boost/lockfree/queue.hpp>
#include <cassert>
#include <thread>

int main()
{
    boost::lockfree::queue<int> q(2);
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
