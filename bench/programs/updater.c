/* SPDX-License-Identifier: Apache-2.0 */
/* updater [deadlock] [small]: two threads update x or y, as their inputs say; two others read both
 * and compute with them, twice. With "deadlock" one of them takes the locks in the other
 * order; with "small" there is one update of each, by an input of 2 bits, and one look. */
#include <assert.h>
#include <treadle.h>

#include "common.h"

enum { UPDATES = 2, LOOKS = 2 };

static pthread_mutex_t x_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t y_lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, other_order, small;

static void update(pthread_mutex_t *lock, int *variable, int by)
{
    pthread_mutex_lock(lock);
    *variable += by;
    pthread_mutex_unlock(lock);
}

static void *updater(void *number)
{
    for (int k = 0; k < (small ? 1 : UPDATES); k++) {
        int by = small ? (int)treadle_bits(2, "by") - 1 : (int)treadle_bits(5, "by") - 15;
        if (by > 0)
            update(&x_lock, &x, by);
        else
            update(&y_lock, &y, -by);
    }
    return NULL;
}

static int product(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    int result = x * y;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return result;
}

static void *reader(void *number)
{
    int is_other = number && other_order, sum = 0;
    for (int k = 0; k < (small ? 1 : LOOKS); k++)
        sum += is_other ? product(&y_lock, &x_lock) : product(&x_lock, &y_lock);
    assert(sum >= 0);
    return NULL;
}

int main(int argc, char **argv)
{
    other_order = has_word(argc, argv, "deadlock");
    small = has_word(argc, argv, "small");
    start(updater, 0);
    start(updater, 1);
    start(reader, 0);
    start(reader, 1);
    return leave();
}
