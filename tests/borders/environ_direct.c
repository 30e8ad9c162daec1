/* SPDX-License-Identifier: Apache-2.0 */
/* A thread looks at the environment itself while another one changes it.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race environ_direct.c:22 environ_direct.c:15
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void *thread(void *arg)
{
    return environ ? environ[0] : arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    setenv("NEW", "1", 1);
    pthread_join(t, NULL);
    return 0;
}
