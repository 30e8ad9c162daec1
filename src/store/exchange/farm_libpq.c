/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libpq when a farm is asked for. */
#include "store/exchange/farm_libpq.h"

#include <dlfcn.h>
#include <string.h>

/* What Debian's package libpq5 has; its functions have been the same since PostgreSQL 8. */
#define LIBRARY "libpq.so.5"

static td_status find(void *library, const char *name, void *out, td_diag *diag)
{
    void *found = dlsym(library, name);
    if (found == NULL)
        return td_diag_set(diag, TD_E_SYSTEM, LIBRARY " has no function %s", name);
    memcpy(out, &found, sizeof found);
    return TD_OK;
}

td_status farm_libpq_load(farm_libpq *out, td_diag *diag)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL)
        return td_diag_set(diag, TD_E_SYSTEM,
                           "farms need the library libpq (Debian: libpq5): %s",
                           dlerror());
#define FIND(name) TD_TRY(find(library, #name, &out->name, diag));
    FARM_LIBPQ(FIND)
#undef FIND
    return TD_OK;
}
