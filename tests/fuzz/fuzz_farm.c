/* SPDX-License-Identifier: Apache-2.0 */
/* Any rows of a farm give what they stand for or are refused; nothing that is taken exceeds its
 * limit. The first byte says what the rows should be; each cell is a length of two bytes, 65535 for
 * NULL, and its bytes. Cells are copies of their own size, so that none is read beyond its end. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "store/exchange/farm_int.h"
#include "require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

static sto_cell next_cell(input *in)
{
    if (in->left < 2) {
        in->left = 0; /* so that the rows come to an end */
        return (sto_cell){NULL, -1};
    }
    size_t len = (size_t)in->at[0] << 8 | in->at[1];
    in->at += 2;
    in->left -= 2;
    if (len == UINT16_MAX)
        return (sto_cell){NULL, -1};
    if (len > in->left)
        len = in->left;
    uint8_t *copy = malloc(len > 0 ? len : 1);
    require(copy != NULL);
    memcpy(copy, in->at, len);
    in->at += len;
    in->left -= len;
    return (sto_cell){copy, (int)len};
}

/* All rows of the input, until one is refused. True: none was. */
static int take_all(const farm_row_kind *kind, input *in, void *out)
{
    int is_good = 1;
    while (is_good && in->left > 0) {
        sto_cell row[STO_MAX_COLUMNS];
        for (int i = 0; i < kind->n_columns; i++)
            row[i] = next_cell(in);
        is_good = kind->take(row, out);
        for (int i = 0; i < kind->n_columns; i++)
            free((void *)(uintptr_t)row[i].at);
    }
    return is_good;
}

static void try_reply(input *in)
{
    sto_reply reply = {0};
    farm_reply f = {.reply = &reply};
    take_all(&farm_row_reply, in, &f);
    require(reply.work.len <= STO_MAX_WANT + 1);
    for (size_t i = 0; i < reply.work.len; i++)
        require(reply.work.at[i].item != 0 &&
                reply.work.at[i].payload.len <= STO_MAX_PAYLOAD);
    sto_reply_fini(&reply);
}

static void try_campaign(input *in)
{
    sto_campaign c = {0};
    sto_opened f = {.campaign = &c};
    if (take_all(&farm_row_campaign, in, &f) && c.version != NULL)
        require(f.id != 0 && c.options != NULL && strlen(c.options) <= STO_MAX_TEXT);
    sto_campaign_fini(&c);
}

static void try_news(input *in)
{
    sto_news_vec news = {0};
    size_t n_bad = !take_all(&farm_row_news, in, &news); /* the last one is not whole */
    for (size_t i = 0; i + n_bad < news.len; i++)
        require(news.at[i].text != NULL && strlen(news.at[i].id) <= STO_MAX_TEXT);
    sto_news_fini(&news);
}

static void try_workers(input *in)
{
    sto_worker_vec workers = {0};
    farm_workers f = {.workers = &workers};
    size_t n_bad = !take_all(&farm_row_workers, in, &f);
    for (size_t i = 0; i + n_bad < workers.len; i++)
        require(workers.at[i].name != NULL && workers.at[i].coverage != NULL);
    sto_workers_fini(&workers);
}

static void try_total(input *in)
{
    sto_total t = {0};
    if (take_all(&farm_row_total, in, &t))
        require(t.n_items <= INT64_MAX && t.sum.events <= INT64_MAX);
}

static void try_small(input *in)
{
    uint64_t n = 0;
    sto_reply counts = {0};
    sto_bytes bytes = {0};
    input again = *in, more = *in;
    take_all(&farm_row_number, in, &n);
    take_all(&farm_row_peek, &again, &counts);
    take_all(&farm_row_bytes, &more, &bytes);
    require(bytes.len <= STO_MAX_PAYLOAD);
    td_free(bytes.at);
}

static void try_divisions(input *in)
{
    sto_division_vec all = {0};
    take_all(&farm_row_divisions, in, &all);
    for (size_t i = 0; i < all.len; i++)
        require(all.at[i].literal.len <= STO_MAX_PAYLOAD &&
                (i == 0 || all.at[i].item > all.at[i - 1].item));
    sto_divisions_fini(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const tries[])(input *) = {try_reply,    try_campaign, try_news,
                                             try_workers,  try_total,    try_small,
                                             try_divisions};
    if (size == 0)
        return 0;
    input in = {data + 1, size - 1};
    tries[data[0] % (sizeof tries / sizeof tries[0])](&in);
    return 0;
}
