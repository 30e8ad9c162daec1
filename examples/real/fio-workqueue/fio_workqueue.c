/* SPDX-License-Identifier: Apache-2.0
 * fio's queue of workers: one worker is started, and must be found running. */
#include "fio.h"
#include "workqueue.h"

/* What workqueue.c and pshared.c use of the rest of fio. */
void *smalloc(size_t size)
{
    return calloc(1, size);
}

void sfree(void *block)
{
    free(block);
}

void sk_out_assign(struct sk_out *out)
{
    (void)out;
}

void sk_out_drop(void)
{
}

ssize_t log_err(const char *format, ...)
{
    (void)format;
    return 0;
}

static int n_done;

static int work_fn(struct submit_worker *worker, struct workqueue_work *work)
{
    (void)worker, (void)work;
    n_done++;
    return 0;
}

int main(void)
{
    static struct thread_data td;
    static struct workqueue queue;
    struct workqueue_ops ops = {.fn = work_fn};

    if (workqueue_init(&td, &queue, &ops, 1, NULL) != 0)
        return 1;
#ifdef WORK
    struct workqueue_work work;
    workqueue_enqueue(&queue, &work);
    workqueue_flush(&queue);
    assert(n_done == 1);
#endif
    workqueue_exit(&queue);
    return 0;
}
