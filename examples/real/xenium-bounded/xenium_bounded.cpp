/* SPDX-License-Identifier: Apache-2.0
 * xenium's bounded queue (Vyukov's) with two places: two producers of three numbers in all, and main tries to take one;
 * the rest is taken at the end. What fitted in comes out, each number once. */
#include <cassert>
#include <thread>
#include <xenium/vyukov_bounded_queue.hpp>

int main()
{
    xenium::vyukov_bounded_queue<int> q(2);
    int put = 0, got = 0, n;
    std::thread producer([&] {
        for (int i = 1; i <= 2; i++)
            put += q.try_push(i) ? i : 0;
    });
    int mine = q.try_push(4) ? 4 : 0;
    if (q.try_pop(n))
        got += n;
    producer.join();
    while (q.try_pop(n))
        got += n;
    assert(got == put + mine);
}
