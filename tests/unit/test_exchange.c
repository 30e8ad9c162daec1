/* SPDX-License-Identifier: Apache-2.0 */
/* What workers share, on SQLite: each rule of store/exchange/exchange.h. Time stands still unless a test
 * moves it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "base/text.h"
#include "store/exchange/exchange_int.h"
#include "store/store.h"

#define LEASE_MS 1000u

typedef struct world {
    char dir[64];
    char *path;
    uint64_t ms;
    sto_link *link;
    uint64_t campaign, worker, other;
} world;

static uint64_t world_clock(void *of)
{
    return *(uint64_t *)of;
}

static sto_bytes payload(const char *text)
{
    return (sto_bytes){(uint8_t *)(uintptr_t)text, strlen(text)};
}

static void must(td_status status, const td_diag *diag)
{
    if (status != TD_OK)
        fail_msg("%s", diag->text);
}

static sto_link *open_link(world *w)
{
    td_diag diag = {0};
    sto_link *l = NULL;
    must(sto_link_open(w->path, &l, &diag), &diag);
    l->clock = world_clock;
    l->clock_of = &w->ms;
    return l;
}

static const sto_campaign about = {.version = "0.1",
                                   .protocol = "1",
                                   .build_id = "abcd",
                                   .command = "bank 30",
                                   .options = "{\"goal\":\"states\"}"};

static world *world_new(void)
{
    td_diag diag = {0};
    world *w = td_alloc(sizeof *w);
    sto_session *s = NULL;
    snprintf(w->dir, sizeof w->dir, "/tmp/treadle-exchange.XXXXXX");
    assert_non_null(mkdtemp(w->dir));
    td_text path = {0};
    td_text_add(&path, "%s/session.db", w->dir);
    w->path = path.at;
    w->ms = 1000000;
    must(sto_session_create(w->dir, "bank", &s, &diag), &diag);
    sto_session_close(s);
    w->link = open_link(w);
    must(sto_campaign_begin(w->link, &about, payload("whole"), &w->campaign, &diag),
         &diag);
    must(sto_link_join(w->link, "one", &w->worker, &diag), &diag);
    must(sto_link_join(w->link, "two", &w->other, &diag), &diag);
    return w;
}

static void world_free(world *w)
{
    td_text command = {0};
    sto_link_close(w->link);
    td_text_add(&command, "rm -rf %s", w->dir);
    assert_int_equal(system(command.at), 0);
    td_text_fini(&command);
    td_free(w->path);
    td_free(w);
}

static sto_report report_of(uint64_t worker)
{
    return (sto_report){.worker = worker, .lease_ms = LEASE_MS};
}

static sto_reply exchange(world *w, const sto_report *r)
{
    td_diag diag = {0};
    sto_reply reply;
    must(sto_exchange(w->link, r, &reply, &diag), &diag);
    return reply;
}

/* One item for the worker; it must be there. The caller frees its payload. */
static sto_work claim(world *w, uint64_t worker)
{
    sto_report r = report_of(worker);
    r.want = 1;
    sto_reply reply = exchange(w, &r);
    assert_int_equal(reply.work.len, 1);
    sto_work work = reply.work.at[0];
    sto_work_vec_fini(&reply.work);
    return work;
}

/* How many items a worker that wants all of them gets. */
static size_t claim_all(world *w, uint64_t worker)
{
    sto_report r = report_of(worker);
    r.want = STO_MAX_WANT;
    sto_reply reply = exchange(w, &r);
    size_t n = reply.work.len;
    sto_reply_fini(&reply);
    return n;
}

/* The item is done and gave so many events. */
static sto_report done_report(uint64_t worker, const sto_work *work, uint64_t events)
{
    sto_report r = report_of(worker);
    r.item = work->item;
    r.token = work->token;
    r.is_done = true;
    r.part = (sto_part){.events = events,
                        .traces = 1,
                        .whole_traces = 1,
                        .digest = {UINT64_MAX, events},
                        .trace_digest = {events, 0},
                        .known = 2 * events,
                        .is_complete = true};
    return r;
}

static sto_total total_of(world *w)
{
    td_diag diag = {0};
    sto_total t;
    must(sto_campaign_total(w->link, &t, &diag), &diag);
    return t;
}

static sto_reply peek(world *w)
{
    td_diag diag = {0};
    sto_reply r;
    must(sto_peek(w->link, &r, &diag), &diag);
    return r;
}

