/* SPDX-License-Identifier: Apache-2.0 */
/* Acts that are in no step, counted by kind. */
#include "report/text/report_int.h"

#include "base/assert.h"

typedef struct hidden {
    uint64_t n_mutex, n_other, n_thread, n_plain, n_atomic, n_decide, n_mark;
    uint64_t mutex; /* the only one, if one_mutex */
    bool one_mutex, contended;
} hidden;

static hidden count_hidden(const rep_story *s)
{
    hidden h = {.one_mutex = true};
    for (size_t i = 0; i < s->acts.len; i++) {
        const rep_act *a = &s->acts.at[i];
        if (a->step != 0)
            continue;
        if (rep_act_on_mutex(a)) {
            h.one_mutex = h.one_mutex && (h.n_mutex == 0 || h.mutex == a->object);
            h.mutex = a->object;
            h.contended = h.contended || a->contended;
            h.n_mutex++;
        } else if (rep_act_on_object(a)) {
            h.n_other++;
        } else if (a->kind == WIRE_NOTE_READ || a->kind == WIRE_NOTE_WRITE ||
                   a->kind == REP_FREES) {
            h.n_plain++;
        } else if (rep_act_reads(a) || rep_act_writes(a) || mdl_enters_section(a->kind) ||
                   mdl_leaves_section(a->kind)) {
            h.n_atomic++;
        } else if (mdl_decides(a->kind)) {
            h.n_decide++;
        } else if (rep_act_is_mark(a)) {
            h.n_mark++;
        } else if (a->kind != REP_WAITS) {
            h.n_thread++;
        }
    }
    return h;
}

static void print_part(td_text *out, uint64_t n, const char *what)
{
    TD_ASSERT(what[0] != '\0');
    if (n == 0)
        return;
    td_text_add(out, "%s", out->len > 0 ? ", " : "");
    td_count_print(n, out);
    td_text_add(out, "\t%s", what);
}

void rep_print_hidden(const rep_scene *c, td_text *out)
{
    hidden h = count_hidden(c->story);
    td_text lock = {0};
    td_text_add(&lock, h.contended ? "lock/unlock" : "uncontended lock/unlock");
    if (h.n_mutex > 0 && h.one_mutex) {
        td_text_add(&lock, " of '");
        rep_print_object(c->labels, h.mutex, &lock);
        td_text_add(&lock, "'");
    }
    print_part(out, h.n_mutex, lock.at);
    print_part(out, h.n_other, "wait/signal/post");
    print_part(out, h.n_atomic, h.n_atomic == 1 ? "atomic access" : "atomic accesses");
    print_part(out, h.n_plain, h.n_plain == 1 ? "plain access" : "plain accesses");
    print_part(out, h.n_thread, "create/join/exit");
    print_part(out, h.n_decide, h.n_decide == 1 ? "decision" : "decisions");
    print_part(out, h.n_mark, h.n_mark == 1 ? "mark" : "operation marks");
    td_text_fini(&lock);
}
