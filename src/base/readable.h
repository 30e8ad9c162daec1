/* SPDX-License-Identifier: Apache-2.0 */
/* base/readable.h - names of C++ as people say them.
 *
 * Purpose     Compiled C++ has names such as _ZNSt6vectorIiSaIiEE9push_backEOi; reports have vector<int>::push_back. Home of
 *             the demangler of libstdc++.
 * Words       symbol: a name as the linker has it.
 */
#pragma once

#include "base/text.h"

/* Adds the text to out, with every symbol of C++ in it replaced: without parameters, return types and inline
 * namespaces; long lists of template arguments become <...>. */
void td_readable(const char *text, td_text *out);
/* The same for a name that is readable but long: "emplace_back<std::__cxx11::basic_string<char, ...> >". */
void td_readable_name(const char *name, td_text *out);
/* A symbol, or its name as people say it, which is made once and kept there. */
const char *td_readable_kept(const char *symbol, char **kept);
