/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions for people, in C's notation and with as few brackets as it needs. */
#include "expr/expr_int.h"

#include <stdio.h>

enum { DEEPEST = 40, MOST_NODES = 300 };

/* How strongly an operator binds, as in C. */
enum {
    ANY,
    CHOICE,
    EITHER,
    BOTH,
    BITOR,
    BITXOR,
    BITAND,
    EQUAL,
    LESS,
    SHIFT,
    SUM,
    PRODUCT,
    UNARY
};

typedef struct printer {
    const exp_dag *d;
    const exp_names *names; /* may be NULL */
    td_text *out;
    unsigned depth, n_nodes;
} printer;

static void put(printer *p, exp_ref e, int binds);

static void put_decimal(printer *p, td_u128 v)
{
    char digits[40];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + (int)(v % 10));
    while ((v /= 10) != 0);
    td_text_put(p->out, digits + at, sizeof digits - at);
}

static void put_hex(printer *p, td_u128 v)
{
    if (v >> 64)
        td_text_add(p->out, "0x%llx%016llx", (unsigned long long)(v >> 64),
                    (unsigned long long)v);
    else
        td_text_add(p->out, v < 10 ? "%llu" : "0x%llx", (unsigned long long)v);
}

static bool is_minus(const exp_dag *d, exp_ref k)
{
    unsigned width = exp_width(d, k);
    return width > 1 && (exp_const_value(d, k) >> (width - 1) & 1);
}

static td_u128 minus(const exp_dag *d, exp_ref k)
{
    return ((td_u128)0 - exp_const_value(d, k)) & exp_ones(exp_width(d, k));
}

static void put_const(printer *p, exp_ref k, exp_sign sign)
{
    if (sign == EXP_SIGNED && is_minus(p->d, k)) {
        td_text_put(p->out, "-", 1);
        put_decimal(p, minus(p->d, k));
    } else {
        put_decimal(p, exp_const_value(p->d, k));
    }
}

/* Unsigned if all inputs in e are, and there are some. */
static exp_sign sign_of(const printer *p, exp_ref e)
{
    if (!p->names || !p->names->sign)
        return EXP_SIGNED;
    exp_u32_vec inputs = {0};
    exp_set_list(p->d, exp_inputs(p->d, e), &inputs);
    exp_sign sign = inputs.len > 0 ? EXP_UNSIGNED : EXP_SIGNED;
    for (size_t i = 0; i < inputs.len; i++)
        if (p->names->sign(p->names->context, inputs.at[i]) == EXP_SIGNED)
            sign = EXP_SIGNED;
    exp_u32_vec_fini(&inputs);
    return sign;
}

/* The sign of the operand that is not a constant. */
static exp_sign sign_of_pair(const printer *p, exp_ref a, exp_ref b)
{
    return sign_of(p, exp_const_at(p->d, a) ? b : a);
}

/* e where a number of this sign is meant: with a cast if that does not go without saying. */
static void put_as(printer *p, exp_ref e, exp_sign sign, int binds)
{
    if (exp_const_at(p->d, e)) {
        put_const(p, e, sign);
        return;
    }
    bool says_so = exp_kind(p->d, e) == EXP_EXTRACT || exp_kind(p->d, e) == EXP_CONCAT;
    if (sign_of(p, e) == sign || (says_so && sign == EXP_UNSIGNED) ||
        exp_width(p->d, e) == 1) {
        put(p, e, binds);
        return;
    }
    td_text_add(p->out, sign == EXP_SIGNED ? "(signed)" : "(unsigned)");
    put(p, e, UNARY);
}

/* Operands in the order of their first inputs, then of their number; constants last. */
static bool reads_backwards(const exp_dag *d, exp_ref a, exp_ref b)
{
    exp_u32_vec x = {0}, y = {0};
    exp_set_list(d, exp_inputs(d, a), &x);
    exp_set_list(d, exp_inputs(d, b), &y);
    bool backwards = y.len > 0 && (x.len == 0 || x.at[0] > y.at[0] ||
                                   (x.at[0] == y.at[0] && x.len > y.len));
    if (x.len == y.len && x.len > 0 && x.at[0] == y.at[0])
        backwards = a.ix > b.ix;
    exp_u32_vec_fini(&x);
    exp_u32_vec_fini(&y);
    return backwards;
}

