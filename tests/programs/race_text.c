/* SPDX-License-Identifier: Apache-2.0 */
/* A function of the C library reads what another one writes: both calls are named.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding race race_text.c:15 race_text.c:23 */
#include <pthread.h>
#include <string.h>

static char name[16] = "old";
static size_t length;

static void *worker(void *arg)
{
    length = strlen(name);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    strcpy(name, "new");
    pthread_join(t, NULL);
    return length > 3;
}
