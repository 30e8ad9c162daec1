/* SPDX-License-Identifier: Apache-2.0 */
/* Works on a tree through sto_exchange, so that run.py can kill it: every command prints one line.
 *
 *   driver init ADDRESS           the tables of a farm
 *   driver make DIR               a session directory
 *   driver begin WHERE SEED SIZE  a campaign: a tree
 *   driver truth SEED SIZE        what it has, counted here
 *   driver below                  what items have, each a line of hexadecimal digits of stdin
 *   driver clear WHERE            after all workers were killed
 *   driver work WHERE [NODES SLICE_MS LEASE_MS DOUBLED]   until nothing is left; DOUBLED of 100
 *                                 reports are sent twice
 *   driver total WHERE            what was counted
 *   driver bench WHERE N          N exchanges, microseconds each
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "exchange/tree.h"
#include "store/store.h"

#define MAX_PIECES 8u

static void must(td_status status, const td_diag *diag)
{
    if (status == TD_OK)
        return;
    printf("%s\n", diag->text);
    exit(1);
}

static void print_count(const tree_count *c)
{
    char all[33], leaves[33], findings[33];
    td_id_print(c->digest, all);
    td_id_print(c->leaf_digest, leaves);
    td_id_print(c->finding_digest, findings);
    printf("{\"nodes\": %" PRIu64 ", \"leaves\": %" PRIu64 ", \"findings\": %" PRIu64
           ", \"digest\": \"%s\", \"leaf_digest\": \"%s\", \"finding_digest\": \"%s\"",
           c->nodes, c->leaves, c->findings, all, leaves, findings);
}

static sto_link *open_campaign(const char *where)
{
    td_diag diag = {0};
    sto_link *l = NULL;
    sto_campaign c;
    must(sto_link_open(where, &l, &diag), &diag);
    must(sto_campaign_open(l, 0, &c, &diag), &diag);
    sto_campaign_fini(&c);
    return l;
}

/* ---- commands ---- */

static int cmd_init(char **args)
{
    td_diag diag = {0};
    bool has_temporary;
    must(sto_farm_init(args[0], STO_OWNER_ANY, &has_temporary, &diag), &diag);
    printf("{}\n");
    return 0;
}

static int cmd_make(char **args)
{
    td_diag diag = {0};
    sto_session *s = NULL;
    must(sto_session_create(args[0], "tree", &s, &diag), &diag);
    sto_session_close(s);
    printf("{}\n");
    return 0;
}

static tree_node_vec root_of(char **args)
{
    tree_node_vec root = {0};
    tree_root(strtoull(args[0], NULL, 10), (uint32_t)strtoul(args[1], NULL, 10), 0,
              &root);
    return root;
}

static int cmd_begin(char **args)
{
    td_diag diag = {0};
    sto_link *l = NULL;
    uint64_t id;
    char empty[] = "", command[] = "tree";
    const sto_campaign c = {empty, empty, empty, command, empty};
    tree_node_vec root = root_of(args + 1);
    sto_bytes whole = tree_pack(&root, 0, 1);
    must(sto_link_open(args[0], &l, &diag), &diag);
    must(sto_campaign_begin(l, &c, whole, &id, &diag), &diag);
    printf("{\"campaign\": %" PRIu64 "}\n", id);
    td_free(whole.at);
    tree_node_vec_fini(&root);
    sto_link_close(l);
    return 0;
}

static int cmd_truth(char **args)
{
    tree_node_vec root = root_of(args);
    tree_count c = {0};
    tree_count_all(&root, &c);
    print_count(&c);
    printf("}\n");
    tree_node_vec_fini(&root);
    return 0;
}

static int cmd_below(char **args)
{
    tree_count c = {0};
    char *line = NULL;
    size_t cap = 0;
    for (ssize_t n; (n = getline(&line, &cap, stdin)) > 0;) {
        tree_node_vec nodes = {0};
        sto_bytes b = {(uint8_t *)line, 0};
        for (ssize_t i = 0; i + 1 < n && line[i] != '\n'; i += 2) {
            const char digits[] = {line[i], line[i + 1], '\0'};
            b.at[b.len++] = (uint8_t)strtoul(digits, NULL, 16);
        }
        if (!tree_unpack(b, &nodes))
            return 1;
        tree_count_all(&nodes, &c);
        tree_node_vec_fini(&nodes);
    }
    free(line);
    print_count(&c);
    printf("}\n");
    return 0;
}

