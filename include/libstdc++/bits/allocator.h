/* SPDX-License-Identifier: Apache-2.0 */
/* std::allocator<char>: its constructors are compiled with the program. The library has them compiled, where nothing is seen. */
#ifdef __cplusplus
#pragma GCC system_header
#pragma push_macro("_GLIBCXX_EXTERN_TEMPLATE")
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include_next <bits/allocator.h>
#pragma pop_macro("_GLIBCXX_EXTERN_TEMPLATE")
#endif
