/* SPDX-License-Identifier: Apache-2.0
 * redis' background jobs: objects are freed by a thread, and main waits until it is done. */
#include "server.h"
#include "bio.h"

enum { JOBS = 2 };

/* What bio.c and adlist.c use of the rest of redis. */
struct redisServer server;

void *zmalloc(size_t size)
{
    return malloc(size);
}

void zfree(void *block)
{
    free(block);
}

void _serverLog(int level, const char *format, ...)
{
    (void)level, (void)format;
}

void _serverPanic(const char *file, int line, const char *message, ...)
{
    (void)file, (void)line, (void)message;
    abort();
}

void redisSetCpuAffinity(const char *list)
{
    (void)list;
}

void makeThreadKillable(void)
{
}

static int freed[JOBS];

static void free_one(void *args[])
{
    (*(int *)args[0])++;
}

int main(void)
{
    bioInit();
    for (int i = 0; i < JOBS; i++)
        bioCreateLazyFreeJob(free_one, 1, &freed[i]);
    while (bioWaitStepOfType(BIO_LAZY_FREE) != 0)
        ;
    for (int i = 0; i < JOBS; i++)
        assert(freed[i] == 1);
    return 0;
}
