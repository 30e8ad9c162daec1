/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers are printed: the width of the stream is set back where it is set (ios_base.h). */
#ifdef __cplusplus
#pragma GCC system_header
#pragma push_macro("width")
#undef width
#define width _M_treadle_width
#include_next <bits/locale_facets.tcc>
#pragma pop_macro("width")
#endif
