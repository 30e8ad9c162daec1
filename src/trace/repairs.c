/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual repairs: names, and the code of their lines. */
#include "trace/repairs.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

void trc_repair_fini(trc_repair *r)
{
    td_free(r->lock);
    for (uint32_t i = 0; i < TRC_REPAIR_PLACES; i++) {
        td_free(r->places[i].file);
        td_free(r->places[i].function);
    }
    *r = (trc_repair){0};
}

void trc_repair_copy(trc_repair *to, const trc_repair *from)
{
    *to = *from;
    to->lock = td_strdup(from->lock ? from->lock : "");
    for (uint32_t i = 0; i < from->n_places; i++) {
        to->places[i].file = td_strdup(from->places[i].file);
        to->places[i].function = td_strdup(from->places[i].function);
    }
}

static const char *const names[WIRE_N_REPAIR_KINDS] = {
    [WIRE_REPAIR_SECTION] = "section",
    [WIRE_REPAIR_ORDER] = "order",
    [WIRE_REPAIR_WAKE_ALL] = "wake-all",
};

const char *trc_repair_name(uint8_t kind)
{
    return kind < WIRE_N_REPAIR_KINDS ? names[kind] : NULL;
}

bool trc_repair_named(const char *name, uint8_t *out)
{
    for (uint8_t i = 0; i < WIRE_N_REPAIR_KINDS; i++)
        if (names[i] && strcmp(names[i], name) == 0) {
            *out = i;
            return true;
        }
    return false;
}

bool trc_repair_valid(const trc_repair *r)
{
    bool is_order = r->kind == WIRE_REPAIR_ORDER;
    if (!trc_repair_name(r->kind) || r->n_places < 1 || r->n_places > TRC_REPAIR_PLACES ||
        (is_order && (r->n_places != 2 || r->count == 0)))
        return false;
    for (uint32_t i = 0; i < r->n_places; i++)
        if (!r->places[i].file || r->places[i].from == 0 ||
            r->places[i].to < r->places[i].from)
            return false;
    return true;
}

static td_status add_part(const trc_lines *at, uint32_t repair, uint32_t part,
                          const trc_sites *sites, wire_shm *out, td_diag *diag)
{
    trc_span spans[WIRE_MAX_PARTS];
    uint32_t room = WIRE_MAX_PARTS - out->n_parts;
    size_t n = trc_code_of_lines(sites, at->file, at->from, at->to, spans, room);
    if (n == 0)
        return td_diag_set(diag, TD_E_PROGRAM, "a repair: no code at %s:%u-%u", at->file,
                           at->from, at->to);
    if (n > room)
        return td_diag_set(diag, TD_E_PROGRAM,
                           "a repair: the code of %s:%u-%u is in too many pieces",
                           at->file, at->from, at->to);
    for (size_t i = 0; i < n; i++) {
        if (trc_has_tail_call(sites, &spans[i]))
            return td_diag_set(diag, TD_E_PROGRAM,
                               "a repair: a call at %s:%u-%u is compiled as a jump",
                               at->file, at->from, at->to);
        out->parts[out->n_parts++] =
            (wire_part){spans[i].low, spans[i].high, repair, part};
    }
    return TD_OK;
}

/* A recording may be of another build. */
static td_status check_lock(const trc_repair *r, trc_sites *sites, td_diag *diag)
{
    if (r->object == 0 || strcmp(trc_object_name(sites, r->object), r->lock) == 0)
        return TD_OK;
    return td_diag_set(diag, TD_E_PROGRAM, "a repair: '%s' is no longer at its address",
                       r->lock);
}

td_status trc_repairs_wire(const trc_repair *repairs, size_t n, trc_sites *sites,
                           wire_shm *out, td_diag *diag)
{
    TD_ASSERT(n <= WIRE_MAX_REPAIRS);
    out->n_repairs = out->n_parts = 0;
    for (uint32_t i = 0; i < n; i++) {
        const trc_repair *r = &repairs[i];
        TD_ASSERT(trc_repair_valid(r));
        TD_TRY(check_lock(r, sites, diag));
        for (uint32_t k = 0; k < r->n_places; k++)
            TD_TRY(add_part(&r->places[k], i, k, sites, out, diag));
        out->repairs[i] = (wire_repair){
            .object = r->object ? r->object : WIRE_OBJECT_REPAIR(i),
            .kind = r->kind,
            .count = r->count,
            .is_in_loop = r->is_in_loop,
        };
    }
    out->n_repairs = (uint32_t)n;
    return TD_OK;
}
