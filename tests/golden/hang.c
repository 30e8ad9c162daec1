/* SPDX-License-Identifier: Apache-2.0 */
/* A call of code that is not instrumented does not return. */
#include <pthread.h>

void spin(void);
__asm__(
    ".text\n.globl spin\n.type spin, @function\nspin: jmp spin\n.size spin, . - spin\n");

static void *worker(void *arg)
{
    spin();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    return 0;
}
