/* SPDX-License-Identifier: Apache-2.0 */
/* The executor: the queue of jobs, the watchdog, and how a run is ended whose process died. */
#include "run/run_int.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"

#define MAX_QUEUED 512u
#define CHUNK 512u
#define CHUNKS_AT_ONCE 256u
#define FIRST_STACKS 16u
#define DEFAULT_DEPTH 100000u
#define POLL_MS 50u

/* A job that has not come back, with its own copy of what its request points to. */
typedef struct queued {
    run_request request;
    wire_step *steps;
    wire_input *inputs;
    wire_promoted *promoted;
    uint32_t attempts; /* runners that died before they said anything about it */
} queued;

struct run {
    run_opts opts;
    run_program program;
    run_ring ring;
    trc_sites *sites;
    bool follows; /* all code of the program follows values */
    trc_namer *namer;
    trc trace;
    bool trace_taken; /* the caller has seen it: clear before the next record */
    bool trace_begun; /* records of the oldest job were read */

    queued queue[MAX_QUEUED]; /* a ring */
    uint32_t first, n_queued, n_sent;

    bool death_seen; /* the runner died; what it wrote may not all be read yet */
    int death;       /* its wait status */
    bool hung;       /* it died because it did not answer */
    td_diag lost_why;
    uint32_t n_stacks, n_prepared; /* threads at once: allowed; prepared by this runner */
    uint32_t most_threads;         /* that a run created */
    uint64_t heartbeat;            /* as last seen */
    uint64_t beat_at_ms;
    uint64_t asked_ms;  /* when the caller began to wait */
    uint64_t silent_ms; /* without an operation, when it was to wait no longer */
    uint64_t cpu_ms;    /* the runner's processor time at that beat */
    uint64_t slept_ms;  /* since that beat */
    uint64_t watched_at_ms;
    wire_rec chunk[CHUNK]; /* copied out of the shared memory, then decoded */
    size_t chunk_at, chunk_len;
};

/* ---- open and close ---- */

/* The program's own path is not in its list of images; the kernel knows it. */
static td_status open_sites(run *r, td_diag *diag)
{
    uint32_t n = r->program.shm->n_images;
    if (n > WIRE_MAX_IMAGES)
        return td_diag_set(diag, TD_E_PROGRAM, "the program's image table is damaged");
    wire_image *images = td_alloc((n + 1) * sizeof *images);
    memcpy(images, r->program.shm->images, n * sizeof *images);
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/%d/exe", (int)r->program.zygote);
    ssize_t len = readlink(link, path, sizeof path - 1);
    path[len > 0 ? len : 0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        images[i].path[WIRE_PATH_BYTES - 1] = 0;
        if (images[i].path[0] == 0)
            snprintf(images[i].path, WIRE_PATH_BYTES, "%.*s", WIRE_PATH_BYTES - 1, path);
    }
    td_status status = trc_sites_open(images, n, &r->sites, diag);
    trc_module_vec modules = {0};
    run_modules(r->program.zygote, n ? &images[0] : NULL, &modules);
    r->namer = trc_namer_new(modules.at, modules.len);
    trc_module_vec_fini(&modules);
    td_free(images);
    return status;
}

/* Fails if code does not track symbolic values: they would be lost silently. */
static td_status check_followed(run *r, td_diag *diag)
{
    const run_given *given = &r->opts.given;
    bool needs = r->opts.follows || given->n_args > 0 || given->stdin_bytes > 0 ||
                 trc_sites_make_inputs(r->sites);
    r->follows = trc_sites_follow(r->sites);
    if (!needs || r->follows)
        return TD_OK;
    return td_diag_set(diag, TD_E_PROGRAM,
                       "%s was built without symbolic values; inputs and the goals "
                       "branches and races need them: link it with 'treadle cc --inputs'",
                       r->opts.argv[0]);
}

static td_status open_program(run *r, td_diag *diag)
{
    TD_TRY(run_shm_create(&r->opts, r->n_stacks, &r->program, diag));
    TD_TRY(run_program_start(&r->opts, &r->program, diag));
    r->ring.shm = r->program.shm;
    run_ring_reset(&r->ring);
    TD_TRY(open_sites(r, diag));
    TD_TRY(trc_repairs_wire(r->opts.given.repairs, r->opts.given.n_repairs, r->sites,
                            r->program.shm, diag));
    return check_followed(r, diag);
}

