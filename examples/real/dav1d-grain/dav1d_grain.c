/* SPDX-License-Identifier: Apache-2.0
 * dav1d's workers apply film grain to the rows of a picture, and whoever asked for it goes on
 * when all rows are done. */
#include "config.h"

#include "src/fg_apply.h"
#include "src/thread_task.h"

enum { WORKERS = 2, ROWS = 2 };

static atomic_int n_applied;

/* What is decoded, and how: nothing here. */
void dav1d_prep_grain_8bpc(const Dav1dFilmGrainDSPContext *dsp, Dav1dPicture *out,
                           const Dav1dPicture *in, void *scaling, void *grain_lut)
{
    (void)dsp, (void)out, (void)in, (void)scaling, (void)grain_lut;
}

void dav1d_apply_grain_row_8bpc(const Dav1dFilmGrainDSPContext *dsp, Dav1dPicture *out,
                                const Dav1dPicture *in, void *scaling, void *grain_lut,
                                const int row)
{
    (void)dsp, (void)out, (void)in, (void)scaling, (void)grain_lut;
    assert(row < ROWS);
    atomic_fetch_add(&n_applied, 1);
}

static Dav1dContext c;
static Dav1dFrameContext frame;
static Dav1dTaskContext workers[WORKERS];

static void start(void)
{
    static atomic_int flush;
    struct TaskThreadData *ttd = &c.task_thread;
    c.flush = &flush;
    c.n_fc = 1;
    c.fc = &frame;
    frame.c = &c;
    frame.task_thread.ttd = ttd;
    pthread_mutex_init(&ttd->lock, NULL);
    pthread_cond_init(&ttd->cond, NULL);
    pthread_cond_init(&ttd->delayed_fg.cond, NULL);
    atomic_init(&ttd->reset_task_cur, UINT_MAX);
    for (int i = 0; i < WORKERS; i++) {
        workers[i].c = &c;
        workers[i].task_thread.ttd = ttd;
        pthread_cond_init(&workers[i].task_thread.td.cond, NULL);
        pthread_create(&workers[i].task_thread.td.thread, NULL, dav1d_worker_task,
                       &workers[i]);
    }
}

static void stop(void)
{
    pthread_mutex_lock(&c.task_thread.lock);
    for (int i = 0; i < WORKERS; i++)
        workers[i].task_thread.die = 1;
    pthread_cond_broadcast(&c.task_thread.cond);
    pthread_mutex_unlock(&c.task_thread.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i].task_thread.td.thread, NULL);
}

int main(void)
{
    static Dav1dPicture in, out;
    out.p.bpc = 8;
    out.p.h = 32 * ROWS;
    start();
    dav1d_task_delayed_fg(&c, &out, &in);
    assert(atomic_load(&n_applied) == ROWS);
    stop();
    return 0;
}
