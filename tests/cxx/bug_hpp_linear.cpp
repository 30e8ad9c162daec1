// SPDX-License-Identifier: Apache-2.0
/* treadle.hpp: a stack that looks at its top and takes it under two locks: both threads may take the same.
 * treadle:
 * expect: verdict bug
 * expect: finding linear */
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
    s.push(1);
    std::thread t([&s] { s.pop(); });
    s.pop();
    t.join();
}
