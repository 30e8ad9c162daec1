/* SPDX-License-Identifier: Apache-2.0 */
/* tests/unit/runtime.h - parts of the runtime, linked into a test: the regions that they keep their state in
 * are mapped where they expect them, as empty as at the start of a process. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "runtime/core/core.h"

bool rt_controlled = false;

void rt_assert_failed(const char *text)
{
    fprintf(stderr, "%s\n", text);
    abort();
}

void rt_run_end(enum wire_done how, uint64_t value)
{
    fprintf(stderr, "the run ends (%d)\n", (int)how);
    abort();
}

static inline void map_at(uint64_t start, uint64_t size)
{
    void *p = mmap((void *)start, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    assert_ptr_equal(p, (void *)start);
}

/* The state and the control page; nothing of an earlier call is left. */
static inline void map_state(void)
{
    static wire_shm *shm;
    if (!shm)
        shm = mmap(NULL, sizeof *shm, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    map_at(PLAN_STATE, PLAN_STATE_SIZE);
    map_at((uint64_t)PLAN_CTL & ~UINT64_C(4095), 4096);
    rt->shm = shm;
    rt_bump_reset();
}

/* ---- tests that change their process ---- */

static inline void expect_at(bool holds, const char *file, int line)
{
    if (holds)
        return;
    fprintf(stderr, "%s:%d does not hold\n", file, line);
    _exit(1);
}
#define EXPECT(condition) expect_at(condition, __FILE__, __LINE__)

/* As a runner is: forked, so that what it writes are pages of its own. start may be NULL; it and body say by
 * EXPECT what must hold. */
static inline void in_child(void (*start)(void), void (*body)(void))
{
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        map_state();
        if (start)
            start();
        body();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}
