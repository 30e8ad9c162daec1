/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the litmus test in its argument, and prints the final state: what each operation read, then the
 * locations, a character each.
 *
 * Threads are separated by '/', operations by '.': R load, W store, X exchange, A fetch_add, C compare_exchange,
 * F fence; then the location (x, y, z), values (of C: expected, desired) and orders (r relaxed, a acquire,
 * l release, b acq_rel, s seq_cst; C has a second one, for failure). Wx1r.Fs.Ryr/Cy02ba is two threads.
 * V stores what its thread read last, plus one (Vxr); J ends its thread if that is zero; M and U lock and unlock the
 * one mutex. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_THREADS = 6, N_OPS = 16, N_LOCATIONS = 3 };

static atomic_int memory[N_LOCATIONS];
static char ops[N_THREADS][N_OPS][8];
static int n_ops[N_THREADS];
static int seen[N_THREADS][N_OPS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#define R memory_order_relaxed
#define A memory_order_acquire
#define L memory_order_release
#define B memory_order_acq_rel
#define S memory_order_seq_cst

/* Each order is a constant of its own instruction. */
#define EACH(order, DO)                                                                  \
    switch (order) {                                                                     \
    case 'r':                                                                            \
        DO(R);                                                                           \
        break;                                                                           \
    case 'a':                                                                            \
        DO(A);                                                                           \
        break;                                                                           \
    case 'l':                                                                            \
        DO(L);                                                                           \
        break;                                                                           \
    case 'b':                                                                            \
        DO(B);                                                                           \
        break;                                                                           \
    case 's':                                                                            \
        DO(S);                                                                           \
        break;                                                                           \
    default:                                                                             \
        abort();                                                                         \
    }

static int load(atomic_int *at, char order)
{
    switch (order) {
    case 'r':
        return atomic_load_explicit(at, R);
    case 'a':
        return atomic_load_explicit(at, A);
    case 's':
        return atomic_load_explicit(at, S);
    default:
        abort();
    }
}

static void store(atomic_int *at, int value, char order)
{
    switch (order) {
    case 'r':
        atomic_store_explicit(at, value, R);
        break;
    case 'l':
        atomic_store_explicit(at, value, L);
        break;
    case 's':
        atomic_store_explicit(at, value, S);
        break;
    default:
        abort();
    }
}

static int exchange(atomic_int *at, int value, char order)
{
    int old = 0;
#define DO(o) old = atomic_exchange_explicit(at, value, o)
    EACH(order, DO)
#undef DO
    return old;
}

static int add(atomic_int *at, int value, char order)
{
    int old = 0;
#define DO(o) old = atomic_fetch_add_explicit(at, value, o)
    EACH(order, DO)
#undef DO
    return old;
}

static int compare_exchange(atomic_int *at, const char *op)
{
    int expected = op[2] - '0', value = op[3] - '0';
#define FAIL(o, f) atomic_compare_exchange_strong_explicit(at, &expected, value, o, f)
#define DO(o) (op[5] == 'r' ? FAIL(o, R) : op[5] == 'a' ? FAIL(o, A) : FAIL(o, S))
    EACH(op[4], DO)
#undef DO
#undef FAIL
    return expected;
}

static void fence(char order)
{
#define DO(o) atomic_thread_fence(o)
    EACH(order, DO)
#undef DO
}

/* last: what the thread read last. */
static int execute(const char *op, int last)
{
    atomic_int *at = strchr("FJMU", op[0]) ? NULL : &memory[op[1] - 'x'];
    switch (op[0]) {
    case 'R':
        return load(at, op[2]);
    case 'W':
        store(at, op[2] - '0', op[3]);
        return 0;
    case 'V':
        store(at, last + 1, op[2]);
        return 0;
    case 'X':
        return exchange(at, op[2] - '0', op[3]);
    case 'A':
        return add(at, op[2] - '0', op[3]);
    case 'C':
        return compare_exchange(at, op);
    case 'F':
        fence(op[1]);
        return 0;
    case 'M':
        pthread_mutex_lock(&mutex);
        return 0;
    case 'U':
        pthread_mutex_unlock(&mutex);
        return 0;
    default:
        abort();
    }
}

static void *thread(void *p)
{
    int t = *(int *)p, last = 0;
    for (int i = 0; i < n_ops[t] && (ops[t][i][0] != 'J' || last); i++) {
        if (ops[t][i][0] == 'J')
            continue;
        seen[t][i] = execute(ops[t][i], last);
        if (strchr("RXAC", ops[t][i][0]))
            last = seen[t][i];
    }
    return NULL;
}

static int parse(char *text)
{
    int t = 0;
    char *rest = NULL;
    for (char *one = strtok_r(text, "/", &rest); one; one = strtok_r(NULL, "/", &rest)) {
        char *more = NULL;
        for (char *op = strtok_r(one, ".", &more); op; op = strtok_r(NULL, ".", &more))
            strncpy(ops[t][n_ops[t]++], op, sizeof ops[0][0] - 1);
        t++;
    }
    return t;
}

static char digit(int value)
{
    return "0123456789abcdefghijklmnopqrstuvwxyz"[value % 36];
}

int main(int argc, char **argv)
{
    static char line[N_THREADS * N_OPS + N_LOCATIONS + 2];
    static pthread_t threads[N_THREADS];
    static int numbers[N_THREADS];
    if (argc != 2)
        return 2;
    int n = parse(argv[1]), len = 0;
    for (int t = 0; t < n; t++) {
        numbers[t] = t;
        pthread_create(&threads[t], NULL, thread, &numbers[t]);
    }
    for (int t = 0; t < n; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < n_ops[t]; i++)
            if (strchr("RXAC", ops[t][i][0]))
                line[len++] = digit(seen[t][i]);
    for (int k = 0; k < N_LOCATIONS; k++)
        line[len++] = digit(atomic_load_explicit(&memory[k], R));
    puts(line);
    return 0;
}
