/* SPDX-License-Identifier: Apache-2.0
 * boost::lockfree::spsc_queue with two places: a producer tries to put in three numbers, main to take two; the rest is
 * taken at the end. The numbers come out in order, each one once. */
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

int main()
{
    boost::lockfree::spsc_queue<int, boost::lockfree::capacity<2>> q;
    int put = 0, expected = 1, n;
    std::thread producer([&] {
        for (int i = 1; i <= 3; i++)
            if (q.push(put + 1))
                put++;
    });
    for (int i = 0; i < 2; i++)
        if (q.pop(n))
            assert(n == expected++);
    producer.join();
    while (q.pop(n))
        assert(n == expected++);
    assert(expected == put + 1);
}
