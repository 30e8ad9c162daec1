// SPDX-License-Identifier: Apache-2.0
// A thread pool that sets its stop flag without the lock: the notification may come before the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

class Pool {
    std::mutex m;
    std::condition_variable cv;
    std::queue<int> q;
    std::atomic<bool> stop{false};
    std::thread worker;

    void loop()
    {
        for (;;) {
            std::unique_lock lk(m);
            cv.wait(lk, [&] { return stop || !q.empty(); });
            if (q.empty())
                return;
            q.pop();
        }
    }

public:
    Pool() : worker([this] { loop(); }) {}
    ~Pool()
    {
        stop = true;
        cv.notify_all();
        worker.join();
    }
};

int main()
{
    Pool pool;
}
