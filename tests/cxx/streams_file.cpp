// SPDX-License-Identifier: Apache-2.0
/* Each thread writes a file of its own and reads it.
 * treadle: --goal=traces
 * agree: --search=dpor --goal=traces
 * expect: verdict complete
 * expect: ledger not watched, alone */
#include <cassert>
#include <fstream>
#include <string>
#include <thread>

static void write_and_read(const char *path)
{
    {
        std::ofstream out(path);
        out << "one " << 2 << '\n' << 0.5 << std::endl;
        assert(out.good());
    }
    std::ifstream in(path);
    std::string word;
    int number = 0;
    double real = 0;
    in >> word >> number >> real;
    assert(word == "one" && number == 2 && real == 0.5);
    in.seekg(0);
    std::getline(in, word);
    assert(word == "one 2");
}

int main()
{
    std::thread t(write_and_read, "a.txt");
    write_and_read("b.txt");
    t.join();
}
