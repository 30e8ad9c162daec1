/* SPDX-License-Identifier: Apache-2.0 */
/* std::string of libc++: its functions are compiled with the program. The library has them compiled, where nothing is seen. */
#pragma GCC system_header
#define _LIBCPP_STRING_V1_EXTERN_TEMPLATE_LIST(_Func, _CharType)
#define _LIBCPP_STRING_UNSTABLE_EXTERN_TEMPLATE_LIST(_Func, _CharType)
