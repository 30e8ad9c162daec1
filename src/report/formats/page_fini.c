/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a finding that is data. */
#include "report/page.h"

static void place_fini(rep_page_place *at)
{
    td_free(at->file);
    td_free(at->function);
}

static void texts_fini(rep_page_text_vec *texts)
{
    for (size_t i = 0; i < texts->len; i++)
        td_free(texts->at[i]);
    rep_page_text_vec_fini(texts);
}

static void about_fini(rep_page *p)
{
    char *const texts[] = {p->id,       p->kind,      p->title,   p->message,
                           p->values,   p->program,   p->version, p->recording,
                           p->schedule, p->condition, p->hidden,  p->text,
                           p->output,   p->output_of};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        td_free(texts[i]);
    place_fini(&p->at);
    texts_fini(&p->args);
    texts_fini(&p->why);
    rep_fix_fini(&p->fix);
}

static void steps_fini(rep_page *p)
{
    for (size_t i = 0; i < p->acts.len; i++) {
        rep_page_act *a = &p->acts.at[i];
        td_free(a->kind);
        td_free(a->text);
        td_free(a->object);
        td_free(a->value);
        td_free(a->old);
    }
    for (size_t i = 0; i < p->steps.len; i++) {
        place_fini(&p->steps.at[i].at);
        td_free(p->steps.at[i].source);
        td_free(p->steps.at[i].stop);
        td_free(p->steps.at[i].calls);
    }
    rep_page_act_vec_fini(&p->acts);
    rep_page_step_vec_fini(&p->steps);
}

static void threads_fini(rep_page *p)
{
    for (size_t i = 0; i < p->threads.len; i++) {
        td_free(p->threads.at[i].name);
        td_free(p->threads.at[i].function);
        td_free(p->threads.at[i].title);
        place_fini(&p->threads.at[i].created);
    }
    rep_page_thread_vec_fini(&p->threads);
}

void rep_page_fini(rep_page *p)
{
    about_fini(p);
    steps_fini(p);
    threads_fini(p);
    for (size_t i = 0; i < p->inputs.len; i++) {
        td_free(p->inputs.at[i].name);
        td_free(p->inputs.at[i].value);
        td_free(p->inputs.at[i].type);
    }
    for (size_t i = 0; i < p->parties.len; i++) {
        td_free(p->parties.at[i].role);
        td_free(p->parties.at[i].text);
        place_fini(&p->parties.at[i].at);
    }
    for (size_t i = 0; i < p->sources.len; i++) {
        td_free(p->sources.at[i].file);
        td_free(p->sources.at[i].text);
    }
    rep_page_input_vec_fini(&p->inputs);
    for (size_t i = 0; i < p->waits.len; i++) {
        td_free(p->waits.at[i].role);
        td_free(p->waits.at[i].object);
        td_free(p->waits.at[i].how);
        place_fini(&p->waits.at[i].at);
    }
    rep_page_edge_vec_fini(&p->waits);
    rep_page_party_vec_fini(&p->parties);
    rep_page_source_vec_fini(&p->sources);
    *p = (rep_page){0};
}
