/* SPDX-License-Identifier: Apache-2.0
 * boost::weak_ptr and boost::shared_ptr: a thread locks the weak pointer while main resets the only shared one. */
#include <boost/make_shared.hpp>
#include <boost/weak_ptr.hpp>
#include <cassert>
#include <thread>

int main()
{
    auto p = boost::make_shared<int>(1);
    boost::weak_ptr<int> w = p;
    int seen = 1;
    std::thread other([&w, &seen] {
        if (auto mine = w.lock())
            seen = *mine;
    });
    p.reset();
    other.join();
    assert(seen == 1 && w.expired());
}
