/* SPDX-License-Identifier: Apache-2.0 */
/* Threads add to a number that a file holds, in turn. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *p)
{
    for (int i = 0; i < 2; i++) {
        int n = 0;
        pthread_mutex_lock(&mutex);
        FILE *f = fopen("number", "r");
        if (f) {
            assert(fscanf(f, "%d", &n) == 1);
            fclose(f);
        }
        f = fopen("number", "w");
        assert(f);
        fprintf(f, "%d\n", n + 1);
        fclose(f);
        pthread_mutex_unlock(&mutex);
    }
    return p;
}

int main(void)
{
    pthread_t t[3];
    int n = 0;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    FILE *f = fopen("number", "r");
    assert(f && fscanf(f, "%d", &n) == 1 && fclose(f) == 0);
    assert(n == 6);
    return 0;
}
