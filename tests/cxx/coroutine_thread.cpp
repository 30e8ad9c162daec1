// SPDX-License-Identifier: Apache-2.0
/* A coroutine is resumed on another thread.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <coroutine>
#include <thread>

struct task {
    struct promise_type {
        task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};

static task steps(int &n)
{
    n = 1;
    co_await std::suspend_always{};
    n = 2;
}

int main()
{
    int n = 0;
    task t = steps(n);
    assert(n == 1);
    std::thread other([&t] { t.handle.resume(); });
    other.join();
    assert(n == 2 && t.handle.done());
    t.handle.destroy();
}
