// SPDX-License-Identifier: Apache-2.0
/* Two threads push to a vector.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_vector.cpp:14 bug_vector.cpp:15
 * expect: says data race on 'all', inside std::vector<int>::push_back */
#include <thread>
#include <vector>

static std::vector<int> all;

int main()
{
    std::thread t([] { all.push_back(1); });
    all.push_back(2);
    t.join();
}
