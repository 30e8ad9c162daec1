/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of the text report, for a debugger. */
#include "base/assert.h"
#include "report/text/report_int.h"

/* The act that the step begins with; 0: it waits or fails, at the end of the run. */
static uint32_t act_of(const rep_story *story, const rep_slice *slice,
                       const rep_step *step)
{
    for (uint32_t i = step->first; i < step->first + step->n; i++) {
        TD_ASSERT(i < slice->shown.len);
        const rep_act *a = &story->acts.at[slice->shown.at[i]];
        if (a->when > 0)
            return a->when;
    }
    return 0;
}

static void add_point(const rep_story *story, const rep_slice *slice,
                      const rep_step *step, rep_stop_point_vec *out)
{
    const char *source =
        story->names->source(story->names->ctx, step->at.file, step->at.line);
    td_text text = {0}, file = {0};
    rep_put_clean(&file, rep_base_name(step->at.file));
    rep_put_clean(&text, source ? source + strspn(source, " \t") : "");
    rep_stop_point point = {.thread = step->thread,
                            .act = act_of(story, slice, step),
                            .file = td_strdup(file.len > 0 ? file.at : "?"),
                            .line = step->at.line,
                            .text = td_strdup(text.len > 0 ? text.at : "")};
    td_text_fini(&text);
    td_text_fini(&file);
    rep_stop_point_vec_push(out, point);
}

void rep_finding_stop_points(const rep_finding *f, const rep_opts *opts,
                             rep_stop_point_vec *out)
{
    rep_names names = rep_names_of(f->sites);
    rep_whole whole;
    rep_story story;
    rep_slice slice;
    td_text text = {0};
    rep_whole_init(&whole, f);
    rep_level level = rep_finding_print(&whole.f, &names, opts, NULL, &text);
    rep_story_init(&story, &whole.f, &names);
    rep_whole_settle(&whole, &story);
    rep_slice_init(&slice, &story, level);
    for (size_t i = 0; i < slice.steps.len; i++)
        add_point(&story, &slice, &slice.steps.at[i], out);
    rep_slice_fini(&slice);
    rep_story_fini(&story);
    td_text_fini(&text);
}

void rep_stop_points_fini(rep_stop_point_vec *v)
{
    for (size_t i = 0; i < v->len; i++) {
        td_free(v->at[i].file);
        td_free(v->at[i].text);
    }
    rep_stop_point_vec_fini(v);
}
