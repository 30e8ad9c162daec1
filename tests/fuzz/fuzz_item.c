/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes give a part of a search or a sentence; what was read is written as the same bytes. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "explore/core/item.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    xpl_item item;
    xpl_byte_vec again = {0};
    if (xpl_item_read(data, size, &item, &diag) != TD_OK) {
        require(diag.text[0] != '\0' && item.literals.len == 0);
        return 0;
    }
    xpl_item_write(&item, &again);
    require(again.len == size && memcmp(again.at, data, size) == 0);
    xpl_byte_vec_fini(&again);
    xpl_item_fini(&item);
    return 0;
}
