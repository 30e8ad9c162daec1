/* SPDX-License-Identifier: Apache-2.0 */
/* An object that gcc built makes a thread by the raw system call: nobody controls it.
 *
 * treadle:
 * arch: x86_64
 * gcc: raw_clone.c
 * expect: verdict incomplete
 * expect: ledger not watched, alone
 * expect: ledger not modelled raw_clone.c:15 clone
 */
void raw_thread(void);

int main(void)
{
    raw_thread();
    return 0;
}
