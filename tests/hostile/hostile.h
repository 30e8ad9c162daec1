/* SPDX-License-Identifier: Apache-2.0 */
/* tests/hostile/hostile.h - the frame of the hostile programs.
 *
 * Two schedules: in one, main sees what the other thread stored and does the program's
 * evil; in the other it does not and ends well. So a session that goes on has both. */
#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int hostile_go;

static void *hostile_other(void *arg)
{
    atomic_store(&hostile_go, 1);
    return arg;
}

static void evil(void);

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, hostile_other, NULL);
    if (atomic_load(&hostile_go))
        evil();
    pthread_join(t, NULL);
    return 0;
}
