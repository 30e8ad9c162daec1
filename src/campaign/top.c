/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the status of a campaign and its workers: as a screen, as JSON, for Prometheus. */
#include "campaign/top.h"

#include <inttypes.h>

#include "report/formats/json_text.h"
#include "report/text/lines.h"

#define NAME_WIDTH 28u

/* ---- sums ---- */

double cam_top_rediscovery(const cam_top *t)
{
    return t->events > 0 ? (double)t->known / (double)t->events : 0;
}

uint64_t cam_top_lag_ms(const cam_top *t)
{
    uint64_t most = 0;
    for (size_t i = 0; i < t->workers.len; i++) {
        const cam_top_worker *w = &t->workers.at[i];
        if (w->items > 0 && w->silent_ms > most)
            most = w->silent_ms;
    }
    return most;
}

double cam_top_runs_per_second(const cam_top *t)
{
    double sum = 0;
    for (size_t i = 0; i < t->workers.len; i++)
        sum += t->workers.at[i].runs_per_second;
    return sum;
}

static uint64_t runs_of(const cam_top *t)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < t->workers.len; i++)
        sum += t->workers.at[i].runs;
    return sum;
}

static const char *state_of(const cam_top *t)
{
    if (t->is_done)
        return t->is_complete ? "complete" : "done, not complete";
    if (t->has_ended)
        return "ended, can be resumed";
    return t->is_stopped ? "stopped" : "running";
}

/* ---- the screen ---- */

/* A line of text, cut to the width. */
static void put_line(td_text *out, const td_text *line, uint32_t columns)
{
    if (line->len > 0)
        rep_put_cut(out, line->at, columns ? columns : line->len, REP_CUT_RIGHT);
    td_text_put(out, "\n", 1);
}

static void add_count(td_text *out, uint64_t n, const char *word)
{
    td_count_print(n, out);
    td_text_add(out, " %s", word);
}

static void print_head(const cam_top *t, td_text *line)
{
    td_text_add(line, "treadle campaign %" PRIu64 ": ", t->campaign);
    rep_put_clean(line, t->command);
    td_text_add(line, "   %s", state_of(t));
}

static void print_runs(const cam_top *t, td_text *line)
{
    td_text_add(line, "runs      ");
    add_count(line, runs_of(t), "in total, ");
    add_count(line, (uint64_t)(cam_top_runs_per_second(t) + 0.5), "per second, ");
    add_count(line, t->active, t->active == 1 ? "worker" : "workers");
    if (t->hungry > 0) {
        td_text_add(line, " (");
        add_count(line, t->hungry, "idle)");
    }
}

static void print_items(const cam_top *t, td_text *line)
{
    td_text_add(line, "items     ");
    add_count(line, t->ready, "ready, ");
    add_count(line, t->leased, "leased, ");
    add_count(line, t->parked, "parked; ");
    add_count(line, t->parts, "done");
    td_text_add(line, "   lag %.1f s", (double)cam_top_lag_ms(t) / 1000);
}

static void print_found(const cam_top *t, td_text *line)
{
    td_text_add(line, "found     ");
    add_count(line, t->findings, t->findings == 1 ? "finding, " : "findings, ");
    add_count(line, t->events, "events");
    if (t->traces > 0) {
        td_text_add(line, ", ");
        add_count(line, t->traces, "traces");
    }
    td_text_add(line, "   rediscovery %.3f", cam_top_rediscovery(t));
}

static void print_names(const cam_top *t, td_text *line)
{
    (void)t;
    td_text_add(line, "%-*s %12s %9s %6s %8s %7s", (int)NAME_WIDTH, "WORKER", "RUNS",
                "RUNS/S", "ITEMS", "MEMORY", "HEARD");
}

static void print_worker(const cam_top_worker *w, td_text *line)
{
    td_text name = {0}, runs = {0};
    rep_put_cut(&name, w->name, NAME_WIDTH, REP_CUT_RIGHT);
    td_count_print(w->runs, &runs);
    td_text_add(line, "%-*s %12s ", (int)NAME_WIDTH, name.len ? name.at : "?", runs.at);
    if (w->is_gone)
        td_text_add(line, "%9s %6s %8s %7s", "-", "-", "-", "gone");
    else
        td_text_add(line, "%9.0f %6" PRIu64 " %6" PRIu64 " M %5.1f s", w->runs_per_second,
                    w->items, w->rss_kb >> 10, (double)w->silent_ms / 1000);
    td_text_fini(&name);
    td_text_fini(&runs);
}