static bool payload_is(const sto_work *work, const char *text)
{
    return work->payload.len == strlen(text) &&
           memcmp(work->payload.at, text, work->payload.len) == 0;
}

static void drop(sto_work *work)
{
    td_free(work->payload.at);
}

/* ---- a campaign from begin to end ---- */

static void test_whole_campaign(void **state)
{
    world *w = world_new();
    sto_work first = claim(w, w->worker);
    assert_true(payload_is(&first, "whole"));
    assert_int_equal(first.attempts, 1);
    assert_int_not_equal(first.token, 0);
    assert_int_equal(peek(w).n_left, 1);
    assert_int_equal(peek(w).n_ready, 0);

    sto_bytes children[] = {payload("a"), payload("b"), payload("c")};
    sto_report r = done_report(w->worker, &first, 5);
    r.children = children;
    r.n_children = 3;
    r.keeps_first = true;
    sto_reply reply = exchange(w, &r);
    assert_false(reply.is_stale);
    assert_int_equal(reply.work.len, 1);
    assert_true(payload_is(&reply.work.at[0], "a"));
    assert_int_equal(reply.work.at[0].attempts, 1);
    assert_int_equal(reply.n_left, 3);
    assert_int_equal(reply.n_ready, 2);
    assert_int_equal(reply.n_workers, 1); /* the other has not been heard of */

    /* The kept child is done too, and two more are taken with the same call. */
    sto_report again = done_report(w->worker, &reply.work.at[0], 7);
    again.want = 5;
    sto_reply more = exchange(w, &again);
    assert_int_equal(more.work.len, 2);
    assert_true(payload_is(&more.work.at[0], "c") && payload_is(&more.work.at[1], "b"));
    for (size_t i = 0; i < 2; i++) {
        sto_report last = done_report(w->other, &more.work.at[i], 1);
        sto_reply end = exchange(w, &last);
        assert_false(end.is_stale);
        assert_int_equal(end.n_left, 1 - i);
        sto_reply_fini(&end);
    }
    sto_total t = total_of(w);
    assert_true(t.is_complete);
    assert_int_equal(t.n_parts, 4);
    assert_int_equal(t.n_items, 0);
    assert_int_equal(t.sum.events, 14);
    assert_int_equal(t.sum.traces, 4);
    assert_int_equal(t.sum.known, 28);
    /* 128 bits with their carries: 4 * (2^64 - 1) + 14 * 2^64. */
    assert_true(t.sum.digest.lo == UINT64_MAX - 3 && t.sum.digest.hi == 14 + 3);
    assert_true(t.sum.trace_digest.lo == 14 && t.sum.trace_digest.hi == 0);
    assert_int_equal(claim_all(w, w->worker), 0);
    sto_reply_fini(&reply);
    sto_reply_fini(&more);
    drop(&first);
    world_free(w);
}

/* Of the ready ones the newest that one made oneself comes first; of others', those that are less deep,
 * then the oldest. */
static void test_order_of_items(void **state)
{
    world *w = world_new();
    sto_bytes children[] = {payload("a"), payload("b"), payload("c")};
    sto_bytes deep[] = {payload("aa"), payload("ab")};
    sto_work work = claim(w, w->worker);
    sto_report r = done_report(w->worker, &work, 0);
    r.children = children;
    r.n_children = 3;
    r.keeps_first = true;
    sto_reply kept = exchange(w, &r);
    r = done_report(w->worker, &kept.work.at[0], 0);
    r.children = deep;
    r.n_children = 2;
    r.want = 1;
    sto_reply reply = exchange(w, &r);
    assert_int_equal(reply.work.len, 1);
    assert_true(payload_is(&reply.work.at[0], "ab"));
    sto_reply others =
        exchange(w, &(sto_report){.worker = w->other, .lease_ms = LEASE_MS, .want = 2});
    assert_int_equal(others.work.len, 2);
    assert_true(payload_is(&others.work.at[0], "b"));
    assert_true(payload_is(&others.work.at[1], "c"));
    /* One whose lease ended goes before what is ready. */
    w->ms += LEASE_MS + 1;
    sto_work ended = claim(w, w->worker);
    assert_true(payload_is(&ended, "b"));
    assert_int_equal(ended.attempts, 2);
    sto_reply_fini(&others);
    drop(&ended);
    drop(&work);
    sto_reply_fini(&kept);
    sto_reply_fini(&reply);
    world_free(w);
}

