// SPDX-License-Identifier: Apache-2.0
/* std::function, std::any, std::variant and std::optional between threads.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 2
 * expect: verdict complete */
#include <any>
#include <cassert>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>

static std::mutex m;
static std::function<int(int)> f;
static std::optional<std::variant<int, double>> v;
static std::any a;

int main()
{
    std::thread t([] {
        std::lock_guard<std::mutex> guard(m);
        f = [k = 3](int n) { return n + k; };
        v = 2.5;
        a = 1;
    });
    {
        std::lock_guard<std::mutex> guard(m);
        if (f)
            assert(f(1) == 4 && std::get<double>(*v) == 2.5 && std::any_cast<int>(a) == 1);
    }
    t.join();
}
