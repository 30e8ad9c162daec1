/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/assert.h"
#include "base/id.h"
#include "base/map.h"
#include "base/rng.h"
#include "base/spans.h"
#include "base/status.h"
#include "base/text.h"
#include "base/vec.h"

TD_VEC(uint32_t, u32_vec);

static void vector_keeps_what_is_pushed(void **state)
{
    u32_vec v = {0};
    for (uint32_t i = 0; i < 10000; i++)
        u32_vec_push(&v, i * 3);
    assert_int_equal(v.len, 10000);
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(v.at[i], i * 3);
    assert_int_equal(u32_vec_pop(&v), 29997);
    u32_vec_fini(&v);
    assert_null(v.at);
    assert_int_equal(v.len, 0);
}

static void vector_appends_in_one_piece(void **state)
{
    const uint32_t items[] = {1, 2, 3};
    u32_vec v = {0};
    u32_vec_append(&v, items, 0);
    assert_null(v.at);
    u32_vec_append(&v, items, 3);
    u32_vec_append(&v, items + 1, 2);
    const uint32_t want[] = {1, 2, 3, 2, 3};
    assert_int_equal(v.len, 5);
    assert_memory_equal(v.at, want, sizeof want);
    u32_vec_clear(&v);
    assert_int_equal(v.len, 0);
    u32_vec_reserve(&v, 100);
    assert_true(v.cap >= 100);
    u32_vec_fini(&v);
}

static void alloc_is_zeroed(void **state)
{
    char *p = td_alloc(1000);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(p[i], 0);
    td_free(p);
    td_free(td_alloc(0));
    td_free(NULL);
    char *copy = td_strdup("warp and weft");
    assert_string_equal(copy, "warp and weft");
    td_free(copy);
}

static void diag_keeps_the_first_sentence(void **state)
{
    td_diag diag = {0};
    assert_int_equal(td_diag_set(&diag, TD_E_FORMAT, "line %d is off", 7), TD_E_FORMAT);
    assert_int_equal(td_diag_set(&diag, TD_E_SYSTEM, "later"), TD_E_SYSTEM);
    assert_string_equal(diag.text, "line 7 is off");
    assert_int_equal(td_diag_set(NULL, TD_E_LIMIT, "nobody listens"), TD_E_LIMIT);
}

static void diag_names_errno(void **state)
{
    td_diag diag = {0};
    errno = ENOENT;
    assert_int_equal(td_diag_errno(&diag, TD_E_SYSTEM, "cannot open x"), TD_E_SYSTEM);
    assert_string_equal(diag.text, "cannot open x: No such file or directory");
}

static void diag_cuts_a_long_sentence(void **state)
{
    td_diag diag = {0};
    errno = EACCES;
    td_status status = td_diag_errno(&diag, TD_E_SYSTEM, "%0600d", 1);
    assert_int_equal(status, TD_E_SYSTEM);
    assert_int_equal(strlen(diag.text), sizeof diag.text - 1);
}

static void text_grows_and_is_terminated(void **state)
{
    td_text t = {0};
    for (int i = 0; i < 1000; i++)
        td_text_add(&t, "%d,", i % 10);
    assert_int_equal(t.len, 2000);
    assert_int_equal(strlen(t.at), 2000);
    td_text_clear(&t);
    assert_string_equal(t.at, "");
    td_text_put(&t, "a\0b", 3);
    assert_int_equal(t.len, 3);
    assert_memory_equal(t.at, "a\0b", 4);
    td_text_fini(&t);
    td_text_put(&t, NULL, 0);
    assert_string_equal(t.at, "");
    td_text_fini(&t);
}

/* The published test value of XXH3, so that ids stay equal across versions and machines. */
static void id_is_xxh3(void **state)
{
    char text[33];
    td_id_print(td_id_hash("", 0), text);
    assert_string_equal(text, "99aa06d3014798d86001c324468d497f");
    assert_false(td_id_zero(td_id_hash("a", 1)));
    assert_false(td_id_equal(td_id_hash("a", 1), td_id_hash("b", 1)));
}

