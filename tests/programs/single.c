/* SPDX-License-Identifier: Apache-2.0 */
/* No thread at all.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: events 1
 * expect: traces 1
 * expect: verdict complete
 * hand: 0
 * model: main: exit */
int main(void)
{
    return 0;
}
