// SPDX-License-Identifier: Apache-2.0
/* fix: none
 * drops: an outcome is new
 * idea: two seats. With notify_all both sit down on one */
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex lock;
static std::condition_variable free_seat;
static int n_waiting, n_seats, n_seated;
static bool is_open;

static void sit()
{
    std::unique_lock<std::mutex> guard(lock);
    n_waiting++;
    while (!is_open)
        free_seat.wait(guard);
    n_seats--;
    n_seated++;
}

int main()
{
    std::thread a(sit), b(sit);
    for (bool both = false; !both;) {
        std::lock_guard<std::mutex> guard(lock);
        both = n_waiting == 2;
        if (both) {
            n_seats = 1;
            is_open = true;
            free_seat.notify_one();
        }
    }
    a.join();
    b.join();
}
