/* SPDX-License-Identifier: Apache-2.0
 * moodycamel's ReaderWriterQueue: a producer of two numbers, one more than its first block holds, and a consumer that
 * tries twice and takes the rest at the end. The numbers come out in order, each one once. */
#include <cassert>
#include <readerwriterqueue.h>
#include <thread>

int main()
{
    moodycamel::ReaderWriterQueue<int> q(1);
    int enqueued = 0, expected = 1, n;
    std::thread producer([&] {
        for (int i = 1; i <= 2; i++)
            enqueued += q.enqueue(i);
    });
    for (int i = 0; i < 2; i++)
        if (q.try_dequeue(n))
            assert(n == expected++);
    producer.join();
    while (q.try_dequeue(n))
        assert(n == expected++);
    assert(enqueued == 2 && expected == 3);
}
