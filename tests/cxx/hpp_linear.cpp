// SPDX-License-Identifier: Apache-2.0
/* treadle.hpp: operations of a stack end with their scope.
 * treadle:
 * expect: verdict complete */
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
        std::lock_guard<std::mutex> hold(lock);
        if (all.empty())
            return op.result(0);
        int v = all.back();
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
    std::thread t([&s] { s.push(1); });
    s.pop();
    t.join();
    s.pop();
}
