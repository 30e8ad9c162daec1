// SPDX-License-Identifier: Apache-2.0
/* treadle.hpp: operations of a stack end with their scope.
 * treadle:
 * expect: verdict complete */
#include <cstring>
#include <mutex>
#include <thread>
#include <treadle.hpp>
#include <vector>

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

struct model {
    int n, at[4];
};

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    model *m = static_cast<model *>(state);
    if (std::strcmp(call->op, "push") == 0)
        m->at[m->n++] = static_cast<int>(call->arg[0]);
    else
        *result = m->n > 0 ? static_cast<uint64_t>(m->at[--m->n]) : 0;
    return 1;
}

int main()
{
    static const treadle_spec spec = {sizeof(model), nullptr, step};
    stack s;
    treadle_specify(&s, &spec);
    std::thread t([&s] { s.push(1); });
    s.pop();
    t.join();
    s.pop();
}
