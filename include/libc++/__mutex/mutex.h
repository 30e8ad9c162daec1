/* SPDX-License-Identifier: Apache-2.0 */
/* std::mutex of libc++, compiled with the program: where it locks is seen. */
#pragma GCC system_header
#include_next <__mutex/mutex.h>
#ifndef TREADLE_LIBCXX_MUTEX
#define TREADLE_LIBCXX_MUTEX
#include <__system_error/system_error.h>

_LIBCPP_BEGIN_NAMESPACE_STD

#ifndef _LIBCPP_HAS_TRIVIAL_MUTEX_DESTRUCTION
inline mutex::~mutex() _NOEXCEPT
{
    __libcpp_mutex_destroy(&__m_);
}
#endif

inline void mutex::lock()
{
    if (int __error = __libcpp_mutex_lock(&__m_))
        std::__throw_system_error(__error, "mutex lock failed");
}

inline bool mutex::try_lock() _NOEXCEPT
{
    return __libcpp_mutex_trylock(&__m_);
}

inline void mutex::unlock() _NOEXCEPT
{
    __libcpp_mutex_unlock(&__m_);
}

_LIBCPP_END_NAMESPACE_STD
#endif
