/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers by content id. */
#include "path/path_int.h"

#include "base/assert.h"

uint32_t pth_table_get(const pth_table *t, td_id id)
{
    const uint32_t *number = pth_table_find(t, id);
    return number ? *number : UINT32_MAX;
}

uint32_t pth_table_number(pth_table *t, td_id id, uint32_t number)
{
    TD_ASSERT(number != UINT32_MAX); /* that value means none */
    size_t before = t->len;
    uint32_t *known = pth_table_at(t, id);
    if (t->len > before)
        *known = number;
    return *known;
}
