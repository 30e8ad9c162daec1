/* SPDX-License-Identifier: Apache-2.0 */
/* Names of threads: who asks sees what was said before.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: events 14
 * expect: traces 2
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 2
 * expect: events 8
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static void *worker(void *arg)
{
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "first") == 0 || strcmp(name, "second") == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    char name[16];
    int rc = pthread_setname_np(pthread_self(), "much too long for a name");
    assert(rc == ERANGE);
    rc = pthread_setname_np(pthread_self(), "first");
    assert(rc == 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_setname_np(t, "second");
    pthread_join(t, NULL);
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "first") == 0);
    return 0;
}
