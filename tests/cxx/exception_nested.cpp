// SPDX-License-Identifier: Apache-2.0
/* Rethrown, nested, and kept by exception_ptr in another thread.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

int main()
{
    std::exception_ptr kept;
    std::thread t([&kept] {
        try {
            try {
                throw std::runtime_error("inner");
            } catch (...) {
                std::throw_with_nested(std::logic_error("outer"));
            }
        } catch (...) {
            kept = std::current_exception();
        }
    });
    t.join();
    int depth = 0;
    try {
        std::rethrow_exception(kept);
    } catch (const std::logic_error &e) {
        depth++;
        try {
            std::rethrow_if_nested(e);
        } catch (const std::runtime_error &) {
            depth++;
        }
    }
    assert(depth == 2);
}
