/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting at atomic objects with libc++: a thread looks once and then waits. The library looks 64 times and then at the clock,
 * which is for speed only. With a limit, a thread that is explored looks once more when the time is over, which may be at any
 * moment; by hand it looks once in a millisecond. */
#ifndef TREADLE_LIBCXX_POLL
#define TREADLE_LIBCXX_POLL
#pragma GCC system_header
#include <__config>

#include <__chrono/duration.h>
#include <__chrono/high_resolution_clock.h>
#include <time.h>

extern "C" long __treadle_nap(long __ns);

_LIBCPP_BEGIN_NAMESPACE_STD

template <class _Poll, class _Backoff>
_LIBCPP_HIDE_FROM_ABI bool __libcpp_thread_poll_with_backoff(
    _Poll &&__poll, _Backoff &&__backoff,
    chrono::nanoseconds __limit = chrono::nanoseconds::zero())
{
    if (__limit == chrono::nanoseconds::zero()) {
        while (!__poll())
            if (__backoff(chrono::seconds(1)))
                return false;
        return true;
    }
    for (long __left = __limit.count(); !__poll();) {
        if (__left <= 0)
            return false;
        __left -= __treadle_nap(__left);
    }
    return true;
}

struct __spinning_backoff_policy {
    _LIBCPP_HIDE_FROM_ABI bool operator()(const chrono::nanoseconds &) const
    {
        return false;
    }
};

_LIBCPP_END_NAMESPACE_STD
#endif
