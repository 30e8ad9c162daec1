/* SPDX-License-Identifier: Apache-2.0 */
/* The linker takes these and not the weak ones of the program. */
extern int shared;

void helper(void)
{
    shared++;
}

__attribute__((weak)) void both(void)
{
    shared++;
}
