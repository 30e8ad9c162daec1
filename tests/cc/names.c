/* SPDX-License-Identifier: Apache-2.0 */
/* Prints its own site table; names.sh compares it with the comments of this file: a line
 * that ends in a comment in slashes and angle brackets lists the sites it must have. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct account {
    int id;
    long balance;
    pthread_mutex_t lock;
} account;

struct ring {
    int head, tail;
    unsigned char bytes[16];
    struct {
        short low, high;
    } pairs[4];
    union {
        int whole;
        float part;
    };
    unsigned flag : 3, rest : 29;
};

typedef struct node {
    struct node *next;
    int value;
} node;

enum colour { RED, GREEN } colour;

static account accounts[3];
struct ring ring, *ring_at = &ring;
int counter, grid[3][4], *int_at = &counter, **int_at_at = &int_at;
unsigned long total;
double rate;
char letters[10];
_Bool done;
_Atomic long ticket;
_Atomic(node *) top;
pthread_mutex_t fork_[3], mutex = PTHREAD_MUTEX_INITIALIZER;
static __thread int hidden;
__thread int visible;

/* A comment stands on the line it is about. */
/* clang-format off */

void plain(int i)
{
    counter = i;                /*< w counter signed >*/
    total += 2;                 /*< r total unsigned, w total unsigned >*/
    rate = i;                   /*< w rate float >*/
    letters[i] = 'x';           /*< w letters[] char >*/
    letters[2] = 'y';           /*< w letters[2] char >*/
    done = 1;                   /*< w done bool >*/
    colour = GREEN;             /*< w colour unsigned >*/
    grid[1][i] = 2;             /*< w grid[1][] signed >*/
    grid[i][3] = 3;             /*< w grid[][3] signed >*/
    *int_at = 4;                /*< r int_at pointer, w *int_at signed >*/
    int_at[i] = 5;              /*< r int_at pointer, w int_at[] signed >*/
    **int_at_at = 6;            /*< r int_at_at pointer, r *int_at_at pointer, w **int_at_at signed >*/
    hidden = i;                 /*<  >*/
    visible = i;                /*< w visible signed >*/
}

void members(int i)
{
    ring.head = 1;              /*< w ring.head signed >*/
    ring.tail = 2;              /*< w ring.tail signed >*/
    ring.bytes[3] = 4;          /*< w ring.bytes[3] unsigned >*/
    ring.bytes[i] = 5;          /*< w ring.bytes[] unsigned >*/
    ring.pairs[1].high = 6;     /*< w ring.pairs[1].high signed >*/
    accounts[0].balance = 7;    /*< w accounts[0].balance signed >*/
    accounts[i].balance = 8;    /*< w accounts[].balance signed >*/
    accounts[1] = accounts[i];  /*< c accounts[1], c accounts[] >*/
}

void pointers(struct ring *r, node *n, account *a, int i)
{
    r->tail = i;                /*< w r->tail signed >*/
    r->bytes[i] = 1;            /*< w r->bytes[] unsigned >*/
    r->pairs[i].low = 2;        /*< w r->pairs[].low signed >*/
    n->next->value = 3;         /*< r n->next pointer, w n->next->value signed >*/
    a[i].id = 4;                /*< w a[].id signed >*/
    ring_at->head = 5;          /*< r ring_at pointer, w ring_at->head signed >*/
}

void calls(account *a, pthread_mutex_t *m, int i)
{
    pthread_mutex_lock(&mutex);        /*< x mutex >*/
    pthread_mutex_unlock(m);           /*< x m >*/
    pthread_mutex_lock(&fork_[i]);     /*< x fork_[] >*/
    pthread_mutex_unlock(fork_ + 2);   /*< x fork_[2] >*/
    pthread_mutex_lock(&a->lock);      /*< x a->lock >*/
    pthread_mutex_unlock(&accounts[i].lock); /*< x accounts[].lock >*/
    usleep(1);                         /*< x  >*/
}

void atomics(node *n)
{
    ticket = 1;                 /*< a ticket signed >*/
    atomic_fetch_add(&ticket, 2); /*< a ticket signed >*/
    n->next = top;              /*< a top pointer, w n->next pointer >*/
    atomic_thread_fence(memory_order_acquire); /*< a  >*/
}

int locals(int i)
{
    int own[4] = {0};           /*<  >*/
    account *a = malloc(sizeof *a);
    own[i & 3] = i;             /*<  >*/
    a->id = own[0];             /*< w a->id signed >*/
    memset(a, 0, sizeof *a);    /*< c *a >*/
    memcpy(letters, &own[1], 4); /*< c letters[0] >*/
    return own[1];              /*<  >*/
}

/* clang-format on */

/* --- the printer --- */

typedef struct site {
    int file, function, name, callee;
    unsigned line, column;
    unsigned short kind, size;
    unsigned type;
} site;

extern const site __start_treadle_sites[], __stop_treadle_sites[];

static const char *text(const site *s, int distance)
{
    const site *of_file = (const site *)((const char *)s + s->file);
    return (const char *)of_file + of_file->file + distance;
}

int main(void)
{
    static const char kinds[] = "rwaxc?i";
    static const char *const types[] = {"",      "signed", "unsigned", "pointer",
                                        "float", "bool",   "char"};
    for (const site *s = __start_treadle_sites; s < __stop_treadle_sites; s++)
        if (s->line && s->kind < sizeof kinds - 1 && s->kind != 5 &&
            strstr(text(s, 0), "names.c"))
            printf("%u %s: %c %s %s\n", s->line, text(s, s->function), kinds[s->kind],
                   text(s, s->name), s->kind == 3 || s->kind == 4 ? "" : types[s->type]);
    return 0;
}
