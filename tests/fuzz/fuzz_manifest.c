/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes give a manifest or a sentence; a manifest that was read prints to text that reads back
 * and prints the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/manifest.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    sto_manifest m, again;
    td_text first = {0}, second = {0};
    if (sto_manifest_parse((const char *)data, size, &m, &diag) != TD_OK) {
        require(diag.text[0] != '\0');
        return 0;
    }
    sto_manifest_print(&m, &first);
    require(sto_manifest_parse(first.at, first.len, &again, NULL) == TD_OK);
    require(again.harnesses.len == m.harnesses.len);
    sto_manifest_print(&again, &second);
    require(first.len == second.len && memcmp(first.at, second.at, first.len) == 0);
    td_text_fini(&first);
    td_text_fini(&second);
    sto_manifest_fini(&m);
    sto_manifest_fini(&again);
    return 0;
}
