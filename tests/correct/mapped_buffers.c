/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread maps a buffer, uses it and removes it; the system gives the same pages again.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include "threads.h"

#include <stdatomic.h>
#include <sys/mman.h>

static atomic_int sum;

static void *work(void *arg)
{
    size_t size = 3 << 20;
    char *p =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(p != MAP_FAILED && p[0] == 0 && p[size - 1] == 0);
    p[0] = p[size - 1] = 1;
    atomic_fetch_add(&sum, p[0] + p[size - 1]);
    munmap(p, size);
    return arg;
}

int main(void)
{
    run_two(work, work);
    assert(atomic_load(&sum) == 4);
    return 0;
}