static void open_bracket(printer *p, int level, int binds)
{
    if (level < binds)
        td_text_put(p->out, "(", 1);
}

static void close_bracket(printer *p, int level, int binds)
{
    if (level < binds)
        td_text_put(p->out, ")", 1);
}

/* a op b, where both have the sign. */
static void put_infix(printer *p, const char *op, exp_sign sign, exp_ref a, exp_ref b,
                      int level)
{
    put_as(p, a, sign, level);
    td_text_add(p->out, " %s ", op);
    put_as(p, b, sign, level + 1);
}

static void put_name(printer *p, uint32_t number)
{
    if (p->names && p->names->name)
        td_text_add(p->out, "%s", p->names->name(p->names->context, number));
    else
        td_text_add(p->out, "in%u", (unsigned)number);
}

typedef struct infix {
    const char *text;
    int level;
    bool is_associative;
} infix;

static infix infix_of(const exp_node *n)
{
    bool is_boolean = n->width == 1;
    switch ((exp_op)n->op) {
    case EXP_ADD:
        return (infix){"+", SUM, true};
    case EXP_SUB:
        return (infix){"-", SUM, false};
    case EXP_MUL:
        return (infix){"*", PRODUCT, true};
    case EXP_UDIV:
    case EXP_SDIV:
        return (infix){"/", PRODUCT, false};
    case EXP_UREM:
    case EXP_SREM:
        return (infix){"%", PRODUCT, false};
    case EXP_AND:
        return is_boolean ? (infix){"&&", BOTH, true} : (infix){"&", BITAND, true};
    case EXP_OR:
        return is_boolean ? (infix){"||", EITHER, true} : (infix){"|", BITOR, true};
    case EXP_XOR:
        return (infix){"^", BITXOR, true};
    case EXP_SHL:
        return (infix){"<<", SHIFT, false};
    default:
        return (infix){">>", SHIFT, false};
    }
}

/* AND, OR, XOR, ADD, MUL: order does not matter; masks in hexadecimal; x + -5 is x - 5. */
static void put_associative(printer *p, const exp_node *n, infix op)
{
    const exp_dag *d = p->d;
    exp_ref a = n->arg[0], b = n->arg[1];
    if (!exp_const_at(d, b) && reads_backwards(d, a, b)) {
        a = n->arg[1];
        b = n->arg[0];
    }
    put(p, a, op.level);
    if (exp_const_at(d, b) && n->op == EXP_ADD && is_minus(d, b)) {
        td_text_add(p->out, " - ");
        put_decimal(p, minus(d, b));
        return;
    }
    td_text_add(p->out, " %s ", op.text);
    if (exp_const_at(d, b) && n->op != EXP_ADD && n->op != EXP_MUL)
        put_hex(p, exp_const_value(d, b));
    else
        put(p, b, op.level);
}

static void put_binary(printer *p, const exp_node *n, int binds)
{
    infix op = infix_of(n);
    exp_op kind = (exp_op)n->op;
    open_bracket(p, op.level, binds);
    if (op.is_associative) {
        put_associative(p, n, op);
    } else if (kind == EXP_UDIV || kind == EXP_UREM) {
        put_infix(p, op.text, EXP_UNSIGNED, n->arg[0], n->arg[1], op.level);
    } else if (kind == EXP_LSHR) {
        put_as(p, n->arg[0], EXP_UNSIGNED, op.level);
        td_text_add(p->out, " >> ");
        put(p, n->arg[1], op.level + 1);
    } else if (kind == EXP_SUB || kind == EXP_SHL) {
        put(p, n->arg[0], op.level);
        td_text_add(p->out, " %s ", op.text);
        put(p, n->arg[1], op.level + 1);
    } else {
        put_infix(p, op.text, EXP_SIGNED, n->arg[0], n->arg[1], op.level);
    }
    close_bracket(p, op.level, binds);
}

