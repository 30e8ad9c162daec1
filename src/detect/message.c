/* SPDX-License-Identifier: Apache-2.0 */
/* The message of a failure. */
#include "detect/detect_int.h"

#include <signal.h>

#include "wire/layout.h"

enum { NULL_PAGE = 4096, GUARD_PAGE = 4096 };

static const struct {
    int number;
    const char *name, *text;
} signals[] = {
    {SIGSEGV, "SIGSEGV", "segmentation fault"},
    {SIGBUS, "SIGBUS", "bus error"},
    {SIGFPE, "SIGFPE", "arithmetic error (division by zero?)"},
    {SIGILL, "SIGILL", "illegal instruction"},
    {SIGTRAP, "SIGTRAP", "trap"},
    {SIGABRT, "SIGABRT", "abort"},
    {SIGSYS, "SIGSYS", "forbidden system call"},
    {SIGPIPE, "SIGPIPE", "write to a closed pipe"},
    {SIGALRM, "SIGALRM", "alarm"},
    {SIGTERM, "SIGTERM", "termination"},
    {SIGINT, "SIGINT", "interrupt"},
};

/* True for the guard at the lower end of a thread's stack. */
static bool is_stack_end(uint64_t address)
{
    if (address < PLAN_SLOTS || address >= PLAN_SLOTS + PLAN_N_SLOTS * PLAN_SLOT_SIZE)
        return false;
    uint64_t end = PLAN_SLOT_SIZE - PLAN_STACK_SIZE;
    uint64_t in_slot = (address - PLAN_SLOTS) % PLAN_SLOT_SIZE;
    return in_slot >= end - PLAN_GUARD_SIZE && in_slot < end + GUARD_PAGE;
}

static void put_address(td_text *out, uint64_t address)
{
    td_text_add(out, " at address 0x%llx", (unsigned long long)address);
    if (address < NULL_PAGE)
        td_text_add(out, " (null pointer)");
    else if (is_stack_end(address))
        td_text_add(out, " (stack overflow)");
}

/* treadle's own limit may be to blame. */
static void put_limit(td_text *out, const trc *t)
{
    for (size_t i = 0; i < t->gaps.len; i++)
        if (t->gaps.at[i].kind == WIRE_GAP_MEMORY) {
            td_text_add(out, ", after malloc returned NULL at the limit of --memory");
            return;
        }
}

static void put_crash(td_text *out, const trc *t, const trc_fail *f, trc_site site)
{
    size_t n = sizeof signals / sizeof signals[0], i = 0;
    while (i < n && (uint64_t)signals[i].number != f->value)
        i++;
    if (i < n)
        td_text_add(out, "%s", signals[i].text);
    else
        td_text_add(out, "signal %llu", (unsigned long long)f->value);
    if (f->value == SIGSEGV || f->value == SIGBUS)
        put_address(out, f->object);
    if (i < n)
        td_text_add(out, ", %s", signals[i].name);
    if (site.name[0])
        td_text_add(out, ", accessing '%s'", site.name);
    put_limit(out, t);
}

static void put_hang(td_text *out, trc_site site)
{
    td_text_add(out, "no operation within the timeout");
    if (strcmp(site.function, "?") != 0)
        td_text_add(out, ", in %s", site.function);
    td_text_add(out, ": infinite loop or blocking call?");
}

/* The name of a call's argument is that of what is freed, not of the bytes raced for. */
static const char *name_at(trc_site site)
{
    return site.kind == WIRE_SITE_CALL ? "" : site.name;
}

/* operator delete, in all its forms. */
static bool deletes(trc_site site)
{
    return strncmp(site.callee, "_ZdlPv", 6) == 0 ||
           strncmp(site.callee, "_ZdaPv", 6) == 0;
}

bool det_gives_back(trc_site site)
{
    return strcmp(site.callee, "free") == 0 || strncmp(site.callee, "realloc", 7) == 0 ||
           deletes(site);
}

