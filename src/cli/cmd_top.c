/* SPDX-License-Identifier: Apache-2.0 */
/* treadle top: the status of a campaign and its workers, now or until it is done. */
#include "cli/cli.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

#include "base/assert.h"
#include "base/now.h"
#include "cli/prometheus.h"
#include "campaign/top.h"
#include "store/exchange/exchange.h"
#include "store/store.h"

#define LOOK_MS 1000u

#define TOP_OPTIONS(X)                                                                   \
    X(campaign, "campaign", 0, NUMBER, 1, INT64_MAX, 0, "N",                             \
      "number of the campaign (default: the newest)")                                    \
    X(once, "once", 0, FLAG, 0, 0, 0, "", "print the current status and exit")           \
    X(json, "json", 0, FLAG, 0, 0, 0, "", "print the current status as JSON and exit")   \
    X(prometheus, "prometheus", 0, TEXT, 0, 0, 0, "FILE|PORT",                           \
      "export Prometheus metrics to FILE or PORT")

typedef struct top_fields {
    TOP_OPTIONS(CLI_DECLARE_FIELD)
} top_fields;

#define X(...) CLI_TABLE_ROW(top_fields, __VA_ARGS__)
static const cli_option top_table[] = {TOP_OPTIONS(X){0}};
#undef X

typedef struct view {
    sto_link *link;
    char *dir; /* folder of the session; NULL: a farm */
    sto_campaign campaign;
    sto_worker_vec workers; /* workers at the last update; they own the texts of top */
    cam_top top;
} view;

/* ---- a look ---- */

/* Between the last two times that we looked and it had been heard of; at the first look, since it
 * joined. Workers keep their places. */
static double rate_of(const view *v, const sto_worker_vec *workers, size_t i)
{
    const sto_worker *w = &workers->at[i];
    const sto_worker none = {0};
    bool was_there = i < v->workers.len;
    TD_ASSERT(v->top.workers.len == v->workers.len);
    const sto_worker *before = was_there ? &v->workers.at[i] : &none;
    if (w->is_gone)
        return 0;
    if (was_there && w->lived_ms <= before->lived_ms)
        return v->top.workers.at[i].runs_per_second;
    uint64_t span = w->lived_ms - before->lived_ms;
    uint64_t runs = w->runs > before->runs ? w->runs - before->runs : 0;
    return span > 0 ? (double)runs * 1000 / (double)span : 0;
}

static void take_workers(view *v, sto_worker_vec *workers)
{
    cam_top_worker_vec now = {0};
    for (size_t i = 0; i < workers->len; i++) {
        const sto_worker *w = &workers->at[i];
        cam_top_worker_vec_push(&now, (cam_top_worker){.name = w->name,
                                                       .runs = w->runs,
                                                       .blocked_runs = w->blocked_runs,
                                                       .lost_runs = w->lost_runs,
                                                       .runs_per_second =
                                                           rate_of(v, workers, i),
                                                       .items = w->n_items,
                                                       .rss_kb = w->rss_kb,
                                                       .cpu_ms = w->cpu_ms,
                                                       .silent_ms = w->silent_ms,
                                                       .is_gone = w->is_gone});
    }
    cam_top_worker_vec_fini(&v->top.workers);
    v->top.workers = now;
    sto_workers_fini(&v->workers);
    v->workers = *workers;
    TD_ASSERT(v->top.workers.len == v->workers.len);
}

static void take_totals(view *v, const sto_reply *r, const sto_total *t)
{
    cam_top *top = &v->top;
    uint64_t left = t->n_items;
    top->campaign = sto_campaign_number(v->link);
    top->command = v->campaign.command;
    top->version = v->campaign.version;
    top->generation = r->generation;
    top->is_stopped = r->is_stopped;
    top->is_done = left == 0;
    top->is_complete = t->is_complete;
    top->ready = r->n_ready < left ? r->n_ready : left;
    top->leased = left - top->ready;
    top->parked = t->n_parked;
    top->parts = t->n_parts;
    top->events = t->sum.events;
    top->traces = t->sum.traces;
    top->known = t->sum.known;
    top->findings = r->n_findings;
    top->active = r->n_workers;
    top->hungry = r->n_hungry;
}

static td_status look(view *v, td_diag *diag)
{
    sto_reply reply;
    sto_total total;
    sto_worker_vec workers;
    TD_TRY(sto_peek(v->link, &reply, diag));
    TD_TRY(sto_campaign_total(v->link, &total, diag));
    TD_TRY(sto_campaign_workers(v->link, &workers, diag));
    take_totals(v, &reply, &total);
    v->top.has_ended = v->dir && sto_session_has_ended(v->dir);
    take_workers(v, &workers);
    return TD_OK;
}

/* ---- output ---- */

static void print(const view *v, const top_fields *f, cam_top_screen screen)
{
    td_text text = {0};
    if (f->json)
        cam_top_json(&v->top, &text);
    else
        cam_top_print(&v->top, screen, &text);
    fwrite(text.at, 1, text.len, stdout);
    fflush(stdout);
    td_text_fini(&text);
}

static td_status publish(const view *v, const cli_prometheus *p, td_text *text,
                         td_diag *diag)
{
    text->len = 0;
    cam_top_prometheus(&v->top, text);
    return p->path ? cli_prometheus_write(p, text, diag) : TD_OK;
}

/* ---- the screen ---- */

typedef struct screen {
    bool is_on; /* stdout and stdin are a terminal */
    struct termios before;
} screen;

static void screen_open(screen *s)
{
    s->is_on = isatty(STDOUT_FILENO) == 1 && tcgetattr(STDIN_FILENO, &s->before) == 0;
    if (!s->is_on)
        return;
    struct termios keys = s->before;
    keys.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    tcsetattr(STDIN_FILENO, TCSANOW, &keys);
}

