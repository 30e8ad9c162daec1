// SPDX-License-Identifier: Apache-2.0
// Two locks in two orders: a deadlock whose places are lines of the C++ library.
#include <mutex>
#include <thread>

static std::mutex a, b;

static void one()
{
    std::lock_guard<std::mutex> x(a), y(b);
}

static void two()
{
    std::lock_guard<std::mutex> x(b), y(a);
}

int main()
{
    std::thread t(one);
    two();
    t.join();
}
