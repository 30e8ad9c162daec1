/* SPDX-License-Identifier: Apache-2.0 */
/* A tracefile as geninfo(1) describes it. treadle knows whether, not how often: counts are 0 or 1.
 * A file has one record, whichever of its functions, branches and lines are known. */
#include "report/formats/formats.h"

#include <inttypes.h>
#include <string.h>

#include "base/assert.h"

/* Where the next file starts in each vector. */
typedef struct cursor {
    size_t function, side, line;
} cursor;

/* A name on a line of its own; what would break the line is left out. */
static void put_word(td_text *out, const char *text)
{
    for (const char *p = text; *p != '\0'; p++)
        if ((unsigned char)*p >= 0x20 && *p != 0x7f)
            td_text_put(out, p, 1);
}

static const char *smaller(const char *a, const char *b)
{
    return a == NULL || (b != NULL && strcmp(b, a) < 0) ? b : a;
}

/* Returns the next file in order, or NULL. */
static const char *next_file(const det_coverage *p, const cursor *c)
{
    const char *file = NULL;
    if (c->function < p->functions.len)
        file = smaller(file, p->functions.at[c->function].file);
    if (c->side < p->sides.len)
        file = smaller(file, p->sides.at[c->side].file);
    if (c->line < p->lines.len)
        file = smaller(file, p->lines.at[c->line].file);
    return file;
}

static void put_functions(const det_coverage *p, cursor *c, const char *file,
                          td_text *out)
{
    size_t found = 0, hit = 0, end = c->function;
    for (; end < p->functions.len && strcmp(p->functions.at[end].file, file) == 0;
         end++) {
        td_text_add(out, "FN:%" PRIu32 ",", p->functions.at[end].line);
        put_word(out, p->functions.at[end].name);
        td_text_add(out, "\n");
    }
    for (; c->function < end; c->function++) {
        const det_cov_function *f = &p->functions.at[c->function];
        found++;
        hit += f->entered;
        td_text_add(out, "FNDA:%d,", f->entered);
        put_word(out, f->name);
        td_text_add(out, "\n");
    }
    td_text_add(out, "FNF:%zu\nFNH:%zu\n", found, hit);
}

static bool is_reached(const det_coverage *p, size_t first, uint32_t n_sides)
{
    for (size_t i = first; i < p->sides.len && i < first + n_sides; i++)
        if (p->sides.at[i].taken)
            return true;
    return false;
}

/* Writes the branches of a line, numbered from 0; "-" means that the branch was never reached. */
static void put_sides(const det_coverage *p, cursor *c, const char *file, td_text *out)
{
    size_t found = 0, hit = 0;
    uint32_t line = 0, number = 0;
    bool reached = false;
    for (; c->side < p->sides.len && strcmp(p->sides.at[c->side].file, file) == 0;
         c->side++) {
        const det_cov_side *s = &p->sides.at[c->side];
        if (s->side == 0) {
            number = s->line == line && found > 0 ? number + 1 : 0;
            reached = is_reached(p, c->side, s->n_sides);
        }
        line = s->line;
        found++;
        hit += s->taken;
        td_text_add(out, "BRDA:%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s\n", s->line, number,
                    s->side,
                    !reached   ? "-"
                    : s->taken ? "1"
                               : "0");
    }
    td_text_add(out, "BRF:%zu\nBRH:%zu\n", found, hit);
}

/* genhtml 2 requires a line for each function and each branch: the line where a function begins counts as
 * executed if the function is entered. */
static void put_lines(const det_coverage *p, const cursor *from, cursor *c,
                      const char *file, td_text *out)
{
    size_t hit = 0;
    det_coverage all = {0};
    for (size_t i = from->function; i < c->function; i++)
        det_coverage_line(&all, &(det_cov_line){(char *)file, p->functions.at[i].line,
                                                p->functions.at[i].entered});
    for (size_t i = from->side; i < c->side; i++)
        det_coverage_line(&all, &(det_cov_line){(char *)file, p->sides.at[i].line,
                                                p->sides.at[i].taken});
    for (; c->line < p->lines.len && strcmp(p->lines.at[c->line].file, file) == 0;
         c->line++)
        det_coverage_line(&all, &p->lines.at[c->line]);
    det_coverage_order(&all);
    for (size_t i = 0; i < all.lines.len; i++) {
        hit += all.lines.at[i].executed;
        td_text_add(out, "DA:%" PRIu32 ",%d\n", all.lines.at[i].line,
                    all.lines.at[i].executed);
    }
    td_text_add(out, "LF:%zu\nLH:%zu\n", all.lines.len, hit);
    det_coverage_fini(&all);
}

void rep_lcov(const rep_past *p, td_text *out)
{
    cursor c = {0};
    for (const char *file; (file = next_file(&p->coverage, &c)) != NULL;) {
        cursor before = c;
        td_text_add(out, "TN:\nSF:");
        put_word(out, rep_past_path(p, file));
        td_text_add(out, "\n");
        put_functions(&p->coverage, &c, file, out);
        put_sides(&p->coverage, &c, file, out);
        put_lines(&p->coverage, &before, &c, file, out);
        TD_ASSERT(c.function > before.function || c.side > before.side ||
                  c.line > before.line);
        td_text_add(out, "end_of_record\n");
    }
    if (out->at == NULL)
        td_text_put(out, "", 0);
}
