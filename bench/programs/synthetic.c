/* SPDX-License-Identifier: Apache-2.0 */
/* synthetic 1|2: three threads do what a generator of random sequences gave, one letter an
 * operation; both can deadlock.
 *
 *   a b     lock a mutex            x y     add a variable to the thread's sum
 *   A B     unlock it               X Y     store the sum in a variable
 *   ?       skip the next letter if the sum is odd
 *
 * A thread's sum begins with its input. */
#include <stdatomic.h>
#include <treadle.h>

#include "common.h"

enum { THREADS = 3 };

static const char *const scripts[2][THREADS] = {
    {"xxYabxBYAy", "?xabx?x?xBA", "bXyXyayXAB"},
    {"bB?YY?YxXb?yB", "abxxX?XxBA", "XyYbax?X?YAB"},
};

static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int variable[2];
static const char *const *script;

static void operation(char letter, int *sum)
{
    if (letter >= 'a' && letter <= 'b')
        pthread_mutex_lock(&mutex[letter - 'a']);
    else if (letter >= 'A' && letter <= 'B')
        pthread_mutex_unlock(&mutex[letter - 'A']);
    else if (letter >= 'x' && letter <= 'y')
        *sum += atomic_load(&variable[letter - 'x']);
    else
        atomic_store(&variable[letter - 'X'], *sum);
}

static void *thread(void *number)
{
    int sum = treadle_int("sum");
    for (const char *at = script[(intptr_t)number]; *at; at++) {
        if (*at != '?')
            operation(*at, &sum);
        else if (sum % 2)
            at++;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t[THREADS];
    script = scripts[size_arg(argc, argv, 1, 1, 2) - 1];
    start_all(t, THREADS, thread);
    return leave();
}