/* The letter that e is compared with; 0 if it is not a letter of a text. */
static char letter(const printer *p, exp_ref e, exp_ref k)
{
    exp_node n = exp_at(p->d, e);
    if (!exp_const_at(p->d, k) || n.op != EXP_INPUT || n.width != 8 || !p->names ||
        !p->names->is_text || !p->names->is_text(p->names->context, n.number))
        return 0;
    td_u128 c = exp_const_value(p->d, k);
    return c > 0x20 && c < 0x7f && c != '\'' && c != '\\' ? (char)c : 0;
}

static void put_equals(printer *p, const char *op, exp_ref a, exp_ref b)
{
    char c = letter(p, a, b);
    if (c) {
        put(p, a, EQUAL);
        td_text_add(p->out, " %s '%c'", op, c);
    } else if (exp_const_at(p->d, b)) {
        put_infix(p, op, sign_of_pair(p, a, b), a, b, EQUAL);
    } else { /* casts would say nothing */
        put(p, a, EQUAL);
        td_text_add(p->out, " %s ", op);
        put(p, b, EQUAL + 1);
    }
}

/* Writes a comparison or its negation; constants are on the right. */
static void put_comparison(printer *p, const exp_node *n, bool is_opposite, int binds)
{
    exp_ref a = n->arg[0], b = n->arg[1];
    const char *op;
    exp_sign sign = n->op == EXP_SLT ? EXP_SIGNED : EXP_UNSIGNED;
    int level = LESS;
    bool swaps =
        exp_const_at(p->d, a) || (!exp_const_at(p->d, b) && reads_backwards(p->d, a, b));
    if (n->op == EXP_EQ) {
        op = is_opposite ? "!=" : "==";
        level = EQUAL;
    } else if (swaps) {
        op = is_opposite ? "<=" : ">";
    } else {
        op = is_opposite ? ">=" : "<";
    }
    open_bracket(p, level, binds);
    if (n->op == EXP_EQ)
        put_equals(p, op, swaps ? b : a, swaps ? a : b);
    else
        put_infix(p, op, sign, swaps ? b : a, swaps ? a : b, level);
    close_bracket(p, level, binds);
}

static bool is_top_bit(const exp_dag *d, const exp_node *n)
{
    return n->op == EXP_EXTRACT && n->width == 1 &&
           n->aux + 1u == exp_width(d, n->arg[0]);
}

static void put_sign_test(printer *p, const exp_node *n, const char *op, int binds)
{
    open_bracket(p, LESS, binds);
    put_as(p, n->arg[0], EXP_SIGNED, LESS);
    td_text_add(p->out, " %s 0", op);
    close_bracket(p, LESS, binds);
}

static void put_extract(printer *p, const exp_node *n, int binds)
{
    unsigned w = n->width;
    if (is_top_bit(p->d, n)) {
        put_sign_test(p, n, "<", binds);
    } else if (n->aux == 0 && (w == 8 || w == 16 || w == 32 || w == 64)) {
        td_text_add(p->out, "(uint%u_t)", w);
        put(p, n->arg[0], UNARY);
    } else {
        put(p, n->arg[0], UNARY + 1);
        if (w == 1)
            td_text_add(p->out, "[%u]", (unsigned)n->aux);
        else
            td_text_add(p->out, "[%u:%u]", n->aux + w - 1, (unsigned)n->aux);
    }
}

/* If e is the upper or lower part of a value that is width bits wide, *whole is that. */
static bool is_part(const exp_dag *d, exp_ref e, unsigned width, bool upper,
                    exp_ref *whole)
{
    exp_node n = exp_at(d, e);
    if (n.op != EXP_EXTRACT || exp_width(d, n.arg[0]) != width)
        return false;
    *whole = n.arg[0];
    return upper ? n.aux + n.width == width : n.aux == 0;
}

