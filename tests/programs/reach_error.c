/* SPDX-License-Identifier: Apache-2.0 */
/* The errors of SV-COMP programs.
 *
 * treadle: --search=all
 * args: 1
 * expect: verdict bug
 * expect: finding assert reach_error.c:19
 *
 * treadle: --search=all
 * args: 2
 * expect: verdict bug
 * expect: finding assert reach_error.c:21 */
void reach_error(void);
void __VERIFIER_error(void);

int main(int argc, char **argv)
{
    if (argv[argc - 1][0] == '1')
        reach_error();
    else
        __VERIFIER_error();
    return 0;
}