/* Workers that are present come first; those that have no room are counted. */
static void print_workers(const cam_top *t, cam_top_screen screen, td_text *out)
{
    size_t room = screen.rows ? (screen.rows > 7 ? screen.rows - 7 : 1) : SIZE_MAX;
    size_t shown = 0;
    td_text line = {0};
    for (int gone = 0; gone < 2; gone++)
        for (size_t i = 0; i < t->workers.len && shown < room; i++) {
            if (t->workers.at[i].is_gone != (gone == 1))
                continue;
            line.len = 0;
            print_worker(&t->workers.at[i], &line);
            put_line(out, &line, screen.columns);
            shown++;
        }
    if (shown < t->workers.len)
        td_text_add(out, "and %zu more\n", t->workers.len - shown);
    td_text_fini(&line);
}

void cam_top_print(const cam_top *t, cam_top_screen screen, td_text *out)
{
    static void (*const lines[])(const cam_top *, td_text *) = {print_head,  print_runs,
                                                                print_items, print_found,
                                                                NULL,        print_names};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        td_text line = {0};
        if (lines[i])
            lines[i](t, &line);
        put_line(out, &line, screen.columns);
        td_text_fini(&line);
    }
    print_workers(t, screen, out);
}

/* ---- JSON ---- */

static void json_worker(rep_json *j, const cam_top_worker *w)
{
    rep_json_open(j, NULL, '{');
    rep_json_text(j, "name", w->name);
    rep_json_count(j, "runs", w->runs);
    rep_json_real(j, "runs_per_second", w->runs_per_second);
    rep_json_count(j, "blocked_runs", w->blocked_runs);
    rep_json_count(j, "lost_runs", w->lost_runs);
    rep_json_count(j, "items", w->items);
    rep_json_count(j, "rss_kb", w->rss_kb);
    rep_json_count(j, "cpu_ms", w->cpu_ms);
    rep_json_count(j, "silent_ms", w->silent_ms);
    rep_json_bool(j, "gone", w->is_gone);
    rep_json_close(j, '}');
}

void cam_top_json(const cam_top *t, td_text *out)
{
    rep_json j = {.out = out};
    rep_json_open(&j, NULL, '{');
    rep_json_count(&j, "campaign", t->campaign);
    rep_json_text(&j, "command", t->command);
    rep_json_text(&j, "version", t->version);
    rep_json_count(&j, "generation", t->generation);
    rep_json_bool(&j, "stopped", t->is_stopped);
    rep_json_bool(&j, "done", t->is_done);
    rep_json_bool(&j, "ended", t->has_ended || t->is_done);
    rep_json_bool(&j, "complete", t->is_complete);
    rep_json_open(&j, "items", '{');
    rep_json_count(&j, "ready", t->ready);
    rep_json_count(&j, "leased", t->leased);
    rep_json_count(&j, "parked", t->parked);
    rep_json_close(&j, '}');
    rep_json_count(&j, "parts", t->parts);
    rep_json_count(&j, "events", t->events);
    rep_json_count(&j, "traces", t->traces);
    rep_json_real(&j, "rediscovery", cam_top_rediscovery(t));
    rep_json_count(&j, "findings", t->findings);
    rep_json_count(&j, "runs", runs_of(t));
    rep_json_real(&j, "runs_per_second", cam_top_runs_per_second(t));
    rep_json_count(&j, "lag_ms", cam_top_lag_ms(t));
    rep_json_count(&j, "active", t->active);
    rep_json_count(&j, "hungry", t->hungry);
    rep_json_open(&j, "workers", '[');
    for (size_t i = 0; i < t->workers.len; i++)
        json_worker(&j, &t->workers.at[i]);
    rep_json_close(&j, ']');
    rep_json_close(&j, '}');
    td_text_put(out, "\n", 1);
}

/* ---- Prometheus ---- */

