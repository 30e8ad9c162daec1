// SPDX-License-Identifier: Apache-2.0
/* Two threads print, which is no data race: numbers, texts, lines; each has streams of its own, too.
 * The order of the lock, and for each thread whether memory of a stream has the address of an earlier block.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: traces 8
 * expect: verdict complete
 * expect: ledger not watched, alone
 * treadle: --goal=traces
 * cflags: -std=c++17 -O0
 * expect: traces 8
 * expect: verdict complete
 * expect: ledger not watched, alone */
#include <cassert>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

static std::mutex m;
static int n;

static void print(const char *name)
{
    std::ostringstream own;
    own << std::setw(4) << std::hex << 255 << ' ' << std::fixed << 1.5 << std::boolalpha << true;
    std::cout << name << ": " << own.str() << ' ' << 42 << '\n';
    std::cerr << name << ' ' << 1.25 << std::endl;
    std::clog << std::string("done ") << 7ul << std::flush;

    std::ostringstream copy;
    copy << std::istringstream("copied").rdbuf();
    assert(copy.str() == "copied");

    std::istringstream words("12 ab 0x1f 2.5\nline\n,rest");
    int number = 0;
    unsigned hex = 0;
    double real = 0;
    std::string word, line, rest;
    words >> number >> word >> std::hex >> hex >> real;
    words.ignore(1);
    std::getline(words, line);
    words.ignore(9, ',');
    std::getline(words, rest);
    assert(own.str() == "  ff 1.500000true" && number == 12 && word == "ab" && hex == 31);
    assert(real == 2.5 && line == "line" && rest == "rest" && words.eof() && !words.fail());
    assert(!std::getline(words, rest) && words.fail());

    std::lock_guard<std::mutex> hold(m);
    n++;
}

int main()
{
    std::thread t(print, "thread");
    print("main");
    t.join();
    assert(n == 2);
}
