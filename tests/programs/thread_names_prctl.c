/* SPDX-License-Identifier: Apache-2.0
 * A thread names itself by prctl, cut to 15 bytes: nothing that a restart could not undo.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 1 */
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>

static void *named(void *arg)
{
    char name[16];
    prctl(PR_SET_NAME, (char *)arg);
    prctl(PR_GET_NAME, name);
    assert(strncmp(name, arg, 15) == 0 && name[15] == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, named, "a worker with a long name");
    named("main");
    pthread_join(t, NULL);
    return 0;
}
