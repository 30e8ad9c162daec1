// SPDX-License-Identifier: Apache-2.0
/* binary_semaphore hands over data.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 57
 * newer: traces 6
 * expect: verdict complete */
#include <cassert>
#include <semaphore>
#include <thread>

static std::binary_semaphore full(0);
static int data;

int main()
{
    std::thread t([] {
        data = 4;
        full.release();
    });
    full.acquire();
    assert(data == 4);
    t.join();
}
