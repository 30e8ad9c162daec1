/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * idea: size and pop in one section */
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

static std::mutex guard;
static std::vector<int> jobs;
static int missing;

static bool has_job()
{
    std::lock_guard<std::mutex> hold(guard);
    return !jobs.empty();
}

static void take_job()
{
    std::lock_guard<std::mutex> hold(guard);
    if (jobs.empty())
        missing++;
    else
        jobs.pop_back();
}

static void work()
{
    if (has_job())
        take_job();
}

int main()
{
    jobs.push_back(1);
    std::thread a(work), b(work);
    a.join();
    b.join();
    assert(missing == 0);
}
