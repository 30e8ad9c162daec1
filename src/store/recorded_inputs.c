/* SPDX-License-Identifier: Apache-2.0 */
/* Lines about inputs: one for each, or one for up to 64 bytes of an object. */
#include "store/recording_int.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "wire/sym.h"

#define BYTES_A_LINE 64u

static_assert(WIRE_NO_SIGN == 0 && WIRE_SIGNED == 1 && WIRE_UNSIGNED == 2,
              "the letters of types are in this order");

/* ---- keys ---- */

static uint64_t unshift(uint64_t z, unsigned by)
{
    uint64_t x = z;
    for (unsigned done = by; done < 64; done += by)
        x = z ^ (x >> by);
    return x;
}

/* splitmix64 and back. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t unmix(uint64_t z)
{
    z = unshift(z, 31) * UINT64_C(0x319642b2d24d8ec3);
    z = unshift(z, 27) * UINT64_C(0x96de1b173f119089);
    return unshift(z, 30);
}

uint64_t sto_key_after(uint64_t key)
{
    uint64_t state = unmix(key);
    TD_ASSERT(mix(state) == key);
    return mix(state + WIRE_INPUT_STEP);
}

/* ---- printing ---- */

/* The name of the object and the index, if that is what the name of the input is. */
static bool split_name(const char *name, size_t *len, uint64_t *index)
{
    const char *open = strrchr(name, '[');
    char digits[20];
    size_t n = open ? strlen(open + 1) : 0;
    if (n < 2 || n > sizeof digits - 1 || open[n] != ']' || (open[1] == '0' && n > 2))
        return false;
    memcpy(digits, open + 1, n - 1);
    digits[n - 1] = '\0';
    *len = (size_t)(open - name);
    return sto_parse_number(digits, UINT32_MAX, index);
}

static bool is_byte(const sto_input *in)
{
    return in->bits == 8 && in->sign == WIRE_NO_SIGN;
}

/* Returns how many inputs from `in` on are neighbouring bytes of one object; 1 if `in` is not such a byte. */
static size_t bytes_at(const sto_input *in, size_t max)
{
    size_t len, other_len;
    uint64_t index, other;
    if (!is_byte(in) || !split_name(in->name, &len, &index))
        return 1;
    size_t n = 1;
    while (n < max && n < BYTES_A_LINE && is_byte(&in[n]) && index + n <= UINT32_MAX &&
           split_name(in[n].name, &other_len, &other) && other == index + n &&
           other_len == len && memcmp(in->name, in[n].name, len) == 0 &&
           in[n].key == sto_key_after(in[n - 1].key))
        n++;
    return n;
}

static void put_bytes(td_text *out, const sto_input *in, size_t n)
{
    td_text_add(out, "bytes");
    sto_put_word(out, in->name);
    td_text_add(out, " %016" PRIx64 " \"", in->key);
    for (size_t i = 0; i < n; i++) {
        uint64_t c = in[i].value;
        TD_ASSERT(c <= UINT8_MAX);
        if (c == '"' || c == '\\')
            td_text_add(out, "\\%c", (char)c);
        else if (c == '\n')
            td_text_put(out, "\\n", 2);
        else if (c < 0x20 || c >= 0x7f)
            td_text_add(out, "\\x%02x", (unsigned)c & 0xff);
        else
            td_text_add(out, "%c", (char)c);
    }
    td_text_put(out, "\"\n", 2);
}

static int64_t as_signed(const sto_input *in)
{
    TD_ASSERT(in->bits >= 1 && in->bits <= 64);
    unsigned unused = 64u - in->bits;
    return (int64_t)(in->value << unused) >> unused;
}

static void put_input(td_text *out, const sto_input *in)
{
    static const char letters[] = {'b', 'i', 'u'};
    TD_ASSERT(in->sign < sizeof letters && in->bits >= 1 && in->bits <= 64);
    td_text_add(out, "input");
    sto_put_word(out, in->name);
    td_text_add(out, " %c%u ", letters[in->sign], in->bits);
    if (in->sign == WIRE_SIGNED)
        td_text_add(out, "%" PRId64, as_signed(in));
    else
        td_text_add(out, "%" PRIu64, in->value);
    td_text_add(out, " %016" PRIx64 "\n", in->key);
}

void sto_put_inputs(td_text *out, const sto_input_vec *inputs)
{
    for (size_t i = 0, n; i < inputs->len; i += n) {
        n = bytes_at(&inputs->at[i], inputs->len - i);
        TD_ASSERT(n >= 1 && n <= inputs->len - i);
        if (n > 1)
            put_bytes(out, &inputs->at[i], n);
        else
            put_input(out, &inputs->at[i]);
    }
}

/* ---- reading ---- */

static td_status read_key(sto_reader *r, uint64_t *out)
{
    td_text word = {0};
    td_status status = sto_read_text(r, "the key of the input", &word);
    bool good = status == TD_OK && word.len == 16 &&
                strspn(word.at, "0123456789abcdef") == word.len;
    if (good)
        *out = strtoull(word.at, NULL, 16);
    else if (status == TD_OK)
        status = STO_WRONG(r, "line %u: the key of an input is 16 hexadecimal digits",
                           r->line);
    td_text_fini(&word);
    return status;
}

