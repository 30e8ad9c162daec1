// SPDX-License-Identifier: Apache-2.0
/* treadle.hpp: inputs of several types, one of them in a range. All values of them are decided.
 * treadle:
 * expect: verdict complete */
#include <cassert>
#include <thread>
#include <treadle.hpp>

enum class colour : unsigned char { red, green };

struct pair {
    short a;
    unsigned char b;
};

int main()
{
    int n = treadle::any<int>("n", 0, 9);
    bool flag = treadle::any<bool>("flag");
    pair p = treadle::any<pair>("p");
    colour c = treadle::any<colour>("c", colour::red, colour::green);
    assert(n >= 0 && n <= 9);
    assert(c == colour::red || c == colour::green);
    int seen = 0;
    std::thread t([&seen, n, flag] { seen = flag ? n : -n; });
    t.join();
    assert(seen == n || seen == -n);
    assert(p.b <= 255);
}