td_status run_open(const run_opts *opts, run **out, td_diag *diag)
{
    TD_TRY(run_program_check(opts->argv[0], diag));
    run *r = td_alloc(sizeof *r);
    r->opts = *opts;
    r->n_stacks = FIRST_STACKS;
    if (r->opts.timeout_ms == 0)
        r->opts.timeout_ms = RUN_TIMEOUT_MS;
    if (r->opts.depth == 0)
        r->opts.depth = DEFAULT_DEPTH;
    trc_init(&r->trace);
    td_status status = open_program(r, diag);
    if (status != TD_OK) {
        run_close(r);
        return status;
    }
    *out = r;
    return TD_OK;
}

static queued *queue_at(run *r, uint32_t i)
{
    TD_ASSERT(r->first < MAX_QUEUED && i < MAX_QUEUED);
    return &r->queue[(r->first + i) % MAX_QUEUED];
}

static void queue_pop(run *r)
{
    TD_ASSERT(r->n_queued > 0);
    td_free(queue_at(r, 0)->steps);
    td_free(queue_at(r, 0)->inputs);
    td_free(queue_at(r, 0)->promoted);
    queue_at(r, 0)->steps = NULL;
    queue_at(r, 0)->inputs = NULL;
    queue_at(r, 0)->promoted = NULL;
    r->first = (r->first + 1) % MAX_QUEUED;
    r->n_queued--;
}

void run_close(run *r)
{
    if (!r)
        return;
    while (r->n_queued > 0)
        queue_pop(r);
    run_program_close(&r->program);
    trc_sites_free(r->sites);
    trc_namer_free(r->namer);
    trc_fini(&r->trace);
    td_free(r);
}

/* ---- jobs in ---- */

static void send_queued(run *r)
{
    while (r->n_sent < r->n_queued &&
           run_ring_put(&r->ring, &queue_at(r, r->n_sent)->request, r->opts.depth))
        r->n_sent++;
}

static void *copy_of(const void *from, size_t bytes)
{
    return bytes ? memcpy(td_alloc(bytes), from, bytes) : NULL;
}

bool run_submit(run *r, const run_request *request)
{
    TD_ASSERT(r->follows || !(request->flags & RUN_FOLLOWS));
    if (r->n_queued == MAX_QUEUED || run_job_words(request) > WIRE_JOB_WORDS / 2)
        return false;
    queued *q = queue_at(r, r->n_queued++);
    q->request = *request;
    q->attempts = 0;
    q->request.steps = q->steps =
        copy_of(request->steps, request->n_steps * sizeof(wire_step));
    q->request.inputs = q->inputs =
        copy_of(request->inputs, request->n_inputs * sizeof(wire_input));
    q->request.promoted = q->promoted =
        copy_of(request->promoted, request->n_promoted * sizeof(wire_promoted));
    return true;
}

/* ---- the runner's life ---- */

/* Preparing them costs more than a fork: a process gets what runs have needed. */
static uint32_t stacks_to_prepare(const run *r)
{
    bool fewer = r->most_threads > 0 && r->most_threads < r->n_stacks;
    return fewer ? r->most_threads : r->n_stacks;
}

static void prepare_runner(run *r)
{
    TD_ASSERT(r->program.runner == 0);
    run_ring_reset(&r->ring);
    r->n_sent = 0;
    r->chunk_len = r->chunk_at = 0;
    r->program.shm->n_stacks = r->n_prepared = stacks_to_prepare(r);
    r->beat_at_ms = r->watched_at_ms = td_now_ms();
    r->cpu_ms = r->slept_ms = 0;
}

static td_status start_runner(run *r, td_diag *diag)
{
    prepare_runner(r);
    if (run_program_spawn(&r->program, diag) == TD_OK)
        return TD_OK;
    TD_TRY(run_program_restart(&r->opts, &r->program, diag));
    prepare_runner(r);
    return run_program_spawn(&r->program, diag);
}

static void kill_runner(run *r)
{
    if (r->program.runner > 0)
        kill(r->program.runner, SIGKILL);
    run_program_wait_death(&r->program, 5000, &r->death);
    r->program.runner = 0;
}

/* Returns how long the runner slept voluntarily since the last check. A machine that was suspended meanwhile
 * counts as one check. Time that the system takes from the runner (it waits for a page, or is stopped)
 * counts a tenth, time that it waits for a processor counts nothing. */
static uint64_t slept_ms(const run *r, uint64_t since_last_ms)
{
    uint64_t at_most = since_last_ms < 2 * POLL_MS ? since_last_ms : 2 * POLL_MS;
    switch (run_program_state(&r->program)) {
    case 'R':
        return 0;
    case 'D':
    case 'T':
    case 't':
        return at_most / 10;
    default:
        return at_most;
    }
}

