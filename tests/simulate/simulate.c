/* SPDX-License-Identifier: Apache-2.0 */
/* Many workers in simulated time, with the real exchange: simulate DIR [NAME=VALUE ...].
 *
 * Workers count a tree whose every node is a run of some length. Reports are lost, doubled, late and
 * torn on their way, answers are lost, workers die. Each command that arrives is a sto_exchange on
 * session.db (in DIR), with a clock that shows simulated time; a server with some cores and a service
 * time is in between. At the end every node must have been counted once. Prints one line of JSON with
 * what was seen and what the model of docs/parallel.md expects.
 *
 * A torn message is one whose connection broke on the way: a request that was not executed, or an
 * answer that was not read. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "exchange/tree.h"
#include "store/exchange/exchange_int.h"
#include "store/store.h"

#define MAX_PIECES 8u
#define MAX_CORES 64u

/* Times in microseconds, shares in thousandths. */
#define PARAMETERS(X)                                                                    \
    X(workers, 1000)                                                                     \
    X(seed, 1)                                                                           \
    X(roots, 2)                                                                          \
    X(level, 4)                                                                          \
    X(run_us, 10000)                                                                     \
    X(slice_us, 2000000)                                                                 \
    X(hungry_slice_us, 200000)                                                           \
    X(lease_us, 10000000)                                                                \
    X(ready, 500)                                                                        \
    X(poll_us, 200000)                                                                   \
    X(timeout_us, 300000)                                                                \
    X(rtt_us, 500)                                                                       \
    X(service_us, 450)                                                                   \
    X(cores, 4)                                                                          \
    X(lost, 50)                                                                          \
    X(doubled, 50)                                                                       \
    X(late, 10)                                                                          \
    X(torn, 10)                                                                          \
    X(deaths_per_minute, 10)                                                             \
    X(restart_us, 5000000)                                                               \
    X(graded, 1)

typedef struct params {
#define FIELD(name, value) uint64_t name;
    PARAMETERS(FIELD)
} params;

/* ---- messages ---- */

typedef struct message {
    uint32_t refs; /* events that hold it, and the worker that waits */
    uint64_t seen;
    sto_report report;
    sto_bytes pieces[MAX_PIECES];
} message;

static void message_drop(message *m)
{
    if (m == NULL || --m->refs > 0)
        return;
    for (size_t i = 0; i < m->report.n_children; i++)
        td_free(m->pieces[i].at);
    td_free(m);
}

/* ---- events ---- */

typedef enum kind { START, DONE, ARRIVE, EXECUTE, ANSWER, TIMEOUT, POLL, DEATH } kind;

typedef struct event {
    uint64_t us, order;
    kind kind;
    uint32_t worker,
        life; /* what was meant for an earlier life of the worker is nothing */
    uint64_t call;
    message *message;
    sto_reply *reply;
} event;
TD_VEC(event, event_vec);

static bool is_before(const event *a, const event *b)
{
    return a->us != b->us ? a->us < b->us : a->order < b->order;
}

static void heap_push(event_vec *h, event e)
{
    event_vec_push(h, e);
    for (size_t i = h->len - 1; i > 0 && is_before(&h->at[i], &h->at[(i - 1) / 2]);
         i = (i - 1) / 2) {
        event swap = h->at[i];
        h->at[i] = h->at[(i - 1) / 2];
        h->at[(i - 1) / 2] = swap;
    }
}

static event heap_pop(event_vec *h)
{
    event first = h->at[0], last = event_vec_pop(h);
    size_t i = 0;
    while (h->len > 0) {
        size_t least = 2 * i + 1;
        if (least >= h->len)
            break;
        if (least + 1 < h->len && is_before(&h->at[least + 1], &h->at[least]))
            least++;
        if (!is_before(&h->at[least], &last))
            break;
        h->at[i] = h->at[least];
        i = least;
    }
    if (h->len > 0)
        h->at[i] = last;
    return first;
}

