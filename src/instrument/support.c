/* SPDX-License-Identifier: Apache-2.0 */
/* Where the runtime and the inlined checks are: beside the tool, or installed. */
#include "instrument/support.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef INS_LIBDIR
#define INS_LIBDIR "lib" /* below the prefix */
#endif

static const struct support {
    const char *name;
    const char *built; /* folder in the build tree */
} files[INS_N_SUPPORT] = {
    [INS_SUPPORT_INLINE] = {"inline.bc", "src/instrument"},
    [INS_SUPPORT_RUNTIME] = {"libtreadle_rt.a", "src/runtime"},
    [INS_SUPPORT_LIBC] = {"libtreadle_libc.a", "src/runtime/libc"},
    [INS_SUPPORT_CXX] = {"libtreadle_cxx.a", "src/runtime/cxx"},
    [INS_SUPPORT_LIBCXX] = {"libtreadle_libcxx.a", "src/runtime/cxx"},
    [INS_SUPPORT_REAL] = {"libtreadle_real.a", "src/runtime"},
    [INS_SUPPORT_PLAIN] = {"libtreadle_plain.a", "src/runtime"},
    [INS_SUPPORT_MAIN] = {"libtreadle_main.a", "src/runtime"},
    [INS_SUPPORT_IMAGE] = {"image.o", "src/runtime"},
    [INS_SUPPORT_INCLUDE] = {"include", ""},
};

static bool try_path(td_text *out, const char *top, const char *folder, const char *name)
{
    td_text_clear(out);
    td_text_add(out, "%s/%s%s%s", top, folder, folder[0] ? "/" : "", name);
    return access(out->at, R_OK) == 0;
}

td_status ins_support_path(ins_support file, td_text *out, td_diag *diag)
{
    const struct support *f = &files[file];
    const char *chosen = getenv("TREADLE_SUPPORT");
    char self[PATH_MAX];
    if (chosen && try_path(out, chosen, "", f->name))
        return TD_OK;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return td_diag_errno(diag, TD_E_SYSTEM,
                             "cannot determine where treadle is installed");
    self[n] = 0;
    *strrchr(self, '/') = 0;
    if (try_path(out, self, f->built, f->name) ||
        try_path(out, self, "../" INS_LIBDIR "/treadle", f->name) ||
        try_path(out, self, "../lib/treadle", f->name))
        return TD_OK;
    return td_diag_set(diag, TD_E_SYSTEM, "%s is missing beside %s/treadle", f->name,
                       self);
}
