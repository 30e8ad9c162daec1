/* SPDX-License-Identifier: Apache-2.0 */
/* One module from bitcode to object. The order matters: names are noted while every
 * variable is in memory, sroa takes locals out of memory, hooks are inserted, and only
 * then are memory accesses merged, moved and removed by the optimiser. */
#include "instrument/instrument.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Linker.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/assert.h"
#include "instrument/instrument_int.h"
#include "instrument/kept_bitcode.h"
#include "instrument/llvm_versions.h"
#include "wire/api.h"

#define FUNCTION_INDEX ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)

/* What LLVM had to say about a module. */
typedef struct verdict {
    td_diag *diag;
    bool failed;
} verdict;

/* LLVM's own handler would print and end the process. Warnings were clang's to give. */
static void hear(LLVMDiagnosticInfoRef info, void *context)
{
    verdict *v = context;
    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    (void)td_diag_set(v->diag, TD_E_FORMAT, "LLVM: %.300s", text);
    LLVMDisposeMessage(text);
    v->failed = true;
}

/* --- reading --- */

static td_status read_bitcode(LLVMContextRef context, const char *path,
                              LLVMModuleRef *out, td_diag *diag)
{
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        (void)td_diag_set(diag, TD_E_SYSTEM, "cannot read %s: %s", path, message);
        LLVMDisposeMessage(message);
        return TD_E_SYSTEM;
    }
    LLVMBool failed = LLVMParseBitcodeInContext2(context, buffer, out);
    LLVMDisposeMemoryBuffer(buffer);
    if (failed)
        return td_diag_set(diag, TD_E_FORMAT, "%s is not bitcode that LLVM %d can read",
                           path, LLVM_VERSION_MAJOR);
    return TD_OK;
}

void ins_module_init(ins_module *m, LLVMContextRef context, LLVMModuleRef module)
{
    *m = (ins_module){.context = context, .module = module};
    ins_llvm_debug_as_calls(module);
    m->layout = LLVMGetModuleDataLayout(module);
    m->builder = LLVMCreateBuilderInContext(context);
    m->i8 = LLVMInt8TypeInContext(context);
    m->i32 = LLVMInt32TypeInContext(context);
    m->i64 = LLVMInt64TypeInContext(context);
    m->ptr = LLVMPointerTypeInContext(context, 0);
    m->none = LLVMVoidTypeInContext(context);
    m->label_kind = LLVMGetMDKindIDInContext(context, "treadle.label", 13);
    m->asm_kind = LLVMGetMDKindIDInContext(context, "treadle.asm", 11);
    m->hole_kind = LLVMGetMDKindIDInContext(context, "treadle.hole", 12);
    ins_sites_init(m);
}

void ins_module_fini(ins_module *m)
{
    ins_sites_fini(&m->sites);
    ins_rename_fini(m);
    ins_twins_fini(m);
    ins_map_fini(&m->verdicts);
    ins_map_fini(&m->phis);
    ins_map_fini(&m->hashes);
    LLVMDisposeBuilder(m->builder);
    LLVMDisposeModule(m->module);
}

/* --- the machine --- */

/* Value of an integer module flag, 0 if it is not there. */
static uint64_t module_flag(const ins_module *m, const char *name)
{
    LLVMMetadataRef flag = LLVMGetModuleFlag(m->module, name, strlen(name));
    if (flag == NULL || LLVMGetMetadataKind(flag) != LLVMConstantAsMetadataMetadataKind)
        return 0;
    LLVMValueRef value = NULL;
    LLVMGetMDNodeOperands(LLVMMetadataAsValue(m->context, flag), &value);
    return value && LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : 0;
}

/* Text attribute of the first function that has it. */
static const char *text_attribute(const ins_module *m, const char *name)
{
    unsigned length = 0;
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        LLVMAttributeRef a = LLVMIsDeclaration(f)
                                 ? NULL
                                 : LLVMGetStringAttributeAtIndex(f, FUNCTION_INDEX, name,
                                                                 (unsigned)strlen(name));
        if (a)
            return LLVMGetStringAttributeValue(a, &length);
    }
    return "";
}

static LLVMCodeModel code_model(const ins_module *m)
{
    /* The flag has LLVM's own numbers: tiny, small, kernel, medium, large. */
    static const LLVMCodeModel models[] = {LLVMCodeModelTiny, LLVMCodeModelSmall,
                                           LLVMCodeModelKernel, LLVMCodeModelMedium,
                                           LLVMCodeModelLarge};
    uint64_t flag = module_flag(m, "Code Model");
    return flag > 0 && flag < 5 ? models[flag] : LLVMCodeModelDefault;
}

