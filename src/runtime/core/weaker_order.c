/* SPDX-License-Identifier: Apache-2.0 */
/* Orders that operations have in place of their own (wire/weaker.h). */
#include "runtime/core/core.h"

#include "runtime/core/weaker_order.h"

static bool is_at(const wire_weaker *w, const wire_site *s)
{
    return s && w->line == s->line && w->column == s->column &&
           w->file == wire_file_hash(wire_site_path(s));
}

uint8_t rt_weaker_order(uint8_t kind, uint8_t order, uint32_t site)
{
    uint32_t n = rt->shm->n_weaker;
    const wire_site *s = n > 0 ? rt_site_by_number(site) : NULL;
    for (uint32_t i = 0; i < n && i < WIRE_MAX_WEAKER; i++) {
        const wire_weaker *w = &rt->shm->weaker[i];
        if (w->kind == kind && w->order == order && is_at(w, s))
            return w->to;
    }
    return order;
}
