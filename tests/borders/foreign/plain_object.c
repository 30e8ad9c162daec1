/* SPDX-License-Identifier: Apache-2.0 */
int plain_get(void);
void plain_add(void);

static int n;

int plain_get(void)
{
    return n;
}

void plain_add(void)
{
    int v = n;
    n = v + 1;
}
