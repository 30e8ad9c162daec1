// SPDX-License-Identifier: Apache-2.0
/* The size of a queue is asked for without its lock.
 * treadle:
 * expect: verdict bug
 * expect: finding race bug_deque.cpp:18 bug_deque.cpp:23
 * expect: says data race on 'j.all', inside std::deque<std::string>::push_back */
#include <deque>
#include <mutex>
#include <string>
#include <thread>

class jobs
{
  public:
    void put(std::string name)
    {
        std::lock_guard<std::mutex> hold(lock);
        all.push_back(std::move(name));
    }

    bool empty() const
    {
        return all.empty();
    }

  private:
    std::deque<std::string> all;
    std::mutex lock;
};

int main()
{
    jobs j;
    std::thread t([&j] { j.put("print"); });
    int n = j.empty() ? 0 : 1;
    t.join();
    return n;
}
