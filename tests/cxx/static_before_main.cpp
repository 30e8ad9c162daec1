// SPDX-License-Identifier: Apache-2.0
/* Objects with constructors and destructors, before and after main.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <mutex>
#include <string>
#include <thread>

struct place {
    std::string name;
    int n;
    place() : name("a name that does not fit into the object itself"), n(1) {}
    ~place() { assert(n == 2 && name.size() > 20); }
};

static place here;
static std::mutex m;

int main()
{
    std::thread t([] {
        std::lock_guard<std::mutex> guard(m);
        here.n++;
    });
    t.join();
}
