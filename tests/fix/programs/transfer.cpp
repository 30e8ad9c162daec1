// SPDX-License-Identifier: Apache-2.0
/* fix: section
 * edit
 * held out
 * idea: std::scoped_lock of both, or one order */
#include <mutex>
#include <thread>

static std::mutex left_lock, right_lock;
static int left_sum = 10, right_sum = 10;

static void to_right(int n)
{
    std::lock_guard<std::mutex> from(left_lock);
    std::lock_guard<std::mutex> to(right_lock);
    left_sum -= n;
    right_sum += n;
}

static void to_left(int n)
{
    std::lock_guard<std::mutex> from(right_lock);
    std::lock_guard<std::mutex> to(left_lock);
    right_sum -= n;
    left_sum += n;
}

int main()
{
    std::thread a(to_right, 3), b(to_left, 4);
    a.join();
    b.join();
}
