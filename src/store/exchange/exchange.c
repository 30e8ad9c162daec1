/* SPDX-License-Identifier: Apache-2.0 */
/* Which engine it is, and what a caller may ask for. */
#include "store/exchange/exchange.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/assert.h"
#include "store/exchange/exchange_int.h"

/* ---- links ---- */

bool sto_is_farm(const char *where)
{
    return strncmp(where, "postgresql://", 13) == 0 ||
           strncmp(where, "postgres://", 11) == 0;
}

static uint64_t real_clock(void *of)
{
    (void)of;
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

td_status sto_link_open(const char *where, sto_link **out, td_diag *diag)
{
    TD_TRY(sto_is_farm(where) ? sto_pg_open(where, out, diag)
                              : sto_sqlite_open(where, out, diag));
    (*out)->clock = real_clock;
    TD_ASSERT((*out)->engine != NULL && (*out)->campaign == 0);
    return TD_OK;
}

void sto_link_close(sto_link *l)
{
    if (l != NULL)
        l->engine->close(l);
}

/* ---- what a caller may ask for ---- */

static td_status check_payload(sto_bytes b, td_diag *diag)
{
    if (b.len > STO_MAX_PAYLOAD)
        return td_diag_set(diag, TD_E_LIMIT,
                           "an item of the campaign has %zu bytes, more than %u", b.len,
                           STO_MAX_PAYLOAD);
    return TD_OK;
}

static td_status check_text(const char *text, td_diag *diag)
{
    TD_ASSERT(text != NULL);
    if (strlen(text) > STO_MAX_TEXT)
        return td_diag_set(diag, TD_E_LIMIT,
                           "a text for the campaign has %zu bytes, more than %u",
                           strlen(text), STO_MAX_TEXT);
    return TD_OK;
}

static td_status check_texts(const char *const *texts, size_t n, td_diag *diag)
{
    for (size_t i = 0; i < n; i++)
        TD_TRY(check_text(texts[i], diag));
    return TD_OK;
}

static td_status check_news(const sto_news *f, td_diag *diag)
{
    const char *const texts[] = {f->id,      f->kind,      f->file, f->function,
                                 f->message, f->recording, f->page, f->text};
    return check_texts(texts, sizeof texts / sizeof texts[0], diag);
}

static td_status check_state(const sto_worker *w, td_diag *diag)
{
    const char *const texts[] = {w->name, w->ledger, w->coverage};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i] != NULL)
            TD_TRY(check_text(texts[i], diag));
    return TD_OK;
}

/* Counters are signed where they are stored. */
static td_status check_part(const sto_part *p, td_diag *diag)
{
    if (((p->events | p->traces | p->whole_traces | p->known) >> 62) != 0)
        return td_diag_set(diag, TD_E_LIMIT, "a part of the campaign is too large");
    return TD_OK;
}

static td_status check_report(const sto_report *r, td_diag *diag)
{
    TD_ASSERT(r->worker != 0 && r->lease_ms > 0 && r->want <= STO_MAX_WANT);
    TD_ASSERT(r->item != 0 || (r->n_children == 0 && !r->is_done));
    TD_ASSERT(!r->keeps_first || r->n_children > 0);
    if (r->is_done)
        TD_TRY(check_part(&r->part, diag));
    for (size_t i = 0; i < r->n_children; i++)
        TD_TRY(check_payload(r->children[i], diag));
    for (size_t i = 0; i < r->n_news; i++)
        TD_TRY(check_news(&r->news[i], diag));
    return r->state != NULL ? check_state(r->state, diag) : TD_OK;
}

/* ---- commands ---- */

td_status sto_campaign_begin(sto_link *l, const sto_campaign *c, sto_bytes whole,
                             uint64_t *id, td_diag *diag)
{
    const char *const texts[] = {c->version, c->protocol, c->build_id, c->command,
                                 c->options};
    TD_TRY(check_texts(texts, sizeof texts / sizeof texts[0], diag));
    TD_TRY(check_payload(whole, diag));
    TD_TRY(l->engine->begin(l, c, whole, id, diag));
    l->campaign = *id;
    return TD_OK;
}

