// SPDX-License-Identifier: Apache-2.0
/* Two threads push to a vector.
 * treadle:
 * expect: verdict bug
 * expect: finding race */
#include <thread>
#include <vector>

static std::vector<int> all;

int main()
{
    std::thread t([] { all.push_back(1); });
    all.push_back(2);
    t.join();
}