static int cmd_clear(char **args)
{
    td_diag diag = {0};
    sto_link *l = open_campaign(args[0]);
    must(sto_leases_clear(l, &diag), &diag);
    printf("{}\n");
    sto_link_close(l);
    return 0;
}

/* Some at a time. */
static void add_findings(sto_link *l, tree_count *c)
{
    td_diag diag = {0};
    sto_news_vec news = {0};
    do {
        sto_news_fini(&news);
        must(sto_campaign_news(l, c->findings, &news, &diag), &diag);
        c->findings += news.len;
        for (size_t i = 0; i < news.len; i++) {
            const char *id = news.at[i].id;
            c->finding_digest = td_id_sum(c->finding_digest, td_id_hash(id, strlen(id)));
        }
    } while (news.len > 0);
}

static int cmd_total(char **args)
{
    td_diag diag = {0};
    sto_total t;
    sto_link *l = open_campaign(args[0]);
    must(sto_campaign_total(l, &t, &diag), &diag);
    tree_count c = {.nodes = t.sum.events,
                    .leaves = t.sum.traces,
                    .digest = t.sum.digest,
                    .leaf_digest = t.sum.trace_digest};
    add_findings(l, &c);
    print_count(&c);
    printf(", \"parts\": %" PRIu64 ", \"items\": %" PRIu64 ", \"parked\": %" PRIu64
           ", \"complete\": %s}\n",
           t.n_parts, t.n_items, t.n_parked, t.is_complete ? "true" : "false");
    sto_link_close(l);
    return 0;
}

/* ---- a worker ---- */

typedef struct slice {
    tree_node_vec stack;
    tree_count count;
    sto_news_vec news;
    sto_bytes pieces[MAX_PIECES];
    size_t n_pieces;
} slice;

static void slice_fini(slice *s)
{
    for (size_t i = 0; i < s->news.len; i++)
        td_free(s->news.at[i].id);
    sto_news_vec_fini(&s->news);
    for (size_t i = 0; i < s->n_pieces; i++)
        td_free(s->pieces[i].at);
    tree_node_vec_fini(&s->stack);
}

static void add_news(slice *s, tree_node n)
{
    static char empty[] = "";
    char id[24];
    tree_finding(n, id);
    sto_news_vec_push(&s->news, (sto_news){.id = td_strdup(id),
                                           .kind = empty,
                                           .file = empty,
                                           .function = empty,
                                           .message = empty,
                                           .recording = empty,
                                           .page = empty,
                                           .text = empty});
}

/* Visits so many nodes of the item; what is left is cut into pieces. */
static void work_on(slice *s, const sto_work *w, uint64_t n_nodes, size_t n_pieces)
{
    if (!tree_unpack(w->payload, &s->stack))
        exit(2);
    for (uint64_t i = 0; i < n_nodes && s->stack.len > 0; i++) {
        tree_node n = tree_node_vec_pop(&s->stack);
        if (tree_visit(n, &s->stack, &s->count))
            add_news(s, n);
    }
    if (n_pieces > s->stack.len)
        n_pieces = s->stack.len;
    for (s->n_pieces = 0; s->n_pieces < n_pieces; s->n_pieces++)
        s->pieces[s->n_pieces] = tree_pack(&s->stack, s->n_pieces, n_pieces);
}

static void fill_report(sto_report *r, const slice *s, const sto_work *w)
{
    r->item = w->item;
    r->token = w->token;
    r->is_done = true;
    r->part = (sto_part){.events = s->count.nodes,
                         .traces = s->count.leaves,
                         .digest = s->count.digest,
                         .trace_digest = s->count.leaf_digest,
                         .known = s->count.nodes,
                         .is_complete = true};
    r->children = s->pieces;
    r->n_children = s->n_pieces;
    r->keeps_first = s->n_pieces > 0;
    r->want = s->n_pieces == 0;
    r->news = s->news.at;
    r->n_news = s->news.len;
}

static void sleep_ms(uint64_t ms)
{
    struct timespec t = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000};
    nanosleep(&t, NULL);
}

