/* SPDX-License-Identifier: Apache-2.0 */
/* The table of operations, read a second time: nothing of src/model is used. */
#include "certify/certify.h"

typedef struct row {
    const char *text;
    char effect, when, object;
    uint8_t type, does, asked, fails;
} row;

enum {
    LETTER_N = 'N',
    LETTER_S = 'S',
    LETTER_E = 'E',
    LETTER_A = 'A',
    LETTER_B = 'B',
    LETTER_O = 'O',
    LETTER_R = 'R',
    LETTER_W = 'W',
    LETTER_J = 'J',
};

static const row rows[WIRE_N_OPS] = {
#define OP(name, shown, effect_, when_, object_, type_, does_, asked_, fails_, ...)      \
    [WIRE_##name] = {.text = (shown),                                                    \
                     .effect = LETTER_##effect_,                                         \
                     .when = LETTER_##when_,                                             \
                     .object = LETTER_##object_,                                         \
                     .type = WIRE_TYPE_##type_,                                          \
                     .does = WIRE_DOES_##does_,                                          \
                     .asked = WIRE_##asked_,                                             \
                     .fails = WIRE_##fails_},
#include "wire/ops.def"
#undef OP
};

static row row_of(uint8_t kind)
{
    return kind < WIRE_N_OPS ? rows[kind] : (row){.text = "?"};
}

const char *crt_kind_text(uint8_t kind)
{
    const char *text = row_of(kind).text;
    return text ? text : "?";
}

const char *crt_kind_excluded(uint8_t kind)
{
    row r = row_of(kind);
    if (kind == WIRE_NONE || kind >= WIRE_N_OPS)
        return "an operation that this treadle-check does not know";
    if (kind == WIRE_SPIN)
        return "a spin loop";
    if (kind == WIRE_FAIL)
        return "a thread that has failed";
    if (r.does == WIRE_DOES_SEND)
        return "cancellation and signals";
    switch (r.type) {
    case WIRE_TYPE_ANY:
    case WIRE_TYPE_THREAD:
    case WIRE_TYPE_PROCESS:
    case WIRE_TYPE_MEMORY:
    case WIRE_TYPE_MUTEX:
    case WIRE_TYPE_RWLOCK:
    case WIRE_TYPE_SEM:
    case WIRE_TYPE_COND:
    case WIRE_TYPE_BARRIER:
    case WIRE_TYPE_ONCE:
    case WIRE_TYPE_HISTORY:
    case WIRE_TYPE_NAME:
    case WIRE_TYPE_SETTING:
        return NULL;
    case WIRE_TYPE_INPUT:
        return "inputs, or choices of the library: spurious wakeups, timeouts";
    case WIRE_TYPE_SECTION:
        return "atomic sections";
    case WIRE_TYPE_FUTEX:
        return "futexes";
    case WIRE_TYPE_FD:
        return "pipes and sockets between threads";
    case WIRE_TYPE_SIGNALS:
        return "signals";
    default:
        return "an operation that this treadle-check does not know";
    }
}

uint8_t crt_asked(uint8_t kind)
{
    return row_of(kind).asked;
}

/* The end of a thread changes what a join waits for. */
crt_effect crt_effect_of(uint8_t kind)
{
    char effect = row_of(kind).effect;
    if (kind == WIRE_END)
        return CRT_E;
    if (kind == WIRE_JOIN)
        return CRT_S;
    return effect == 'E' ? CRT_E : effect == 'S' ? CRT_S : CRT_N;
}

bool crt_is_access(uint8_t kind)
{
    return row_of(kind).object == 'B';
}

bool crt_writes(uint8_t kind)
{
    uint8_t does = row_of(kind).does;
    return does == WIRE_DOES_WRITE || does == WIRE_DOES_UPDATE;
}

bool crt_has_value(uint8_t kind)
{
    uint8_t type = row_of(kind).type;
    return crt_is_access(kind) || type == WIRE_TYPE_SEM || type == WIRE_TYPE_BARRIER;
}

bool crt_can_be(uint8_t asked, crt_effect effect)
{
    uint8_t fails = row_of(asked).fails;
    return crt_effect_of(asked) == effect ||
           (fails != WIRE_NONE && crt_effect_of(fails) == effect);
}

char crt_when(uint8_t kind)
{
    return row_of(kind).when;
}

bool crt_holds(uint8_t kind)
{
    uint8_t does = row_of(kind).does;
    return does == WIRE_DOES_TAKE || does == WIRE_DOES_TAKE_READ;
}

int crt_readers(uint8_t kind, bool *resets)
{
    uint8_t does = row_of(kind).does;
    *resets = does == WIRE_DOES_RESET;
    return does == WIRE_DOES_TAKE_READ ? 1 : does == WIRE_DOES_GIVE_READ ? -1 : 0;
}

enum { OBJECT, BYTE, END_OF };

crt_spots crt_spots_of(const crt_ask *a)
{
    if (a->kind == WIRE_END || a->kind == WIRE_JOIN)
        return (crt_spots){
            (crt_spot)(a->kind == WIRE_END ? a->thread : a->other) << 2 | END_OF, 1};
    if (crt_effect_of(a->kind) == CRT_N)
        return (crt_spots){0};
    bool is_access = crt_is_access(a->kind);
    return (crt_spots){a->object << 2 | (is_access ? BYTE : OBJECT),
                       is_access ? a->size : 1};
}
