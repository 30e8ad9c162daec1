/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of libatomic for small objects, as compilers make them for structures of three bytes. What is stored is known like that
 * of any other store: a loop that waits for it ends, and under a memory model a load that misses the last store finds the
 * one before.
 *
 * treadle:
 * cflags: -latomic -DSIZE=4
 * agree: --search=all
 * expect: verdict complete
 *
 * treadle:
 * cflags: -latomic -DSIZE=3
 * agree: --search=all
 * expect: verdict complete
 *
 * treadle: --search=graphs --model=sc
 * cflags: -latomic -DSIZE=3
 * expect: verdict complete
 *
 * treadle: --model=rc11
 * cflags: -latomic -DSIZE=4 -DRELAXED
 * expect: finding assert generic_atomic.c:61
 * expect: verdict bug */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#pragma redefine_extname generic_load __atomic_load
#pragma redefine_extname generic_store __atomic_store
#pragma redefine_extname generic_exchange __atomic_exchange
void generic_load(size_t size, void *from, void *to, int order);
void generic_store(size_t size, void *to, void *from, int order);
void generic_exchange(size_t size, void *object, void *from, void *old, int order);

#ifdef RELAXED
#define ORDER __ATOMIC_RELAXED
#else
#define ORDER __ATOMIC_SEQ_CST
#endif

static int object, flag;

static void *work(void *arg)
{
    int seven = 7, eight = 8, old = 0;
    (void)arg;
    generic_store(SIZE, &object, &seven, ORDER);
    generic_exchange(SIZE, &object, &eight, &old, ORDER);
    assert(old == 7);
    __atomic_store_n(&flag, 1, ORDER);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, work, NULL);
    int was = __atomic_load_n(&flag, ORDER);
    generic_load(SIZE, &object, &seen, ORDER);
    assert(!was || seen == 8);
    while (seen != 8)
        generic_load(SIZE, &object, &seen, ORDER);
    pthread_join(thread, NULL);
    return 0;
}