/* ---- the world ---- */

typedef struct worker {
    uint32_t life;
    bool is_alive, has_ended;
    uint64_t id, calls, seen;
    message *waits_for; /* its report that has not been answered */
    tree_node_vec stack;
    tree_count count;
    uint64_t item, token, busy_us;
    uint64_t poll_us;  /* it waited last for an item; 0: it got one */
    uint64_t lease_us; /* of the item it asks for, or has */
    size_t n_pieces;
    size_t n_least; /* nodes of a piece, if there are several */
} worker;

typedef struct world {
    params p;
    uint64_t us, n_events, done_us;
    td_rng rng;
    event_vec events;
    worker *workers;
    uint64_t free_us[MAX_CORES]; /* of the server's cores */
    sto_link *link;
    bool is_over;
    /* What was seen: */
    uint64_t exchanges, hungry, stale, lost, doubled, deaths, busy_us, bytes, peak;
    uint64_t second, in_second, idle_us;
    uint64_t n_counted, n_all, early_us,
        late_us; /* when 5 and 95 of 100 runs were counted */
} world;

static uint64_t world_clock(void *of)
{
    return ((world *)of)->us / 1000;
}

static bool happens(world *w, uint64_t thousandths)
{
    return td_rng_below(&w->rng, 1000) < thousandths;
}

static void later(world *w, uint64_t after_us, event e)
{
    e.us = w->us + after_us;
    e.order = w->n_events++;
    if (e.message != NULL)
        e.message->refs++;
    heap_push(&w->events, e);
}

static void must(td_status status, const td_diag *diag)
{
    if (status == TD_OK)
        return;
    printf("%s\n", diag->text);
    exit(1);
}

/* ---- a worker ---- */

static void send(world *w, uint32_t at)
{
    worker *k = &w->workers[at];
    message *m = k->waits_for;
    event arrive = {
        .kind = ARRIVE, .worker = at, .life = k->life, .call = ++k->calls, .message = m};
    event timeout = {.kind = TIMEOUT, .worker = at, .life = k->life, .call = k->calls};
    uint64_t delay = w->p.rtt_us / 2;
    later(w, w->p.timeout_us, timeout);
    if (happens(w, w->p.doubled)) {
        w->doubled++;
        later(w, delay + td_rng_below(&w->rng, 2 * w->p.lease_us), arrive);
    }
    if (happens(w, w->p.lost / 2) || happens(w, w->p.torn / 2)) {
        w->lost++;
        return;
    }
    if (happens(w, w->p.late))
        delay += td_rng_below(&w->rng, 3 * w->p.lease_us);
    later(w, delay, arrive);
}

static message *message_new(const worker *k, const params *p)
{
    message *m = td_alloc(sizeof *m);
    m->refs = 1;
    m->seen = k->seen;
    TD_ASSERT(k->lease_us > 0 && k->lease_us <= p->lease_us);
    m->report = (sto_report){.worker = k->id,
                             .lease_ms = (uint32_t)(k->lease_us / 1000),
                             .want = 1};
    return m;
}

static void ask(world *w, uint32_t at)
{
    worker *k = &w->workers[at];
    k->waits_for = message_new(k, &w->p);
    send(w, at);
}

static void hand_in(world *w, uint32_t at)
{
    worker *k = &w->workers[at];
    message *m = k->waits_for = message_new(k, &w->p);
    sto_report *r = &m->report;
    size_t most = k->stack.len / k->n_least;
    size_t n = k->n_pieces < most ? k->n_pieces : most > 0 ? most : k->stack.len > 0;
    for (size_t i = 0; i < n; i++)
        m->pieces[i] = tree_pack(&k->stack, i, n);
    r->item = k->item;
    r->token = k->token;
    r->is_done = true;
    r->part = (sto_part){.events = k->count.nodes,
                         .traces = k->count.leaves,
                         .digest = k->count.digest,
                         .trace_digest = k->count.leaf_digest,
                         .known = k->count.nodes,
                         .is_complete = true};
    r->children = m->pieces;
    r->n_children = n;
    r->keeps_first = n > 0;
    r->want = n == 0;
    w->busy_us += k->busy_us;
    k->busy_us = 0;
    send(w, at);
}

