// SPDX-License-Identifier: Apache-2.0
// threads.sh: strings, new and delete, and a queue, in two threads; the order of the words is not what is asserted.
#include <cassert>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

static std::mutex m;
static std::deque<std::unique_ptr<std::string>> words;

static void put(const char *word)
{
    auto made = std::make_unique<std::string>(word);
    *made += ".";
    std::lock_guard<std::mutex> guard(m);
    words.push_back(std::move(made));
}

int main()
{
    std::thread other(put, "a word that is longer than what a string has room for");
    put("short");
    other.join();
    assert(*words.front() == "short.");
}
