// SPDX-License-Identifier: Apache-2.0
/* A string is changed while it is read.
 * treadle:
 * expect: verdict bug
 * expect: finding race */
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