/* How a worker goes about an item. */
typedef struct pace {
    uint64_t slice_us;
    size_t n_pieces; /* that what is left then is cut into, ... */
    size_t n_least;  /* ... of at least so many nodes */
    size_t n_enough; /* so many nodes end the slice early; 0: none do */
} pace;

/* Short slices and many pieces while there is too little for all. */
static pace pace_of_two(const params *p, bool is_hungry)
{
    return is_hungry ? (pace){p->hungry_slice_us, MAX_PIECES, 1, 0}
                     : (pace){p->slice_us, 1, 1, 0};
}

/* While fewer than half of the workers have something, an item is cut as soon as it can be. Later most
 * pieces of a single node would end with it, and each costs an exchange. A lease lasts as long as the
 * slice lets expect, so that a worker that dies in a short one is soon missed. */
enum { LEASES = 5, LEAST = 8 };

static pace pace_graded(const params *p, const sto_reply *reply, bool is_hungry)
{
    pace next = pace_of_two(p, is_hungry);
    if (reply->n_ready == 0 && reply->n_left < reply->n_workers / 2)
        next.n_enough = next.n_pieces;
    else
        next.n_least = LEAST;
    return next;
}

static pace pace_for(world *w, worker *k, const sto_reply *reply)
{
    const params *p = &w->p;
    bool is_hungry = reply->n_ready < 1 + reply->n_workers * p->ready / 1000;
    w->hungry += is_hungry;
    if (!p->graded)
        return pace_of_two(p, is_hungry);
    pace next = pace_graded(p, reply, is_hungry);
    uint64_t most_us = k->lease_us / LEASES; /* of the item that it got */
    uint64_t wanted_us = next.slice_us * 2 * LEASES;
    if (next.slice_us > most_us)
        next.slice_us = most_us;
    uint64_t least_us = p->hungry_slice_us * LEASES + 3 * p->timeout_us;
    k->lease_us = wanted_us < least_us ? least_us : wanted_us;
    if (k->lease_us > p->lease_us)
        k->lease_us = p->lease_us;
    return next;
}

static void work_on(world *w, uint32_t at, const sto_reply *reply)
{
    worker *k = &w->workers[at];
    pace how = pace_for(w, k, reply);
    k->poll_us = 0;
    k->n_least = how.n_least;
    k->count = (tree_count){0};
    k->item = reply->work.at[0].item;
    k->token = reply->work.at[0].token;
    k->n_pieces = how.n_pieces;
    tree_node_vec_clear(&k->stack);
    if (!tree_unpack(reply->work.at[0].payload, &k->stack))
        exit(1);
    for (k->busy_us = 0; k->busy_us < how.slice_us && k->stack.len > 0;
         k->busy_us += w->p.run_us) {
        if (how.n_enough > 0 && k->stack.len >= how.n_enough && k->busy_us > 0)
            break;
        tree_visit(tree_node_vec_pop(&k->stack), &k->stack, &k->count);
    }
    later(w, k->busy_us, (event){.kind = DONE, .worker = at, .life = k->life});
}

