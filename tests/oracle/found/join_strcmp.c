/* SPDX-License-Identifier: Apache-2.0 */
/* What threads wrote is looked at, after the joins, by the C library only. */
#include <assert.h>
#include <pthread.h>
#include <string.h>
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static char buf[2][8];
static char *const word[2] = {"abc", "xyz"};
static void *put(void *arg)
{
    long k = (long)arg;
    pthread_mutex_lock(&m[k / 2]);
    for (int i = 0; i < 4; i++)
        buf[k / 2][i] = word[k % 2][i];
    pthread_mutex_unlock(&m[k / 2]);
    return NULL;
}
int main(void)
{
    pthread_t t[4];
    for (long k = 0; k < 4; k++)
        pthread_create(&t[k], NULL, put, (void *)k);
    for (long k = 0; k < 4; k++)
        pthread_join(t[k], NULL);
#ifdef PLAIN
    assert(!(buf[0][0] == 'a' && buf[1][0] == 'x'));
#else
    assert(!(strcmp(buf[0], "abc") == 0 && strcmp(buf[1], "xyz") == 0));
#endif
    return 0;
}