static void put_concat(printer *p, const exp_node *n, int binds)
{
    const exp_dag *d = p->d;
    exp_ref high = n->arg[0], low = n->arg[1], whole;
    bool zero_high = exp_is_value(d, high, 0), zero_low = exp_is_value(d, low, 0);
    if (zero_high && is_part(d, low, n->width, true, &whole)) {
        open_bracket(p, SHIFT, binds);
        put_as(p, whole, EXP_UNSIGNED, SHIFT);
        td_text_add(p->out, " >> %u", n->width - exp_width(d, low));
        close_bracket(p, SHIFT, binds);
    } else if (zero_low && is_part(d, high, n->width, false, &whole)) {
        open_bracket(p, SHIFT, binds);
        put(p, whole, SHIFT);
        td_text_add(p->out, " << %u", (unsigned)n->aux);
        close_bracket(p, SHIFT, binds);
    } else if (zero_high) {
        put_as(p, low, EXP_UNSIGNED, binds);
    } else {
        td_text_add(p->out, "concat(");
        put(p, high, ANY);
        td_text_add(p->out, ", ");
        put(p, low, ANY);
        td_text_add(p->out, ")");
    }
}

static void put_sext(printer *p, const exp_node *n, int binds)
{
    exp_ref whole;
    if (is_part(p->d, n->arg[0], n->width, true, &whole)) {
        open_bracket(p, SHIFT, binds);
        put_as(p, whole, EXP_SIGNED, SHIFT);
        td_text_add(p->out, " >> %u", (unsigned)n->width - n->aux);
        close_bracket(p, SHIFT, binds);
    } else if (exp_kind(p->d, n->arg[0]) == EXP_EXTRACT || n->aux == 1) {
        td_text_add(p->out, "(signed)");
        put(p, n->arg[0], UNARY);
    } else {
        put_as(p, n->arg[0], EXP_SIGNED, binds);
    }
}

static void put_unary(printer *p, const exp_node *n, int binds)
{
    exp_node x = exp_at(p->d, n->arg[0]);
    if (n->op == EXP_NOT && (x.op == EXP_EQ || x.op == EXP_ULT || x.op == EXP_SLT)) {
        put_comparison(p, &x, true, binds);
    } else if (n->op == EXP_NOT && is_top_bit(p->d, &x)) {
        put_sign_test(p, &x, ">=", binds);
    } else {
        td_text_add(p->out, n->op == EXP_NEG ? "-" : n->width == 1 ? "!" : "~");
        put(p, n->arg[0], UNARY);
    }
}

static void put_node(printer *p, exp_ref e, int binds)
{
    exp_node n = exp_at(p->d, e);
    switch ((exp_op)n.op) {
    case EXP_CONST:
        put_const(p, e, EXP_SIGNED);
        break;
    case EXP_INPUT:
        put_name(p, n.number);
        break;
    case EXP_EQ:
    case EXP_ULT:
    case EXP_SLT:
        put_comparison(p, &n, false, binds);
        break;
    case EXP_CONCAT:
        put_concat(p, &n, binds);
        break;
    case EXP_SEXT:
        put_sext(p, &n, binds);
        break;
    case EXP_EXTRACT:
        put_extract(p, &n, binds);
        break;
    case EXP_ITE:
        open_bracket(p, CHOICE, binds);
        put(p, n.arg[0], EITHER);
        td_text_add(p->out, " ? ");
        put(p, n.arg[1], CHOICE);
        td_text_add(p->out, " : ");
        put(p, n.arg[2], CHOICE);
        close_bracket(p, CHOICE, binds);
        break;
    case EXP_NOT:
    case EXP_NEG:
        put_unary(p, &n, binds);
        break;
    default:
        put_binary(p, &n, binds);
        break;
    }
}

static void put(printer *p, exp_ref e, int binds)
{
    if (p->depth == DEEPEST || p->n_nodes == MOST_NODES) {
        td_text_add(p->out, "...");
        return;
    }
    p->depth++;
    p->n_nodes++;
    put_node(p, e, binds);
    p->depth--;
}

void exp_print(const exp_dag *d, exp_ref e, const exp_names *names, td_text *out)
{
    printer p = {.d = d, .names = names, .out = out};
    put(&p, e, ANY);
}