static void screen_close(const screen *s)
{
    if (s->is_on)
        tcsetattr(STDIN_FILENO, TCSANOW, &s->before);
}

static void screen_draw(const view *v, const top_fields *f)
{
    struct winsize size = {0};
    cam_top_screen room = {80, 23};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row > 1)
        room = (cam_top_screen){size.ws_col, size.ws_row - 1u};
    fputs("\033[H\033[J", stdout);
    print(v, f, room);
}

/* ---- until it is done ---- */

static bool wants_end(void)
{
    char key = 0;
    return read(STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q';
}

/* Until the next look is due. False: the user has seen enough. */
static bool wait_a_look(const screen *s, const cli_prometheus *p, const td_text *text,
                        int signals)
{
    uint64_t until = td_now_ms() + LOOK_MS;
    for (uint64_t now = td_now_ms(); now < until; now = td_now_ms()) {
        struct pollfd fds[] = {{.fd = signals, .events = POLLIN},
                               {.fd = p->fd, .events = POLLIN},
                               {.fd = s->is_on ? STDIN_FILENO : -1, .events = POLLIN}};
        if (poll(fds, 3, (int)(until - now)) <= 0)
            continue;
        if (fds[0].revents || (fds[2].revents && wants_end()))
            return false;
        if (fds[1].revents)
            cli_prometheus_serve(p, text);
    }
    return true;
}

static td_status watch(view *v, const top_fields *f, const cli_prometheus *p,
                       const screen *s, int signals, td_diag *diag)
{
    td_text text = {0};
    bool publishes = p->path || p->fd >= 0;
    td_status status = TD_OK;
    do {
        status = look(v, diag);
        if (status == TD_OK && publishes)
            status = publish(v, p, &text, diag);
        if (status == TD_OK && s->is_on)
            screen_draw(v, f);
    } while (status == TD_OK && !v->top.is_done && !v->top.is_stopped &&
             !v->top.has_ended && wait_a_look(s, p, &text, signals));
    td_text_fini(&text);
    return status;
}

static td_status watch_all(view *v, const top_fields *f, const cli_prometheus *p,
                           td_diag *diag)
{
    screen s = {0};
    sigset_t held, before;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigprocmask(SIG_BLOCK, &held, &before);
    int signals = signalfd(-1, &held, SFD_CLOEXEC);
    if (!f->json)
        screen_open(&s);
    td_status status = watch(v, f, p, &s, signals, diag);
    screen_close(&s);
    close(signals);
    if (status == TD_OK && !s.is_on)
        print(v, f, (cam_top_screen){0});
    return status;
}

static td_status once(view *v, const top_fields *f, const cli_prometheus *p,
                      td_diag *diag)
{
    td_text text = {0};
    TD_TRY(look(v, diag));
    td_status status = p->path ? publish(v, p, &text, diag) : TD_OK;
    td_text_fini(&text);
    if (status == TD_OK)
        print(v, f, (cam_top_screen){0});
    return status;
}

static td_status show(view *v, const top_fields *f, td_diag *diag)
{
    cli_prometheus p;
    TD_TRY(sto_campaign_open(v->link, f->campaign, &v->campaign, diag));
    TD_TRY(cli_prometheus_open(f->prometheus, &p, diag));
    bool is_long = f->prometheus || (isatty(STDOUT_FILENO) == 1 && !f->json);
    td_status status =
        is_long && !f->once ? watch_all(v, f, &p, diag) : once(v, f, &p, diag);
    cli_prometheus_close(&p);
    return status;
}

/* ---- the command ---- */

static td_status open_link(const char *where, view *v, td_diag *diag)
{
    td_text path = {0}, dir = {0};
    if (where && sto_is_farm(where))
        return sto_link_open(where, &v->link, diag);
    if (where)
        td_text_add(&dir, "%s", where);
    else
        td_text_add(&dir, "%s/latest", sto_out_dir());
    td_text_add(&path, "%s/session.db", dir.at);
    v->dir = dir.at;
    td_status status = sto_link_open(path.at, &v->link, diag);
    td_text_fini(&path);
    return status;
}

static int exit_of(const cam_top *t)
{
    if (t->findings > 0)
        return CLI_EXIT_FOUND;
    return t->is_done && t->is_complete ? CLI_EXIT_COMPLETE : CLI_EXIT_INCOMPLETE;
}

static int top_main(const cli_command *self, int argc, char **argv)
{
    top_fields f = {0};
    view v = {0};
    td_diag diag = {0};
    cli_words words = {argc - 1, argv + 1};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n > 1)
        return cli_fail(CLI_EXIT_USAGE, "top requires one session or farm");
    td_status status = open_link(words.n ? words.at[0] : NULL, &v, &diag);
    if (status == TD_OK)
        status = show(&v, &f, &diag);
    code = status == TD_OK ? exit_of(&v.top) : cli_fail_status(status, &diag);
    sto_workers_fini(&v.workers);
    cam_top_worker_vec_fini(&v.top.workers);
    sto_campaign_fini(&v.campaign);
    sto_link_close(v.link);
    td_free(v.dir);
    return code;
}

static void print_more(FILE *to)
{
    fputs("\nOn a terminal the display is refreshed every second until the campaign is "
          "done; q "
          "quits.\n",
          to);
}

const cli_command cli_top = {
    .name = "top",
    .words = "[OPTIONS] [DIR|postgresql://...]",
    .text = "watch the workers of a session or a farm",
    .table = top_table,
    .main = top_main,
    .help = print_more,
};