/* ---- reports that do not count ---- */

static void test_doubled_report(void **state)
{
    world *w = world_new();
    sto_bytes children[] = {payload("a"), payload("b")};
    sto_work work = claim(w, w->worker);
    sto_report r = done_report(w->worker, &work, 3);
    r.children = children;
    r.n_children = 2;
    for (int i = 0; i < 3; i++) {
        sto_reply reply = exchange(w, &r);
        assert_int_equal(reply.is_stale, i > 0);
        assert_int_equal(reply.n_left, 2);
        assert_int_equal(reply.work.len, 0);
        sto_reply_fini(&reply);
    }
    assert_int_equal(total_of(w).sum.events, 3);
    assert_int_equal(total_of(w).n_parts, 1);
    drop(&work);
    world_free(w);
}

static void test_late_report(void **state)
{
    world *w = world_new();
    sto_work work = claim(w, w->worker);
    w->ms += LEASE_MS + 1;
    sto_work taken = claim(w, w->other);
    assert_int_equal(taken.item, work.item);
    assert_int_not_equal(taken.token, work.token);
    sto_report late = done_report(w->worker, &work, 100);
    sto_reply reply = exchange(w, &late);
    assert_true(reply.is_stale);
    assert_int_equal(reply.n_left, 1);
    sto_reply_fini(&reply);
    sto_report good = done_report(w->other, &taken, 3);
    reply = exchange(w, &good);
    assert_false(reply.is_stale);
    assert_int_equal(reply.n_left, 0);
    assert_int_equal(total_of(w).sum.events, 3);
    drop(&work);
    drop(&taken);
    sto_reply_fini(&reply);
    world_free(w);
}

/* A lease that ended is the item's own until somebody takes it. */
static void test_late_but_in_time(void **state)
{
    world *w = world_new();
    sto_work work = claim(w, w->worker);
    w->ms += 10 * LEASE_MS;
    assert_int_equal(peek(w).n_ready, 1);
    sto_report r = done_report(w->worker, &work, 3);
    sto_reply reply = exchange(w, &r);
    assert_false(reply.is_stale);
    assert_int_equal(total_of(w).sum.events, 3);
    drop(&work);
    sto_reply_fini(&reply);
    world_free(w);
}

static void test_wrong_token(void **state)
{
    world *w = world_new();
    sto_work work = claim(w, w->worker);
    const uint64_t tokens[] = {0, 1, work.token + 1, work.token ^ 1, UINT64_MAX};
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        sto_report r = done_report(w->worker, &work, 3);
        r.token = tokens[i];
        sto_reply reply = exchange(w, &r);
        assert_true(reply.is_stale);
        sto_reply_fini(&reply);
    }
    assert_int_equal(total_of(w).n_parts, 0);
    assert_int_equal(total_of(w).n_items, 1);
    drop(&work);
    world_free(w);
}

/* ---- leases ---- */

static void test_renewed_lease(void **state)
{
    world *w = world_new();
    sto_work work = claim(w, w->worker);
    for (int i = 0; i < 5; i++) {
        w->ms += LEASE_MS - 1;
        sto_report r = report_of(w->worker);
        r.item = work.item;
        r.token = work.token;
        sto_reply reply = exchange(w, &r);
        assert_false(reply.is_stale);
        assert_int_equal(reply.n_left, 1);
        sto_reply_fini(&reply);
        assert_int_equal(claim_all(w, w->other), 0);
    }
    drop(&work);
    world_free(w);
}

/* A split without a part: nothing is counted. */
static void test_split_only(void **state)
{
    world *w = world_new();
    sto_bytes children[] = {payload("a"), payload("b")};
    sto_work work = claim(w, w->worker);
    sto_report r = report_of(w->worker);
    r.item = work.item;
    r.token = work.token;
    r.children = children;
    r.n_children = 2;
    sto_reply reply = exchange(w, &r);
    assert_false(reply.is_stale);
    assert_int_equal(reply.n_left, 2);
    assert_int_equal(total_of(w).n_parts, 0);
    drop(&work);
    sto_reply_fini(&reply);
    world_free(w);
}

