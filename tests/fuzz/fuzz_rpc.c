/* SPDX-License-Identifier: Apache-2.0 */
/* A request of JSON-RPC from any bytes. */
#include <stdint.h>
#include <string.h>

#include "report/formats/rpc.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rep_rpc r;
    td_diag diag = {0};
    if (rep_rpc_read((const char *)data, size, &r, &diag) == TD_OK) {
        require(r.method && r.tool && r.version);
        for (size_t i = 0; i < r.args.len; i++)
            require(rep_rpc_arg_of(&r, r.args.at[i].name) != NULL);
    } else {
        require(diag.text[0] && !r.method && r.args.len == 0);
    }
    rep_rpc_fini(&r);
    return 0;
}
