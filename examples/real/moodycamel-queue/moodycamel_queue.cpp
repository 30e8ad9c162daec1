/* SPDX-License-Identifier: Apache-2.0
 * moodycamel's ConcurrentQueue: two threads put in a number each, and main tries to take one; the rest is taken at the
 * end. Each number comes out once. */
#include <cassert>
#include <concurrentqueue.h>
#include <thread>

int main()
{
    moodycamel::ConcurrentQueue<int> q(1);
    int sum = 0, n;
    std::thread producer([&] { q.enqueue(1); });
    q.enqueue(2);
    if (q.try_dequeue(n))
        sum += n;
    producer.join();
    while (q.try_dequeue(n))
        sum += n;
    assert(sum == 3);
}
