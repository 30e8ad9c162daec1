// SPDX-License-Identifier: Apache-2.0
/* counting_semaphore of libstdc++ 12 can sleep forever: it waits for the value it read first (GCC bug 104928).
 * treadle:
 * expect: verdict bug
 * expect: finding deadlock
 * newer: verdict complete
 * newer: without deadlock */
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> places(1);

static void enter()
{
    places.acquire();
    places.release();
}

int main()
{
    std::thread t(enter);
    enter();
    t.join();
}