static void test_poison(void **state)
{
    world *w = world_new();
    sto_work last = {0};
    for (uint32_t i = 1; i <= STO_MAX_ATTEMPTS; i++) {
        drop(&last);
        last = claim(w, w->worker);
        assert_int_equal(last.attempts, i);
        w->ms += LEASE_MS + 1;
    }
    sto_report r = report_of(w->other);
    r.want = 1;
    sto_reply reply = exchange(w, &r);
    assert_int_equal(reply.work.len, 0);
    assert_int_equal(reply.n_left, 0);
    sto_reply_fini(&reply);
    sto_total t = total_of(w);
    assert_int_equal(t.n_parked, 1);
    assert_int_equal(t.n_items, 0);
    assert_false(t.is_complete);
    /* Too late: the campaign has ended without it. */
    sto_report late = done_report(w->worker, &last, 1);
    reply = exchange(w, &late);
    assert_true(reply.is_stale);
    assert_int_equal(total_of(w).n_parked, 1);
    drop(&last);
    sto_reply_fini(&reply);
    world_free(w);
}

static void test_gone_worker(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    for (uint32_t i = 1; i <= STO_MAX_ATTEMPTS; i++) {
        sto_work work = claim(w, w->worker);
        assert_int_equal(work.attempts, i);
        must(sto_worker_gone(w->link, w->worker, &diag), &diag);
        assert_int_equal(peek(w).n_workers, 0);
        assert_int_equal(peek(w).n_left, i < STO_MAX_ATTEMPTS ? 1 : 0);
        drop(&work);
    }
    assert_int_equal(total_of(w).n_parked, 1);
    /* Somebody resumes it: the item is tried again. */
    must(sto_leases_clear(w->link, &diag), &diag);
    assert_int_equal(total_of(w).n_parked, 0);
    sto_work work = claim(w, w->other);
    assert_int_equal(work.attempts, 1);
    drop(&work);
    world_free(w);
}

/* The items of others stay theirs. */
static void test_gone_other_worker(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_work work = claim(w, w->worker);
    must(sto_worker_gone(w->link, w->other, &diag), &diag);
    assert_int_equal(peek(w).n_ready, 0);
    sto_report r = done_report(w->worker, &work, 1);
    sto_reply reply = exchange(w, &r);
    assert_false(reply.is_stale);
    drop(&work);
    sto_reply_fini(&reply);
    world_free(w);
}

static void test_clear(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    for (int i = 0; i < 10; i++) {
        sto_work work = claim(w, w->worker);
        assert_int_equal(work.attempts, 1);
        must(sto_leases_clear(w->link, &diag), &diag);
        assert_int_equal(peek(w).n_ready, 1);
        sto_report r = done_report(w->worker, &work, 1);
        sto_reply reply = exchange(w, &r);
        assert_true(reply.is_stale);
        drop(&work);
        sto_reply_fini(&reply);
    }
    world_free(w);
}

static void test_stop(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_bytes child = payload("rest");
    sto_work work = claim(w, w->worker);
    must(sto_campaign_stop(w->link, &diag), &diag);
    assert_true(peek(w).is_stopped);
    sto_report r = done_report(w->worker, &work, 1);
    r.children = &child;
    r.n_children = 1;
    r.keeps_first = true;
    r.want = 1;
    sto_reply reply = exchange(w, &r);
    assert_false(reply.is_stale); /* what was done counts */
    assert_true(reply.is_stopped);
    assert_int_equal(reply.work.len, 0);
    assert_int_equal(reply.n_left, 1);
    must(sto_leases_clear(w->link, &diag), &diag);
    assert_false(peek(w).is_stopped);
    assert_int_equal(claim_all(w, w->worker), 1);
    drop(&work);
    sto_reply_fini(&reply);
    world_free(w);
}

/* An answer that was lost: what it leased is given back when the call is made again, and was no
 * attempt. */
