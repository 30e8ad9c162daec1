// SPDX-License-Identifier: Apache-2.0
/* A virtual function is called while the object is destroyed.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_pure_virtual.cpp:17 bug_pure_virtual.cpp:10 */
#include <thread>

struct base {
    base() : t() {}
    virtual ~base() { t.join(); }
    virtual void run() = 0;
    std::thread t;
};

struct worker : base {
    int n = 0;
    worker() { t = std::thread([this] { static_cast<base *>(this)->run(); }); }
    void run() override { n++; }
};

int main()
{
    worker w;
}
