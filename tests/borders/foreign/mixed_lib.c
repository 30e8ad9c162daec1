/* SPDX-License-Identifier: Apache-2.0 */
int next_id(void);
int current(void);

static int counter;

int next_id(void)
{
    return ++counter;
}

int current(void)
{
    return counter;
}
