// SPDX-License-Identifier: Apache-2.0
/* An exception is thrown across a future.
 * treadle: --goal=traces
 * expect: traces 90
 * expect: verdict complete */
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main()
{
    std::promise<int> p;
    std::future<int> f = p.get_future();
    std::thread t([&p] {
        try {
            throw std::runtime_error("no value");
        } catch (...) {
            p.set_exception(std::current_exception());
        }
    });
    bool caught = false;
    try {
        f.get();
    } catch (const std::runtime_error &e) {
        caught = std::string(e.what()) == "no value";
    }
    t.join();
    assert(caught);
}
