/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes give a part of a search or a sentence; what was read is written as the same bytes. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "explore/core/explore.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The search takes what was read, and hands its steps out. */
static void take(const xpl_item *item)
{
    if (item->graphs.len == 0)
        return;
    xpl *x = xpl_graphs.new(&(xpl_opts){.model = "rc11"});
    xpl_job job;
    size_t n = 0;
    xpl_graphs.parts->take(x, item);
    for (; xpl_graphs.next(x, &job); n++)
        require(job.n_steps == 0 || job.steps != NULL);
    require(n == item->graphs.len);
    xpl_graphs.free(x);
}

/* Both halves can be read again. */
static void halve(xpl_item *item)
{
    xpl_item halves[2];
    if (!xpl_item_halve(item, &halves[0]))
        return;
    const xpl_item *both[2] = {item, &halves[0]};
    for (size_t i = 0; i < 2; i++) {
        xpl_byte_vec bytes = {0};
        xpl_item_write(both[i], &bytes);
        require(xpl_item_read(bytes.at, bytes.len, &halves[1], NULL) == TD_OK);
        require(halves[1].graphs.len == both[i]->graphs.len);
        xpl_item_fini(&halves[1]);
        xpl_byte_vec_fini(&bytes);
    }
    xpl_item_fini(&halves[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    xpl_item item;
    xpl_byte_vec again = {0};
    if (xpl_item_read(data, size, &item, &diag) != TD_OK) {
        require(diag.text[0] != '\0' && item.literals.len == 0 && item.graphs.len == 0);
        return 0;
    }
    xpl_item_write(&item, &again);
    require(again.len == size && memcmp(again.at, data, size) == 0);
    xpl_byte_vec_fini(&again);
    require(!xpl_item_is_large(&item));
    take(&item);
    halve(&item);
    xpl_item_fini(&item);
    return 0;
}
