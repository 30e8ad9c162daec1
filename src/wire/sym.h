/* SPDX-License-Identifier: Apache-2.0 */
/* wire/sym.h - symbolic values as the program under test describes them.
 *
 * Purpose     A value that depends on inputs is a node of a graph of bit-vector operations.
 *             The program numbers its nodes as it records them (NOTE_NODE), each before anything that
 *             refers to it; only nodes that a decision needs are recorded.
 * Words       label: number of a node in its run, 1..; 0: the value is concrete.
 * Invariants  (Y1) an operand has a smaller label than the node;
 *             (Y2) every node has a symbolic operand, INPUT, READ and CONST excepted;
 *             (Y3) widths are 1..128 bits and fit together as the operations say.
 *
 * A NOTE_NODE has the operation in size, the width of the result in order, operands a, b, c
 * in thread, site and count, and the immediate in object (low 64 bits) and value (high).
 * An operand 0 is the immediate. Of ITE the immediate of b is object, that of c is value,
 * and the width is at most 64; of EXTRACT the first bit is in flags; of INPUT the number of
 * the input is in object; of READ the thread is in object, and in value how many operations of
 * it that read came before (WIRE_JOB_READS).
 *
 * Division and shifts are those of SMT-LIB: x / 0 is all ones, x % 0 is x (signed ones by
 * the signs), a shift by the width or more gives 0, or the sign.
 */
#pragma once

/* Name, shape. Shapes: I input, C constant, B binary, both operands and the result as wide;
 * P predicate: operands as wide, the result has 1 bit; U unary; X extension of a narrower a;
 * E extract; R read by an operation; J concatenation, a above b, widths add up; T if a (1 bit) then b else c. */
#define WIRE_SYM_OPS(X)                                                                  \
    X(CONST, C)                                                                          \
    X(INPUT, I)                                                                          \
    X(ADD, B)                                                                            \
    X(SUB, B)                                                                            \
    X(MUL, B)                                                                            \
    X(UDIV, B)                                                                           \
    X(SDIV, B)                                                                           \
    X(UREM, B)                                                                           \
    X(SREM, B)                                                                           \
    X(AND, B)                                                                            \
    X(OR, B)                                                                             \
    X(XOR, B)                                                                            \
    X(SHL, B)                                                                            \
    X(LSHR, B)                                                                           \
    X(ASHR, B)                                                                           \
    X(EQ, P)                                                                             \
    X(NE, P)                                                                             \
    X(ULT, P)                                                                            \
    X(ULE, P)                                                                            \
    X(SLT, P)                                                                            \
    X(SLE, P)                                                                            \
    X(ZEXT, X)                                                                           \
    X(SEXT, X)                                                                           \
    X(EXTRACT, E)                                                                        \
    X(CONCAT, J)                                                                         \
    X(ITE, T)                                                                            \
    X(BSWAP, U) /* a whole number of bytes */                                            \
    X(BITREV, U)                                                                         \
    X(CTPOP, U)                                                                          \
    X(CTLZ, U) /* of 0: the width */                                                     \
    X(CTTZ, U) /* of 0: the width */                                                     \
    X(READ, R)

enum wire_sym_op {
#define X(name, shape) WIRE_SYM_##name,
    WIRE_SYM_OPS(X)
#undef X
        WIRE_SYM_N_OPS
};

#define WIRE_SYM_MAX_BITS 128u
/* The limit per run; beyond it values are concretised. */
#define WIRE_SYM_MAX_NODES (1u << 22)
#define WIRE_SYM_MAX_INPUTS (1u << 16)

/* How hooks encode an operation. */
#define WIRE_SYM(op, bits) ((uint32_t)(op) | (uint32_t)(bits) << 8)