static void id_sum_carries_and_commutes(void **state)
{
    td_id a = {UINT64_MAX, 1}, b = {1, 2};
    td_id sum = td_id_sum(a, b);
    assert_true(sum.lo == 0 && sum.hi == 4);
    assert_true(td_id_equal(sum, td_id_sum(b, a)));
}

static td_id numbered(uint64_t i)
{
    return td_id_hash(&i, sizeof i);
}

static void id_set_agrees_with_numbers(void **state)
{
    enum { N = 50000 };
    td_id_set set = {0};
    assert_false(td_id_set_has(&set, numbered(0)));
    for (uint64_t i = 0; i < N; i++)
        assert_true(td_id_set_add(&set, numbered(i)));
    for (uint64_t i = 0; i < N; i++)
        assert_false(td_id_set_add(&set, numbered(i)));
    assert_int_equal(set.len, N);
    for (uint64_t i = 0; i < N; i++) {
        assert_true(td_id_set_has(&set, numbered(i)));
        assert_false(td_id_set_has(&set, numbered(i + N)));
    }
    td_id_set_clear(&set);
    assert_false(td_id_set_has(&set, numbered(1)));
    assert_true(td_id_set_add(&set, numbered(1)));
    td_id_set_fini(&set);
}

/* All in one chain of slots: equal low halves. */
static void id_set_survives_collisions(void **state)
{
    td_id_set set = {0};
    for (uint64_t i = 0; i < 500; i++)
        assert_true(td_id_set_add(&set, (td_id){15, i}));
    for (uint64_t i = 0; i < 500; i++)
        assert_true(td_id_set_has(&set, (td_id){15, i}));
    assert_false(td_id_set_has(&set, (td_id){15, 500}));
    td_id_set_fini(&set);
}

/* What td_spans_next finds, against each range asked by itself. */
static void spans_compare(const td_spans *s, const td_span *all, uint32_t n,
                          uint64_t start, uint64_t end)
{
    unsigned char *seen = calloc(n, 1);
    td_spans_find find = {.start = start, .end = end};
    for (const td_span *x; (x = td_spans_next(s, &find)) != NULL;) {
        assert_true(x->number < n);
        assert_int_equal(seen[x->number]++, 0);
    }
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(seen[i], all[i].start < all[i].end && all[i].start < end &&
                                      start < all[i].end);
    free(seen);
}

static void spans_find_what_overlaps(void **state)
{
    enum { N = 700 };
    td_rng rng = {0};
    td_span all[N];
    td_spans grown = {0}, sorted = {0};
    for (uint32_t i = 0; i < N; i++) {
        uint64_t start = td_rng_below(&rng, 4000);
        /* Most are short, some long, some empty. */
        uint64_t size = td_rng_below(&rng, i % 50 == 0 ? 2000 : 12);
        all[i] = (td_span){.start = start, .end = start + size};
        td_spans_add(&grown, start, start + size, i);
        td_spans_put(&sorted, start, start + size, i);
        assert_true(td_spans_valid(&grown));
        if (i % 7 == 0)
            spans_compare(&grown, all, i + 1, start, start + 9);
    }
    td_spans_sort(&sorted);
    assert_true(td_spans_valid(&sorted));
    for (uint32_t i = 0; i < 300; i++) {
        uint64_t start = td_rng_below(&rng, 6500), end = start + td_rng_below(&rng, 40);
        spans_compare(&grown, all, N, start, end);
        spans_compare(&sorted, all, N, start, end);
    }
    td_spans_fini(&grown);
    td_spans_fini(&sorted);
}

