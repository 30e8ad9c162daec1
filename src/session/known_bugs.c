/* SPDX-License-Identifier: Apache-2.0 */
/* Replays the bugs that the previous session found with the same program and arguments.
 *
 * Exploration does not depend on the results, so the same options give the same runs (L2). At the end, a bug
 * that still fails and was not found again is a finding as well: it would be wrong to report no bug for a
 * program whose bug reproduces. */
#include "session/session_int.h"

#include "base/assert.h"

#define MAX_KNOWN 10u

static bool same_texts(const sto_text_vec *a, char *const *b, size_t n)
{
    if (a->len != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (strcmp(a->at[i], b[i]) != 0)
            return false;
    return true;
}

static size_t count_args(char *const *argv)
{
    size_t n = 0;
    while (argv[n])
        n++;
    return n;
}

static bool same_given(const sto_recording *r, const run_given *given)
{
    if (r->sym_args.len != given->n_args || r->sym_stdin != given->stdin_bytes ||
        r->spurious != given->spurious || r->reuse != given->reuse)
        return false;
    for (uint32_t i = 0; i < given->n_args; i++) {
        td_text text = {0};
        run_given_print(&given->args[i], &text);
        bool same = strcmp(text.at, r->sym_args.at[i]) == 0;
        td_text_fini(&text);
        if (!same)
            return false;
    }
    return true;
}

/* A bug of weaker memory counts only if the session explores weaker memory. */
static bool same_memory(const ses_opts *o, const char *model)
{
    if (!model || !*model)
        return true;
    return o->model ? strcmp(o->model, model) == 0 : !o->only_sc;
}

/* Only exploration can show that a program is nondeterministic. */
static bool applies(const ses *s, const sto_recording *r)
{
    char *const *argv = s->opts->argv;
    uint64_t n_choices = 0;
    for (size_t i = 0; i < r->schedule.len; i++)
        n_choices += r->schedule.at[i].count;
    return *r->fail_kind && strcmp(r->fail_kind, det_kind_id(DET_NONDET)) != 0 &&
           n_choices < s->opts->depth && strcmp(r->program, argv[0]) == 0 &&
           same_texts(&r->args, argv + 1, count_args(argv + 1)) &&
           same_given(r, &s->opts->given) && same_memory(s->opts, r->model);
}

static void add_known(ses *s, const char *path)
{
    ses_known k = {.path = td_strdup(path)};
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    snprintf(k.id, sizeof k.id, "%.*s", (int)strcspn(name, "."), name);
    if (sto_recording_read(path, &k.recording, NULL) == TD_OK &&
        applies(s, &k.recording)) {
        ses_known_vec_push(&s->known, k);
        return;
    }
    sto_recording_fini(&k.recording);
    td_free(k.path);
}

td_status ses_known_check(ses *s, td_diag *diag)
{
    TD_ASSERT(s->known.len == 0 && ses_flight_is_over(s));
    sto_text_vec paths = {0};
    /* A resumed session keeps the findings of the one it continues. */
    if (s->opts->no_known && !s->opts->resume)
        return TD_OK;
    td_text command = {0};
    ses_command_text(s, &command);
    sto_session_before(s->store, command.at, &paths);
    td_text_fini(&command);
    for (size_t i = 0; i < paths.len && s->known.len < MAX_KNOWN; i++)
        add_known(s, paths.at[i]);
    sto_texts_free(&paths);
    for (size_t i = 0; i < s->known.len; i++) {
        ses_known *k = &s->known.at[i];
        TD_TRY(ses_recheck(s, k->path, &k->recording, NULL, &k->fails, diag));
        ses_say(s, "known bug %s: %s", k->id,
                k->fails ? "still fails" : "no longer fails");
    }
    return TD_OK;
}

/* ---- at the end ---- */

static bool is_found(const ses *s, const ses_known *k)
{
    for (size_t i = 0; i < s->result->findings.len; i++)
        if (strcmp(s->result->findings.at[i].id, k->id) == 0 ||
            strcmp(s->result->findings.at[i].key, k->id) == 0)
            return true;
    return false;
}

/* The session ends before it could be replayed. */
static td_status note_unshown(ses *s, const ses_known *k, td_diag *diag)
{
    det_ledger_add(&s->ledger, "not reproduced", k->recording.fail_file,
                   k->recording.fail_line, k->recording.message);
    if (diag)
        diag->text[0] = 0;
    return TD_OK;
}

static td_status publish_kept(ses *s, const ses_known *k, ses_kept *kept, td_diag *diag)
{
    const trc_sites *sites = s->exec->sites(s->run);
    rep_cause cause;
    bool is_known = ses_cause_recorded(sites, &kept->run, &k->recording, &cause);
    ses_shown how = {.t = &kept->run,
                     .schedule = &k->recording.schedule,
                     .promoted = &kept->promoted,
                     .no_return =
                         ses_no_return_recorded(sites, &kept->run, &k->recording),
                     .cause = is_known ? &cause : NULL};
    return ses_publish(s, &kept->finding, &how, diag);
}

/* Like any finding, it is printed only if every replay fails. */
static td_status publish_known(ses *s, ses_known *k, td_diag *diag)
{
    ses_kept kept = {0};
    bool shown = true;
    td_status status = TD_OK;
    for (unsigned i = 0; i < SES_CONFIRMATIONS && shown && status == TD_OK; i++) {
        ses_kept_fini(&kept);
        status = ses_recheck(s, k->path, &k->recording, &kept, &shown, diag);
    }
    if (status != TD_OK) {
        ses_kept_fini(&kept);
        return status == TD_E_LIMIT ? note_unshown(s, k, diag) : status;
    }
    /* Possibly under another id. */
    bool is_there = shown && ses_has_finding(s, kept.finding.id);
    if (shown && !is_there && !ses_suppress(s, &kept.finding)) {
        TD_ASSERT(kept.is_set);
        ses_say(s, "known bug %s still fails, but the search did not find it again",
                k->id);
        status = publish_kept(s, k, &kept, diag);
        kept.finding = (det_finding){0};
    }
    ses_kept_fini(&kept);
    return status;
}

td_status ses_known_publish(ses *s, td_diag *diag)
{
    s->after_race.is_past = true;
    for (size_t i = 0; i < s->known.len && s->stop != SES_STOP_BUG; i++)
        if (s->known.at[i].fails && !is_found(s, &s->known.at[i]))
            TD_TRY(publish_known(s, &s->known.at[i], diag));
    return TD_OK;
}

void ses_known_fini(ses *s)
{
    for (size_t i = 0; i < s->known.len; i++) {
        td_free(s->known.at[i].path);
        sto_recording_fini(&s->known.at[i].recording);
    }
    ses_known_vec_fini(&s->known);
}
