/* SPDX-License-Identifier: Apache-2.0
 * tbb::concurrent_queue: two threads put in a number each and take one. There is one for each of them, whatever the
 * order, and each number comes out once. */
#include <cassert>
#include <cstdlib>
#include <tbb/concurrent_queue.h>
#include <thread>

/* Stand-ins for what the queue needs of libtbb.so. */
namespace tbb::detail::r1
{
void *cache_aligned_allocate(std::size_t size)
{
    return std::aligned_alloc(128, (size + 127) / 128 * 128);
}
void cache_aligned_deallocate(void *p)
{
    std::free(p);
}
void throw_exception(d0::exception_id)
{
    std::abort();
}
} // namespace tbb::detail::r1

int main()
{
    tbb::concurrent_queue<int> q;
    int taken[2] = {0, 0};
    auto both = [&q, &taken](int i) {
        q.push(i + 1);
        bool any = q.try_pop(taken[i]);
        assert(any);
    };
    std::thread other(both, 0);
    both(1);
    other.join();
    assert(taken[0] + taken[1] == 3 && q.empty());
}
