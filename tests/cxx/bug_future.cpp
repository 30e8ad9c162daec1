// SPDX-License-Identifier: Apache-2.0
/* An exception comes out of a future, and nobody catches it there.
 * treadle:
 * expect: verdict bug
 * expect: finding abort bug_future.cpp:21
 * expect: says uncaught exception of type 'std::invalid_argument': empty number */
#include <future>
#include <stdexcept>
#include <string>

static int parse(const std::string &text)
{
    if (text.empty())
        throw std::invalid_argument("empty number");
    return std::stoi(text);
}

int main()
{
    auto number = std::async(std::launch::async, [] { return parse(""); });
    return number.get();
}
