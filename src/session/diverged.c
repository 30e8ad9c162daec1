/* SPDX-License-Identifier: Apache-2.0 */
/* Describes why a run could not follow its schedule any further. */
#include "session/session_int.h"

#include <inttypes.h>

static void thread_text(uint64_t thread, char out[32])
{
    if (thread == 0)
        snprintf(out, 32, "main");
    else
        snprintf(out, 32, "T%" PRIu64, thread);
}

static const trc_wait *wait_of(const trc *t, uint64_t thread)
{
    for (size_t i = 0; i < t->waits.len; i++)
        if (t->waits.at[i].thread == thread && t->waits.at[i].kind != WIRE_NONE)
            return &t->waits.at[i];
    return NULL;
}

static void wait_text(trc_sites *sites, const trc_wait *w, td_text *out)
{
    char other[32];
    thread_text(w->other, other);
    if (mdl_joins(w->kind)) {
        td_text_add(out, "waits for %s to exit", other);
        return;
    }
    const char *name = trc_site_at(sites, w->site).name;
    if (!*name)
        name = trc_object_name(sites, w->object);
    td_text_add(out, "is blocked on '%s'", *name ? name : "?");
    if (w->other != UINT32_MAX)
        td_text_add(out, ", held by %s", other);
}

static void blocked_text(trc_sites *sites, const trc *t, uint64_t thread, td_text *out)
{
    char name[32];
    thread_text(thread, name);
    td_text_add(out, "%s ", name);
    const trc_wait *w = wait_of(t, thread);
    if (thread >= t->threads.len)
        td_text_add(out, "does not exist");
    else if (t->threads.at[thread].end_op != UINT32_MAX)
        td_text_add(out, "has exited");
    else if (w)
        wait_text(sites, w, out);
    else
        td_text_add(out, "is not enabled");
}

/* The last operation with a known line before the run diverged. */
static void last_text(trc_sites *sites, const trc *t, td_text *out)
{
    for (size_t i = t->ops.len; i-- > 0;) {
        const trc_op *op = &t->ops.at[i];
        trc_site at = trc_site_at(sites, op->site);
        if (at.line == 0)
            continue;
        char name[32];
        const char *slash = strrchr(at.file, '/');
        thread_text(op->thread, name);
        td_text_add(out, " (before it: %s at %s:%u)", name, slash ? slash + 1 : at.file,
                    at.line);
        return;
    }
}

void ses_diverged_text(const trc *t, trc_sites *sites, td_text *out)
{
    uint32_t n_choices = 0;
    for (size_t i = 0; i < t->ops.len; i++)
        n_choices += trc_is_choice(&t->ops.at[i]);
    td_text_add(out, "choice %u: ", n_choices + 1);
    blocked_text(sites, t, t->exit_code, out);
    last_text(sites, t, out);
}
