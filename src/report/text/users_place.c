/* SPDX-License-Identifier: Apache-2.0 */
/* A finding inside a header of the C++ library: its places become the user's lines that call it. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"

/* What the program calls the object that an act accesses, "". */
static const char *object_of(rep_story *s, uint64_t object, uint32_t act)
{
    td_text text = {0};
    const char *name = s->names->object(s->names->ctx, object);
    if (!name[0] && act != REP_NONE)
        name = rep_local_name(s, act, object);
    td_text_put(&text, name, rep_users_name(name));
    return rep_keep(s, &text);
}

static void settle_side(rep_story *s, det_side *side, uint32_t act)
{
    const rep_path *p = act != REP_NONE ? &s->paths.at[s->acts.at[act].path] : NULL;
    if (!p || !p->library)
        return;
    const rep_place *own = rep_path_own(s, s->acts.at[act].path);
    const char *name = object_of(s, s->acts.at[act].object, act);
    side->file = (char *)own->file;
    side->function = (char *)own->function;
    side->line = own->line;
    side->column = 0;
    if (name[0])
        side->name = (char *)name;
}

/* "data race on 'all', inside std::vector<int>::push_back" */
static void settle_message(rep_whole *w, rep_story *s)
{
    const rep_path *p = &s->paths.at[s->fail_path];
    bool is_plain = det_finding_title(&w->finding) == det_kind_title(DET_RACE);
    if (!is_plain || !s->fail || !p->library)
        return;
    const char *name = object_of(s, s->fail->object, s->race[1]);
    td_text text = {0};
    if (name[0])
        td_text_add(&text, "data race on '%s', inside %s", name, p->library);
    else
        td_text_add(&text, "data race inside %s", p->library);
    w->finding.message = (char *)rep_keep(s, &text);
}

void rep_whole_settle(rep_whole *w, rep_story *s)
{
    TD_ASSERT(s->f == &w->f && w->f.finding == &w->finding);
    det_finding *f = &w->finding;
    const rep_place *own = rep_path_own(s, s->fail_path);
    if (own->line > 0) {
        f->file = (char *)own->file;
        f->function = (char *)own->function;
        f->line = own->line;
    }
    if (f->sides) {
        memcpy(w->sides, f->sides, sizeof w->sides);
        f->sides = w->sides;
        for (int i = 0; i < 2; i++)
            settle_side(s, &w->sides[i], s->race[i]);
        if (f->other_file) {
            f->other_file = w->sides[0].file;
            f->other_function = w->sides[0].function;
            f->other_line = w->sides[0].line;
        }
    }
    if (f->freed.file && s->memory[0] != REP_NONE &&
        s->paths.at[s->acts.at[s->memory[0]].path].library) {
        const rep_place *freed = rep_path_own(s, s->acts.at[s->memory[0]].path);
        f->freed.file = (char *)freed->file;
        f->freed.function = (char *)freed->function;
        f->freed.line = freed->line;
        if (f->other_file) {
            f->other_file = f->freed.file;
            f->other_function = f->freed.function;
            f->other_line = f->freed.line;
        }
    }
    settle_message(w, s);
}
