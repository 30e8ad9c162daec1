/* SPDX-License-Identifier: Apache-2.0 */
/* An interpreter with computed gotos: one program of three bytes fails.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding assert interpreter.c:29
 */
#include <assert.h>
#include <treadle.h>

static int run(const unsigned char *code)
{
    static void *const next[] = {&&stop, &&increment, &&twice};
    int value = 0;
    goto *next[*code++ % 3];
increment:
    value++;
    goto *next[*code++ % 3];
twice:
    value *= 2;
    goto *next[*code++ % 3];
stop:
    return value;
}

int main(void)
{
    unsigned char code[4] = {treadle_u8("a"), treadle_u8("b"), treadle_u8("c"), 0};
    assert(run(code) != 4);
    return 0;
}