static void put_race(td_text *out, const trc_fail *f, trc_site site, trc_sites *sites)
{
    trc_site other = trc_site_at(sites, f->other_site);
    const char *name = name_at(site);
    if (!name[0])
        name = name_at(other);
    if (!name[0])
        name = trc_object_name(sites, f->object);
    if (det_gives_back(site) || det_gives_back(other)) {
        bool is_last = det_gives_back(site);
        const char *call = deletes(is_last ? site : other) ? "delete"
                           : is_last                       ? site.callee
                                                           : other.callee;
        td_text_add(out,
                    DET_USE_AFTER "%s: the %s and %s access to the block are unordered",
                    call, call, is_last ? "an" : "this");
        if (name[0])
            td_text_add(out, ": '%s'", name);
        return;
    }
    if (name[0])
        td_text_add(out, "data race on '%s'", name);
    else
        td_text_add(out, "data race on unnamed memory");
}

/* Combines the runtime's text with the name from the site. */
static void put_misuse(td_text *out, const char *text, const char *title, trc_site site)
{
    td_text_add(out, "%s", text[0] ? text : title);
    if (site.name[0])
        td_text_add(out, ": '%s'", site.name);
}

/* The site of a wait names the condition variable, not the mutex that it takes again. */
static void put_mutex(td_text *out, const char *text, const trc_fail *f, trc_site site,
                      trc_sites *sites)
{
    if (strstr(site.callee, "cond_") || strncmp(site.callee, "cnd_", 4) == 0)
        site.name = trc_object_name(sites, f->object);
    put_misuse(out, text, det_kind_title(DET_MUTEX), site);
}

/* For C++ the text is the reason why std::terminate was called. */
static void put_abort(td_text *out, const char *text, trc_site site)
{
    if (text[0] && !det_is_addresses(text)) /* those are of a library's call */
        td_text_add(out, "%s", text);
    else if (strstr(site.file, "std_thread.h") || strstr(site.file, "__thread/thread.h"))
        td_text_add(out, "a std::thread was %s that was neither joined nor detached",
                    site.function[0] == '~' ? "destroyed" : "assigned to");
    else if (strcmp(site.callee, "_ZSt9terminatev") == 0)
        td_text_add(out, "the program called std::terminate");
    else
        td_text_add(out, DET_CALLED_ABORT);
}

char *det_fail_message(const trc *t, const trc_fail *f, trc_site site, trc_sites *sites)
{
    const char *text = t->texts.at + f->text;
    td_text out = {0};
    switch (f->kind) {
    case WIRE_FAIL_ASSERT:
        td_text_add(&out, "assertion '%s' failed", text);
        break;
    case WIRE_FAIL_ABORT:
        put_abort(&out, text, site);
        break;
    case WIRE_FAIL_CRASH:
        put_crash(&out, t, f, site);
        break;
    case WIRE_FAIL_HANG:
        put_hang(&out, site);
        break;
    case WIRE_FAIL_RACE:
        put_race(&out, f, site, sites);
        break;
    case WIRE_FAIL_MUTEX:
        put_mutex(&out, text, f, site, sites);
        break;
    case WIRE_FAIL_MISUSE:
        put_misuse(&out, text, det_kind_title(DET_MISUSE), site);
        break;
    case WIRE_FAIL_THREAD:
        put_misuse(&out, text, det_kind_title(DET_THREAD), site);
        break;
    case WIRE_FAIL_MEMORY:
    case WIRE_FAIL_LEAK:
        det_memory_put(&out, f, site, sites);
        break;
    case WIRE_FAIL_LINEAR:
        det_history_message(t, f, site, sites, &out);
        break;
    case WIRE_FAIL_MARK:
        put_misuse(&out, text, det_kind_title(DET_MARK), site);
        break;
    default:
        td_text_add(&out, "exit code %llu", (unsigned long long)f->value);
        break;
    }
    return out.at;
}
