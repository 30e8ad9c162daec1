// SPDX-License-Identifier: Apache-2.0
/* One thread inserts into a map, the other one looks.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_map.cpp:14 bug_map.cpp:16
 * expect: says data race inside std::map<int, int>::operator[] */
#include <map>
#include <thread>

static std::map<int, int> all{{1, 1}, {2, 2}, {3, 3}};

int main()
{
    std::thread t([] { all[4] = 4; });
    int sum = 0;
    for (const auto &[key, value] : all)
        sum += value;
    t.join();
    return sum > 100;
}
