/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as session.db give what a session left or a sentence, for those who read it and for
 * workers. An input changes a session with a campaign and its log: each change is a byte (which file,
 * or 3: the rest is the whole file), an offset of three bytes, a length, and its bytes. What a search that samples
 * left there is taken up by one, as far as it can be read; so are the bytes of the input themselves. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "explore/core/explore.h"
#include "explore/guided/saved.h"
#include "store/exchange/exchange.h"
#include "store/store.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_FILES = 2, LIMIT = 16 << 20 };
static const char *const names[N_FILES] = {"session.db", "session.db-wal"};

typedef struct bench {
    char dir[64];
    td_text files[N_FILES]; /* as they were made */
} bench;

static char *path_of(const bench *b, const char *name)
{
    td_text path = {0};
    td_text_add(&path, "%s/%s", b->dir, name);
    return path.at;
}

/* ---- the session that is changed ---- */

static void use_campaign(sto_link *l, uint64_t self)
{
    char text[] = "text", payload[] = "payload";
    sto_bytes children[] = {{(uint8_t *)payload, 7}, {(uint8_t *)payload, 3}};
    sto_news news = {text, text, text, text, text, 7, text, text, text};
    sto_report r = {.worker = self, .lease_ms = 1000, .want = 1};
    sto_reply first, second;
    require(sto_exchange(l, &r, &first, NULL) == TD_OK && first.work.len == 1);
    r.item = first.work.at[0].item;
    r.token = first.work.at[0].token;
    r.is_done = true;
    r.part = (sto_part){.events = 1, .digest = {1, 2}, .is_complete = true};
    r.children = children;
    r.n_children = 2;
    r.keeps_first = true;
    r.news = &news;
    r.n_news = 1;
    require(sto_exchange(l, &r, &second, NULL) == TD_OK && !second.is_stale);
    sto_reply_fini(&first);
    sto_reply_fini(&second);
}

/* Two pairs, a side, and a lead with a target pair, a step and an input. */
static const uint8_t known[] = {2, 9, 5, 8, 2, 3, 5, 4, 7, 1, 0, 9, 0, 0, 0,
                                4, 1, 6, 1, 2, 3, 1, 1, 3, 1, 1, 2, 1, 1, 2,
                                3, 4, 5, 6, 7, 8, 9, 1, 8, 2, 2, 1, 6};

static void save_search(sto_session *s)
{
    char text[] = "text";
    sto_saved saved = {.search = text,
                       .build_id = text,
                       .command = text,
                       .options = text,
                       .state = (uint8_t *)known,
                       .n_state = sizeof known};
    xpl_saved read;
    require(xpl_saved_read(known, sizeof known, &read, NULL) == TD_OK);
    xpl_saved_fini(&read);
    require(sto_session_save(s, &saved, NULL) == TD_OK);
}

static void make_session(const bench *b)
{
    sto_session *s = NULL;
    sto_link *l = NULL;
    uint64_t id, self;
    char empty[] = "", *db = path_of(b, names[0]);
    const sto_campaign c = {empty, empty, empty, empty, empty};
    sto_bytes whole = {(uint8_t *)empty, 0};
    require(sto_session_create(b->dir, "fuzz", &s, NULL) == TD_OK);
    require(sto_session_fact(s, "verdict", "complete", NULL) == TD_OK);
    save_search(s);
    sto_session_close(s);
    require(sto_link_open(db, &l, NULL) == TD_OK);
    require(sto_campaign_begin(l, &c, whole, &id, NULL) == TD_OK);
    require(sto_link_join(l, "one", &self, NULL) == TD_OK);
    use_campaign(l, self);
    /* Ends without closing: the log stays. */
}

static void bench_fill(bench *b)
{
    int status = -1;
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(b->dir, sizeof b->dir, "%s/treadle-fuzz.XXXXXX", base);
    require(mkdtemp(b->dir) != NULL);
    pid_t child = fork();
    if (child == 0) {
        make_session(b);
        _exit(0);
    }
    require(waitpid(child, &status, 0) == child && status == 0);
    for (int i = 0; i < N_FILES; i++) {
        char *path = path_of(b, names[i]);
        require(td_file_read(path, LIMIT, &b->files[i], NULL) == TD_OK);
        td_free(path);
    }
}

/* ---- an input ---- */

static void change(td_text *files, const uint8_t *data, size_t size)
{
    while (size >= 5) {
        size_t at = (size_t)data[1] << 16 | (size_t)data[2] << 8 | data[3], len = data[4];
        unsigned which = data[0] % 4;
        if (which == 3) {
            td_text_clear(&files[0]);
            td_text_put(&files[0], (const char *)data + 1, size - 1);
            return;
        }
        data += 5;
        size -= 5;
        if (len > size)
            len = size;
        td_text *file = &files[which % N_FILES];
        if (file->len > 0 && which == 2) /* cut */
            file->len = at % file->len;
        else if (file->len > len)
            memcpy(file->at + at % (file->len - len), data, len);
        data += len;
        size -= len;
    }
}

