// SPDX-License-Identifier: Apache-2.0
/* A string is changed while it is read.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_string.cpp:14 bug_string.cpp:15
 * expect: says data race on 'text', inside std::string::operator+= */
#include <string>
#include <thread>

static std::string text = "some text";

int main()
{
    std::thread t([] { text += "!"; });
    bool empty = text.empty();
    t.join();
    return empty;
}
