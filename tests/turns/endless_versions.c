/* SPDX-License-Identifier: Apache-2.0 */
/* A reader takes two values under a version that the writer counts modulo 8. After four writes the version is the same
 * again, and the reader has one value of before and one of after. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int version, low, high;

static void *write_all(void *arg)
{
    for (int value = 0;; value = !value) {
        atomic_store(&version, (atomic_load(&version) + 1) & 7);
        atomic_store(&low, value);
        atomic_store(&high, value);
        atomic_store(&version, (atomic_load(&version) + 1) & 7);
    }
    return arg;
}

int main(void)
{
    pthread_t writer;
    pthread_create(&writer, NULL, write_all, NULL);
    for (;;) {
        int before, first, second;
        do {
            do
                before = atomic_load(&version);
            while (before & 1);
            first = atomic_load(&low);
            second = atomic_load(&high);
        } while (atomic_load(&version) != before);
        assert(first == second);
    }
}