/* No operation for too long: the runner is asked where it is, then killed. */
static void watch(run *r)
{
    const wire_shm *shm = r->program.shm;
    uint64_t beat = __atomic_load_n(&shm->heartbeat, __ATOMIC_RELAXED) +
                    __atomic_load_n(&shm->trace_head, __ATOMIC_RELAXED);
    uint64_t now = td_now_ms();
    if (beat != r->heartbeat) {
        r->heartbeat = beat;
        r->beat_at_ms = now;
        r->slept_ms = 0;
        r->cpu_ms = run_program_cpu_ms(&r->program);
    } else {
        r->slept_ms += slept_ms(r, now - r->watched_at_ms);
    }
    r->watched_at_ms = now;
    if (now - r->beat_at_ms < r->opts.timeout_ms)
        return;
    if (r->slept_ms < r->opts.timeout_ms &&
        run_program_cpu_ms(&r->program) < r->cpu_ms + r->opts.timeout_ms)
        return;
    kill(r->program.runner, SIGRTMAX - 1);
    if (!run_program_wait_death(&r->program, 1000, &r->death)) {
        kill_runner(r);
        r->hung = true;
    }
    r->death_seen = true;
    r->beat_at_ms = td_now_ms();
}

static td_status wait_for_runner(run *r, td_diag *diag)
{
    run_ring_wait(&r->ring, POLL_MS);
    watch(r);
    if (r->opts.goes_on && !r->opts.goes_on(r->opts.ctx)) {
        uint64_t from = r->beat_at_ms > r->asked_ms ? r->beat_at_ms : r->asked_ms;
        r->silent_ms = td_now_ms() - from;
        return td_diag_set(diag, TD_E_LIMIT, "stopped during a run");
    }
    return TD_OK;
}

/* ---- runs out ---- */

typedef enum progress { NOTHING, FINISHED, DAMAGED } progress;

static void begin_trace(run *r)
{
    if (r->trace_taken)
        trc_clear(&r->trace);
    r->trace_taken = false;
}

/* The operation limit of the current run, whatever its job requested. */
static uint64_t most_ops(const run *r)
{
    return (uint64_t)WIRE_DEPTH_FACTOR * r->opts.depth;
}

/* Decodes what has been copied, up to the end of a run. */
static progress decode_chunk(run *r, td_diag *diag)
{
    size_t used = 0;
    begin_trace(r);
    r->trace_begun = true;
    td_status status = trc_feed(&r->trace, r->chunk + r->chunk_at,
                                r->chunk_len - r->chunk_at, &used, most_ops(r), diag);
    TD_ASSERT(used <= r->chunk_len - r->chunk_at);
    r->chunk_at += used;
    if (status != TD_OK)
        return DAMAGED;
    return r->trace.complete ? FINISHED : NOTHING;
}

/* A runner that writes on and on must not keep us from looking at the clock. */
static progress read_records(run *r, td_diag *diag)
{
    bool lives = r->program.runner > 0 && !r->death_seen;
    for (uint32_t i = 0; !lives || i < CHUNKS_AT_ONCE; i++) {
        if (r->chunk_at == r->chunk_len) {
            r->chunk_at = 0;
            r->chunk_len = run_ring_take(&r->ring, r->chunk, CHUNK);
            run_ring_taken(&r->ring, r->chunk_len);
        }
        if (r->chunk_len == 0)
            return NOTHING;
        progress p = decode_chunk(r, diag);
        if (p != NOTHING)
            return p;
    }
    return NOTHING;
}

/* What is read from here on is of another run. */
static void end_trace(run *r)
{
    r->trace_taken = true;
    r->trace_begun = false;
}

/* The oldest job leaves the queue. */
static uint64_t finish_job(run *r)
{
    TD_ASSERT(r->n_queued > 0 && r->n_sent <= r->n_queued);
    queued *q = queue_at(r, 0);
    uint64_t id = q->request.id;
    if (r->n_sent > 0) {
        run_ring_free(&r->ring, run_job_words(&q->request));
        r->n_sent--;
    }
    queue_pop(r);
    end_trace(r);
    return id;
}