static void take_answer(world *w, const event *e)
{
    worker *k = &w->workers[e->worker];
    if (k->waits_for == NULL || k->calls != e->call)
        return;
    message_drop(k->waits_for);
    k->waits_for = NULL;
    k->seen = e->call;
    if (e->reply->n_left == 0) {
        w->is_over = k->has_ended = true;
        w->done_us = w->us;
    } else if (e->reply->work.len > 0) {
        work_on(w, e->worker, e->reply);
    } else {
        uint64_t most_us = w->p.graded ? 4 * w->p.poll_us : w->p.poll_us;
        k->poll_us = k->poll_us == 0 ? w->p.poll_us : 2 * k->poll_us;
        if (k->poll_us > most_us)
            k->poll_us = most_us;
        w->idle_us += k->poll_us;
        later(w, k->poll_us, (event){.kind = POLL, .worker = e->worker, .life = k->life});
    }
}

static void start(world *w, uint32_t at)
{
    td_diag diag = {0};
    worker *k = &w->workers[at];
    must(sto_link_join(w->link, "simulated", &k->id, &diag), &diag);
    k->is_alive = true;
    k->calls = k->seen = 0;
    k->lease_us = w->p.graded ? w->p.hungry_slice_us * 2 * LEASES : w->p.lease_us;
    ask(w, at);
}

static void die(world *w)
{
    uint32_t at = (uint32_t)td_rng_below(&w->rng, w->p.workers);
    worker *k = &w->workers[at];
    later(w, 60000000 / w->p.deaths_per_minute, (event){.kind = DEATH});
    if (!k->is_alive || k->has_ended)
        return;
    w->deaths++;
    message_drop(k->waits_for);
    k->waits_for = NULL;
    k->is_alive = false;
    k->busy_us = 0;
    k->life++;
    later(w, w->p.restart_us, (event){.kind = START, .worker = at, .life = k->life});
}

/* ---- the server ---- */

static void queue_up(world *w, const event *e)
{
    uint64_t *core = &w->free_us[0];
    for (uint64_t i = 1; i < w->p.cores; i++)
        if (w->free_us[i] < *core)
            core = &w->free_us[i];
    *core = (*core > w->us ? *core : w->us) + w->p.service_us;
    event execute = *e;
    execute.kind = EXECUTE;
    later(w, *core - w->us, execute);
}

static void note_exchange(world *w, const sto_report *r, const sto_reply *reply)
{
    if (w->us / 1000000 != w->second) {
        w->second = w->us / 1000000;
        w->in_second = 0;
    }
    w->exchanges++;
    w->stale += reply->is_stale;
    if (r->is_done && !reply->is_stale)
        w->n_counted += r->part.events;
    if (w->n_counted < w->n_all / 20)
        w->early_us = w->us;
    if (w->n_counted < w->n_all - w->n_all / 20)
        w->late_us = w->us;
    if (++w->in_second > w->peak)
        w->peak = w->in_second;
    for (size_t i = 0; i < r->n_children; i++)
        w->bytes += r->children[i].len;
    for (size_t i = 0; i < reply->work.len; i++)
        w->bytes += reply->work.at[i].payload.len;
    w->bytes += 400; /* the rest of a call and its answer */
}

static void execute(world *w, const event *e)
{
    td_diag diag = {0};
    sto_reply *reply = td_alloc(sizeof *reply);
    w->link->calls = e->call - 1;
    w->link->seen = e->message->seen;
    must(sto_exchange(w->link, &e->message->report, reply, &diag), &diag);
    note_exchange(w, &e->message->report, reply);
    if (happens(w, w->p.lost / 2) || happens(w, w->p.torn / 2)) {
        w->lost++;
        sto_reply_fini(reply);
        td_free(reply);
        return;
    }
    later(w, w->p.rtt_us / 2,
          (event){.kind = ANSWER,
                  .worker = e->worker,
                  .life = e->life,
                  .call = e->call,
                  .reply = reply});
}

/* ---- time ---- */

