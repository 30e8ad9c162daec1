/* SPDX-License-Identifier: Apache-2.0 */
/* The processor's counter of cycles is virtual, too: it rises from thread to thread, and replays.
 *
 * arch: x86_64
 * treadle: -k
 * expect: verdict complete */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long last;

static unsigned long long of_assembly(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return (unsigned long long)high << 32 | low;
}

static void *ask(void *arg)
{
    usleep(10);
    pthread_mutex_lock(&m);
    unsigned long long now = __builtin_ia32_rdtsc();
    assert(now > last);
    last = __builtin_readcyclecounter();
    assert(last > now);
    now = of_assembly();
    assert(now > last && now - last < 100000000);
    last = now;
    sleep(1); /* takes no time but the virtual one */
    assert(of_assembly() - last >= 1000000000);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, ask, NULL);
    pthread_create(&b, NULL, ask, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