/* A run that needed more threads at once than were prepared is run again by a new process. */
static bool retry_with_more_stacks(run *r)
{
    TD_ASSERT(r->trace.complete && r->trace.threads.len > 0);
    uint32_t n = (uint32_t)r->trace.threads.len - 1;
    if (r->trace.done != WIRE_DONE_THREADS || r->n_prepared >= RUN_MAX_STACKS) {
        r->most_threads = n > r->most_threads ? n : r->most_threads;
        return false;
    }
    r->most_threads = 0;
    if (r->n_prepared == r->n_stacks)
        r->n_stacks = r->n_stacks * 4 < RUN_MAX_STACKS ? r->n_stacks * 4 : RUN_MAX_STACKS;
    kill_runner(r);
    r->death_seen = false;
    end_trace(r);
    return true;
}

/* What a program does to itself is seen before; this comes from another process, or from a system
 * that is short of memory. */
static bool is_killed(const run *r)
{
    return WIFSIGNALED(r->death) && WTERMSIG(r->death) == SIGKILL && !r->hung;
}

/* The runner is gone and all it wrote has been read. True if the oldest job is lost; else it is run
 * again. */
static bool lost_job(run *r)
{
    if (r->n_queued == 0 || r->n_sent == 0)
        return false;
    if (r->trace_begun && !is_killed(r))
        return true;
    bool is_lost = ++queue_at(r, 0)->attempts > 2;
    if (!is_lost)
        end_trace(r);
    return is_lost;
}

/* ---- a run whose process died without ending it ---- */

static wire_rec end_record(const run *r, enum wire_done how, uint64_t value)
{
    wire_rec rec = {.kind = WIRE_NOTE_DONE, .size = (uint8_t)how};
    rec.value = value;
    rec.object = r->trace.ops.len;
    rec.count = r->trace.n_choices;
    return rec;
}

static size_t text_records(wire_rec *out, const char *text)
{
    size_t n = 0;
    for (size_t left = strlen(text); left > 0; n++) {
        size_t bytes = left < WIRE_TEXT_BYTES ? left : WIRE_TEXT_BYTES;
        out[n] = (wire_rec){.kind = WIRE_NOTE_TEXT, .size = (uint8_t)bytes};
        memcpy(out[n].text, text, bytes);
        text += bytes;
        left -= bytes;
    }
    return n;
}

/* The filter of system calls killed it where signals are blocked (runtime/process/trap.c). */
static const char uncontrolled[] = "a thread or process that treadle does not control";

static bool is_trapped(const run *r)
{
    return WIFSIGNALED(r->death) && WTERMSIG(r->death) == SIGSYS && !r->hung;
}

static size_t refusal(const char *what, wire_rec *out, wire_rec end)
{
    out[0] = (wire_rec){.kind = WIRE_NOTE_GAP, .size = WIRE_GAP_REFUSED};
    size_t n = 1 + text_records(out + 1, what);
    out[n++] = end;
    return n;
}

/* The records that end the run as its process ended: by a signal, by our hand because it hung, or
 * by a system call of its own. */
static size_t obituary(const run *r, wire_rec *out)
{
    size_t n = 0;
    if (is_trapped(r))
        return refusal(uncontrolled, out, end_record(r, WIRE_DONE_REFUSED, 0));
    if (WIFEXITED(r->death) && !r->hung)
        return refusal("process exit by a direct system call", out,
                       end_record(r, WIRE_DONE_EXIT, (uint64_t)WEXITSTATUS(r->death)));
    uint32_t thread = r->program.shm->thread_now;
    uint64_t signal = (uint64_t)WTERMSIG(r->death);
    out[n] = (wire_rec){.kind = WIRE_NOTE_FAIL};
    out[n].size = r->hung ? WIRE_FAIL_HANG : WIRE_FAIL_CRASH;
    out[n].thread = thread < r->trace.threads.len ? thread : 0;
    out[n++].value = signal;
    out[n] = end_record(r, WIRE_DONE_FAIL, signal);
    out[n++].flags = WIRE_ENDED_CUT;
    return n;
}

/* False: what the runner wrote allows no end. */
static bool end_by_obituary(run *r)
{
    wire_rec recs[16];
    size_t used, n = obituary(r, recs);
    TD_ASSERT(n > 0 && n <= sizeof recs / sizeof recs[0]);
    if (!r->trace_begun || (WIFEXITED(r->death) && WEXITSTATUS(r->death) >= 70))
        return false;
    return trc_feed(&r->trace, recs, n, &used, most_ops(r), &r->lost_why) == TD_OK &&
           r->trace.complete;
}

typedef enum aftermath { GOES_ON, ENDED, LOST } aftermath;

/* Returns the text of a failed assert of the runtime, printable characters only; "": none failed. The
 * program may have overwritten it. */
