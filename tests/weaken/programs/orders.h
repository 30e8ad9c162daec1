/* SPDX-License-Identifier: Apache-2.0 */
/* Memory orders by short names, two threads, and main. */
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define RLX memory_order_relaxed
#define ACQ memory_order_acquire
#define REL memory_order_release
#define ACQ_REL memory_order_acq_rel
#define SEQ_CST memory_order_seq_cst

static void *one(void *p);
static void *two(void *p);
static void check(void);

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, NULL, one, NULL);
    pthread_create(&t, NULL, two, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    check();
    return 0;
}
