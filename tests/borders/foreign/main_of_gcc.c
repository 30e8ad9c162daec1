/* SPDX-License-Identifier: Apache-2.0 */
void body(void);

static int calls;

int main(void)
{
    body();
    return ++calls - 1;
}
