/* SPDX-License-Identifier: Apache-2.0
 * libcds' bounded queue (Vyukov's) with two places: two producers of three numbers in all, and main tries to take one;
 * the rest is taken at the end. What fitted in comes out, each number once. */
#include <cassert>
#include <cds/container/vyukov_mpmc_cycle_queue.h>
#include <thread>

int main()
{
    cds::container::VyukovMPMCCycleQueue<int> q(2);
    int put = 0, got = 0, n;
    std::thread producer([&] {
        for (int i = 1; i <= 2; i++)
            put += q.enqueue(i) ? i : 0;
    });
    int mine = q.enqueue(4) ? 4 : 0;
    if (q.dequeue(n))
        got += n;
    producer.join();
    while (q.dequeue(n))
        got += n;
    assert(got == put + mine);
}