static void test_lost_answer(void **state)
{
    world *w = world_new();
    sto_bytes children[] = {payload("a"), payload("b")};
    for (int i = 0; i < 10; i++) {
        uint64_t seen = w->link->seen;
        sto_work lost = claim(w, w->worker);
        assert_int_equal(lost.attempts, 1);
        w->link->seen = seen;
        drop(&lost);
    }
    sto_work work = claim(w, w->worker);
    assert_int_equal(work.attempts, 1);
    sto_report r = done_report(w->worker, &work, 3);
    r.children = children;
    r.n_children = 2;
    r.keeps_first = true;
    r.want = 1;
    uint64_t seen = w->link->seen;
    sto_reply lost = exchange(w, &r);
    assert_int_equal(lost.work.len, 2);
    w->link->seen = seen;
    sto_reply again = exchange(w, &r);
    assert_true(again.is_stale);
    assert_int_equal(again.work.len, 1);
    assert_int_equal(again.n_ready, 1);
    assert_int_equal(again.work.at[0].attempts, 1);
    drop(&work);
    sto_reply_fini(&lost);
    sto_reply_fini(&again);
    world_free(w);
}

/* A call that comes late, or twice, takes nothing from its worker and leases nothing. */
static void test_ghost(void **state)
{
    world *w = world_new();
    sto_bytes children[] = {payload("a"), payload("b")};
    sto_work work = claim(w, w->worker);
    sto_report r = done_report(w->worker, &work, 3);
    r.children = children;
    r.n_children = 2;
    r.keeps_first = true;
    sto_reply reply = exchange(w, &r);
    assert_int_equal(reply.work.len, 1);
    r.want = 1;
    for (int i = 0; i < 3; i++) {
        w->link->calls--; /* the same number again */
        w->link->seen = 0;
        sto_reply ghost = exchange(w, &r);
        assert_true(ghost.is_stale);
        assert_int_equal(ghost.work.len, 0);
        assert_int_equal(ghost.n_ready, 1);
        sto_reply_fini(&ghost);
    }
    sto_report kept = done_report(w->worker, &reply.work.at[0], 2);
    sto_reply end = exchange(w, &kept);
    assert_false(end.is_stale);
    drop(&work);
    sto_reply_fini(&reply);
    sto_reply_fini(&end);
    world_free(w);
}

/* ---- generations ---- */

static void test_generations(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_work old = claim(w, w->worker);
    sto_report first = done_report(w->worker, &old, 3);
    sto_bytes children[] = {payload("a"), payload("b")};
    first.children = children;
    first.n_children = 2;
    first.keeps_first = true;
    sto_reply kept = exchange(w, &first);
    for (int i = 0; i < 2; i++) { /* the second does nothing */
        must(sto_campaign_again(w->link, 0, payload("anew"), payload("x+y"), &diag),
             &diag);
        assert_int_equal(peek(w).generation, 1);
        assert_int_equal(peek(w).n_left, 1);
        assert_int_equal(total_of(w).n_parts, 0);
    }
    sto_bytes promoted;
    must(sto_campaign_promoted(w->link, &promoted, &diag), &diag);
    assert_int_equal(promoted.len, 3);
    assert_memory_equal(promoted.at, "x+y", 3);
    td_free(promoted.at);
    sto_report late = done_report(w->worker, &kept.work.at[0], 9);
    sto_reply reply = exchange(w, &late);
    assert_true(reply.is_stale);
    assert_int_equal(reply.generation, 1);
    sto_reply_fini(&reply);
    /* With the item's own token, but made in another generation. */
    sto_work work = claim(w, w->worker);
    assert_true(payload_is(&work, "anew"));
    sto_report wrong = done_report(w->worker, &work, 9);
    reply = exchange(w, &wrong);
    assert_true(reply.is_stale);
    sto_reply_fini(&reply);
    wrong.generation = 1;
    reply = exchange(w, &wrong);
    assert_false(reply.is_stale);
    assert_int_equal(total_of(w).sum.events, 9);
    drop(&old);
    drop(&work);
    sto_reply_fini(&kept);
    sto_reply_fini(&reply);
    world_free(w);
}

/* ---- findings and workers ---- */

static sto_news news_of(const char *id)
{
    char *text = (char *)(uintptr_t)id;
    return (sto_news){.id = text,
                      .kind = (char *)(uintptr_t) "assert",
                      .file = (char *)(uintptr_t) "bank.c",
                      .function = (char *)(uintptr_t) "pay",
                      .message = (char *)(uintptr_t) "it's \"gone\"",
                      .line = 7,
                      .recording = (char *)(uintptr_t) "treadle-recording 1\n",
                      .page = (char *)(uintptr_t) "{}",
                      .text = (char *)(uintptr_t) "found"};
}