static void put_about(td_text *out, const char *name, const char *type, const char *help)
{
    td_text_add(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Only printable characters go through, so that quotes and backslashes are all there is to quote. */
static void put_label(td_text *out, const char *text)
{
    td_text clean = {0};
    rep_put_clean(&clean, text);
    for (size_t i = 0; i < clean.len; i++) {
        if (clean.at[i] == '"' || clean.at[i] == '\\')
            td_text_put(out, "\\", 1);
        td_text_put(out, &clean.at[i], 1);
    }
    td_text_fini(&clean);
}

static void put_totals(const cam_top *t, td_text *out)
{
    const struct {
        const char *name, *type, *help;
        double value;
    } rows[] = {
        {"treadle_runs_total", "counter", "Runs of all workers.", (double)runs_of(t)},
        {"treadle_parts_total", "counter", "Completed items.", (double)t->parts},
        {"treadle_events", "gauge", "Events of completed items.", (double)t->events},
        {"treadle_traces", "gauge", "Traces of completed items.", (double)t->traces},
        {"treadle_findings", "gauge", "Findings.", (double)t->findings},
        {"treadle_rediscovery_ratio", "gauge",
         "Events executed per event of completed items.", cam_top_rediscovery(t)},
        {"treadle_lag_seconds", "gauge",
         "Longest time since a worker with an item reported.",
         (double)cam_top_lag_ms(t) / 1000},
        {"treadle_workers_active", "gauge", "Workers that reported within a lease.",
         (double)t->active},
        {"treadle_workers_hungry", "gauge", "Of these, idle workers.", (double)t->hungry},
        {"treadle_done", "gauge", "1: no item remains.", t->is_done},
        {"treadle_stopped", "gauge", "1: the campaign was stopped.", t->is_stopped},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put_about(out, rows[i].name, rows[i].type, rows[i].help);
        td_text_add(out, "%s{campaign=\"%" PRIu64 "\"} %.15g\n", rows[i].name,
                    t->campaign, rows[i].value);
    }
}

static void put_items(const cam_top *t, td_text *out)
{
    const struct {
        const char *state;
        uint64_t n;
    } rows[] = {{"ready", t->ready}, {"leased", t->leased}, {"parked", t->parked}};
    put_about(out, "treadle_items", "gauge", "Remaining items, by state.");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        td_text_add(out,
                    "treadle_items{campaign=\"%" PRIu64 "\",state=\"%s\"} %" PRIu64 "\n",
                    t->campaign, rows[i].state, rows[i].n);
}

static double worker_runs(const cam_top_worker *w)
{
    return (double)w->runs;
}

static double worker_items(const cam_top_worker *w)
{
    return (double)w->items;
}

static double worker_memory(const cam_top_worker *w)
{
    return (double)w->rss_kb * 1024;
}

static double worker_cpu(const cam_top_worker *w)
{
    return (double)w->cpu_ms / 1000;
}

static double worker_silence(const cam_top_worker *w)
{
    return (double)w->silent_ms / 1000;
}

/* Names need not differ; numbers do. */
static void put_workers(const cam_top *t, td_text *out)
{
    static const struct {
        const char *name, *type, *help;
        double (*of)(const cam_top_worker *);
    } rows[] = {
        {"treadle_worker_runs_total", "counter", "Runs of a worker.", worker_runs},
        {"treadle_worker_items", "gauge", "Items leased to a worker.", worker_items},
        {"treadle_worker_memory_bytes", "gauge", "Peak memory of a worker.",
         worker_memory},
        {"treadle_worker_cpu_seconds_total", "counter", "Processor time of a worker.",
         worker_cpu},
        {"treadle_worker_silent_seconds", "gauge", "Time since a worker last reported.",
         worker_silence},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put_about(out, rows[i].name, rows[i].type, rows[i].help);
        for (size_t k = 0; k < t->workers.len; k++) {
            if (t->workers.at[k].is_gone)
                continue;
            td_text_add(out, "%s{campaign=\"%" PRIu64 "\",number=\"%zu\",worker=\"",
                        rows[i].name, t->campaign, k + 1);
            put_label(out, t->workers.at[k].name);
            td_text_add(out, "\"} %.15g\n", rows[i].of(&t->workers.at[k]));
        }
    }
}

void cam_top_prometheus(const cam_top *t, td_text *out)
{
    put_totals(t, out);
    put_items(t, out);
    put_workers(t, out);
}
