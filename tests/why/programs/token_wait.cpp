// SPDX-License-Identifier: Apache-2.0
// A consumer that tests a stop token and waits at a plain condition variable: a request to stop wakes nobody.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable cv;
static bool filled;

static void consume(std::stop_token token)
{
    std::unique_lock lk(m);
    while (!filled && !token.stop_requested())
        cv.wait(lk);
}

int main()
{
    std::jthread t(consume);
    t.request_stop();
    cv.notify_one();
}
