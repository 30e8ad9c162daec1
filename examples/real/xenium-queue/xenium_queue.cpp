/* SPDX-License-Identifier: Apache-2.0
 * xenium's queue of Michael and Scott with hazard pointers: two threads put in a number each, and main tries to take
 * one; the rest is taken at the end. Each number comes out once. */
#include <cassert>
#include <thread>
#include <xenium/michael_scott_queue.hpp>
#include <xenium/reclamation/hazard_pointer.hpp>

int main()
{
    using reclaim =
        xenium::reclamation::hazard_pointer<>::with<xenium::policy::allocation_strategy<
            xenium::reclamation::hp_allocation::static_strategy<3>>>;
    xenium::michael_scott_queue<int, xenium::policy::reclaimer<reclaim>> q;
    int sum = 0, n;
    std::thread producer([&] { q.push(1); });
    q.push(2);
    if (q.try_pop(n))
        sum += n;
    producer.join();
    while (q.try_pop(n))
        sum += n;
    assert(sum == 3);
}
