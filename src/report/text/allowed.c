/* SPDX-License-Identifier: Apache-2.0 */
/* Which memory model allows a run, and the stores that its threads did not observe. */
#include "report/text/report_int.h"

#include <string.h>

#include "base/assert.h"

/* At most so many reads that miss a store are printed. */
#define MOST_MISSES 2u

static void put_place(const rep_scene *c, const rep_act *a, td_text *out)
{
    trc_site site = trc_site_at(c->f->sites, a->site);
    td_text_add(out, " at ");
    rep_put_clean(out, rep_base_name(site.file));
    td_text_add(out, ":%u", site.line);
}

/* No model lets a read observe an older store once a newer one happens before it. */
static void put_miss(const rep_scene *c, const rep_act *a, td_text *out)
{
    TD_ASSERT(a->missed < c->story->acts.len);
    const rep_act *w = &c->story->acts.at[a->missed];
    trc_site site = trc_site_at(c->f->sites, a->site);
    td_text_add(out, " ");
    rep_print_thread(a->thread, out);
    td_text_add(out, " reads '");
    rep_put_clean(out, site.name);
    td_text_add(out, "'");
    put_place(c, a, out);
    td_text_add(out, " and misses the store of ");
    rep_print_thread(w->thread, out);
    put_place(c, w, out);
    td_text_add(out, ", which nothing orders before that read.");
}

void rep_print_memory(const rep_scene *c, td_text *out)
{
    const char *model = c->f->model;
    uint32_t n = 0;
    if (!model)
        return;
    td_text_add(
        out, "%s",
        strcmp(model, "sc") == 0 ? "Sequential consistency allows this run."
        : strcmp(model, "tso") == 0
            ? "x86 (TSO) allows this run; sequential consistency does not."
            : "RC11 allows this run, x86 (TSO) does not: a weaker machine, such as ARM "
              "or POWER, or a compiler that reorders may show it.");
    for (size_t i = 0; i < c->story->acts.len && n < MOST_MISSES; i++) {
        const rep_act *a = &c->story->acts.at[i];
        if (a->missed == REP_NONE)
            continue;
        put_miss(c, a, out);
        n++;
    }
}
