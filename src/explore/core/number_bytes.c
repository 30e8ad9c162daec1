/* SPDX-License-Identifier: Apache-2.0 */
#include "explore/core/number_bytes.h"

#include "base/assert.h"

/* ---- out ---- */

void xpl_put_number(xpl_byte_vec *out, uint64_t number)
{
    for (; number >= 0x80; number >>= 7)
        xpl_byte_vec_push(out, (uint8_t)(0x80 | (number & 0x7f)));
    xpl_byte_vec_push(out, (uint8_t)number);
}

void xpl_put_word(xpl_byte_vec *out, uint64_t word)
{
    for (uint32_t shift = 0; shift < 64; shift += 8)
        xpl_byte_vec_push(out, (uint8_t)(word >> shift));
}

/* ---- in ---- */

size_t xpl_reader_left(const xpl_reader *r)
{
    TD_ASSERT(r->at <= r->end); /* (B1) */
    return (size_t)(r->end - r->at);
}

td_status xpl_reader_bad(const xpl_reader *r, const char *why)
{
    return td_diag_set(r->diag, TD_E_FORMAT, "%s cannot be read: %s", r->what, why);
}

td_status xpl_get_byte(xpl_reader *r, uint8_t *out)
{
    if (r->at == r->end)
        return xpl_reader_bad(r, "it ends too early");
    *out = *r->at++;
    return TD_OK;
}

td_status xpl_get_number(xpl_reader *r, uint64_t *out)
{
    uint8_t byte = 0;
    *out = 0;
    for (uint32_t shift = 0; shift < 64; shift += 7) {
        TD_TRY(xpl_get_byte(r, &byte));
        if (shift == 63 && byte > 1)
            return xpl_reader_bad(r, "a number is too large");
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte & 0x80)
            continue;
        return byte == 0 && shift > 0
                   ? xpl_reader_bad(r, "a number has more bytes than it needs")
                   : TD_OK;
    }
    return xpl_reader_bad(r, "a number is too large");
}

td_status xpl_get_u32(xpl_reader *r, uint32_t *out)
{
    uint64_t number = 0;
    TD_TRY(xpl_get_number(r, &number));
    if (number > UINT32_MAX)
        return xpl_reader_bad(r, "a number is too large");
    *out = (uint32_t)number;
    return TD_OK;
}

td_status xpl_get_word(xpl_reader *r, uint64_t *out)
{
    *out = 0;
    if (xpl_reader_left(r) < 8)
        return xpl_reader_bad(r, "it ends too early");
    for (uint32_t shift = 0; shift < 64; shift += 8)
        *out |= (uint64_t)*r->at++ << shift;
    return TD_OK;
}

td_status xpl_get_count(xpl_reader *r, size_t max, size_t least, size_t *out)
{
    TD_ASSERT(least > 0);
    uint64_t number = 0;
    *out = 0;
    TD_TRY(xpl_get_number(r, &number));
    if (number > max)
        return xpl_reader_bad(r, "it has too many parts");
    if (number > xpl_reader_left(r) / least) /* (B2) */
        return xpl_reader_bad(r, "it ends too early");
    *out = (size_t)number;
    return TD_OK;
}
