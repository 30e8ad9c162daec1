/* SPDX-License-Identifier: Apache-2.0
 * sort --parallel=2 -u of four lines in memory: two threads sort two lines each, and merge all of them.
 * The file is included, since what is tested is private to it. It starts threads from 131,072 lines
 * on, by a constant: the macro is the name of that constant where it is defined, and 4 where it
 * is asked for. */
#include <config.h>

#include <assert.h>
#include <stdio.h>

#define NAME_OF(line) LEAST_##line
#define NAME(line) NAME_OF(line)
#define SUBTHREAD_LINES_HEURISTIC NAME(__LINE__)
enum { LEAST_113 = 4, LEAST_3744 = 4 };

/* The output. */
static size_t keep_line(const void *text, size_t size, size_t n, FILE *to);

#define main sort_main
#undef fwrite_unlocked
#define fwrite_unlocked keep_line
#include "src/sort.c"
#undef main

enum { LINES = 4, THREADS = 2 };

static char kept[2 * LINES + 1];
static size_t n_kept;

static size_t keep_line(const void *text, size_t size, size_t n, FILE *to)
{
    (void)to;
    assert(size == 1 && n == 2 && n_kept + n < sizeof kept);
    memcpy(kept + n_kept, text, n);
    n_kept += n;
    return n;
}

/* As sort() does it, which has the lines from the last one down, and room for them once more. */
int main(void)
{
    static char texts[LINES][2] = {"c", "b", "d", "b"};
    static struct line all[2 * LINES];
    struct line *end = all + 2 * LINES;
    struct merge_node_queue queue;
    unique = true;
    for (int i = 0; i < LINES; i++)
        end[-1 - i] = (struct line){.text = texts[i], .length = sizeof texts[i]};
    queue_init(&queue, THREADS);
    struct merge_node *tree = merge_tree_init(THREADS, LINES, end);
    sortlines(end, THREADS, LINES, tree + 1, &queue, stdout, NULL);
    merge_tree_destroy(THREADS, tree);
    queue_destroy(&queue);
    assert(strcmp(kept, "b\nc\nd\n") == 0);
    return 0;
}