static td_status open_machine(const ins_module *m, const ins_opts *opts,
                              LLVMTargetMachineRef *out, td_diag *diag)
{
    static const LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone,
                                                 LLVMCodeGenLevelLess,
                                                 LLVMCodeGenLevelDefault,
                                                 LLVMCodeGenLevelAggressive};
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
    const char *triple = LLVMGetTarget(m->module);
    LLVMTargetRef target = NULL;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message)) {
        (void)td_diag_set(diag, TD_E_USAGE, "cannot build for %s: %s", triple, message);
        LLVMDisposeMessage(message);
        return TD_E_USAGE;
    }
    LLVMRelocMode mode = module_flag(m, "PIC Level") ? LLVMRelocPIC : LLVMRelocStatic;
    TD_ASSERT(opts->level < 4);
    *out = LLVMCreateTargetMachine(target, triple, text_attribute(m, "target-cpu"),
                                   text_attribute(m, "target-features"),
                                   levels[opts->level], mode, code_model(m));
    return TD_OK;
}

static td_status run_passes(const ins_module *m, const char *passes,
                            LLVMTargetMachineRef machine, td_diag *diag)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(m->module, passes, machine, options);
    LLVMDisposePassBuilderOptions(options);
    if (!error)
        return TD_OK;
    char *message = LLVMGetErrorMessage(error);
    (void)td_diag_set(diag, TD_E_FORMAT, "LLVM cannot run %s: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return TD_E_FORMAT;
}

/* --- functions as a whole --- */

static bool is_hidden_name(const char *name)
{
    return strncmp(name, "llvm.", 5) == 0;
}

static void keep_frame_pointers(ins_module *m)
{
    LLVMAttributeRef all =
        LLVMCreateStringAttribute(m->context, "frame-pointer", 13, "all", 3);
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, FUNCTION_INDEX, all);
}

static void put_in_section(LLVMValueRef global, const char *stem)
{
    char section[1024];
    size_t length = 0;
    const char *name = LLVMGetValueName2(global, &length);
    const char *old = LLVMGetSection(global);
    if (length == 0 || is_hidden_name(name) || (old && old[0]))
        return;
    snprintf(section, sizeof section, "%s.%s", stem, name[0] == 1 ? name + 1 : name);
    LLVMSetSection(global, section);
}

/* -ffunction-sections, -fdata-sections: LLVM-C cannot ask the code generator for them.
 * Constants stay together. */
