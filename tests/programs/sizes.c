/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics of every size, with their values.
 *
 * treadle: --search=all
 * expect: runs 1
 * expect: traces 1
 * expect: verdict complete
 * hand: 0 */
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

static atomic_bool b;
static atomic_uchar c;
static atomic_ushort s;
static atomic_uint i;
static atomic_ullong l;
static int *_Atomic p;
static _Atomic double d;

static int array[4];

static void expect(uint64_t want, uint64_t got)
{
    assert(want == got);
}

static void integers(void)
{
    expect(0, atomic_fetch_add(&c, 200));
    expect(200, atomic_fetch_add(&c, 100));
    expect(44, atomic_load(&c));
    expect(0, atomic_fetch_sub(&s, 1));
    expect(0xffff, atomic_exchange(&s, 0x0f0f));
    expect(0x0f0f, atomic_fetch_and(&s, 0x00ff));
    expect(0x000f, atomic_fetch_or(&s, 0xf000));
    expect(0xf00f, atomic_fetch_xor(&s, 0x1001));
    expect(0xe00e, s);
    expect(0, i++);
    expect(2, ++i);
    i += 5;
    i *= 3;
    i <<= 1;
    expect(42, i);
    l = UINT64_MAX;
    expect(0, ++l);
}

static void others(void)
{
    expect(false, atomic_exchange(&b, true));
    expect(true, b);
    bool want = false;
    expect(false, atomic_compare_exchange_strong(&b, &want, true));
    expect(true, want);
    expect(true, atomic_compare_exchange_strong(&b, &want, false));
    expect(false, b);

    p = array;
    atomic_fetch_add(&p, 2);
    assert(p == array + 2);
    p--;
    assert(p == array + 1);

    d = 1.5;
    d += 2;
    assert(d == 3.5);
}

int main(void)
{
    integers();
    others();
    return 0;
}
