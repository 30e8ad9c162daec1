// SPDX-License-Identifier: Apache-2.0
/* A task of async that throws.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <future>
#include <stdexcept>

int main()
{
    std::future<void> f = std::async(std::launch::async, [] { throw std::logic_error("x"); });
    bool caught = false;
    try {
        f.get();
    } catch (const std::logic_error &) {
        caught = true;
    }
    assert(caught);
}