static void split_sections(ins_module *m, const ins_opts *opts)
{
    LLVMValueRef f = opts->function_sections ? LLVMGetFirstFunction(m->module) : NULL;
    for (; f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            put_in_section(f, ".text");
    LLVMValueRef g = opts->data_sections ? LLVMGetFirstGlobal(m->module) : NULL;
    for (; g; g = LLVMGetNextGlobal(g)) {
        bool plain = !LLVMIsDeclaration(g) && !LLVMIsGlobalConstant(g) &&
                     !LLVMIsThreadLocal(g) && LLVMGetLinkage(g) != LLVMCommonLinkage;
        if (plain)
            put_in_section(g, LLVMIsNull(LLVMGetInitializer(g)) ? ".bss" : ".data");
    }
}

/* --- the inlined checks --- */

/* The checks must fit into any function: no processor, no linkage of their own. */
static void prepare_check(LLVMValueRef f)
{
    static const char *const specific[] = {"target-cpu", "target-features", "tune-cpu",
                                           "frame-pointer"};
    for (size_t i = 0; i < sizeof specific / sizeof specific[0]; i++)
        LLVMRemoveStringAttributeAtIndex(f, FUNCTION_INDEX, specific[i],
                                         (unsigned)strlen(specific[i]));
}

static td_status link_checks(ins_module *m, const char *path, td_diag *diag)
{
    LLVMModuleRef checks = NULL;
    if (!m->has_hooks)
        return TD_OK;
    TD_TRY(read_bitcode(m->context, path, &checks, diag));
    LLVMSetTarget(checks, LLVMGetTarget(m->module));
    LLVMSetDataLayout(checks, LLVMGetDataLayoutStr(m->module));
    LLVMValueRef f = LLVMGetFirstFunction(checks);
    for (; f; f = LLVMGetNextFunction(f)) {
        prepare_check(f);
        if (!LLVMIsDeclaration(f)) /* dropped where it is not used or once inlined */
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    }
    if (LLVMLinkModules2(m->module, checks))
        return td_diag_set(diag, TD_E_FORMAT, "cannot link %s", path);
    return TD_OK;
}

/* Hides the check functions: no other module needs them once they are linked. */
static void hide_checks(ins_module *m)
{
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        size_t length = 0;
        bool check = LLVMGetEnumAttributeAtIndex(f, FUNCTION_INDEX, always) &&
                     strncmp(LLVMGetValueName2(f, &length), WIRE_PREFIX,
                             sizeof WIRE_PREFIX - 1) == 0;
        if (check && !LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

/* --- optimising and writing --- */

/* Without optimisation the user's functions stay as they are, for the debugger's sake;
 * only what the checks left behind is cleaned up. */
static const char *pipeline(const ins_opts *opts)
{
    TD_ASSERT(opts->level < 4);
    static const char *const levels[] = {
        "always-inline,function(sroa,early-cse,simplifycfg)", "always-inline,default<O1>",
        "always-inline,default<O2>", "always-inline,default<O3>"};
    return opts->for_size ? "always-inline,default<Os>" : levels[opts->level];
}

static td_status verify(const ins_module *m, const char *when, td_diag *diag)
{
    char *message = NULL;
    LLVMBool broken = LLVMVerifyModule(m->module, LLVMReturnStatusAction, &message);
    if (broken)
        (void)td_diag_set(diag, TD_E_FORMAT, "broken code %s: %.200s", when, message);
    LLVMDisposeMessage(message);
    return broken ? TD_E_FORMAT : TD_OK;
}

/* True if the group has this name. LLVM-C finds the group of a name, not the name of a group. */
static bool is_group(const ins_module *m, LLVMComdatRef group, const char *name)
{
    return LLVMGetOrInsertComdat(m->module, name) == group;
}

/* Writes the name of the function's group: its own, or that of all versions of a constructor or destructor (C5
 * for C1 and C2, D5 for D0 to D2). False: it has another one. */
static bool group_name(const ins_module *m, LLVMValueRef f, td_text *out)
{
    LLVMComdatRef group = LLVMGetComdat(f);
    size_t length = 0;
    const char *name = LLVMGetValueName2(f, &length);
    out->len = 0;
    td_text_add(out, "%s", name);
    if (is_group(m, group, out->at))
        return true;
    for (size_t i = 0; i + 1 < length; i++) {
        bool is_version = (name[i] == 'C' || name[i] == 'D') && name[i + 1] >= '0' &&
                          name[i + 1] <= '2';
        if (!is_version)
            continue;
        out->at[i + 1] = '5';
        if (is_group(m, group, out->at))
            return true;
        out->at[i + 1] = name[i + 1];
    }
    return false;
}

/* One line of the list. A group of sections (inline functions and templates of C++) has its line inside, so it is
 * there if the linker takes the group of this object and no other. The name is an alias that no other object can
 * define: a weak function of this module is not the one that wins elsewhere. */
static void list_function(ins_module *m, LLVMValueRef f, size_t number, td_text *text)
{
    char name[64];
    td_text group = {0};
    bool is_known = !LLVMGetComdat(f) || group_name(m, f, &group);
    if (is_known) {
        td_text_add(text, ".pushsection " WIRE_CODE_SECTION);
        if (LLVMGetComdat(f))
            td_text_add(text, ",\"G\",%%progbits,\"%s\",comdat\n", group.at);
        else
            td_text_add(text, ",\"\",%%progbits\n");
        snprintf(name, sizeof name, WIRE_PREFIX "here_%zu", number);
        LLVMValueRef here =
            LLVMAddAlias2(m->module, LLVMGlobalGetValueType(f), 0, f, name);
        LLVMSetLinkage(here, LLVMPrivateLinkage);
        td_text_add(text, ".quad .L%s\n.popsection\n", name);
    }
    td_text_fini(&group);
}

/* The functions of the module, in a section that is not loaded: nothing is kept for its sake. */
static void list_functions(ins_module *m)
{
    td_text text = {0};
    size_t number = 0;
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        size_t length = 0;
        LLVMGetValueName2(f, &length);
        LLVMLinkage linkage = LLVMGetLinkage(f);
        bool is_listed = !LLVMIsDeclaration(f) && length > 0 &&
                         linkage != LLVMAvailableExternallyLinkage &&
                         linkage != LLVMPrivateLinkage;
        if (is_listed)
            list_function(m, f, number++, &text);
    }
    if (text.len > 0)
        LLVMAppendModuleInlineAsm(m->module, text.at, text.len);
    td_text_fini(&text);
}

static td_status write_object(const ins_module *m, LLVMTargetMachineRef machine,
                              const char *path, verdict *heard)
{
    td_text beside = {0};
    td_diag *diag = heard->diag;
    char *message = NULL;
    ins_object_beside(path, getpid(), &beside);
    td_status status = TD_OK;
    if (LLVMTargetMachineEmitToFile(machine, m->module, beside.at, LLVMObjectFile,
                                    &message)) {
        status = td_diag_set(diag, TD_E_SYSTEM, "cannot write %s: %s", path, message);
        LLVMDisposeMessage(message);
    } else if (heard->failed) /* inline assembler that makes no sense, for example */
        status = TD_E_FORMAT;
    else if (rename(beside.at, path) != 0)
        status = td_diag_errno(diag, TD_E_SYSTEM, "cannot write %s", path);
    if (status != TD_OK)
        unlink(beside.at);
    td_text_fini(&beside);
    return status;
}

/* Functions of the compiler's headers have no lines of their own: inlined first, what they do is
 * at the line of the call. The others stay as they are until hooks are in. */
static td_status inline_lineless(ins_module *m, LLVMTargetMachineRef machine,
                                 td_diag *diag)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    LLVMAttributeRef always = LLVMCreateEnumAttribute(m->context, kind, 0);
    ins_value_vec spared = {0};
    bool any = false;
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !LLVMGetEnumAttributeAtIndex(f, FUNCTION_INDEX, kind))
            continue;
        any = any || !LLVMGetSubprogram(f);
        if (LLVMGetSubprogram(f))
            ins_value_vec_push(&spared, f);
    }
    for (size_t i = 0; any && i < spared.len; i++)
        LLVMRemoveEnumAttributeAtIndex(spared.at[i], FUNCTION_INDEX, kind);
    td_status status = any ? run_passes(m, "always-inline", machine, diag) : TD_OK;
    for (size_t i = 0; any && i < spared.len; i++)
        LLVMAddAttributeAtIndex(spared.at[i], FUNCTION_INDEX, always);
    ins_value_vec_fini(&spared);
    return status;
}

