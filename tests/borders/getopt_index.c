/* SPDX-License-Identifier: Apache-2.0 */
/* getopt reads and writes optind.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race getopt_index.c:22 getopt_index.c:15
 */
#include <pthread.h>
#include <unistd.h>

static char *words[] = {"program", "-b", NULL};

static void *thread(void *arg)
{
    getopt(2, words, "b");
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    optind = 1;
    pthread_join(t, NULL);
    return 0;
}
