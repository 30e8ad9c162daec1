/* SPDX-License-Identifier: Apache-2.0 */
/* An illegal instruction.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding crash trap.c:10
 * hand: -4 */
int main(void)
{
    __builtin_trap();
}
