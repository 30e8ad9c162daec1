// SPDX-License-Identifier: Apache-2.0
/* shared_mutex: two readers at once, and a writer.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 4
 * expect: verdict complete */
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;
static int x, y;

static void look()
{
    std::shared_lock<std::shared_mutex> lock(m);
    assert(x == y);
}

int main()
{
    std::thread a(look), b(look);
    {
        std::unique_lock<std::shared_mutex> lock(m);
        x++;
        y++;
    }
    a.join();
    b.join();
}
