/* SPDX-License-Identifier: Apache-2.0 */
/* A thread computes forever, in code that is not instrumented. */
#include <pthread.h>

void turn_forever(void);
__asm__(".text\n.globl turn_forever\n.type turn_forever, @function\n"
        "turn_forever: jmp turn_forever\n.size turn_forever, . - turn_forever\n");

static void *turn(void *arg)
{
    turn_forever();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, turn, NULL);
    pthread_join(t, NULL);
    return 0;
}
