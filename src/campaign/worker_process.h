/* SPDX-License-Identifier: Apache-2.0 */
/* campaign/worker_process.h - processes that work for a campaign, and the agent of a machine.
 *
 * Purpose     Starts `treadle run --join=...` for workers; supervises those of one machine.
 * Words       hand: such a process, and its number in the campaign. agent: the process that starts
 *             the hands of a machine for a campaign of a leader elsewhere.
 * Invariants  (H1) a hand runs the program of argv and nothing else: the campaign provides options
 *             only, which the caller has checked; (H2) a hand does not outlive its parent.
 */
#pragma once

#include <signal.h>
#include <sys/types.h>

#include "base/text.h"
#include "store/exchange/exchange.h"

typedef struct cam_worker {
    pid_t pid;           /* 0: it has ended */
    uint64_t worker;     /* number in the campaign */
    uint64_t started_ms; /* time of the monotonic clock */
    uint32_t n_failed;   /* failures of it and of its predecessors */
} cam_worker;
TD_VEC(cam_worker, cam_worker_vec);

#define CAM_MAX_FAILED 3u /* failures after which a hand is not replaced */

/* Exit code: memory is used up, and another process should continue. */
#define CAM_WORKER_FULL 75

/* What hands are started for. */
typedef struct cam_hire {
    const char *self;        /* how treadle was called */
    const char *where;       /* address of the campaign: sto_link_open */
    uint64_t campaign;       /* its number; 0: the newest */
    const char *words;       /* options of the campaign, a line each */
    const char *dir;         /* their sessions and logs: DIR/workers */
    char *const *argv;       /* program and arguments, NULL at the end */
    uint64_t own_memory;     /* memory limit of each, in bytes; 0: the default */
    const char *output;      /* file for the output of the program, or NULL */
    const sigset_t *signals; /* blocked in them */
} cam_hire;

/* DIR/workers. */
TD_MUST_USE td_status cam_workers_dir(const char *dir, td_diag *diag);
/* A process that works under a new number of the campaign of the link. */
TD_MUST_USE td_status cam_worker_start(const cam_hire *hire, sto_link *l,
                                       const char *name, cam_worker *out, td_diag *diag);
/* True once, when it has ended; *status is that of waitpid. */
bool cam_worker_ended(cam_worker *h, int *status);
/* Reads the first line of its log, without "treadle: "; "" if there is none. */
void cam_worker_said(const cam_hire *hire, const cam_worker *h, td_text *out);
/* Ends all workers; one that does not exit is killed. */
enum cam_leave { CAM_LEAVE_SELF, CAM_LEAVE_TOLD };
void cam_workers_stop(cam_worker_vec *hands, enum cam_leave how);

typedef struct cam_agent_opts {
    cam_hire hire; /* without signals */
    uint32_t jobs; /* hands; not 0 */
} cam_agent_opts;

/* Works for the campaign of the link until all hands have left it, or SIGINT or SIGTERM. Fails with
 * what the first hand said that gave up. */
TD_MUST_USE td_status cam_agent(const cam_agent_opts *opts, sto_link *l, td_diag *diag);
