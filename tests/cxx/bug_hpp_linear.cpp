// SPDX-License-Identifier: Apache-2.0
/* treadle.hpp: a stack that looks at its top and takes it under two locks: both threads may take the same.
 * treadle:
 * expect: verdict bug
 * expect: finding linear */
#include <mutex>
#include <thread>
#include <vector>

#include "stack_model.hpp"

class stack
{
  public:
    void push(int v)
    {
        treadle::operation op(this, "push", v);
        std::lock_guard<std::mutex> hold(lock);
        all.push_back(v);
    }

    int pop()
    {
        treadle::operation op(this, "pop");
        lock.lock();
        int v = all.empty() ? 0 : all.back();
        lock.unlock();
        std::lock_guard<std::mutex> hold(lock);
        if (!all.empty())
            all.pop_back();
        return op.result(v);
    }

  private:
    std::vector<int> all;
    std::mutex lock;
};

int main()
{
    stack s;
    treadle_specify(&s, &spec);
    s.push(1);
    std::thread t([&s] { s.pop(); });
    s.pop();
    t.join();
}
