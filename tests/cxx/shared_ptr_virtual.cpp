// SPDX-License-Identifier: Apache-2.0
/* A base with virtual functions, kept by shared_ptr with a deleter.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <memory>
#include <thread>

struct shape {
    virtual ~shape() = default;
    virtual int area() const = 0;
};

template <int N> struct square : shape {
    int area() const override { return N * N; }
};

int main()
{
    int deleted = 0;
    {
        std::shared_ptr<shape> p(new square<3>, [&deleted](shape *s) {
            deleted++;
            delete s;
        });
        std::thread t([p] { assert(p->area() == 9); });
        t.join();
    }
    assert(deleted == 1);
}
