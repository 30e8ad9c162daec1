// SPDX-License-Identifier: Apache-2.0
/* A pure virtual function is called in a constructor.
 * treadle:
 * expect: verdict bug
 * expect: finding abort bug_pure_call.cpp:14
 * expect: says a pure virtual function was called */
struct base {
    base() { go(); }
    virtual ~base() = default;
    void go() { run(); }
    virtual void run() = 0;
};

struct derived : base {
    void run() override {}
};

int main()
{
    derived d;
}
