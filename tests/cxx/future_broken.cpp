// SPDX-License-Identifier: Apache-2.0
/* A promise that is not kept is an exception, which is caught.
 * treadle: --goal=traces
 * expect: verdict incomplete
 * expect: ledger not watched */
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> p;
    std::future<int> f = p.get_future();
    std::thread t([q = std::move(p)]() mutable { std::promise<int> gone(std::move(q)); });
    bool broken = false;
    try {
        f.get();
    } catch (const std::future_error &e) {
        broken = e.code() == std::future_errc::broken_promise;
    }
    t.join();
    assert(broken);
}
