/* SPDX-License-Identifier: Apache-2.0 */
/* What a power failure leaves of session.db: powercut DIR N STEP.
 *
 * A process makes N exchanges and says after each how long the write-ahead log was when it was
 * answered, and ends without closing. Then the file with each prefix of the log (all of the last
 * exchange's writes in steps of STEP bytes, the ends of all others) is opened. What follows the
 * prefix is nothing, zeros, or noise: a disk may have made the file longer before it wrote it.
 * Before an exchange is answered, the whole log must have been synced: fdatasync and fsync of SQLite
 * come here first.
 * It must open; what was answered by then must be there, no more and no less; and parts and what
 * is left must be the whole tree. Prints how many were tried. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "exchange/tree.h"
#include "store/store.h"

enum { SEED = 3, SIZE = 40, NODES = 20, PIECES = 3, MAX_ACKS = 4096, LIMIT = 64 << 20 };

typedef struct ack {
    uint64_t log_size, nodes, parts, left;
} ack;

static void must(td_status status, const td_diag *diag, const char *when)
{
    if (status == TD_OK)
        return;
    printf("%s: %s\n", when, diag->text);
    exit(1);
}

static void require(bool holds, const char *what, uint64_t at)
{
    if (holds)
        return;
    printf("with %" PRIu64 " bytes of the log: %s\n", at, what);
    exit(1);
}

static char *path_of(const char *dir, const char *name)
{
    td_text path = {0};
    td_text_add(&path, "%s/%s", dir, name);
    return path.at;
}

static uint64_t size_of(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* ---- the process before the power failure ---- */

/* How long the file that was synced last was then. */
static uint64_t synced_size;

static void note_sync(int fd)
{
    struct stat st;
    if (fstat(fd, &st) == 0)
        synced_size = (uint64_t)st.st_size;
}

int fdatasync(int fd)
{
    note_sync(fd);
    return (int)syscall(SYS_fdatasync, fd);
}

int fsync(int fd)
{
    note_sync(fd);
    return (int)syscall(SYS_fsync, fd);
}

static void begin(const char *dir, sto_link **l, uint64_t *self)
{
    td_diag diag = {0};
    sto_session *s = NULL;
    char empty[] = "", *db = path_of(dir, "session.db");
    const sto_campaign c = {empty, empty, empty, empty, empty};
    tree_node_vec root = {0};
    uint64_t id;
    tree_root(SEED, SIZE, 0, &root);
    sto_bytes whole = tree_pack(&root, 0, 1);
    must(sto_session_create(dir, "tree", &s, &diag), &diag, "create");
    sto_session_close(s);
    must(sto_link_open(db, l, &diag), &diag, "open");
    must(sto_campaign_begin(*l, &c, whole, &id, &diag), &diag, "begin");
    must(sto_link_join(*l, "one", self, &diag), &diag, "join");
    td_free(whole.at);
    td_free(db);
    tree_node_vec_fini(&root);
}

static sto_reply exchange_once(sto_link *l, uint64_t self, const sto_reply *before)
{
    td_diag diag = {0};
    tree_node_vec stack = {0};
    tree_count count = {0};
    sto_bytes pieces[PIECES];
    sto_reply reply;
    sto_report r = {.worker = self, .lease_ms = 600000, .want = 1};
    if (before->work.len > 0) {
        if (!tree_unpack(before->work.at[0].payload, &stack))
            exit(1);
        for (int i = 0; i < NODES && stack.len > 0; i++)
            tree_visit(tree_node_vec_pop(&stack), &stack, &count);
        r.item = before->work.at[0].item;
        r.token = before->work.at[0].token;
        r.is_done = true;
        r.part = (sto_part){.events = count.nodes,
                            .digest = count.digest,
                            .is_complete = true};
        r.children = pieces;
        for (; r.n_children < PIECES && r.n_children < stack.len; r.n_children++)
            pieces[r.n_children] =
                tree_pack(&stack, r.n_children, stack.len < PIECES ? stack.len : PIECES);
    }
    must(sto_exchange(l, &r, &reply, &diag), &diag, "exchange");
    for (size_t i = 0; i < r.n_children; i++)
        td_free(pieces[i].at);
    tree_node_vec_fini(&stack);
    return reply;
}

/* acks[i]: after the i-th exchange. Does not return, and closes nothing. */
static void live(const char *dir, size_t n, ack *acks)
{
    td_diag diag = {0};
    sto_link *l;
    uint64_t self;
    sto_reply reply = {0};
    char *log = path_of(dir, "session.db-wal");
    begin(dir, &l, &self);
    for (size_t i = 0; i < n; i++) {
        sto_total t;
        sto_reply next = exchange_once(l, self, &reply);
        acks[i].log_size = size_of(log);
        require(synced_size == acks[i].log_size, "answered before it was synced",
                acks[i].log_size);
        must(sto_campaign_total(l, &t, &diag), &diag, "total");
        acks[i].nodes = t.sum.events;
        acks[i].parts = t.n_parts;
        acks[i].left = t.n_items;
        sto_reply_fini(&reply);
        reply = next;
    }
    _exit(0);
}

/* ---- after it ---- */

typedef struct remains {
    td_text db, log;
    const ack *acks;
    size_t n;
    tree_count truth;
    char *dir;
} remains;

