/* SPDX-License-Identifier: Apache-2.0 */
/* Detects machine code that synchronises: it has an atomic instruction, a fence or a system call. Nothing
 * else is known about uninstrumented code, so the order that it establishes is not seen. */
#include "runtime/posix/atomic_code.h"

#if defined(__x86_64__)

/* What follows an opcode: a byte of operands and numbers of 1, 2, 4 bytes. */
enum {
    OPERANDS = 1,
    BYTE = 2,
    WORD = 4,
    NUMBER = 8, /* 4 bytes, or 2 with the prefix 66 */
    UNKNOWN = 128,
};

static unsigned follows_one_byte(unsigned op)
{
    if (op < 0x40) {
        static const uint8_t by_low[8] = {OPERANDS, OPERANDS, OPERANDS, OPERANDS,
                                          BYTE,     NUMBER,   UNKNOWN,  UNKNOWN};
        return by_low[op & 7];
    }
    if (op < 0x60 || (op >= 0x6c && op < 0x70) || (op >= 0x90 && op < 0x9a) ||
        (op >= 0x9b && op < 0xa0) || (op >= 0xa4 && op < 0xa8) ||
        (op >= 0xa0 && op < 0xa4) || (op >= 0xaa && op < 0xb0) ||
        (op >= 0xb8 && op < 0xc0) || (op >= 0xec && op < 0xf0) ||
        (op >= 0xf8 && op < 0xfe))
        return 0;
    if ((op >= 0x70 && op < 0x80) || (op >= 0xb0 && op < 0xb8) ||
        (op >= 0xe0 && op < 0xe8))
        return BYTE;
    if ((op >= 0x84 && op < 0x90) || (op >= 0xd0 && op < 0xd4) ||
        (op >= 0xd8 && op < 0xe0) || op >= 0xfe)
        return OPERANDS;
    switch (op) {
    case 0x63:
        return OPERANDS;
    case 0x68:
    case 0xa9:
    case 0xe8:
    case 0xe9:
        return NUMBER;
    case 0x69:
    case 0x81:
    case 0xc7:
        return OPERANDS | NUMBER;
    case 0x6a:
    case 0xa8:
    case 0xcd:
    case 0xeb:
        return BYTE;
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
        return OPERANDS | BYTE;
    case 0xc2:
    case 0xca:
        return WORD;
    case 0xc8:
        return WORD | BYTE;
    case 0xc3:
    case 0xc9:
    case 0xcb:
    case 0xcc:
    case 0xcf:
    case 0xd7:
    case 0xf1:
    case 0xf4:
    case 0xf5:
        return 0;
    case 0xf6: /* a number with two of their operations only */
    case 0xf7:
        return OPERANDS;
    default:
        return UNKNOWN;
    }
}

/* After 0f. */
static unsigned follows_two_bytes(unsigned op)
{
    if ((op >= 0x30 && op < 0x38) || (op >= 0xa0 && op < 0xa3) ||
        (op >= 0xa8 && op < 0xab) || (op >= 0xc8 && op < 0xd0) || op == 0x05 ||
        op == 0x0b || op == 0x77 || op == 0x06 || op == 0x08 || op == 0x09)
        return 0;
    if ((op >= 0x70 && op < 0x74) || op == 0xa4 || op == 0xac || op == 0xba ||
        op == 0xc2 || (op >= 0xc4 && op < 0xc7))
        return OPERANDS | BYTE;
    if (op >= 0x80 && op < 0x90)
        return NUMBER;
    if (op < 0x0d && op != 0x00 && op != 0x01 && op != 0x02 && op != 0x03)
        return UNKNOWN;
    return OPERANDS;
}