static td_status read_name(sto_reader *r, td_text *name)
{
    TD_TRY(sto_read_text(r, "the name of the input", name));
    if (r->out->inputs.len >= WIRE_SYM_MAX_INPUTS)
        return STO_WRONG(r, "line %u: more than %u inputs", r->line, WIRE_SYM_MAX_INPUTS);
    if (name->len > STO_MAX_NAME)
        return STO_WRONG(r, "line %u: the name of an input is longer than %u bytes",
                         r->line, STO_MAX_NAME);
    return TD_OK;
}

/* "i32", "u8", "b64". */
static td_status read_type(sto_reader *r, sto_input *out)
{
    td_text word = {0};
    uint64_t bits = 0;
    td_status status = sto_read_text(r, "the type of the input", &word);
    const char *type = status == TD_OK && word.at ? word.at : "";
    out->sign = *type == 'i' ? WIRE_SIGNED : *type == 'u' ? WIRE_UNSIGNED : WIRE_NO_SIGN;
    bool good = *type && strchr("biu", *type) && sto_parse_number(type + 1, 64, &bits) &&
                bits > 0 && type[1] != '0';
    if (status == TD_OK && !good)
        status = STO_WRONG(
            r, "line %u: the type of an input is b, i or u and its bits, for example i32",
            r->line);
    out->bits = (uint8_t)bits;
    td_text_fini(&word);
    return status;
}

/* Decimal; a negative number where the sign is known. */
static bool parse_value(const char *text, sto_input *out)
{
    TD_ASSERT(out->bits >= 1 && out->bits <= 64); /* read_type */
    uint64_t most = UINT64_MAX >> (64 - out->bits), n = 0;
    bool minus = *text == '-' && out->sign == WIRE_SIGNED;
    if (out->sign == WIRE_SIGNED)
        most = (most >> 1) + minus;
    if (!sto_parse_number(text + minus, most, &n) || (minus && n == 0))
        return false;
    out->value = minus ? (0 - n) & UINT64_MAX >> (64 - out->bits) : n;
    return true;
}

static td_status read_value(sto_reader *r, sto_input *out)
{
    td_text word = {0};
    td_status status = sto_read_text(r, "the value of the input", &word);
    if (status == TD_OK && !parse_value(word.at ? word.at : "", out))
        status = STO_WRONG(r, "line %u: not a value of %u bits", r->line, out->bits);
    td_text_fini(&word);
    return status;
}

static td_status read_input_after_name(sto_reader *r, const td_text *name)
{
    sto_input in = {0};
    TD_TRY(read_type(r, &in));
    TD_TRY(read_value(r, &in));
    TD_TRY(read_key(r, &in.key));
    TD_TRY(sto_expect_end(r));
    in.name = td_strdup(name->at ? name->at : "");
    sto_input_vec_push(&r->out->inputs, in);
    return TD_OK;
}

td_status sto_read_input(sto_reader *r)
{
    td_text name = {0};
    td_status status = read_name(r, &name);
    if (status == TD_OK)
        status = read_input_after_name(r, &name);
    td_text_fini(&name);
    return status;
}

static void push_bytes(sto_reader *r, const char *name, uint64_t key,
                       const td_text *bytes)
{
    size_t len = 0;
    uint64_t index = 0;
    bool good = split_name(name, &len, &index);
    TD_ASSERT(good);
    for (size_t i = 0; i < bytes->len; i++) {
        td_text one = {0};
        td_text_put(&one, name, len);
        td_text_add(&one, "[%" PRIu64 "]", index + i);
        sto_input_vec_push(&r->out->inputs, (sto_input){.name = one.at,
                                                        .bits = 8,
                                                        .key = key,
                                                        .value = (uint8_t)bytes->at[i]});
        key = sto_key_after(key);
    }
}

static td_status read_bytes_after_name(sto_reader *r, const td_text *name, td_text *bytes)
{
    uint64_t key = 0, index = 0;
    size_t len = 0;
    if (!name->at || !split_name(name->at, &len, &index))
        return STO_WRONG(r, "line %u: bytes require a name with an index, like line[0]",
                         r->line);
    TD_TRY(read_key(r, &key));
    r->takes_zero = true;
    td_status status = sto_read_text(r, "the text", bytes);
    r->takes_zero = false;
    TD_TRY(status);
    TD_TRY(sto_expect_end(r));
    if (bytes->len == 0 || bytes->len > WIRE_SYM_MAX_INPUTS - r->out->inputs.len ||
        index + bytes->len > UINT32_MAX)
        return STO_WRONG(r, "line %u: no bytes, or more than %u inputs", r->line,
                         WIRE_SYM_MAX_INPUTS);
    push_bytes(r, name->at, key, bytes);
    return TD_OK;
}

td_status sto_read_bytes(sto_reader *r)
{
    td_text name = {0}, bytes = {0};
    td_status status = read_name(r, &name);
    if (status == TD_OK)
        status = read_bytes_after_name(r, &name, &bytes);
    td_text_fini(&name);
    td_text_fini(&bytes);
    return status;
}
