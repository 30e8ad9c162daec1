/* SPDX-License-Identifier: Apache-2.0
 * memcached's logger: started, stopped. Nobody watches it. */
#include "memcached.h"

/* What logger.c uses of the rest of memcached. */
struct stats stats;
struct stats_state stats_state;
struct settings settings;
volatile rel_time_t current_time;
static pthread_mutex_t stats_mutex = PTHREAD_MUTEX_INITIALIZER;

void STATS_LOCK(void)
{
    pthread_mutex_lock(&stats_mutex);
}

void STATS_UNLOCK(void)
{
    pthread_mutex_unlock(&stats_mutex);
}

void thread_setname(pthread_t thread, const char *name)
{
    (void)thread, (void)name;
}

bool uriencode(const char *src, char *dst, const size_t srclen, const size_t dstlen)
{
    (void)src, (void)dst, (void)srclen, (void)dstlen;
    return false;
}

void sidethread_conn_close(conn *c)
{
    (void)c;
}

int main(void)
{
    logger_init();
    logger_stop();
    return 0;
}