/* Bytes of the operands at code; more than n if they do not fit. */
static size_t operand_bytes(const uint8_t *code, size_t n)
{
    if (n < 1)
        return n + 1;
    unsigned mod = code[0] >> 6, base = code[0] & 7;
    size_t len = 1;
    if (mod == 3)
        return len;
    if (base == 4 && n < 2)
        return n + 1;
    if (base == 4) {
        len++;
        base = code[1] & 7;
        if (mod == 0 && base == 5)
            len += 4;
    } else if (mod == 0 && base == 5) {
        len += 4;
    }
    return len + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

typedef struct instruction {
    size_t len; /* 0: it is not known */
    bool synchronises;
} instruction;

typedef struct prefixes {
    bool locks, is_short, is_wide;
} prefixes;

/* Reads a vector instruction: its map determines what follows. */
static instruction read_vector(const uint8_t *code, size_t n)
{
    size_t head = code[0] == 0xc5 ? 2 : code[0] == 0xc4 ? 3 : 4;
    if (n < head + 2)
        return (instruction){0};
    unsigned map = code[0] == 0xc5 ? 1 : code[1] & (code[0] == 0xc4 ? 31 : 7);
    unsigned op = code[head];
    unsigned follows = map == 1   ? follows_two_bytes(op)
                       : map == 3 ? OPERANDS | BYTE
                                  : OPERANDS;
    size_t len = head + 1;
    if (follows & OPERANDS)
        len += operand_bytes(code + len, n - len);
    len += follows & BYTE ? 1 : 0;
    return (instruction){len <= n && !(follows & (UNKNOWN | NUMBER)) ? len : 0, false};
}

static bool is_atomic(const uint8_t *op, bool is_two, unsigned operands)
{
    bool is_memory = operands >> 6 != 3;
    if (!is_two)
        return (op[0] == 0x86 || op[0] == 0x87) && is_memory; /* xchg */
    return op[0] == 0x05 /* syscall */ ||
           (op[0] == 0xae && !is_memory && (operands >> 3 & 7) == 6); /* mfence */
}

static instruction read_one(const uint8_t *code, size_t n)
{
    prefixes p = {0};
    size_t at = 0;
    for (; at < n; at++) {
        uint8_t c = code[at];
        p.locks |= c == 0xf0;
        p.is_short |= c == 0x66;
        if (c != 0xf0 && c != 0x66 && c != 0x67 && c != 0xf2 && c != 0xf3 && c != 0x2e &&
            c != 0x36 && c != 0x3e && c != 0x26 && c != 0x64 && c != 0x65)
            break;
    }
    if (at < n && code[at] >> 4 == 4) {
        p.is_wide = code[at] & 8;
        at++;
    }
    if (at < n && (code[at] == 0xc4 || code[at] == 0xc5 || code[at] == 0x62)) {
        instruction v = read_vector(code + at, n - at);
        v.len += v.len ? at : 0;
        return v;
    }
    if (at + 1 > n || (code[at] == 0x0f && at + 2 > n))
        return (instruction){0, true};
    bool is_two = code[at] == 0x0f;
    const uint8_t *op = code + at + is_two;
    unsigned follows = is_two ? follows_two_bytes(*op) : follows_one_byte(*op);
    at += 1 + is_two;
    if (is_two && (*op == 0x38 || *op == 0x3a)) {
        follows = *op == 0x3a ? OPERANDS | BYTE : OPERANDS;
        at++;
    }
    unsigned operands = follows & OPERANDS && at < n ? code[at] : 0xc0;
    if (!is_two && (*op == 0xf6 || *op == 0xf7) && (operands >> 3 & 7) < 2)
        follows |= *op == 0xf6 ? BYTE : NUMBER;
    if (follows & OPERANDS)
        at += operand_bytes(code + at, n - at);
    at += (follows & BYTE ? 1 : 0) + (follows & WORD ? 2 : 0);
    bool is_jump = is_two || *op == 0xe8 || *op == 0xe9;
    if (follows & NUMBER)
        at += p.is_short && !is_jump ? 2 : 4;
    if (!is_two && *op >= 0xb8 && *op < 0xc0)
        at += p.is_wide ? 8 : p.is_short ? 2 : 4;
    if (!is_two && *op >= 0xa0 && *op < 0xa4)
        at += 8;
    bool is_known = at <= n && !(follows & UNKNOWN);
    return (instruction){is_known ? at : 0, p.locks || is_atomic(op, is_two, operands)};
}

bool rt_code_synchronises(const uint8_t *code, size_t n)
{
    for (size_t at = 0; at < n;) {
        instruction i = read_one(code + at, n - at);
        if (i.len == 0 || i.synchronises)
            return true;
        at += i.len;
    }
    return false;
}

#else

/* Loads and stores with an order, exclusive ones, and those that do both (ARMv8.1). */
bool rt_code_synchronises(const uint8_t *code, size_t n)
{
    const uint32_t *words = (const uint32_t *)code;
    for (size_t i = 0; i < n / 4; i++)
        if ((words[i] & 0x3f000000u) == 0x08000000u ||
            (words[i] & 0x3b200c00u) == 0x38200000u ||
            (words[i] & 0xffe0001fu) == 0xd4000001u)
            return true;
    return false;
}

#endif
