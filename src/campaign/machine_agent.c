/* SPDX-License-Identifier: Apache-2.0 */
/* The agent of a machine: keeps a number of worker processes at work for a campaign that is led elsewhere. */
#include "campaign/worker_process.h"

#include <inttypes.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"

#define LOOK_MS 50u /* between two looks at the hands */
#define SHORT_LIFE_MS 2000u
/* One after the other: something is wrong with this machine. */
#define MAX_SHORT_LIVES 10u

typedef struct agent {
    const cam_agent_opts *opts;
    cam_hire hire;
    sto_link *link;
    cam_worker_vec hands;
    uint32_t n_short; /* hands that died young, since one did not */
    td_status failed; /* status of the first worker that failed */
    td_text why;
    sigset_t before;
} agent;

static td_status start_one(agent *a, cam_worker *out, td_diag *diag)
{
    char host[64] = "";
    td_text name = {0};
    (void)gethostname(host, sizeof host - 1);
    td_text_add(&name, "worker %s", host);
    td_status status = cam_worker_start(&a->hire, a->link, name.at, out, diag);
    td_text_fini(&name);
    return status;
}

static void gave_up(agent *a, const cam_worker *h, int code)
{
    TD_ASSERT(code != 0 && h->pid == 0);
    if (a->failed != TD_OK)
        return;
    a->failed = code == 2 ? TD_E_USAGE : TD_E_SYSTEM;
    cam_worker_said(&a->hire, h, &a->why);
    if (a->why.len == 0)
        td_text_add(&a->why, "a worker failed with exit status %d", code);
}

static td_status check_lives(agent *a, const cam_worker *h, int status, td_diag *diag)
{
    a->n_short = td_now_ms() - h->started_ms < SHORT_LIFE_MS ? a->n_short + 1 : 0;
    if (a->n_short < MAX_SHORT_LIVES)
        return TD_OK;
    return td_diag_set(diag, TD_E_SYSTEM,
                       "%u workers died soon after their start, the last one by "
                       "signal %d",
                       a->n_short, WTERMSIG(status));
}

/* One that died, or gave up not too often, is replaced; one that is done is not. */
static td_status on_ended(agent *a, cam_worker *h, int status, td_diag *diag)
{
    bool failed = WIFEXITED(status) && WEXITSTATUS(status) != 0;
    bool is_full = failed && WEXITSTATUS(status) == CAM_WORKER_FULL;
    uint32_t n_failed = h->n_failed + (failed && !is_full);
    TD_TRY(sto_worker_gone(a->link, h->worker, diag));
    if (WIFSIGNALED(status))
        TD_TRY(check_lives(a, h, status, diag));
    else if (n_failed > CAM_MAX_FAILED)
        gave_up(a, h, WEXITSTATUS(status));
    if (!WIFSIGNALED(status) && (!failed || n_failed > CAM_MAX_FAILED))
        return TD_OK;
    TD_TRY(start_one(a, h, diag));
    h->n_failed = n_failed;
    return TD_OK;
}

/* *n_left: hands that work. */
static td_status look(agent *a, size_t *n_left, td_diag *diag)
{
    *n_left = 0;
    for (size_t i = 0; i < a->hands.len; i++) {
        int status = 0;
        cam_worker *h = &a->hands.at[i];
        if (cam_worker_ended(h, &status))
            TD_TRY(on_ended(a, h, status, diag));
        *n_left += h->pid > 0;
    }
    return TD_OK;
}

static td_status work(agent *a, const sigset_t *stops, td_diag *diag)
{
    const struct timespec moment = {.tv_nsec = LOOK_MS * 1000000L};
    size_t n_left = 0;
    for (uint32_t i = 0; i < a->opts->jobs; i++) {
        cam_worker hand;
        TD_TRY(start_one(a, &hand, diag));
        cam_worker_vec_push(&a->hands, hand);
    }
    do {
        if (sigtimedwait(stops, NULL, &moment) > 0)
            return TD_OK;
        TD_TRY(look(a, &n_left, diag));
    } while (n_left > 0);
    return TD_OK;
}

/* Ends the workers that are left; other workers get their items at once. */
static void leave(agent *a)
{
    td_diag none = {0};
    for (size_t i = 0; i < a->hands.len; i++) {
        cam_worker_vec one = {.at = &a->hands.at[i], .len = 1};
        if (a->hands.at[i].pid == 0)
            continue;
        cam_workers_stop(&one, CAM_LEAVE_TOLD);
        (void)!sto_worker_gone(a->link, a->hands.at[i].worker, &none);
    }
}

td_status cam_agent(const cam_agent_opts *opts, sto_link *l, td_diag *diag)
{
    agent a = {.opts = opts, .hire = opts->hire, .link = l};
    sigset_t stops;
    sigemptyset(&stops);
    sigaddset(&stops, SIGINT);
    sigaddset(&stops, SIGTERM);
    sigprocmask(SIG_BLOCK, &stops, &a.before);
    a.hire.signals = &a.before;
    td_status status = cam_workers_dir(a.hire.dir, diag);
    if (status == TD_OK)
        status = work(&a, &stops, diag);
    leave(&a);
    if (status == TD_OK && a.failed != TD_OK)
        status = td_diag_set(diag, a.failed, "%s", a.why.at);
    sigprocmask(SIG_SETMASK, &a.before, NULL);
    cam_worker_vec_fini(&a.hands);
    td_text_fini(&a.why);
    return status;
}