static void write_files(const bench *b, const uint8_t *data, size_t size)
{
    td_text files[N_FILES] = {{0}};
    char *index = path_of(b, "session.db-shm");
    unlink(index);
    td_free(index);
    for (int i = 0; i < N_FILES; i++)
        td_text_put(&files[i], b->files[i].at, b->files[i].len);
    change(files, data, size);
    for (int i = 0; i < N_FILES; i++) {
        char *path = path_of(b, names[i]);
        require(td_file_write(path, files[i].len > 0 ? files[i].at : "", files[i].len,
                              NULL) == TD_OK);
        td_free(path);
        td_text_fini(&files[i]);
    }
}

/* Good or a sentence. */
static int is_good(td_status status, td_diag *diag)
{
    require((status == TD_OK) == (diag->text[0] == '\0'));
    diag->text[0] = '\0';
    return status == TD_OK;
}

static void read_past(const bench *b)
{
    td_diag diag = {0};
    sto_past past;
    if (is_good(sto_past_read(b->dir, &past, &diag), &diag))
        sto_past_fini(&past);
}

/* A search goes on with the bytes, or says why not; what it knows then has one way to be written. */
static void take_up(const uint8_t *at, size_t len)
{
    const xpl_search *guided = xpl_search_find("guided");
    xpl *x = guided->new (&(xpl_opts){.seed = 1, .runs = 100});
    td_diag diag = {0};
    xpl_job job;
    if (is_good(guided->load(x, at, len, &diag), &diag)) {
        xpl_byte_vec again = {0};
        guided->save(x, &again);
        require(again.len == len && memcmp(again.at, at, len) == 0);
        xpl_byte_vec_fini(&again);
        while (guided->next(x, &job))
            require(job.n_steps <= XPL_MAX_ENTRY_OPS + 2 * XPL_MAX_TARGETS);
    }
    guided->free(x);
}

static void read_saved(const bench *b)
{
    td_diag diag = {0};
    sto_session *s = NULL;
    sto_saved saved;
    if (!is_good(sto_session_open(b->dir, &s, &diag), &diag))
        return;
    if (is_good(sto_session_saved(s, &saved, &diag), &diag)) {
        take_up(saved.state, saved.n_state);
        sto_saved_fini(&saved);
    }
    sto_session_close(s);
}

static void read_results(sto_link *l)
{
    td_diag diag = {0};
    sto_total total;
    sto_news_vec news;
    sto_worker_vec workers;
    sto_bytes promoted;
    is_good(sto_campaign_total(l, &total, &diag), &diag);
    if (is_good(sto_campaign_news(l, 0, &news, &diag), &diag))
        sto_news_fini(&news);
    if (is_good(sto_campaign_workers(l, &workers, &diag), &diag))
        sto_workers_fini(&workers);
    if (is_good(sto_campaign_promoted(l, &promoted, &diag), &diag))
        td_free(promoted.at);
}

static void work(sto_link *l)
{
    td_diag diag = {0};
    sto_reply reply;
    uint64_t self = 0;
    if (!is_good(sto_link_join(l, "two", &self, &diag), &diag) || self == 0)
        return;
    sto_report r = {.worker = self, .lease_ms = 1000, .want = 3};
    if (!is_good(sto_exchange(l, &r, &reply, &diag), &diag))
        return;
    for (size_t i = 0; i < reply.work.len; i++)
        require(reply.work.at[i].payload.len <= STO_MAX_PAYLOAD);
    sto_reply_fini(&reply);
}

static bench b; /* of all inputs of the process */

static void clean_up(void)
{
    static const char *const all[] = {"session.db", "session.db-wal", "session.db-shm",
                                      "session.db-journal"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char *path = path_of(&b, all[i]);
        unlink(path);
        td_free(path);
    }
    rmdir(b.dir);
    for (int i = 0; i < N_FILES; i++)
        td_text_fini(&b.files[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    td_diag diag = {0};
    sto_link *l = NULL;
    sto_campaign c;
    if (b.dir[0] == '\0') {
        bench_fill(&b);
        atexit(clean_up);
    }
    take_up(data, size);
    write_files(&b, data, size);
    read_past(&b);
    read_saved(&b);
    write_files(&b, data, size); /* to open it for writing may change it */
    char *db = path_of(&b, names[0]);
    if (is_good(sto_link_open(db, &l, &diag), &diag)) {
        if (is_good(sto_campaign_open(l, 0, &c, &diag), &diag)) {
            sto_campaign_fini(&c);
            read_results(l);
            work(l);
        }
        sto_link_close(l);
    }
    td_free(db);
    return 0;
}
