/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * drops: an outcome is new
 * idea: a signal for each thread that has work. A broadcast lets the second one take work that is not there */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static int n_asleep, is_on, work = 1;

static void *run(void *arg)
{
    pthread_mutex_lock(&lock);
    n_asleep++;
    while (!is_on)
        pthread_cond_wait(&wake, &lock);
    work = work * 2 - 1 - (work < 1);
    work--;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, run, NULL);
    pthread_create(&b, NULL, run, NULL);
    pthread_mutex_lock(&lock);
    while (n_asleep < 2) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    is_on = 1;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
