/* SPDX-License-Identifier: Apache-2.0 */
/* The certificate: the schedules of all runs of the search, for treadle-check (docs/limits.md). */
#include "session/session_int.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "certify/certify.h"

bool ses_certifies_states(const ses *s)
{
    return s->opts->certificate && !(s->search->covers & XPL_TRACES);
}

static td_status written(ses *s, td_diag *diag)
{
    if (!ferror(s->certificate.file))
        return TD_OK;
    return td_diag_errno(diag, TD_E_SYSTEM, "cannot write %s", s->opts->certificate);
}

td_status ses_certificate_start(ses *s, td_diag *diag)
{
    const ses_opts *o = s->opts;
    if (!o->certificate)
        return TD_OK;
    if (!((s->goal->bit | s->search->covers) & (XPL_STATES | XPL_TRACES)) || o->model ||
        (s->goal->bit & ~(uint32_t)(XPL_STATES | XPL_TRACES)))
        return td_diag_set(diag, TD_E_USAGE,
                           "--certificate requires --goal=states or --goal=traces, and "
                           "sequential consistency");
    for (size_t i = 1; o->argv[i]; i++)
        if (strchr(o->argv[i], '\n'))
            return td_diag_set(diag, TD_E_USAGE,
                               "--certificate: argument %zu has a newline", i);
    s->certificate.file = fopen(o->certificate, "we");
    if (!s->certificate.file)
        return td_diag_errno(diag, TD_E_USAGE, "cannot write %s", o->certificate);
    return TD_OK;
}

/* Writes the head: everything that is the same for all runs of a search. */
static void put_head(ses *s)
{
    const ses_opts *o = s->opts;
    FILE *f = s->certificate.file;
    fprintf(f, "treadle-certificate 1\ngoal %s\n",
            ses_certifies_states(s) ? "states" : "traces");
    fprintf(f, "build-id %s\n", trc_build_id(s->exec->sites(s->run)));
    for (size_t i = 1; o->argv[i]; i++)
        fprintf(f, "arg %s\n", o->argv[i]);
    if (o->given.spurious > 0)
        fprintf(f, "spurious %u\n", o->given.spurious - 1);
    if (o->given.reuse)
        fputs("reuse\n", f);
    for (size_t i = 0; i < s->promoted.len; i++)
        fprintf(f, "promote %u\n", s->promoted.at[i].site);
}

void ses_certificate_restart(ses *s)
{
    if (s->certificate.is_over)
        return;
    s->certificate.n_runs = 0;
    if (s->certificate.file && ftruncate(fileno(s->certificate.file), 0) == 0)
        rewind(s->certificate.file);
}

td_status ses_certificate_run(ses *s, const trc *t, td_diag *diag)
{
    FILE *f = s->certificate.file;
    td_diag why = {0};
    if (!f || s->certificate.is_over || s->certificate.why_not)
        return TD_OK;
    if (crt_covers(t, &why) != TD_OK) {
        s->certificate.why_not = td_strdup(why.text);
        return TD_OK;
    }
    if (s->certificate.n_runs++ == 0)
        put_head(s);
    trc_step_vec schedule = {0};
    trc_schedule(t, &schedule);
    fputs("run ", f);
    for (size_t i = 0; i < schedule.len; i++)
        fprintf(f, "%s%u:%u", i > 0 ? " " : "", schedule.at[i].thread,
                schedule.at[i].count);
    fputc('\n', f);
    trc_step_vec_fini(&schedule);
    return written(s, diag);
}

void ses_certificate_close(ses *s)
{
    s->certificate.is_over = true;
}

/* Closes the file, and removes it unless it is a device or a pipe. */
static void put_away(ses *s)
{
    struct stat st;
    bool is_file = fstat(fileno(s->certificate.file), &st) == 0 && S_ISREG(st.st_mode);
    fclose(s->certificate.file);
    s->certificate.file = NULL;
    if (is_file)
        unlink(s->opts->certificate);
}

void ses_certificate_drop(ses *s)
{
    if (s->certificate.file)
        put_away(s);
    td_free(s->certificate.why_not);
    s->certificate.why_not = NULL;
}

/* NULL: there is a certificate. */
static const char *why_not(const ses *s)
{
    if (s->certificate.why_not)
        return s->certificate.why_not;
    if (s->stop == SES_STOP_BUG)
        return "the session stopped at a bug; -k continues";
    return s->certificate.n_runs == 0 ? "there is no run" : s->result->stopped;
}

td_status ses_certificate_end(ses *s, td_diag *diag)
{
    FILE *f = s->certificate.file;
    if (!f)
        return TD_OK;
    const char *why = why_not(s);
    if (why) {
        fprintf(s->progress.err, "treadle: no certificate is written: %s\n", why);
        fflush(s->progress.err);
        put_away(s);
        return TD_OK;
    }
    fprintf(f, "end %llu\n", (unsigned long long)s->certificate.n_runs);
    td_status status =
        fflush(f) == 0
            ? written(s, diag)
            : td_diag_errno(diag, TD_E_SYSTEM, "cannot write %s", s->opts->certificate);
    fclose(f);
    s->certificate.file = NULL;
    return status;
}