static void test_news(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_news both[] = {news_of("assert-1"), news_of("assert-2")};
    sto_work stale = {.item = 77, .token = 5};
    sto_report r = done_report(w->worker, &stale, 1);
    r.news = both;
    r.n_news = 2;
    sto_reply reply = exchange(w, &r);
    assert_true(reply.is_stale);
    assert_int_equal(reply.n_findings, 2);
    sto_reply_fini(&reply);
    sto_news third[] = {news_of("assert-2"), news_of("assert-3")};
    r.news = third;
    r.worker = w->other;
    reply = exchange(w, &r);
    assert_int_equal(reply.n_findings, 3);
    sto_reply_fini(&reply);
    sto_news_vec news;
    must(sto_campaign_news(w->link, 1, &news, &diag), &diag);
    assert_int_equal(news.len, 2);
    assert_string_equal(news.at[0].id, "assert-2");
    assert_string_equal(news.at[1].id, "assert-3");
    assert_string_equal(news.at[1].message, "it's \"gone\"");
    assert_int_equal(news.at[1].line, 7);
    sto_news_fini(&news);
    must(sto_campaign_news(w->link, 3, &news, &diag), &diag);
    assert_int_equal(news.len, 0);
    world_free(w);
}

static void test_workers(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_worker self = {.name = (char *)(uintptr_t) "host.7",
                       .runs = 10,
                       .events_met = 20,
                       .targets = 1,
                       .blocked_runs = 2,
                       .lost_runs = 3,
                       .cpu_ms = 40,
                       .rss_kb = 50,
                       .ledger = (char *)(uintptr_t) "[1]",
                       .coverage = (char *)(uintptr_t) "{}"};
    sto_report r = report_of(w->worker);
    r.state = &self;
    r.want = 1;
    sto_reply reply = exchange(w, &r);
    assert_int_equal(reply.n_hungry, 0);
    sto_reply_fini(&reply);
    self.runs = 11;
    self.ledger = NULL; /* as before */
    w->ms += 40;
    r.want = 0;
    reply = exchange(w, &r);
    sto_reply_fini(&reply);
    assert_int_equal(claim_all(w, w->other), 0);
    assert_int_equal(peek(w).n_workers, 2);
    assert_int_equal(peek(w).n_hungry, 1);
    w->ms += 300;
    sto_worker_vec workers;
    must(sto_campaign_workers(w->link, &workers, &diag), &diag);
    assert_int_equal(workers.len, 2);
    assert_string_equal(workers.at[0].name, "host.7");
    assert_string_equal(workers.at[0].ledger, "[1]");
    assert_int_equal(workers.at[0].runs, 11);
    assert_int_equal(workers.at[0].n_items, 1);
    assert_int_equal(workers.at[0].silent_ms, 300);
    assert_int_equal(workers.at[0].lived_ms, 40);
    assert_int_equal(workers.at[1].lived_ms, 40); /* heard of in claim_all */
    assert_string_equal(workers.at[1].name, "two");
    sto_workers_fini(&workers);
    w->ms += LEASE_MS;
    assert_int_equal(peek(w).n_workers, 0); /* nobody was heard of */
    world_free(w);
}

static void test_unknown_worker(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_reply reply;
    sto_report r = report_of(99);
    r.want = 1;
    assert_int_equal(sto_exchange(w->link, &r, &reply, &diag), TD_E_USAGE);
    assert_non_null(strstr(diag.text, "has no worker 99"));
    assert_int_equal(peek(w).n_ready, 1); /* nothing was leased */
    world_free(w);
}

/* ---- the file ---- */

static void test_campaigns(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_campaign found;
    uint64_t second;
    sto_link *l = open_link(w);
    sto_campaign other = about;
    other.command = (char *)(uintptr_t) "queue";
    must(sto_campaign_begin(w->link, &other, payload("q"), &second, &diag), &diag);
    must(sto_campaign_open(l, 0, &found, &diag), &diag);
    assert_string_equal(found.command, "queue");
    assert_string_equal(found.options, about.options);
    sto_campaign_fini(&found);
    must(sto_campaign_open(l, w->campaign, &found, &diag), &diag);
    assert_string_equal(found.command, "bank 30");
    assert_string_equal(found.build_id, "abcd");
    sto_campaign_fini(&found);
    assert_int_equal(sto_campaign_open(l, 99, &found, &diag), TD_E_USAGE);
    assert_non_null(strstr(diag.text, "no campaign to continue"));
    sto_link_close(l);
    world_free(w);
}

