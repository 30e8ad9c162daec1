/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of runtime/posix/fd.c and overlay.c: numbers of descriptors and the files behind them, and what is put back
 * after a run. Each is in a process of its own, whose descriptors it changes. */
#include "unit/runtime.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>

#include "runtime/core/sys.h"
#include "runtime/memory/accesses.h"
#include "runtime/posix/fd.h"
#include "runtime/posix/overlay.h"
#include "runtime/posix/posix.h"
#include "runtime/posix/shares.h"
#include "runtime/symbolic/values.h"

/* ---- what the rest of the runtime would say ---- */

static uint64_t n_forgotten;

void rt_access(uint64_t p, uint64_t size, bool is_write, uint32_t site)
{
}

void rt_race_forget(uint64_t start, uint64_t end)
{
    n_forgotten++;
}

bool rt_choice(const char *what, uint32_t site)
{
    return false;
}

wire_rec *rt_emit(uint8_t kind)
{
    static wire_rec r;
    return &r;
}

enum rt_interruption rt_signal_point(uint32_t site)
{
    return RT_UNDISTURBED;
}

uint64_t rt_operation(void)
{
    abort();
}

void rt_share_use(uint64_t key, bool is_write, const char *name, const char *text,
                  uint32_t site)
{
    abort();
}

void *rt_saved_alloc(size_t size)
{
    return calloc(1, size);
}

/* ---- a process ---- */

