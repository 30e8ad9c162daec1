/* SPDX-License-Identifier: Apache-2.0
 * zstd's dictionary builder: jobs of the pool report dictionaries, the best one is kept. */
#include <assert.h>

#include "cover.c"

enum { JOBS = 2 };

static COVER_best_t best;
static BYTE content[JOBS] = {'a', 'b'};

static void job(void *arg)
{
    BYTE *at = arg;
    ZDICT_cover_params_t parameters = {.k = *at};
    COVER_dictSelection_t selection = {at, 1, 100 - (size_t)(at - content)};
    COVER_best_finish(&best, parameters, selection);
}

int main(void)
{
    POOL_ctx *pool = POOL_create(1, 1);
    COVER_best_init(&best);
    for (int i = 0; i < JOBS; i++) {
        COVER_best_start(&best);
        POOL_add(pool, job, &content[i]);
    }
    COVER_best_wait(&best);
    assert(best.compressedSize == 100 - (JOBS - 1) && best.parameters.k == 'b');
    assert(*(BYTE *)best.dict == 'b');
    COVER_best_destroy(&best);
    POOL_free(pool);
    return 0;
}