static void happen(world *w, const event *e)
{
    worker *k = &w->workers[e->worker];
    bool is_current = e->life == k->life;
    switch (e->kind) {
    case START:
        if (is_current)
            start(w, e->worker);
        break;
    case DONE:
        if (is_current)
            hand_in(w, e->worker);
        break;
    case POLL:
        if (is_current)
            ask(w, e->worker);
        break;
    case TIMEOUT:
        if (is_current && k->waits_for != NULL && k->calls == e->call)
            send(w, e->worker);
        break;
    case ANSWER:
        if (is_current)
            take_answer(w, e);
        break;
    case ARRIVE:
        queue_up(w, e);
        break;
    case EXECUTE:
        execute(w, e);
        break;
    case DEATH:
        die(w);
        break;
    }
}

static void run(world *w)
{
    for (uint32_t i = 0; i < w->p.workers; i++)
        later(w, td_rng_below(&w->rng, 1000000), (event){.kind = START, .worker = i});
    if (w->p.deaths_per_minute > 0)
        later(w, 1000000, (event){.kind = DEATH});
    while (!w->is_over) {
        event e = heap_pop(&w->events);
        w->us = e.us;
        happen(w, &e);
        message_drop(e.message);
        if (e.reply != NULL)
            sto_reply_fini(e.reply);
        td_free(e.reply);
    }
}

/* What is still on its way when the campaign is over must change nothing. */
static void drain(world *w)
{
    while (w->events.len > 0) {
        event e = heap_pop(&w->events);
        if (e.kind == ARRIVE || e.kind == EXECUTE) {
            td_diag diag = {0};
            sto_reply reply;
            w->us = e.us;
            w->link->calls = e.call - 1;
            w->link->seen = e.message->seen;
            must(sto_exchange(w->link, &e.message->report, &reply, &diag), &diag);
            sto_reply_fini(&reply);
        }
        message_drop(e.message);
        if (e.reply != NULL)
            sto_reply_fini(e.reply);
        td_free(e.reply);
    }
}

/* ---- the model ---- */

/* docs/parallel.md. A slice and its exchange take a cycle; with some probability an answer is waited for
 * in vain. Work grows by MAX_PIECES per hungry cycle at the start; at the end somebody still has a whole
 * slice to go, then it shrinks as it grew; a worker that dies then keeps its item for a lease. */
static double model_s(const params *p, double ideal_s)
{
    double vain = (double)(p->lost + p->torn + p->late) / 1000;
    double timeout = (double)p->timeout_us / 1e6, service = (double)p->service_us / 1e6;
    double wait = (double)p->rtt_us / 1e6 + service + vain / (1 - vain) * timeout;
    double slice = (double)p->slice_us / 1e6, hungry = (double)p->hungry_slice_us / 1e6;
    double saturated = (double)p->workers * service / (double)p->cores;
    double cycle = fmax(slice + wait, saturated);
    double short_cycle = fmax(hungry + wait, saturated);
    double deaths_per_s = (double)p->deaths_per_minute / 60;
    double died =
        deaths_per_s * (slice / 2 + (double)p->restart_us / 1e6) / (double)p->workers;
    double levels = log((double)p->workers) / log(MAX_PIECES);
    double ramp = 0.5 + levels * short_cycle;
    double tail = slice + levels * short_cycle + (double)p->poll_us / 1e6;
    tail += (double)p->lease_us / 1e6 * (1 - exp(-deaths_per_s * tail));
    return ideal_s * cycle / slice * (1 + died) + ramp + tail;
}

/* ---- */

