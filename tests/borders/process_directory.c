/* SPDX-License-Identifier: Apache-2.0 */
/* A directory that is changed while other threads run is a line: they name files as well.
 *
 * treadle:
 * expect: ledger not watched process_directory.c:13 chdir
 * expect: verdict incomplete */
#include <pthread.h>
#include <unistd.h>

static void *sets(void *arg)
{
    (void)arg;
    return chdir("/") == 0 ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, sets, NULL);
    pthread_join(t, NULL);
    return 0;
}