/* A set of bytes, against a flag for each byte. */
static void bytes_agree_with_flags(void **state)
{
    enum { N = 3000, ADDS = 400 };
    td_rng rng = {0};
    bool in[N] = {false};
    td_bytes grown = {0}, rising = {0};
    for (uint32_t i = 0; i < ADDS; i++) {
        uint32_t start = (uint32_t)td_rng_below(&rng, N - 40);
        uint32_t size = (uint32_t)td_rng_below(&rng, i % 40 == 0 ? 40 : 6);
        bool is_new = false, all = true, some = false;
        for (uint32_t k = start; k < start + size; k++) {
            is_new |= !in[k];
            in[k] = true;
        }
        assert_int_equal(td_bytes_add(&grown, start, start + size), is_new);
        assert_true(td_bytes_valid(&grown));
        start = (uint32_t)td_rng_below(&rng, N - 40);
        for (uint32_t k = start; k < start + 5; k++) {
            all &= in[k];
            some |= in[k];
        }
        assert_int_equal(td_bytes_have(&grown, start, start + 5), all);
        assert_int_equal(td_bytes_meet(&grown, start, start + 5), some);
    }
    assert_false(td_bytes_add(&grown, 9, 8)); /* backwards: it has no byte */
    for (uint32_t k = 0; k < N; k++)
        if (in[k])
            td_bytes_add_last(&rising, k, k + 1);
    assert_int_equal(rising.len, grown.len);
    assert_memory_equal(rising.at, grown.at, grown.len * sizeof grown.at[0]);
    td_bytes_fini(&grown);
    td_bytes_fini(&rising);
}

/* ---- maps ---- */

TD_MAP(uint64_t, uint32_t, number_map, td_hash_number, td_same_number);

static uint64_t all_alike(uint64_t key)
{
    return key & 1;
}

TD_MAP(uint64_t, uint32_t, crowded_map, all_alike, td_same_number);

static void map_agrees_with_array(void **state)
{
    enum { KEYS = 500 };
    uint32_t values[KEYS] = {0};
    bool known[KEYS] = {false};
    number_map m = {0};
    td_rng rng = {5};
    size_t n = 0;
    assert_null(number_map_find(&m, 0));
    for (int i = 0; i < 20000; i++) {
        uint32_t k = (uint32_t)td_rng_below(&rng, KEYS);
        uint64_t key = (uint64_t)k << 33; /* 0 is a key, too */
        uint32_t *found = number_map_find(&m, key);
        assert_true((found != NULL) == known[k]);
        assert_true(!found || *found == values[k]);
        if (td_rng_below(&rng, 2) == 0)
            continue;
        uint32_t *value = number_map_at(&m, key);
        assert_true(known[k] || *value == 0);
        n += !known[k];
        known[k] = true;
        *value = values[k] = (uint32_t)i;
        assert_int_equal(m.len, n);
        assert_true(2 * m.len <= m.cap && (m.cap & (m.cap - 1)) == 0);
    }
    number_map_clear(&m);
    assert_int_equal(m.len, 0);
    assert_null(number_map_find(&m, 0));
    assert_int_equal(*number_map_at(&m, 0), 0);
    number_map_fini(&m);
}

static void map_survives_collisions(void **state)
{
    crowded_map m = {0};
    for (uint64_t i = 0; i < 300; i++)
        *crowded_map_at(&m, i * 7) = (uint32_t)i;
    for (uint64_t i = 0; i < 2100; i++) {
        const uint32_t *found = crowded_map_find(&m, i);
        assert_true(i % 7 == 0 ? found && *found == i / 7 : !found);
    }
    crowded_map_fini(&m);
}

static void rng_repeats_and_stays_below(void **state)
{
    td_rng a = {42}, b = {42};
    unsigned seen = 0;
    for (int i = 0; i < 1000; i++) {
        uint64_t x = td_rng_below(&a, 7);
        assert_true(x < 7);
        assert_int_equal(x, td_rng_below(&b, 7));
        seen |= 1u << x;
    }
    assert_int_equal(seen, 0x7f);
}

static char *in_temp_dir(td_text *path, const char *name)
{
    const char *dir = getenv("TMPDIR");
    td_text_clear(path);
    td_text_add(path, "%s/treadle-test-%ld-%s", dir ? dir : "/tmp", (long)getpid(), name);
    return path->at;
}