static const char *broken_assert(run *r, char out[WIRE_BROKEN_BYTES])
{
    char *from = r->program.shm->broken;
    bool is_broken = WIFEXITED(r->death) && WEXITSTATUS(r->death) == WIRE_EXIT_BROKEN;
    size_t n = 0;
    for (; is_broken && n + 1 < WIRE_BROKEN_BYTES && from[n] >= ' ' && from[n] <= '~';
         n++)
        out[n] = from[n];
    out[n] = 0;
    from[0] = 0;
    return out;
}

static void say_why_lost(run *r)
{
    char text[WIRE_BROKEN_BYTES];
    if (broken_assert(r, text)[0])
        (void)td_diag_set(&r->lost_why, TD_E_PROGRAM,
                          "internal error of treadle in the program's process, or the "
                          "program overwrote the runtime: %s",
                          text);
    else
        (void)td_diag_set(&r->lost_why, TD_E_PROGRAM, "%s",
                          is_trapped(r) ? uncontrolled
                                        : "the program ended unexpectedly");
}

/* The runner died, and all it wrote has been read. */
static aftermath after_death(run *r)
{
    bool lost = r->death_seen && lost_job(r);
    aftermath a = !lost ? GOES_ON : end_by_obituary(r) ? ENDED : LOST;
    if (a == LOST)
        say_why_lost(r);
    r->death_seen = r->hung = false;
    return a;
}

static void give(run *r, run_outcome how, run_outcome *outcome, uint64_t *job)
{
    *outcome = how;
    r->trace.job = *job = finish_job(r);
}

/* What follows a damaged record in the ring means nothing. */
static void forget_records(run *r)
{
    run_ring_reset(&r->ring);
    r->n_sent = 0;
    r->chunk_len = r->chunk_at = 0;
}

static void talk_to_runner(run *r)
{
    send_queued(r);
    run_ring_flush(&r->ring);
}

td_status run_next(run *r, run_outcome *outcome, uint64_t *job, trc **out, td_diag *diag)
{
    *out = &r->trace;
    *outcome = RUN_IDLE;
    r->asked_ms = td_now_ms();
    r->silent_ms = 0;
    while (r->n_queued > 0) {
        if (r->program.runner > 0)
            talk_to_runner(r);
        r->lost_why.text[0] = 0;
        progress p = read_records(r, &r->lost_why);
        if (p == FINISHED && retry_with_more_stacks(r))
            continue;
        if (p != NOTHING) {
            if (p == DAMAGED)
                kill_runner(r);
            give(r, p == FINISHED ? RUN_TRACE : RUN_LOST, outcome, job);
            if (p == DAMAGED)
                forget_records(r);
            return TD_OK;
        }
        if (r->program.runner > 0) {
            run_ring_announce(&r->ring);
            /* It may have written more before it died: that is read first. */
            r->death_seen |= run_program_died(&r->program, &r->death);
            if (!r->death_seen)
                TD_TRY(wait_for_runner(r, diag));
            continue;
        }
        aftermath a = after_death(r);
        if (a != GOES_ON) {
            give(r, a == ENDED ? RUN_TRACE : RUN_LOST, outcome, job);
            return TD_OK;
        }
        TD_TRY(start_runner(r, diag));
    }
    return TD_OK;
}

/* A process that died is looked at by run_next. */
void run_begin(run *r)
{
    td_diag none = {0};
    bool is_new = r->program.runner == 0 && !r->death_seen && !r->trace_begun;
    if (is_new && r->n_queued > 0 && start_runner(r, &none) != TD_OK)
        return;
    if (r->program.runner > 0)
        talk_to_runner(r);
}

bool run_is_like(const run *r, const run *other)
{
    const wire_shm *a = r->program.shm, *b = other->program.shm;
    uint32_t n = a->n_images;
    return n == b->n_images && n <= WIRE_MAX_IMAGES &&
           memcmp(a->images, b->images, n * sizeof a->images[0]) == 0;
}

uint64_t run_silent_ms(const run *r)
{
    return r->silent_ms;
}

trc_sites *run_sites(run *r)
{
    return r->sites;
}

trc_namer *run_namer(run *r)
{
    return r->namer;
}

bool run_marked(run *r, uint32_t site, uint32_t side)
{
    uint64_t address = r->sites ? trc_site_address(r->sites, site) : 0;
    return address != 0 &&
           __atomic_load_n(&r->program.marks[PLAN_MARK(address + side) - PLAN_COVER],
                           __ATOMIC_RELAXED) != 0;
}

const char *run_lost_why(const run *r)
{
    return r->lost_why.text;
}
