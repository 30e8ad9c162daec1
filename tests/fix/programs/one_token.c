/* SPDX-License-Identifier: Apache-2.0 */
/* fix: none
 * drops: an outcome is new
 * idea: two tokens. A broadcast lets both threads pass with one */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER;
static int n_waiting, n_tokens, n_passed, is_given;

static void *pass(void *arg)
{
    pthread_mutex_lock(&lock);
    n_waiting++;
    while (!is_given)
        pthread_cond_wait(&given, &lock);
    n_tokens--;
    n_passed++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, pass, NULL);
    pthread_create(&b, NULL, pass, NULL);
    for (int all = 0; !all;) {
        pthread_mutex_lock(&lock);
        all = n_waiting == 2;
        if (all) {
            n_tokens = is_given = 1;
            pthread_cond_signal(&given);
        }
        pthread_mutex_unlock(&lock);
    }
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
