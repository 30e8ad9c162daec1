/* SPDX-License-Identifier: Apache-2.0 */
/* Semaphores with names: made, found, refused, gone.
 *
 * treadle: --search=all
 * expect: runs 10
 * expect: events 128
 * expect: traces 10
 * expect: verdict complete
 * hand: 0
 *
 * treadle:
 * expect: runs 10
 * expect: events 98
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static const char name[] = "/treadle-test-1";

static void *worker(void *arg)
{
    sem_t *s = sem_open(name, O_CREAT, 0600, 0);
    assert(s != SEM_FAILED);
    sem_post(s);
    int rc = sem_close(s);
    assert(rc == 0);
    return arg;
}

int main(void)
{
    pthread_t t;
    int value;
    sem_t *s = sem_open(name, 0);
    assert(s == SEM_FAILED && errno == ENOENT);
    pthread_create(&t, NULL, worker, NULL);
    s = sem_open(name, O_CREAT, 0600, 0);
    assert(s != SEM_FAILED);
    sem_wait(s);
    sem_t *again = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
    assert(again == SEM_FAILED && errno == EEXIST);
    pthread_join(t, NULL);
    again = sem_open(name, 0);
    assert(again == s);
    sem_getvalue(s, &value);
    assert(value == 0);
    sem_close(again);
    sem_close(s);
    int rc = sem_unlink(name);
    assert(rc == 0);
    rc = sem_unlink(name);
    assert(rc == -1 && errno == ENOENT);
    return 0;
}
