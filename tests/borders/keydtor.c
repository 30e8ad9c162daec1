/* SPDX-License-Identifier: Apache-2.0 */
/* A destructor of a key is given an input.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert keydtor.c:14
 */
#include <assert.h>
#include <pthread.h>
#include <treadle.h>

static void c(void *a)
{
    assert((long)a != 77);
}
static void *t1(void *p)
{
    pthread_key_t *k = p;
    pthread_setspecific(*k, (void *)(long)treadle_u8("n"));
    return 0;
}
int main(void)
{
    pthread_key_t k;
    pthread_key_create(&k, c);
    pthread_t t;
    pthread_create(&t, 0, t1, &k);
    pthread_join(t, 0);
    return 0;
}
