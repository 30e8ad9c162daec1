/* SPDX-License-Identifier: Apache-2.0 */
/* std::thread of libc++, compiled with the program: where it is joined is seen. */
#pragma GCC system_header
#include_next <__thread/thread.h>
#ifndef TREADLE_LIBCXX_THREAD
#define TREADLE_LIBCXX_THREAD
#include <__system_error/system_error.h>

_LIBCPP_BEGIN_NAMESPACE_STD

inline thread::~thread()
{
    if (!__libcpp_thread_isnull(&__t_))
        std::terminate();
}

inline void thread::join()
{
    int __error = EINVAL;
    if (!__libcpp_thread_isnull(&__t_))
        __error = __libcpp_thread_join(&__t_);
    if (__error)
        std::__throw_system_error(__error, "thread::join failed");
    __t_ = _LIBCPP_NULL_THREAD;
}

inline void thread::detach()
{
    int __error = EINVAL;
    if (!__libcpp_thread_isnull(&__t_))
        __error = __libcpp_thread_detach(&__t_);
    if (__error)
        std::__throw_system_error(__error, "thread::detach failed");
    __t_ = _LIBCPP_NULL_THREAD;
}

_LIBCPP_END_NAMESPACE_STD
#endif