static void set(params *p, const char *word)
{
#define SET(name, value)                                                                 \
    if (strncmp(word, #name "=", sizeof #name) == 0) {                                   \
        p->name = strtoull(word + sizeof #name, NULL, 10);                               \
        return;                                                                          \
    }
    PARAMETERS(SET)
    fprintf(stderr, "simulate: what is '%s'?\n", word);
    exit(2);
}

static void begin(world *w, const char *dir, tree_count *truth)
{
    td_diag diag = {0};
    sto_session *s = NULL;
    tree_node_vec root = {0};
    td_text path = {0};
    uint64_t id;
    char empty[] = "";
    const sto_campaign c = {empty, empty, empty, empty, empty};
    tree_root(w->p.seed, (uint32_t)w->p.roots, (unsigned)w->p.level, &root);
    tree_count_all(&root, truth);
    w->n_all = truth->nodes;
    sto_bytes whole = tree_pack(&root, 0, 1);
    td_text_add(&path, "%s/session.db", dir);
    must(sto_session_create(dir, "simulate", &s, &diag), &diag);
    sto_session_close(s);
    must(sto_link_open(path.at, &w->link, &diag), &diag);
    w->link->clock = world_clock;
    w->link->clock_of = w;
    must(sto_campaign_begin(w->link, &c, whole, &id, &diag), &diag);
    td_free(whole.at);
    td_text_fini(&path);
    tree_node_vec_fini(&root);
}

static int judge(world *w, const tree_count *truth)
{
    td_diag diag = {0};
    sto_total t;
    must(sto_campaign_total(w->link, &t, &diag), &diag);
    bool is_exact = t.is_complete && t.sum.events == truth->nodes &&
                    t.sum.traces == truth->leaves &&
                    td_id_equal(t.sum.digest, truth->digest) &&
                    td_id_equal(t.sum.trace_digest, truth->leaf_digest);
    double seconds = (double)w->done_us / 1e6;
    double ideal =
        (double)truth->nodes * (double)w->p.run_us / 1e6 / (double)w->p.workers;
    double expected = model_s(&w->p, ideal);
    printf("{\"exact\": %s, \"workers\": %" PRIu64 ", \"runs\": %" PRIu64
           ", \"seconds\": %.1f, \"ideal_s\": %.1f, \"efficiency\": %.3f,"
           " \"model_s\": %.1f, \"model_efficiency\": %.3f, \"exchanges\": %" PRIu64
           ", \"per_s\": %.0f, \"peak_per_s\": %" PRIu64 ", \"bytes_per_s\": %.0f"
           ", \"stale\": %" PRIu64 ", \"lost\": %" PRIu64 ", \"doubled\": %" PRIu64
           ", \"deaths\": %" PRIu64 ", \"parked\": %" PRIu64 ", \"repeated\": %.4f"
           ", \"first_20th_s\": %.1f, \"last_20th_s\": %.1f, \"idle\": %.3f}\n",
           is_exact ? "true" : "false", w->p.workers, truth->nodes, seconds, ideal,
           ideal / seconds, expected, ideal / expected, w->exchanges,
           (double)w->exchanges / seconds, w->peak, (double)w->bytes / seconds, w->stale,
           w->lost, w->doubled, w->deaths, t.n_parked,
           (double)w->busy_us / ((double)truth->nodes * (double)w->p.run_us) - 1,
           (double)w->early_us / 1e6, seconds - (double)w->late_us / 1e6,
           (double)w->idle_us / 1e6 / ((double)w->p.workers * seconds));
    return is_exact ? 0 : 1;
}

int main(int argc, char **argv)
{
    world w = {0};
    tree_count truth = {0};
#define DEFAULT(name, value) w.p.name = value;
    PARAMETERS(DEFAULT)
    if (argc < 2)
        return 2;
    for (int i = 2; i < argc; i++)
        set(&w.p, argv[i]);
    TD_ASSERT(w.p.cores >= 1 && w.p.cores <= MAX_CORES && w.p.workers >= 1);
    w.rng.state = w.p.seed;
    w.workers = td_alloc(w.p.workers * sizeof *w.workers);
    begin(&w, argv[1], &truth);
    run(&w);
    drain(&w);
    int code = judge(&w, &truth);
    for (uint64_t i = 0; i < w.p.workers; i++) {
        message_drop(w.workers[i].waits_for);
        tree_node_vec_fini(&w.workers[i].stack);
    }
    event_vec_fini(&w.events);
    td_free(w.workers);
    sto_link_close(w.link);
    return code;
}
