// SPDX-License-Identifier: Apache-2.0
// An initialisation that throws if it comes too early, by a caller that goes on without its result.
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static std::atomic<bool> loaded{false};
static int *result, value;

static void init()
{
    if (!loaded)
        throw std::runtime_error("not yet");
    result = &value;
}

static void use()
{
    try {
        std::call_once(once, init);
    } catch (const std::runtime_error &) {
    }
    assert(result);
}

int main()
{
    std::thread user(use);
    loaded = true;
    user.join();
}
