/* SPDX-License-Identifier: Apache-2.0
 * boost::signals2: a thread sends a signal while main disconnects its only slot. The slot is called at most once, and
 * not after that. */
#include <atomic>
#include <boost/signals2.hpp>
#include <cassert>
#include <thread>

int main()
{
    boost::signals2::signal<void()> s;
    std::atomic<int> calls{0};
    auto c = s.connect([&calls] { calls++; });
    std::thread other([&s] { s(); });
    c.disconnect();
    other.join();
    int before = calls;
    s();
    assert(before <= 1 && calls == before);
}
