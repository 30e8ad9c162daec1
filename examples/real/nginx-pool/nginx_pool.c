/* SPDX-License-Identifier: Apache-2.0
 * nginx' pool of threads: tasks are posted, done, and the pool is destroyed. What is tested is
 * private to its file, so that the file is included. */
#include <stdatomic.h>

#include "ngx_thread_pool.c"

enum { THREADS = 1, TASKS = 1 };

/* What the pool uses of the rest of nginx. */
ngx_int_t ngx_ncpu = 1;
ngx_event_actions_t ngx_event_actions;

void ngx_log_error_core(ngx_uint_t level, ngx_log_t *log, ngx_err_t err, const char *fmt, ...)
{
    (void)level, (void)log, (void)err, (void)fmt;
}

static ngx_int_t notify(ngx_event_handler_pt handler)
{
    (void)handler;
    return NGX_OK;
}

static atomic_int done[TASKS]; /* the pool orders nothing that main could rely on */

static void work(void *data, ngx_log_t *log)
{
    (void)log;
    atomic_fetch_add((atomic_int *)data, 1);
}

int main(void)
{
    static ngx_log_t log;
    static ngx_thread_task_t tasks[TASKS];
    ngx_thread_pool_t pool = {.threads = THREADS, .max_queue = 8};

    ngx_event_actions.notify = notify;
    ngx_thread_pool_queue_init(&ngx_thread_pool_done);
    if (ngx_thread_pool_init(&pool, &log, NULL) != NGX_OK)
        return 1;
    for (int i = 0; i < TASKS; i++) {
        tasks[i].handler = work;
        tasks[i].ctx = &done[i];
        if (ngx_thread_task_post(&pool, &tasks[i]) != NGX_OK)
            return 1;
    }
    ngx_thread_pool_destroy(&pool);
    for (int i = 0; i < TASKS; i++)
        if (done[i] != 1)
            abort();
    return 0;
}
