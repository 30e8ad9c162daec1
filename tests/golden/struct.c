/* SPDX-License-Identifier: Apache-2.0 */
/* Structures that are copied as a whole, by member, by one access of 8 bytes, with padding, and atomically: the report
 * names members and prints a value for each. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct small {
    signed char x, y;
};
struct pair {
    int first, second;
};
struct padded {
    char tag;
    int value;
};

static struct small small;
static struct pair pairs[2];
static struct padded padded;
static _Atomic struct pair both;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *arg)
{
    struct pair p = {5, -6};
    pthread_mutex_lock(&m);
    small = (struct small){1, 2};
    pairs[1] = p;
    padded = (struct padded){'t', 7};
    pthread_mutex_unlock(&m);
    atomic_store(&both, p);
    atomic_flag_test_and_set(&flag);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    struct pair b = atomic_load(&both);
    int seen = atomic_flag_test_and_set(&flag);
    pthread_mutex_lock(&m);
    struct small s = small;
    struct padded d = padded;
    int sum = s.x + s.y + d.value + pairs[1].second + b.first;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(sum != 9 || !seen);
    return 0;
}
