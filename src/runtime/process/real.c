/* SPDX-License-Identifier: Apache-2.0 */
/* What the executable exports, and the C library behind it; not in static programs. */
#define RT_REAL_NAMES
#include "runtime/process/process.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "runtime/core/sys.h"
#include "runtime/posix/posix.h"
#include "runtime/process/real.h"

/* The C library's functions, found before anything else runs. */
#define X(name) __attribute__((visibility("hidden"))) void *rt_slot_##name;
RT_EXPORTED(X)
#undef X
#define X(name, use) __attribute__((visibility("hidden"))) void *rt_slot_##name;
RT_EXPORTED_WATCHED(X)
#undef X

/* Code of the compiler's own library, whose locks do not concern the program. */
__attribute__((visibility("hidden"))) uint64_t rt_apart_start, rt_apart_size;

#define CALL_SITE 0x7fff0008
static_assert(CALL_SITE == PLAN_CONTROL + offsetof(plan_control, call_site), "");

/* They are in a separate section, by which foreign.c recognises them. NAME: records that the call has no
 * site, and continues in __treadle_NAME. __treadle_real_NAME: the C library's; code of the separate section
 * calls that as NAME. */
#define STRING(text) #text
#define TEXT(value) STRING(value)

#if defined(__x86_64__)
#define SAY_FOREIGN(use)                                                                 \
    "movq $" TEXT(RT_SITE_FOREIGN) "+(" #use                                             \
                                   "<<" TEXT(RT_SITE_USE) "), " TEXT(CALL_SITE) "\n\t"
#define UNLESS_APART(name)                                                               \
    "mov (%rsp), %r11\n\tsub rt_apart_start(%rip), %r11\n\t"                             \
    "cmp rt_apart_size(%rip), %r11\n\tjb __treadle_real_" name "\n\t"
#define JUMP(name) "jmp " name "@PLT\n\t"
#define JUMP_SLOT(name) "jmp *rt_slot_" name "(%rip)\n\t"
#define KIND "@function"
#else
#define SAY_FOREIGN(use)                                                                 \
    "mov x16, #0x7fff0000\n\tmov x17, #" TEXT(RT_SITE_FOREIGN) "+(" #use "<<" TEXT(      \
        RT_SITE_USE) ")\n\t"                                                             \
                     "str x17, [x16, #8]\n\t"
#define UNLESS_APART(name)                                                               \
    "adrp x16, rt_apart_start\n\tldr x17, [x16, #:lo12:rt_apart_start]\n\t"              \
    "sub x17, x30, x17\n\tadrp x16, rt_apart_size\n\t"                                   \
    "ldr x16, [x16, #:lo12:rt_apart_size]\n\tcmp x17, x16\n\t"                           \
    "b.lo __treadle_real_" name "\n\t"
#define JUMP(name) "b " name "\n\t"
#define JUMP_SLOT(name)                                                                  \
    "adrp x16, rt_slot_" name "\n\tldr x16, [x16, #:lo12:rt_slot_" name "]\n\tbr "       \
    "x16\n\t"
#define KIND "%function"
#endif

#define ENTRY(name, use)                                                                 \
    __asm__(".section treadle_exports,\"ax\",%progbits\n\t.weak " #name                  \
            "\n\t.type " #name ", " KIND "\n" #name                                      \
            ":\n\t" UNLESS_APART(#name) SAY_FOREIGN(use)                                 \
                JUMP("__treadle_" #name) ".size " #name ", .-" #name                     \
                                         "\n\t.globl __treadle_real_" #name              \
                                         "\n\t.hidden __treadle_real_" #name             \
                                         "\n\t.type __treadle_real_" #name ", " KIND     \
                                         "\n__treadle_real_" #name ":\n\t" JUMP_SLOT(    \
                                             #name) ".size __treadle_real_" #name        \
                                                    ", .-__treadle_real_" #name          \
                                                    "\n\t.text\n\t");
#define X(name) ENTRY(name, 0)
RT_EXPORTED(X)
#undef X
RT_EXPORTED_WATCHED(ENTRY)

static const struct {
    const char *name;
    void **slot;
} slots[] = {
#define X(name) {#name, &rt_slot_##name},
    RT_EXPORTED(X)
#undef X
#define X(name, use) {#name, &rt_slot_##name},
        RT_EXPORTED_WATCHED(X)
#undef X
};

static void missing(void)
{
    rt_sys_say(
        "treadle: the program calls a function that its C library does not have\n");
    rt_sys_exit(71);
}

static int find_apart(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    (void)data;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "/libgcc_s.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
        if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X))
            continue;
        rt_apart_start = info->dlpi_addr + ph->p_vaddr;
        rt_apart_size = ph->p_memsz;
    }
    return 1;
}

/* The library that unwinds, once it is loaded. */
static void *unwinder;

static void *find_unwinding(const char *name)
{
    return unwinder ? dlsym(unwinder, name) : NULL;
}

void rt_real_unwinds(void)
{
    void *at[1];
    backtrace(at, 1);
    dl_iterate_phdr(find_apart, NULL);
    unwinder = dlopen("libgcc_s.so.1", RTLD_NOW | RTLD_NOLOAD);
    rt_returns_prepare(find_unwinding);
}

void rt_real_resolve(void)
{
    dl_iterate_phdr(find_apart, NULL);
    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        void *found = dlsym(RTLD_NEXT, slots[i].name);
        *slots[i].slot = found ? found : (void *)missing;
    }
}
