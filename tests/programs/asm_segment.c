/* SPDX-License-Identifier: Apache-2.0 */
/* An operand in memory whose address is an offset to fs: nothing is at that address, and a replay does not
 * look there. So mimalloc reads its thread's pointer.
 *
 * arch: x86_64
 * treadle:
 * expect: verdict bug
 * expect: finding race asm_segment.c:30 asm_segment.c:40
 * treadle: --search=pct
 * expect: verdict bug
 * expect: finding race asm_segment.c:30 asm_segment.c:40 */
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int shared;

static void *thread_pointer(void)
{
    void *res;
    const size_t offset = 0;
    __asm__("movq %%fs:%1, %0" : "=r"(res) : "m"(*(void **)offset) :);
    return res;
}

static void *f(void *a)
{
    if (thread_pointer() == NULL)
        abort();
    shared++;
    return a;
}

int main(void)
{
    pthread_t t;
    if (thread_pointer() == NULL)
        abort();
    pthread_create(&t, NULL, f, NULL);
    shared++;
    pthread_join(t, NULL);
    return 0;
}
