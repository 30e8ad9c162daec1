// SPDX-License-Identifier: Apache-2.0
/* Each thread has its own.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 1
 * expect: verdict complete */
#include <cassert>
#include <string>
#include <thread>

static thread_local std::string text = "start";

static void add(const char *what)
{
    text += what;
    assert(text == std::string("start") + what);
}

int main()
{
    std::thread a(add, " with some words that are long enough"), b(add, "b");
    add("main");
    a.join();
    b.join();
}
