// SPDX-License-Identifier: Apache-2.0
/* Double-checked initialisation with an atomic pointer.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 4
 * expect: verdict complete */
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<int *> the{nullptr};
static std::mutex m;

static int *get()
{
    int *p = the.load(std::memory_order_acquire);
    if (!p) {
        std::lock_guard<std::mutex> guard(m);
        p = the.load(std::memory_order_relaxed);
        if (!p)
            the.store(p = new int(6), std::memory_order_release);
    }
    return p;
}

int main()
{
    std::thread t([] { assert(*get() == 6); });
    assert(*get() == 6);
    t.join();
    delete the.load();
}