static bool has_code(const ins_module *m)
{
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    while (f && LLVMIsDeclaration(f))
        f = LLVMGetNextFunction(f);
    return f != NULL;
}

/* Makes the second versions, which track symbolic values. A light object has none: its functions themselves
 * set marks and check accesses out of line. */
static void make_twins(ins_module *m, const ins_opts *opts)
{
    const ins_site unfollowed = {.file = "",
                                 .function = "",
                                 .name = "",
                                 .callee = WIRE_NOT_FOLLOWED,
                                 .kind = WIRE_SITE_USES};
    m->is_light =
        opts->light && !m->is_library && !ins_sites_have(&m->sites, WIRE_SITE_INPUT);
    if (!m->is_light) {
        ins_twins_make(m);
        ins_flow_module(m);
        ins_hook_drop_extra(m);
    }
    if (m->is_light && has_code(m))
        ins_site_add(m, &unfollowed);
}

/* Writes the data for the link into the object. The bitcode has been read, and is replaced by its packed
 * form. */
static td_status keep_bitcode(const ins_module *m, const char *bitcode,
                              const ins_opts *opts, td_diag *diag)
{
    TD_ASSERT(!m->is_light || !m->is_library);
    td_text text = {0};
    if (m->is_light)
        TD_TRY(ins_kept_pack(bitcode, diag));
    if (m->is_light)
        ins_kept_write(bitcode, opts, &text);
    else if (!m->is_library && ins_sites_have(&m->sites, WIRE_SITE_INPUT))
        ins_kept_write_inputs(&text);
    if (opts->record)
        td_text_add(&text, "%s", opts->record);
    if (text.len > 0)
        LLVMAppendModuleInlineAsm(m->module, text.at, text.len);
    td_text_fini(&text);
    return TD_OK;
}

/* Templates that a library of C++ has compiled, and that headers have as well (std::string): the program gets
 * code of its own, which is instrumented. In C the others are inline functions, some of the C library's. */
