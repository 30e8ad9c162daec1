/* SPDX-License-Identifier: Apache-2.0 */
/* std::condition_variable of libc++, compiled with the program: where it waits is seen. */
#pragma GCC system_header
#include_next <__condition_variable/condition_variable.h>
#ifndef TREADLE_LIBCXX_CONDITION_VARIABLE
#define TREADLE_LIBCXX_CONDITION_VARIABLE
#include <__system_error/system_error.h>

_LIBCPP_BEGIN_NAMESPACE_STD

#ifndef _LIBCPP_HAS_TRIVIAL_CONDVAR_DESTRUCTION
inline condition_variable::~condition_variable()
{
    __libcpp_condvar_destroy(&__cv_);
}
#endif

inline void condition_variable::notify_one() _NOEXCEPT
{
    __libcpp_condvar_signal(&__cv_);
}

inline void condition_variable::notify_all() _NOEXCEPT
{
    __libcpp_condvar_broadcast(&__cv_);
}

inline void condition_variable::wait(unique_lock<mutex> &__l) _NOEXCEPT
{
    if (!__l.owns_lock())
        std::__throw_system_error(EPERM, "condition_variable::wait: mutex not locked");
    if (int __error = __libcpp_condvar_wait(&__cv_, __l.mutex()->native_handle()))
        std::__throw_system_error(__error, "condition_variable wait failed");
}

inline void condition_variable::__do_timed_wait(
    unique_lock<mutex> &__l,
    chrono::time_point<chrono::system_clock, chrono::nanoseconds> __until) _NOEXCEPT
{
    if (!__l.owns_lock())
        std::__throw_system_error(EPERM,
                                  "condition_variable::timed wait: mutex not locked");
    auto __ns = __until.time_since_epoch().count();
    timespec __time;
    __time.tv_sec = __ns / 1000000000;
    __time.tv_nsec = __ns % 1000000000;
    int __error =
        __libcpp_condvar_timedwait(&__cv_, __l.mutex()->native_handle(), &__time);
    if (__error && __error != ETIMEDOUT)
        std::__throw_system_error(__error, "condition_variable timed_wait failed");
}

_LIBCPP_END_NAMESPACE_STD
#endif