static int cmd_work(char **args)
{
    uint64_t numbers[] = {300, 20, 1000, 0}, self, n_stale = 0, n_exchanges = 0;
    for (size_t i = 0; i < 4 && args[1 + i] != NULL; i++)
        numbers[i] = strtoull(args[1 + i], NULL, 10);
    td_diag diag = {0};
    td_rng rng = {(uint64_t)getpid()};
    sto_reply reply = {0};
    sto_link *l = open_campaign(args[0]);
    must(sto_link_join(l, "driver", &self, &diag), &diag);
    do {
        slice s = {0};
        sto_report r = {.worker = self, .lease_ms = (uint32_t)numbers[2], .want = 1};
        if (reply.work.len > 0) {
            bool is_hungry = reply.n_ready < 1 + reply.n_workers / 4;
            work_on(&s, &reply.work.at[0], numbers[0], is_hungry ? MAX_PIECES : 1);
            fill_report(&r, &s, &reply.work.at[0]);
        }
        sleep_ms(numbers[1]);
        sto_reply next;
        if (td_rng_below(&rng, 100) < numbers[3]) {
            must(sto_exchange(l, &r, &next, &diag), &diag);
            sto_reply_fini(&next); /* lost on its way */
        }
        must(sto_exchange(l, &r, &next, &diag), &diag);
        n_stale += next.is_stale;
        n_exchanges++;
        sto_reply_fini(&reply);
        slice_fini(&s);
        reply = next;
    } while (reply.n_left > 0 && !reply.is_stopped);
    sto_reply_fini(&reply);
    printf("{\"stale\": %" PRIu64 ", \"exchanges\": %" PRIu64 "}\n", n_stale,
           n_exchanges);
    sto_link_close(l);
    return 0;
}

/* ---- how long it takes ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* Each hands in an item with one child of 1,600 bytes and keeps it. */
static int cmd_bench(char **args)
{
    size_t n = strtoul(args[1], NULL, 10);
    double *us = td_alloc((n + 1) * sizeof *us);
    uint8_t *payload = td_alloc(1600);
    sto_bytes child = {payload, 1600};
    td_diag diag = {0};
    sto_reply reply;
    uint64_t self;
    sto_link *l = open_campaign(args[0]);
    must(sto_link_join(l, "bench", &self, &diag), &diag);
    sto_report r = {.worker = self, .lease_ms = 60000, .want = 1};
    must(sto_exchange(l, &r, &reply, &diag), &diag);
    double start = now_us();
    for (size_t i = 0; i < n && reply.work.len > 0; i++) {
        sto_report next = {.worker = self,
                           .lease_ms = 60000,
                           .item = reply.work.at[0].item,
                           .token = reply.work.at[0].token,
                           .is_done = true,
                           .part = {.events = 1, .is_complete = true},
                           .children = &child,
                           .n_children = 1,
                           .keeps_first = true};
        sto_reply_fini(&reply);
        double before = now_us();
        must(sto_exchange(l, &next, &reply, &diag), &diag);
        us[i] = now_us() - before;
    }
    double seconds = (now_us() - start) / 1e6;
    sto_reply_fini(&reply);
    qsort(us, n, sizeof *us, by_size);
    printf("{\"per_s\": %.0f, \"p50_us\": %.0f, \"p99_us\": %.0f}\n", (double)n / seconds,
           us[n / 2], us[n * 99 / 100]);
    td_free(us);
    td_free(payload);
    sto_link_close(l);
    return 0;
}

static const struct {
    const char *name;
    int n_args;
    int (*run)(char **args);
} commands[] = {
    {"init", 1, cmd_init},   {"make", 1, cmd_make},   {"begin", 3, cmd_begin},
    {"truth", 2, cmd_truth}, {"below", 0, cmd_below}, {"clear", 1, cmd_clear},
    {"work", 1, cmd_work},   {"total", 1, cmd_total}, {"bench", 2, cmd_bench},
};

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (argc > 1 && strcmp(argv[1], commands[i].name) == 0 &&
            argc - 2 >= commands[i].n_args)
            return commands[i].run(argv + 2);
    fprintf(stderr, "driver: see the top of driver.c\n");
    return 2;
}
