/* SPDX-License-Identifier: Apache-2.0 */
/* instrument/support.h - the files treadle brings for the programs it builds. */
#pragma once

#include "base/text.h"

typedef enum ins_support {
    INS_SUPPORT_INLINE,  /* inline.bc: the inlined checks */
    INS_SUPPORT_RUNTIME, /* libtreadle_rt.a: all of it is linked */
    INS_SUPPORT_LIBC,    /* libtreadle_libc.a: likewise */
    INS_SUPPORT_CXX,     /* libtreadle_cxx.a: for C++ programs, what they need of it */
    INS_SUPPORT_LIBCXX,  /* libtreadle_libcxx.a: for those with libc++; all of it */
    INS_SUPPORT_REAL,    /* libtreadle_real.a: what the executable exports; all of it */
    INS_SUPPORT_PLAIN,   /* libtreadle_plain.a: the same for static programs */
    INS_SUPPORT_MAIN,    /* libtreadle_main.a: main, if the program's was renamed */
    INS_SUPPORT_IMAGE,   /* image.o: in every image */
    INS_SUPPORT_INCLUDE, /* include: directory of headers for marked programs */
    INS_N_SUPPORT
} ins_support;

/* Path of a support file: in the directory that TREADLE_SUPPORT names, in the build tree
 * of the running treadle, or where it is installed. */
TD_MUST_USE td_status ins_support_path(ins_support file, td_text *out, td_diag *diag);