static void test_bad_files(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_link *l = NULL;
    sqlite3 *db = NULL;
    assert_int_equal(sto_link_open("/nowhere/session.db", &l, &diag), TD_E_USAGE);
    assert_non_null(strstr(diag.text, "/nowhere/session.db"));
    static const struct {
        const char *sql, *says;
    } bad[] = {
        {"PRAGMA user_version = 999", "a newer version of treadle"},
        {"PRAGMA user_version = 4", "an older version of treadle"},
        {"PRAGMA application_id = 1", "is not a treadle session"},
    };
    assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(sqlite3_exec(db, bad[i].sql, NULL, NULL, NULL), SQLITE_OK);
        diag.text[0] = '\0';
        assert_int_equal(sto_link_open(w->path, &l, &diag), TD_E_FORMAT);
        assert_non_null(strstr(diag.text, bad[i].says));
    }
    sqlite3_close(db);
    world_free(w);
}

/* Rows that nobody of us wrote: a sentence, and nothing is leased. */
static void test_bad_rows(void **state)
{
    static const char *const bad[] = {
        "UPDATE item SET payload = zeroblob(1048577)",
        "UPDATE item SET attempts = -1",
        "UPDATE item SET attempts = 'x'",
        "UPDATE campaign SET generation = -5",
        "UPDATE campaign SET generation = 1099511627776",
        "DELETE FROM campaign",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        td_diag diag = {0};
        world *w = world_new();
        sqlite3 *db = NULL;
        assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, bad[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(db);
        sto_report r = report_of(w->worker);
        sto_reply reply;
        r.want = 1;
        assert_int_equal(sto_exchange(w->link, &r, &reply, &diag), TD_E_FORMAT);
        assert_non_null(strstr(diag.text, "damaged"));
        assert_int_equal(reply.work.len, 0);
        world_free(w);
    }
}

static void test_limits(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    uint8_t *much = td_alloc(STO_MAX_PAYLOAD + 1);
    sto_bytes child = {much, STO_MAX_PAYLOAD + 1};
    sto_work work = claim(w, w->worker);
    sto_report r = done_report(w->worker, &work, 1);
    sto_reply reply;
    r.children = &child;
    r.n_children = 1;
    assert_int_equal(sto_exchange(w->link, &r, &reply, &diag), TD_E_LIMIT);
    assert_non_null(strstr(diag.text, "more than 1048576"));
    child.len--;
    reply = exchange(w, &r);
    assert_false(reply.is_stale);
    sto_reply_fini(&reply);
    sto_work large = claim(w, w->worker);
    assert_int_equal(large.payload.len, STO_MAX_PAYLOAD);
    drop(&large);
    drop(&work);
    td_free(much);
    world_free(w);
}

/* The session and its workers write the same file; at the end there is one file. */
static void test_beside_session(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    sto_session *s = NULL;
    must(sto_session_open(w->dir, &s, &diag), &diag);
    sto_work work = claim(w, w->worker);
    must(sto_session_fact(s, "verdict", "complete", &diag), &diag);
    sto_report r = done_report(w->worker, &work, 1);
    sto_reply reply = exchange(w, &r);
    assert_false(reply.is_stale);
    sto_past past;
    must(sto_past_read(w->dir, &past, &diag), &diag); /* while it goes on */
    assert_string_equal(sto_past_fact(&past, "verdict"), "complete");
    assert_string_equal(sto_past_fact(&past, "program"), "bank");
    sto_past_fini(&past);
    sto_link_close(w->link);
    sto_session_close(s);
    td_text log = {0};
    td_text_add(&log, "%s-wal", w->path);
    assert_int_not_equal(access(log.at, F_OK), 0);
    td_text_fini(&log);
    must(sto_past_read(w->dir, &past, &diag), &diag);
    assert_string_equal(sto_past_fact(&past, "verdict"), "complete");
    sto_past_fini(&past);
    w->link = open_link(w);
    sto_campaign found;
    must(sto_campaign_open(w->link, 0, &found, &diag), &diag);
    assert_int_equal(total_of(w).sum.events, 1);
    sto_campaign_fini(&found);
    drop(&work);
    sto_reply_fini(&reply);
    world_free(w);
}

/* Each view can be queried and has a row for the campaign. */
static void test_views(void **state)
{
    static const char *const views[] = {"campaigns", "progress", "workers", "findings",
                                        "rediscovery"};
    world *w = world_new();
    sto_work work = claim(w, w->worker);
    sto_news finding = news_of("assert-1");
    sto_report r = done_report(w->worker, &work, 4);
    r.news = &finding;
    r.n_news = 1;
    sto_reply reply = exchange(w, &r);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(w->path, &db), SQLITE_OK);
    for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
        td_text sql = {0};
        sqlite3_stmt *row = NULL;
        td_text_add(&sql, "SELECT * FROM %s", views[i]);
        assert_int_equal(sqlite3_prepare_v2(db, sql.at, -1, &row, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_step(row), SQLITE_ROW);
        sqlite3_finalize(row);
        td_text_fini(&sql);
    }
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT ratio FROM rediscovery", -1, &row,
                                        NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_true(sqlite3_column_double(row, 0) == 2.0);
    sqlite3_finalize(row);
    sqlite3_close(db);
    drop(&work);
    sto_reply_fini(&reply);
    world_free(w);
}