td_status sto_campaign_open(sto_link *l, uint64_t id, sto_campaign *out, td_diag *diag)
{
    *out = (sto_campaign){0};
    td_status status = l->engine->open(l, id, out, &l->campaign, diag);
    if (status != TD_OK)
        sto_campaign_fini(out);
    TD_ASSERT(status != TD_OK || l->campaign != 0);
    return status;
}

uint64_t sto_campaign_number(const sto_link *l)
{
    return l->campaign;
}

td_status sto_leases_clear(sto_link *l, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    return l->engine->clear(l, diag);
}

td_status sto_worker_gone(sto_link *l, uint64_t worker, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    return l->engine->gone(l, worker, diag);
}

td_status sto_link_join(sto_link *l, const char *name, uint64_t *worker, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    TD_TRY(check_text(name, diag));
    return l->engine->join(l, name, worker, diag);
}

td_status sto_exchange(sto_link *l, const sto_report *report, sto_reply *out,
                       td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    *out = (sto_reply){0};
    TD_TRY(check_report(report, diag));
    TD_ASSERT(l->seen <= l->calls);
    l->calls++;
    td_status status = l->engine->exchange(l, report, out, diag);
    if (status == TD_OK)
        l->seen = l->calls;
    else
        sto_reply_fini(out);
    return status;
}

td_status sto_peek(sto_link *l, sto_reply *out, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    *out = (sto_reply){0};
    return l->engine->peek(l, out, diag);
}

td_status sto_campaign_again(sto_link *l, uint32_t from, sto_bytes whole,
                             sto_bytes promoted, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    TD_TRY(check_payload(whole, diag));
    TD_TRY(check_payload(promoted, diag));
    return l->engine->again(l, from, whole, promoted, diag);
}

td_status sto_campaign_promoted(sto_link *l, sto_bytes *out, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    *out = (sto_bytes){0};
    td_status status = l->engine->promoted(l, out, diag);
    if (status != TD_OK) {
        td_free(out->at);
        *out = (sto_bytes){0};
    }
    return status;
}

td_status sto_campaign_stop(sto_link *l, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    return l->engine->stop(l, diag);
}

td_status sto_campaign_total(sto_link *l, sto_total *out, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    *out = (sto_total){0};
    TD_TRY(l->engine->total(l, out, diag));
    out->is_complete = out->n_items == 0 && out->n_parked == 0 && out->sum.is_complete;
    return TD_OK;
}

td_status sto_campaign_news(sto_link *l, uint64_t after, sto_news_vec *out, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    *out = (sto_news_vec){0};
    td_status status = l->engine->news(l, after, out, diag);
    if (status != TD_OK)
        sto_news_fini(out);
    return status;
}

td_status sto_campaign_workers(sto_link *l, sto_worker_vec *out, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    *out = (sto_worker_vec){0};
    td_status status = l->engine->workers(l, out, diag);
    if (status != TD_OK)
        sto_workers_fini(out);
    return status;
}

td_status sto_campaign_claims(sto_link *l, const uint64_t *own, size_t n_own,
                              sto_claim_vec *out, td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    *out = (sto_claim_vec){0};
    if (l->engine->samples == NULL)
        return TD_OK;
    td_status status = l->engine->samples(l, own, n_own, out, diag);
    if (status != TD_OK)
        sto_claims_fini(out);
    return status;
}

td_status sto_campaign_divisions(sto_link *l, uint32_t generation, sto_division_vec *out,
                                 td_diag *diag)
{
    TD_ASSERT(l->campaign != 0);
    *out = (sto_division_vec){0};
    if (l->engine->divisions == NULL)
        return TD_OK;
    td_status status = l->engine->divisions(l, generation, out, diag);
    if (status != TD_OK)
        sto_divisions_fini(out);
    return status;
}
