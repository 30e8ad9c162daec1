/* SPDX-License-Identifier: Apache-2.0 */
/* Supplementary groups of a run are put back at its end. A server that starts as root gives them up, and then
 * often becomes the user that it is. Other changes of users and groups could lose what is needed to undo
 * them. */
#include "runtime/posix/posix.h"

#include <string.h>
#include <unistd.h>

#include "runtime/core/sys.h"

#define MOST_GROUPS 64

/* Part of the snapshot, as it is written before the first run. */
static struct {
    long n; /* < 0: not known */
    gid_t at[MOST_GROUPS];
} groups;

void rt_identity_prepare(void)
{
    groups.n = rt_sys(SYS_getgroups, MOST_GROUPS, (long)groups.at, 0);
}

static bool are_groups(void)
{
    gid_t now[MOST_GROUPS];
    long n = rt_sys(SYS_getgroups, MOST_GROUPS, (long)now, 0);
    return n == groups.n && memcmp(now, groups.at, (size_t)n * sizeof now[0]) == 0;
}

static bool is_all(uint32_t id, long call)
{
    uint32_t real = 0, effective = 0, saved = 0;
    rt_sys(call, (long)&real, (long)&effective, (long)&saved);
    return real == id && effective == id && saved == id;
}

bool rt_identity_takes(const char *name, uint64_t first)
{
    if (strcmp(name, "setgroups") == 0 || strcmp(name, "initgroups") == 0) {
        rt->regroups = groups.n >= 0;
        return rt->regroups;
    }
    if (strcmp(name, "setuid") == 0)
        return is_all((uint32_t)first, SYS_getresuid);
    return strcmp(name, "setgid") == 0 && is_all((uint32_t)first, SYS_getresgid);
}

bool rt_identity_undo(void)
{
    if (!rt->regroups)
        return true;
    rt->regroups = false;
    return are_groups() ||
           (rt_sys(SYS_setgroups, groups.n, (long)groups.at, 0) == 0 && are_groups());
}