/* ---- several processes ---- */

#define TREE_DEPTH 7u

/* What the leased node gives: one event, and two children unless it is a leaf. */
static void report_node(sto_report *r, const sto_work *work, sto_bytes children[2])
{
    r->item = work->item;
    r->token = work->token;
    r->is_done = true;
    r->part = (sto_part){.events = 1, .digest = {1, 0}, .is_complete = true};
    r->children = children;
    r->n_children = work->payload.len < TREE_DEPTH ? 2 : 0;
    children[0] = children[1] = payload("........");
    children[0].len = children[1].len = work->payload.len + 1;
}

/* Works on a tree until nothing is left. A process of its own. */
static int work_on_tree(const char *path)
{
    sto_link *l = NULL;
    sto_campaign c;
    sto_reply reply = {0};
    sto_bytes children[2];
    uint64_t self = 0;
    if (sto_link_open(path, &l, NULL) != TD_OK ||
        sto_campaign_open(l, 0, &c, NULL) != TD_OK ||
        sto_link_join(l, "child", &self, NULL) != TD_OK)
        return 1;
    sto_campaign_fini(&c);
    do {
        sto_report r = {.worker = self, .lease_ms = 600000, .want = 1};
        if (reply.work.len == 1)
            report_node(&r, &reply.work.at[0], children);
        sto_reply next;
        if (sto_exchange(l, &r, &next, NULL) != TD_OK || next.is_stale)
            return 1;
        sto_reply_fini(&reply);
        reply = next;
    } while (reply.n_left > 0);
    sto_link_close(l);
    return 0;
}

static void test_processes(void **state)
{
    td_diag diag = {0};
    world *w = world_new();
    pid_t children[4];
    must(sto_campaign_begin(w->link, &about, payload("."), &w->campaign, &diag), &diag);
    sto_link_close(w->link); /* not over a fork */
    for (int i = 0; i < 4; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(work_on_tree(w->path));
    }
    for (int i = 0; i < 4; i++) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    sto_campaign c;
    w->link = open_link(w);
    must(sto_campaign_open(w->link, 0, &c, &diag), &diag);
    sto_total t = total_of(w);
    assert_true(t.is_complete);
    assert_int_equal(t.sum.events, (1u << TREE_DEPTH) - 1);
    assert_int_equal(t.sum.digest.lo, (1u << TREE_DEPTH) - 1);
    sto_campaign_fini(&c);
    world_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_campaign),
        cmocka_unit_test(test_order_of_items),
        cmocka_unit_test(test_doubled_report),
        cmocka_unit_test(test_late_report),
        cmocka_unit_test(test_late_but_in_time),
        cmocka_unit_test(test_wrong_token),
        cmocka_unit_test(test_renewed_lease),
        cmocka_unit_test(test_split_only),
        cmocka_unit_test(test_poison),
        cmocka_unit_test(test_gone_worker),
        cmocka_unit_test(test_gone_other_worker),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_lost_answer),
        cmocka_unit_test(test_ghost),
        cmocka_unit_test(test_generations),
        cmocka_unit_test(test_news),
        cmocka_unit_test(test_workers),
        cmocka_unit_test(test_unknown_worker),
        cmocka_unit_test(test_campaigns),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_bad_rows),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_beside_session),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_processes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
