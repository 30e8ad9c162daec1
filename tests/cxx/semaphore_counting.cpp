// SPDX-License-Identifier: Apache-2.0
/* counting_semaphore of two, three threads.
 * treadle:
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

static std::counting_semaphore<2> places(1);
static int inside;

static void enter()
{
    places.acquire();
    inside++;
    assert(inside == 1);
    inside--;
    places.release();
}

int main()
{
    std::thread t(enter);
    enter();
    t.join();
}