static void file_is_replaced_and_read(void **state)
{
    td_text path = {0}, got = {0};
    td_diag diag = {0};
    in_temp_dir(&path, "file");
    assert_int_equal(td_file_write(path.at, "one", 3, &diag), TD_OK);
    assert_int_equal(td_file_write(path.at, "tw\0o", 4, &diag), TD_OK);
    assert_int_equal(td_file_read(path.at, 4, &got, &diag), TD_OK);
    assert_int_equal(got.len, 4);
    assert_memory_equal(got.at, "tw\0o", 5);
    assert_string_equal(diag.text, "");

    assert_int_equal(td_file_read(path.at, 3, &got, &diag), TD_E_LIMIT);
    assert_non_null(strstr(diag.text, "larger than 3 bytes"));
    unlink(path.at);
    td_text_fini(&path);
    td_text_fini(&got);
}

static void file_errors_are_sentences(void **state)
{
    td_text got = {0};
    td_diag diag = {0};
    assert_int_equal(td_file_read("/nonexistent/x", 10, &got, &diag), TD_E_SYSTEM);
    assert_string_equal(diag.text,
                        "cannot open /nonexistent/x: No such file or directory");
    diag = (td_diag){0};
    assert_int_equal(td_file_read("/", 10, &got, &diag), TD_E_SYSTEM);
    assert_string_equal(diag.text, "cannot read /: Is a directory");
    diag = (td_diag){0};
    assert_int_equal(td_file_write("/nonexistent/x", "", 0, &diag), TD_E_SYSTEM);
    assert_non_null(strstr(diag.text, "No such file"));
    td_text_fini(&got);
}

/* --json=/dev/stdout must not turn the link into a file. */
static void devices_and_links_are_written_through(void **state)
{
    td_text link = {0}, target = {0}, got = {0};
    td_diag diag = {0};
    in_temp_dir(&link, "link");
    in_temp_dir(&target, "target");
    assert_int_equal(symlink(target.at, link.at), 0);
    assert_int_equal(td_file_write(link.at, "x", 1, &diag), TD_OK);
    assert_int_equal(td_file_read(target.at, 10, &got, &diag), TD_OK);
    assert_string_equal(got.at, "x");
    struct stat st;
    assert_int_equal(lstat(link.at, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    unlink(link.at);
    unlink(target.at);

    assert_int_equal(td_file_write("/dev/null", "x", 1, &diag), TD_OK);
    assert_int_equal(lstat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
    td_text_fini(&link);
    td_text_fini(&target);
    td_text_fini(&got);
}

static void failed_assertion_exits_with_70(void **state)
{
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr))
            _exit(1);
        TD_ASSERT(1 + 1 == 3);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vector_keeps_what_is_pushed),
        cmocka_unit_test(vector_appends_in_one_piece),
        cmocka_unit_test(alloc_is_zeroed),
        cmocka_unit_test(diag_keeps_the_first_sentence),
        cmocka_unit_test(diag_names_errno),
        cmocka_unit_test(diag_cuts_a_long_sentence),
        cmocka_unit_test(text_grows_and_is_terminated),
        cmocka_unit_test(id_is_xxh3),
        cmocka_unit_test(id_sum_carries_and_commutes),
        cmocka_unit_test(id_set_agrees_with_numbers),
        cmocka_unit_test(id_set_survives_collisions),
        cmocka_unit_test(map_agrees_with_array),
        cmocka_unit_test(map_survives_collisions),
        cmocka_unit_test(rng_repeats_and_stays_below),
        cmocka_unit_test(spans_find_what_overlaps),
        cmocka_unit_test(bytes_agree_with_flags),
        cmocka_unit_test(file_is_replaced_and_read),
        cmocka_unit_test(file_errors_are_sentences),
        cmocka_unit_test(devices_and_links_are_written_through),
        cmocka_unit_test(failed_assertion_exits_with_70),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
