/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is not watched maps memory at an address that has no shadow: no crash of the program.
 *
 * treadle:
 * cflags: -g -O0
 * gcc: map_far.c
 * expect: verdict incomplete
 * expect: ledger not watched, alone
 * expect: ledger not modelled map_foreign.c:14 memory mapped where treadle cannot watch it */
int *map_far(void);

int main(void)
{
    int *p = map_far();
    p[0] = 1;
    return p[0] - 1;
}
