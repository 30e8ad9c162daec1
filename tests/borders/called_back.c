/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is not instrumented calls the program back, which makes threads. It is no gap if they are joined before
 * that code continues; it is one if they are not, if it makes them itself, if a detached thread may still run, and
 * if longjmp leaves the function meanwhile.
 *
 * treadle:
 * cflags: -g -O1
 * gcc: calls_back.c
 * expect: verdict complete
 * expect: ledger not watched, alone
 * treadle:
 * cflags: -g -O1 -DLEAVES
 * gcc: calls_back.c
 * expect: verdict incomplete
 * expect: ledger not watched, alone
 * expect: ledger not watched called_back.c:63 the uninstrumented caller of this function, before all threads are joined
 * treadle:
 * cflags: -g -O1 -DMAKES
 * gcc: calls_back.c
 * expect: verdict incomplete
 * expect: ledger not watched called_back.c:77 make_thread
 * expect: ledger not watched, alone
 * treadle:
 * cflags: -g -O1 -DDETACHED
 * gcc: calls_back.c
 * expect: verdict incomplete
 * expect: ledger not watched called_back.c:82 call_back
 * treadle:
 * cflags: -g -O1 -DJUMPS
 * gcc: calls_back.c
 * expect: ledger not watched, alone
 * expect: ledger not watched called_back.c:63 a function without a name
 * expect: verdict incomplete */
#include <pthread.h>
#include <setjmp.h>

void call_back(void (*step)(int), int n);
void make_thread(pthread_t *out, void *(*start)(void *));

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;
static jmp_buf out;
static int n, sum;

static void *add(void *arg)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return arg;
}

__attribute__((unused)) static void nothing(int i)
{
    sum += i;
}

__attribute__((unused)) static void step(int i)
{
#ifdef LEAVES
    if (i == 0)
#endif
        pthread_create(&thread, NULL, add, NULL);
#ifdef JUMPS
    longjmp(out, 1);
#endif
    add(NULL);
#ifdef LEAVES
    if (i == 1)
#endif
        pthread_join(thread, NULL);
}

int main(void)
{
#if defined(MAKES)
    make_thread(&thread, add);
    pthread_join(thread, NULL);
#elif defined(DETACHED)
    pthread_create(&thread, NULL, add, NULL);
    pthread_detach(thread);
    call_back(nothing, 1);
#else
    if (setjmp(out) == 0)
        call_back(step, 2);
    else
        pthread_join(thread, NULL);
#endif
    return 0;
}
