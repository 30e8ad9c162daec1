/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of SV-COMP may define the error themselves: to call it is the error, whatever it does.
 *
 * treadle: --search=all
 * expect: verdict bug
 * expect: finding assert reach_error_own.c:17 */
static volatile int on = 1;

void reach_error(void)
{
    on = 0;
}

int main(void)
{
    if (on)
        reach_error();
    return 0;
}
