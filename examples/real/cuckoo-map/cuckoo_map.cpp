/* SPDX-License-Identifier: Apache-2.0
 * libcuckoo's map: two threads add 1 to the value of the same key, which is not there at first. */
#include <cassert>
#include <libcuckoo/cuckoohash_map.hh>
#include <thread>

int main()
{
    libcuckoo::cuckoohash_map<int, int> map(4);
    auto add = [&map] {
        map.upsert(
            1, [](int &n) { n++; }, 1);
    };
    std::thread other(add);
    add();
    other.join();
    assert(map.find(1) == 2);
    assert(map.size() == 1);
}
