/* SPDX-License-Identifier: Apache-2.0
 * xenium's sequence lock: a thread stores two equal numbers, main loads both. They are equal. */
#include <cassert>
#include <thread>
#include <xenium/seqlock.hpp>

struct pair {
    long a, b;
};

int main()
{
    xenium::seqlock<pair> lock(pair{0, 0});
    std::thread writer([&] { lock.store(pair{1, 1}); });
    pair p = lock.load();
    assert(p.a == p.b);
    writer.join();
    assert(lock.load().a == 1);
}
