/* SPDX-License-Identifier: Apache-2.0 */
/* What kind of act it is. */
#include "report/text/report_int.h"

bool rep_act_reads(const rep_act *a)
{
    return a->kind == WIRE_NOTE_READ || mdl_reads(a->kind);
}

bool rep_act_writes(const rep_act *a)
{
    return a->kind == WIRE_NOTE_WRITE || mdl_writes(a->kind);
}

bool rep_act_loads(const rep_act *a)
{
    return rep_act_reads(a) && !rep_act_writes(a) && !mdl_has_failed(a->kind);
}

static uint8_t kind_of(const rep_act *a)
{
    return a->kind == REP_WAITS ? a->wants : a->kind;
}

bool rep_act_on_mutex(const rep_act *a)
{
    return mdl_type_of(kind_of(a)) == WIRE_TYPE_MUTEX || mdl_resets(kind_of(a));
}

bool rep_act_is_mark(const rep_act *a)
{
    return mdl_type_of(a->kind) == WIRE_TYPE_HISTORY;
}

bool rep_act_on_object(const rep_act *a)
{
    uint8_t kind = kind_of(a);
    return mdl_has_object(kind) && mdl_type_of(kind) != WIRE_TYPE_SECTION &&
           mdl_type_of(kind) != WIRE_TYPE_HISTORY;
}

bool rep_act_on_handle(const rep_act *a)
{
    return mdl_type_of(kind_of(a)) == WIRE_TYPE_THREAD;
}

bool rep_act_on_futex(const rep_act *a)
{
    return mdl_type_of(a->kind) == WIRE_TYPE_FUTEX;
}

bool rep_act_waits_for_anybody(const rep_act *a)
{
    return a->kind == REP_WAITS && !mdl_joins(a->wants) && a->other == REP_NONE;
}

trc_site rep_act_site(const rep_story *s, const rep_act *a)
{
    trc_site site = s->names->site(s->names->ctx, a->site);
    bool is_known = a->path < s->paths.len && s->paths.at[a->path].n > 0;
    if (is_known && s->paths.at[a->path].library) {
        const rep_place *own = rep_path_own(s, a->path);
        site.file = own->file;
        site.function = own->function;
        site.line = own->line;
        site.column = 0;
    }
    return site;
}