/* The file as it was, the first bytes of the log, and something behind them. */
static void lay_out(const remains *r, uint64_t prefix, int tail)
{
    td_diag diag = {0};
    char *db = path_of(r->dir, "session.db"), *log = path_of(r->dir, "session.db-wal"),
         *index = path_of(r->dir, "session.db-shm");
    td_text bytes = {0};
    td_text_put(&bytes, r->log.at, prefix);
    td_rng rng = {prefix};
    for (int i = 0; tail > 0 && i < 9000; i++) {
        char c = tail == 1 ? 0 : (char)td_rng_next(&rng);
        td_text_put(&bytes, &c, 1);
    }
    unlink(index);
    must(td_file_write(db, r->db.at, r->db.len, &diag), &diag, "write");
    must(td_file_write(log, bytes.len > 0 ? bytes.at : "", bytes.len, &diag), &diag,
         "write");
    td_text_fini(&bytes);
    td_free(db);
    td_free(log);
    td_free(index);
}

/* All items that are left, counted here. */
static void count_left(sto_link *l, tree_count *count)
{
    td_diag diag = {0};
    sto_reply reply;
    uint64_t self;
    must(sto_leases_clear(l, &diag), &diag, "clear");
    must(sto_link_join(l, "after", &self, &diag), &diag, "join");
    sto_report r = {.worker = self, .lease_ms = 1000, .want = STO_MAX_WANT};
    must(sto_exchange(l, &r, &reply, &diag), &diag, "exchange");
    for (size_t i = 0; i < reply.work.len; i++) {
        tree_node_vec nodes = {0};
        if (!tree_unpack(reply.work.at[i].payload, &nodes))
            exit(1);
        tree_count_all(&nodes, count);
        tree_node_vec_fini(&nodes);
    }
    sto_reply_fini(&reply);
}

static void check(const remains *r, uint64_t prefix)
{
    td_diag diag = {0};
    sto_link *l = NULL;
    sto_campaign c;
    sto_total t;
    sto_past past;
    size_t k = 0;
    char *db = path_of(r->dir, "session.db");
    while (k < r->n && r->acks[k].log_size <= prefix)
        k++;
    must(sto_link_open(db, &l, &diag), &diag, "opening a prefix");
    must(sto_campaign_open(l, 0, &c, &diag), &diag, "finding the campaign of a prefix");
    must(sto_campaign_total(l, &t, &diag), &diag, "reading a prefix");
    must(sto_past_read(r->dir, &past, &diag), &diag, "reading a session of a prefix");
    const ack *last = k > 0 ? &r->acks[k - 1] : NULL;
    require(last == NULL || t.sum.events == last->nodes, "other nodes", prefix);
    require(last == NULL || t.n_parts == last->parts, "other parts", prefix);
    require(last == NULL || t.n_items == last->left, "other items", prefix);
    tree_count all = {.nodes = t.sum.events, .digest = t.sum.digest};
    count_left(l, &all);
    require(all.nodes == r->truth.nodes && td_id_equal(all.digest, r->truth.digest),
            "parts and what is left are not the whole tree", prefix);
    sto_past_fini(&past);
    sto_campaign_fini(&c);
    sto_link_close(l);
    td_free(db);
}

static uint64_t try_all(const remains *r, uint64_t step)
{
    uint64_t n = 0;
    uint64_t last = r->acks[r->n - 1].log_size, before = r->acks[r->n - 2].log_size;
    for (size_t i = 0; i < r->n; i++)
        for (int d = -1; d <= 1; d++, n++) {
            if (r->acks[i].log_size + (uint64_t)d > last)
                continue;
            lay_out(r, r->acks[i].log_size + (uint64_t)d, d + 1);
            check(r, r->acks[i].log_size + (uint64_t)d);
        }
    for (uint64_t prefix = before; prefix <= last; prefix += step, n++) {
        lay_out(r, prefix, (int)(prefix / step % 3));
        check(r, prefix);
    }
    return n;
}

static void run_and_die(const char *dir, size_t n, ack *acks)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        live(dir, n, acks);
    if (waitpid(child, &status, 0) != child || status != 0)
        exit(1);
}

int main(int argc, char **argv)
{
    td_diag diag = {0};
    remains r = {0};
    tree_node_vec root = {0};
    if (argc != 4)
        return 2;
    ack *acks = mmap(NULL, MAX_ACKS * sizeof *acks, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    r.n = strtoul(argv[2], NULL, 10);
    if (acks == MAP_FAILED || r.n < 2 || r.n > MAX_ACKS)
        return 2;
    run_and_die(argv[1], r.n, acks);
    tree_root(SEED, SIZE, 0, &root);
    tree_count_all(&root, &r.truth);
    char *db = path_of(argv[1], "session.db"), *log = path_of(argv[1], "session.db-wal");
    must(td_file_read(db, LIMIT, &r.db, &diag), &diag, "read");
    must(td_file_read(log, LIMIT, &r.log, &diag), &diag, "read");
    r.acks = acks;
    r.dir = path_of(argv[1], "after");
    require(mkdir(r.dir, 0777) == 0, "no directory", 0);
    printf("%" PRIu64 " prefixes of a log of %zu bytes\n",
           try_all(&r, strtoull(argv[3], NULL, 10)), r.log.len);
    td_text_fini(&r.db);
    td_text_fini(&r.log);
    tree_node_vec_fini(&root);
    td_free(r.dir);
    td_free(db);
    td_free(log);
    return 0;
}
