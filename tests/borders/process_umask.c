/* SPDX-License-Identifier: Apache-2.0 */
/* Who looks at the mask of modes is not known: that it is set while threads run is a line.
 *
 * treadle: -k
 * expect: finding assert process_umask.c:25
 * expect: ledger not watched process_umask.c:16 umask
 * expect: ledger not watched process_umask.c:24 umask
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <sys/stat.h>

static void *sets(void *arg)
{
    (void)arg;
    umask(022);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    mode_t before = umask(077);
    assert(before != 022);
    pthread_join(t, NULL);
    return 0;
}
