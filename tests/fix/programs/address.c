/* SPDX-License-Identifier: Apache-2.0 */
/* fix: section
 * edit
 * held out
 * idea: change host and port under one lock */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t settings = PTHREAD_MUTEX_INITIALIZER;
static int host = 1, port = 1;

static void set_host(int n)
{
    pthread_mutex_lock(&settings);
    host = n;
    pthread_mutex_unlock(&settings);
}

static void set_port(int n)
{
    pthread_mutex_lock(&settings);
    port = n;
    pthread_mutex_unlock(&settings);
}

static void *reload(void *arg)
{
    set_host(2);
    set_port(2);
    return arg;
}

static void *dial(void *arg)
{
    pthread_mutex_lock(&settings);
    int h = host, p = port;
    pthread_mutex_unlock(&settings);
    assert(h == p);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reload, NULL);
    pthread_create(&b, NULL, dial, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