/* Only descriptors 0, 1 and 2 are open. */
static void start(void)
{
    close_range(3, ~0u, 0);
    rt_controlled = true;
    rt->self = &rt->threads[0];
    rt->n_threads = 1;
    rt->first_free_fd = 3;
    rt_fd_reset();
    rt->active = true;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void set_limits(rlim_t soft, rlim_t hard)
{
    const struct rlimit limit = {soft, hard};
    EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

/* Both ends of a pipe. */
static void make_pipe(rt_file **in, rt_file **out)
{
    rt_stream *s = rt_stream_new();
    *in = rt_file_new(RT_FILE_PIPE);
    *out = rt_file_new(RT_FILE_PIPE);
    rt_file_opens(*in, s, NULL);
    rt_file_opens(*out, NULL, s);
}

static rt_fd_call take_away(int fd)
{
    rt_fd_call c = {0};
    rt_fd_take_away(fd, &c, rt->self);
    return c;
}

/* ---- numbers ---- */

static void lowest_body(void)
{
    rt_file *in, *out;
    make_pipe(&in, &out);
    EXPECT(rt_fd_put(in, 0, false) == 3);
    EXPECT(rt_fd_put(out, 0, false) == 4);
    EXPECT(dup(0) == 5); /* the kernel has the numbers too */
    EXPECT(rt_fd_put(in, 0, false) == 6);
    EXPECT(rt_fd_put(in, 20, false) == 20);
    take_away(4);
    EXPECT(!is_open(4) && rt_fd_file(4) == NULL);
    close(5);
    EXPECT(rt_fd_put(in, 0, false) == 4 && rt_fd_put(in, 0, false) == 5);
    EXPECT(rt_fd_file(4) == in && rt_fd_file(20) == in && rt_fd_file(21) == NULL);
    EXPECT(rt_fd_file(-1) == NULL && rt_fd_file(RT_MAX_FDS) == NULL);
}

static void test_lowest_free_number(void **state)
{
    in_child(start, lowest_body);
}

static void flags_body(void)
{
    rt_file *in, *out;
    make_pipe(&in, &out);
    int a = rt_fd_put(in, 0, false), b = rt_fd_put(out, 0, true);
    EXPECT(fcntl(a, F_GETFD) == 0 && fcntl(b, F_GETFD) == FD_CLOEXEC);
}

static void test_cloexec_is_the_kernels(void **state)
{
    in_child(start, flags_body);
}

/* A number that was ours and is free now is still answered by the runtime; what the kernel has open is not. */
static void ours_body(void)
{
    rt_file *in, *out;
    EXPECT(!rt_fd_is_ours(3)); /* nothing was ever made */
    make_pipe(&in, &out);
    int fd = rt_fd_put(in, 0, false), outside = dup(0);
    EXPECT(rt_fd_is_ours(fd) && !rt_fd_is_ours(outside) && !rt_fd_is_ours(0));
    take_away(fd);
    EXPECT(rt_fd_is_ours(fd));
    EXPECT(dup(0) == fd && !rt_fd_is_ours(fd));
    EXPECT(!rt_fd_is_ours(-1) && !rt_fd_is_ours(RT_MAX_FDS));
}

static void test_which_numbers_are_ours(void **state)
{
    in_child(start, ours_body);
}

static void limit_body(void)
{
    rt_file *in, *out;
    int n = 0, fd = 0;
    rt_fd_prepare();
    EXPECT(rt->null_fd == RT_MAX_FDS);
    rt->null_fd = fcntl(RT_MAX_FDS, F_DUPFD, RT_MAX_FDS + 20); /* the number is free */
    close(RT_MAX_FDS);
    make_pipe(&in, &out);
    for (; (fd = rt_fd_put(in, 0, false)) >= 0; n++)
        EXPECT(fd == 3 + n);
    EXPECT(fd == -EMFILE && n == RT_MAX_FDS - 3 && in->refs == (uint32_t)n);
    /* What did not fit is not left open. */
    for (int i = RT_MAX_FDS; i < RT_MAX_FDS + 50; i++)
        EXPECT(is_open(i) == (i == rt->null_fd));
    take_away(500);
    EXPECT(rt_fd_put(out, 0, false) == 500);
    take_away(RT_MAX_FDS - 1);
    EXPECT(rt_fd_put(out, RT_MAX_FDS - 1, false) == RT_MAX_FDS - 1);
    EXPECT(rt_fd_put(out, RT_MAX_FDS - 1, false) == -EMFILE);
}

static void test_limit(void **state)
{
    in_child(start, limit_body);
}

static void end_body(void)
{
    rt_file *in, *out;
    make_pipe(&in, &out);
    int a = rt_fd_put(in, 0, false), b = rt_fd_put(out, 40, false), outside = dup(0);
    rt_fd_end(NULL);
    EXPECT(!is_open(a) && !is_open(b) && is_open(outside) && !rt->fds);
    make_pipe(&in, &out);
    EXPECT(rt_fd_put(in, 0, false) == a);
    EXPECT(rt_fd_file(b) == NULL);
}

static void test_end_of_run_gives_numbers_back(void **state)
{
    in_child(start, end_body);
}

/* The program may close the runtime's /dev/null. */
static void null_body(void)
{
    rt_file *in, *out;
    rt_fd_prepare();
    EXPECT(rt->null_fd >= RT_MAX_FDS);
    close(rt->null_fd);
    make_pipe(&in, &out);
    EXPECT(rt_fd_put(in, 0, false) == 3 && is_open(rt->null_fd));
}

static void test_reserve_is_opened_again(void **state)
{
    in_child(start, null_body);
}

/* ---- copies ---- */

static void copies(bool apart)
{
    rt_file *in, *out;
    rt->fds_apart = apart;
    make_pipe(&in, &out);
    rt_stream *s = in->in;
    int a = rt_fd_put(out, 0, false), b = rt_fd_put(out, 0, false);
    EXPECT(a != b && rt_fd_file(a) == out && rt_fd_file(b) == out && out->refs == 2);
    EXPECT(n_forgotten == (apart ? 2 : 0)); /* new numbers have no users before */
    rt_fd_call c = take_away(a);
    EXPECT(!c.closed && out->refs == 1 && s->n_writers == 1);
    c = take_away(b);
    EXPECT(c.closed == out && out->refs == 0);
    /* Apart, the end of the stream is an operation of its own. */
    EXPECT(s->n_writers == (apart ? 1 : 0) && s->n_readers == 1);
}

static void copies_body(void)
{
    copies(false);
}

static void copies_apart_body(void)
{
    copies(true);
}

static void test_last_copy_closes_the_file(void **state)
{
    in_child(start, copies_body);
    in_child(start, copies_apart_body);
}

/* A call that waits holds its file, as a number does. */
static void held_body(void)
{
    rt_file *in, *out;
    make_pipe(&in, &out);
    int fd = rt_fd_put(out, 0, false);
    out->refs++;
    EXPECT(!take_away(fd).closed && in->in->n_writers == 1);
    rt_file_give(out, rt->self);
    EXPECT(in->in->n_writers == 0);
}

static void test_waiting_call_holds_its_file(void **state)
{
    in_child(start, held_body);
}

/* ---- what is put back ---- */

static void put_back_body(void)
{
    char before[4096], after[4096];
    struct stat was, is;
    EXPECT(open("/dev/zero", O_RDONLY) == 3 && fstat(3, &was) == 0);
    EXPECT(dup2(0, 7) == 7 && getcwd(before, sizeof before));
    umask(022);
    rt_overlay_prepare();
    EXPECT(rt->overlay->is_on && rt->overlay->n_copies == 8);
    for (int i = 0; i < rt->overlay->n_copies; i++) {
        bool was_open = i <= 3 || i == 7;
        EXPECT(was_open ? rt->overlay->copies[i] >= RT_MAX_FDS
                        : rt->overlay->copies[i] == -1);
    }
    for (int run = 0; run < 3; run++) {
        EXPECT(dup2(0, 3) == 3 && close(7) == 0 && dup(0) == 4);
        EXPECT(dup2(0, RT_MAX_FDS - 1) == RT_MAX_FDS - 1);
        EXPECT(chdir("/") == 0);
        umask(0);
        rt->overlay->mask_now = 0;
        rt->overlay->has_moved = true;
        rt_overlay_moves();
        EXPECT(rt_overlay_undo());
        EXPECT(fstat(3, &is) == 0 && is.st_rdev == was.st_rdev &&
               is.st_ino == was.st_ino);
        EXPECT(is_open(7) && !is_open(4) && !is_open(RT_MAX_FDS - 1));
        EXPECT(getcwd(after, sizeof after) && strcmp(before, after) == 0);
        EXPECT(umask(022) == 022);
    }
    EXPECT(dup(0) == 4); /* the copies are out of the way */
}

static void test_descriptors_are_put_back(void **state)
{
    in_child(start, put_back_body);
}

static void nodes_body(void)
{
    rt_overlay_prepare();
    rt_overlay *o = rt->overlay;
    EXPECT(o->is_on);
    for (int run = 0; run < 2; run++) {
        rt_inode *n = rt_inode_new(RT_INODE_FILE, 0644, 1);
        struct stat st;
        EXPECT(n && n->memory >= o->first_memory && o->first_memory > RT_MAX_FDS);
        long fd = rt_inode_open(n, O_RDWR);
        EXPECT(fd == 3); /* the program's descriptor is a low one */
        EXPECT(write((int)fd, "abc", 3) == 3);
        EXPECT(rt_inode_of_fd((int)fd, &st) == n && st.st_size == 3);
        EXPECT(rt_overlay_undo());
        EXPECT(!is_open(3) && !is_open(n->memory) && !o->nodes);
    }
}

static void test_nodes_are_gone_after_a_run(void **state)
{
    in_child(start, nodes_body);
}

/* The program is told, and can have, what it could before, but none of the runtime's. */
static void limits_body(void)
{
    struct rlimit now;
    set_limits(200, 1000);
    rt_overlay_prepare();
    EXPECT(rt->overlay->is_on && rt->overlay->most_fds == 200);
    EXPECT(rt->overlay->first_memory > RT_MAX_FDS && rt->overlay->first_memory < 1000);
    EXPECT(getrlimit(RLIMIT_NOFILE, &now) == 0 && now.rlim_cur == 1000);
    set_limits(1000, 1000);
    rt_overlay_prepare();
    EXPECT(rt->overlay->is_on && rt->overlay->most_fds == RT_MAX_FDS);
    set_limits(RT_MAX_FDS + 10, RT_MAX_FDS + 10); /* no room for nodes */
    rt_overlay_prepare();
    EXPECT(!rt->overlay->is_on && !rt_overlay_undo());
}

static void test_limits(void **state)
{
    in_child(start, limits_body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lowest_free_number),
        cmocka_unit_test(test_cloexec_is_the_kernels),
        cmocka_unit_test(test_which_numbers_are_ours),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_end_of_run_gives_numbers_back),
        cmocka_unit_test(test_reserve_is_opened_again),
        cmocka_unit_test(test_last_copy_closes_the_file),
        cmocka_unit_test(test_waiting_call_holds_its_file),
        cmocka_unit_test(test_descriptors_are_put_back),
        cmocka_unit_test(test_nodes_are_gone_after_a_run),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
