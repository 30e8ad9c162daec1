/* SPDX-License-Identifier: Apache-2.0 */
/* A stream gets a second way to set its width back, for functions that print: what does not change is not written.
 * libstdc++ writes a 0 over a 0 each time, which would be a data race of all threads that print; the standard says that
 * there is none. */
#ifdef __cplusplus
#pragma GCC system_header
#ifndef _IOS_BASE_H
#pragma push_macro("_M_getloc")
#define _M_getloc()                                                                      \
    _M_getloc() const                                                                    \
    {                                                                                    \
        return _M_ios_locale;                                                            \
    }                                                                                    \
    streamsize _M_treadle_width() const                                                  \
    {                                                                                    \
        return _M_width;                                                                 \
    }                                                                                    \
    void _M_treadle_width(streamsize __wide)                                             \
    {                                                                                    \
        if (_M_width != __wide)                                                          \
            _M_width = __wide;                                                           \
    }                                                                                    \
    const locale &_M_treadle_getloc()
#include_next <bits/ios_base.h>
#pragma pop_macro("_M_getloc")
#endif
#endif
