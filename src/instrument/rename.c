/* SPDX-License-Identifier: Apache-2.0 */
/* Redirecting library functions to treadle's. The declaration is renamed, so that every
 * use follows, function pointers included. A function that the program defines itself is
 * the program's; the name treadle would look for becomes a weak alias of it, so that
 * other files of the program find it too. */
#include "instrument/instrument_int.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "wire/api.h"
#include "wire/library.h"

#define X(name, use) #name,
static const char *const watched[] = {WIRE_WATCHED(X)};
#undef X

#define X(prefix) prefix,
static const char *const refused_prefixes[] = {WIRE_REFUSED_PREFIXES(X)};
#undef X
#define N_OF(list) (sizeof(list) / sizeof((list)[0]))

static bool is_in(const char *const *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static bool has_refused_prefix(const char *name)
{
    for (size_t i = 0; i < N_OF(refused_prefixes); i++)
        if (strncmp(name, refused_prefixes[i], strlen(refused_prefixes[i])) == 0)
            return true;
    return false;
}

/* A record without a place: the runtime looks for it before main. */
static void tell_use(ins_module *m, const char *name)
{
    const ins_site site = {
        .file = "", .function = "", .name = "", .callee = name, .kind = WIRE_SITE_USES};
    if (is_in(watched, N_OF(watched), name))
        ins_site_add(m, &site);
}

/* The function becomes full; it was name. */
static void rename_to(ins_module *m, LLVMValueRef f, const char *full, const char *name)
{
    TD_ASSERT(strncmp(full, WIRE_PREFIX, sizeof WIRE_PREFIX - 1) == 0);
    LLVMValueRef other = LLVMGetNamedFunction(m->module, full);
    if (other == NULL && !LLVMIsDeclaration(f)) /* a header's own, for inlining */
        other = LLVMAddFunction(m->module, full, LLVMGlobalGetValueType(f));
    if (other) /* two declarations mean the same function */
        LLVMReplaceAllUsesWith(f, other);
    else
        LLVMSetValueName2(f, full, strlen(full));
    LLVMValueRef target = other ? other : f;
    if (ins_map_get(&m->renamed, target) == NULL)
        ins_map_put(&m->renamed, target, td_strdup(name));
}

static void add_alias(ins_module *m, LLVMValueRef f, const char *prefix, const char *name)
{
    char full[288];
    LLVMLinkage linkage = LLVMGetLinkage(f);
    if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
        return;
    snprintf(full, sizeof full, "%s%s", prefix, name);
    LLVMTypeRef type = LLVMGlobalGetValueType(f);
    LLVMValueRef alias = LLVMAddAlias2(m->module, type, 0, f, full);
    /* Other files of the program have weak thunks. */
    bool is_strong = linkage == LLVMExternalLinkage && strcmp(prefix, WIRE_PREFIX) != 0;
    LLVMSetLinkage(alias, is_strong ? LLVMExternalLinkage : LLVMWeakAnyLinkage);
}

/* True if calls reach the program's own definition. */
static bool is_defined(LLVMValueRef f)
{
    return !LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage;
}

/* Redirects f to the runtime's function, or to a thunk that first records its accesses. name: as in the
 * lists. */
static void rename_declared(ins_module *m, LLVMValueRef f, const char *symbol,
                            const char *name)
{
    char full[288];
    ins_row row = {0};
    bool touches = ins_row_has_thunk(symbol) && ins_row_find(symbol, &row);
    bool is_listed = ins_api_lists(name);
    TD_ASSERT(is_listed || row.name != NULL);
    snprintf(full, sizeof full, "%s%s", touches ? WIRE_TOUCH_PREFIX : WIRE_PREFIX,
             touches ? symbol : name);
    rename_to(m, f, full, is_listed ? name : row.name);
}

static void rename_function(ins_module *m, LLVMValueRef f)
{
    char name[256];
    size_t length = 0;
    const char *symbol = LLVMGetValueName2(f, &length);
    if (symbol[0] == 1) /* an assembler name, not to be decorated */
        symbol++;
    if (strlen(symbol) >= sizeof name || LLVMGetIntrinsicID(f) != 0)
        return;
    bool is_listed = ins_api_is_taken(symbol, name, sizeof name);
    if (is_defined(f)) {
        if (is_listed && strcmp(symbol, name) == 0)
            add_alias(m, f, WIRE_PREFIX, name);
        if (ins_row_has_thunk(symbol))
            add_alias(m, f, WIRE_TOUCH_PREFIX, symbol);
        return;
    }
    tell_use(m, name);
    if (is_listed || ins_row_has_thunk(symbol)) {
        rename_declared(m, f, symbol, name);
        return;
    }
    if (has_refused_prefix(symbol) && !ins_api_is_harmless(symbol))
        ins_map_put(&m->refused, f, f);
}

/* The length of a text that is written in the program, or -1. */
static int64_t known_length(LLVMValueRef text)
{
    size_t size = 0;
    LLVMValueRef from =
        LLVMIsAGlobalVariable(text) && LLVMIsGlobalConstant(text) ? text : NULL;
    LLVMValueRef value = from ? LLVMGetInitializer(from) : NULL;
    if (value == NULL || !LLVMIsAConstantDataSequential(value) ||
        !LLVMIsConstantString(value))
        return -1;
    const char *bytes = LLVMGetAsString(value, &size);
    const char *end = memchr(bytes, 0, size);
    return end ? end - bytes : -1;
}

/* Folds strlen of constants, since LLVM cannot once it is renamed. */
static void fold_lengths(ins_module *m)
{
    LLVMValueRef f = LLVMGetNamedFunction(m->module, "strlen");
    LLVMUseRef use = f && LLVMIsDeclaration(f) ? LLVMGetFirstUse(f) : NULL, next;
    for (; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != f)
            continue;
        int64_t length = known_length(LLVMGetOperand(call, 0));
        if (length < 0)
            continue;
        LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call),
                                                  (unsigned long long)length, 0));
        LLVMInstructionEraseFromParent(call);
    }
}

void ins_rename_functions(ins_module *m)
{
    fold_lengths(m);
    LLVMValueRef f = LLVMGetFirstFunction(m->module), next;
    for (; f; f = next) {
        next = LLVMGetNextFunction(f);
        rename_function(m, f);
    }
    ins_verifiers_follow(m);
}

void ins_rename_fini(ins_module *m)
{
    for (size_t i = 0; i < m->renamed.cap; i++)
        td_free(m->renamed.slots[i].value);
    ins_map_fini(&m->renamed);
    ins_map_fini(&m->refused);
}

static const char *const untrue[] = {"memory",     "nosync",      "nofree",
                                     "willreturn", "readonly",    "readnone",
                                     "nocallback", "writeonly",   "argmemonly",
                                     "norecurse",  "speculatable"};

static void clear_call(LLVMValueRef call, unsigned kind)
{
    LLVMRemoveCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    kind);
}

static void clear_function(LLVMValueRef f, unsigned kind)
{
    LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   kind);
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool call = LLVMIsACallInst(user) || LLVMIsAInvokeInst(user);
        if (call && LLVMGetCalledValue(user) == f)
            clear_call(user, kind);
    }
}

void ins_rename_clear_attributes(ins_module *m)
{
    for (size_t i = 0; i < N_OF(untrue); i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(untrue[i], strlen(untrue[i]));
        LLVMValueRef f = kind ? LLVMGetFirstFunction(m->module) : NULL;
        for (; f; f = LLVMGetNextFunction(f))
            if (LLVMGetIntrinsicID(f) == 0)
                clear_function(f, kind);
    }
}
