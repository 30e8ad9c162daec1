/* SPDX-License-Identifier: Apache-2.0 */
/* A compressor of the LZ77 family and its decompressor, byte by byte. */
#include "kernel.h"

#define N_BYTES (1u << 19)
#define HASH_BITS 14
#define MATCH_MIN 4u
#define MATCH_MAX 255u
#define WINDOW 65535u

static uint8_t input[N_BYTES], packed[2 * N_BYTES], output[N_BYTES];
static uint32_t last_seen[1u << HASH_BITS]; /* position + 1 of the last such four bytes */

static uint32_t hash_at(const uint8_t *p)
{
    uint32_t word =
        p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    return (word * 2654435761u) >> (32 - HASH_BITS);
}

static uint32_t match_length(const uint8_t *a, const uint8_t *b, uint32_t most)
{
    uint32_t n = 0;
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

/* A match is 1, its length and its distance in two bytes; anything else 0 and a byte. */
static uint32_t pack(const uint8_t *in, uint32_t n, uint8_t *out)
{
    uint32_t at = 0, used = 0;
    memset(last_seen, 0, sizeof last_seen);
    while (at < n) {
        uint32_t length = 0, from = 0;
        if (at + MATCH_MIN <= n) {
            uint32_t *slot = &last_seen[hash_at(in + at)];
            from = *slot;
            *slot = at + 1;
            uint32_t most = n - at < MATCH_MAX ? n - at : MATCH_MAX;
            if (from && at + 1 - from <= WINDOW)
                length = match_length(in + from - 1, in + at, most);
        }
        if (length >= MATCH_MIN) {
            uint32_t distance = at + 1 - from;
            out[used++] = 1;
            out[used++] = (uint8_t)length;
            out[used++] = (uint8_t)distance;
            out[used++] = (uint8_t)(distance >> 8);
            at += length;
        } else {
            out[used++] = 0;
            out[used++] = in[at++];
        }
    }
    return used;
}

static uint32_t unpack(const uint8_t *in, uint32_t n, uint8_t *out)
{
    uint32_t at = 0, made = 0;
    while (at < n) {
        if (in[at] == 0) {
            out[made++] = in[at + 1];
            at += 2;
            continue;
        }
        uint32_t distance = in[at + 2] | (uint32_t)in[at + 3] << 8;
        for (uint32_t i = 0; i < in[at + 1]; i++, made++)
            out[made] = out[made - distance];
        at += 4;
    }
    return made;
}

/* Text-like: words of a small vocabulary. */
static void fill(uint8_t *at, uint32_t n, uint64_t state)
{
    static const char words[] = "thread lock wait the of store load and fence queue ";
    for (uint32_t i = 0; i < n;) {
        uint32_t from = kernel_random(&state) % (sizeof words - 12);
        uint32_t length = 3 + kernel_random(&state) % 8;
        for (uint32_t k = 0; k < length && i < n; k++)
            at[i++] = (uint8_t)words[from + k];
    }
}

static uint64_t kernel(uint32_t round)
{
    fill(input, N_BYTES, round);
    uint32_t n = pack(input, N_BYTES, packed);
    uint32_t made = unpack(packed, n, output);
    return n + made + (uint64_t)memcmp(input, output, N_BYTES);
}

KERNEL_MAIN(8)
