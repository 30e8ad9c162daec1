/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that print. The output is hidden while exploring and whole when started by hand.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: verdict complete
 * hand: 0
 * output: one two three.
 * model: main: create A, join A, create B, join B, exit
 * model: A: lock m, unlock m
 * model: B: lock m, unlock m */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *say(void *arg)
{
    pthread_mutex_lock(&m);
    printf("%s ", (char *)arg);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    char *word[] = {"one", "two"};
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_create(&t, NULL, say, word[i]);
        pthread_join(t, NULL);
    }
    puts("three.");
    return 0;
}
