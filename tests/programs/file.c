/* SPDX-License-Identifier: Apache-2.0 */
/* A file is written and read; it is part of the run.
 *
 * treadle: --search=all
 * expect: runs 2
 * expect: verdict complete
 * hand: 0
 * model: main: begin, create A, end, store x, join A, exit
 * model: A: store y */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;

static void *worker(void *arg)
{
    atomic_store(&y, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    char line[100] = "";
    FILE *f = tmpfile();
    assert(f);
    fputs("hello\n", f);
    rewind(f);
    assert(fgets(line, sizeof line, f) && line[0] == 'h');
    fclose(f);
    __VERIFIER_atomic_begin();
    pthread_create(&t, NULL, worker, NULL);
    __VERIFIER_atomic_end();
    atomic_store(&x, 1);
    pthread_join(t, NULL);
    return 0;
}