static void take_templates(ins_module *m)
{
    LLVMValueRef f = LLVMGetFirstFunction(m->module);
    LLVMValueRef inner = LLVMGetNamedFunction(m->module, "_ZSt11__terminatev");
    LLVMValueRef outer = LLVMGetNamedFunction(m->module, "_ZSt9terminatev");
    if (inner && outer) /* headers call it so: the place is theirs */
        LLVMReplaceAllUsesWith(inner, outer);
    for (; f; f = LLVMGetNextFunction(f)) {
        size_t length = 0;
        bool is_cxx = strncmp(LLVMGetValueName2(f, &length), "_Z", 2) == 0;
        if (!is_cxx || LLVMGetLinkage(f) != LLVMAvailableExternallyLinkage)
            continue;
        LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
        LLVMSetComdat(f, LLVMGetOrInsertComdat(m->module, LLVMGetValueName2(f, &length)));
    }
}

/* Coroutines become functions that continue where they stopped, before anything is inserted. */
static td_status split_coroutines(const ins_module *m, LLVMTargetMachineRef machine,
                                  td_diag *diag)
{
    if (!LLVMGetNamedFunction(m->module, "llvm.coro.id"))
        return TD_OK;
    return run_passes(m, "coro-early,cgscc(coro-split),coro-cleanup", machine, diag);
}

static td_status transform(ins_module *m, LLVMTargetMachineRef machine,
                           const ins_opts *opts, td_diag *diag)
{
    m->is_library = LLVMGetNamedGlobal(m->module, WIRE_LIBC_MARK) != NULL;
    m->volatiles = opts->volatiles;
    if (!m->is_library) {
        TD_TRY(split_coroutines(m, machine, diag));
        take_templates(m);
        TD_TRY(inline_lineless(m, machine, diag));
        ins_bare_find(m);
        ins_cycles_lower(m);
        ins_asm_lower(m);
        ins_intrinsic_lower(m);
        ins_copies_lower(m);
        ins_addresses_tell(m);
    }
    ins_names_note(m);
    if (!m->is_library)
        ins_cover_module(m);
    ins_divide_module(m);
    TD_TRY(run_passes(m, "function(sroa)", machine, diag));
    if (!m->is_library)
        ins_rename_functions(m);
    ins_rename_clear_attributes(m);
    if (!m->is_library) {
        ins_walk_module(m);
        TD_TRY(ins_check_module(m, diag));
        ins_loops_module(m);
    }
    if (m->is_library)
        ins_calls_back(m);
    make_twins(m, opts);
    if (!m->is_library) {
        ins_naked_wrap(m);
        ins_ctors_wrap(m);
    }
    ins_llvm_debug_as_records(m->module);
    TD_TRY(link_checks(m, opts->inline_bc, diag));
    ins_outline_checks(m, opts->level == 0);
    hide_checks(m);
    TD_TRY(verify(m, "after instrumenting", diag));
    if (!opts->keep_debug)
        TD_TRY(run_passes(m, "strip-nonlinetable-debuginfo", machine, diag));
    keep_frame_pointers(m);
    TD_TRY(run_passes(m, pipeline(opts), machine, diag));
    if (!m->is_library)
        ins_calls_linked(m);
    ins_rows_emit(m);
    ins_sites_emit(m);
    split_sections(m, opts);
    list_functions(m);
    return TD_OK;
}

void ins_object_beside(const char *object, pid_t pid, td_text *out)
{
    td_text_add(out, "%s.treadle%ld", object, (long)pid);
}

td_status ins_object(const char *bitcode, const char *object, const ins_opts *opts,
                     td_diag *diag)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = NULL;
    verdict heard = {.diag = diag};
    LLVMContextSetDiagnosticHandler(context, hear, &heard);
    td_status status = read_bitcode(context, bitcode, &module, diag);
    if (status == TD_OK) {
        ins_module m;
        LLVMTargetMachineRef machine = NULL;
        ins_module_init(&m, context, module);
        status = open_machine(&m, opts, &machine, diag);
        if (status == TD_OK)
            status = transform(&m, machine, opts, diag);
        if (status == TD_OK)
            status = keep_bitcode(&m, bitcode, opts, diag);
        if (status == TD_OK)
            status = write_object(&m, machine, object, &heard);
        if (machine)
            LLVMDisposeTargetMachine(machine);
        ins_module_fini(&m);
    }
    LLVMContextDispose(context);
    return status;
}
