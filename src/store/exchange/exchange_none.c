/* SPDX-License-Identifier: Apache-2.0 */
/* A build without libpq: no farms. */
#include "store/exchange/exchange_int.h"

static td_status no_farms(td_diag *diag)
{
    return td_diag_set(
        diag, TD_E_USAGE,
        "this treadle was built without farms (libpq, meson's option farm)");
}

td_status sto_pg_open(const char *address, sto_link **out, td_diag *diag)
{
    return no_farms(diag);
}

td_status sto_farm_init(const char *where, sto_farm_owner owner, bool *has_temporary,
                        td_diag *diag)
{
    return no_farms(diag);
}
