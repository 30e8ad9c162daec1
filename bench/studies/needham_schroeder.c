/* SPDX-License-Identifier: Apache-2.0 */
/* needham_schroeder [steps]: the public-key protocol, with an intruder who is the network.
 *
 *     1  Alice -> Bob    {nonce of Alice, Alice} for Bob
 *     2  Bob -> Alice    {nonce of Alice, nonce of Bob} for Alice
 *     3  Alice -> Bob    {nonce of Bob} for Bob
 *
 * Alice begins a session with a partner that is an input. All that Alice and Bob send goes to
 * the intruder. In each of its steps it sends a message to the one who can read it: one that
 * it has seen, as it is, or one made of any numbers it knows. It knows all names, a nonce of
 * its own, and what it could decrypt. All of that is chosen by inputs, which may be any
 * integers; a choice of what the intruder cannot know ends the run. A message that arrives is
 * a thread of its own, so nothing waits for anything.
 *
 * Bob must not believe that he talks with Alice when Alice did not begin with Bob. FIXED:
 * message 2 names its sender, and Alice looks at the name (Lowe's correction). */
#include "pick.h"

enum { MAX_STEPS = 4, MAX_MESSAGES = 8, PARTS = 3, MAX_KNOWN = 32 };
enum { ALICE = 1, BOB, INTRUDER, NONCE_ALICE, NONCE_BOB, NONCE_INTRUDER };
PICK_FROM(0, ALICE, BOB, INTRUDER, NONCE_ALICE, NONCE_BOB, NONCE_INTRUDER)

#ifdef FIXED
enum { REPLY_PARTS = 3 };
#else
enum { REPLY_PARTS = 2 };
#endif

/* Who can read it, how many parts count, and what it says; the other parts are names. */
typedef struct message {
    int reader, n;
    int part[PARTS];
} message;

static pthread_mutex_t net_lock = PTHREAD_MUTEX_INITIALIZER;
static message net[MAX_MESSAGES]; /* all that Alice and Bob have sent */
static int n_net;
static message sent[MAX_STEPS]; /* what the intruder has sent */
static int n_steps;

static void send(message m)
{
    pthread_mutex_lock(&net_lock);
    net[n_net++] = m;
    pthread_mutex_unlock(&net_lock);
}

/* ---- Alice ---- */

static pthread_mutex_t alice_lock = PTHREAD_MUTEX_INITIALIZER;
static int alice_partner;
static bool alice_is_done;

static bool alice_accepts(const message *m)
{
    bool is_answer =
        (m->reader == ALICE) & (m->n == REPLY_PARTS) & (m->part[0] == NONCE_ALICE);
#ifdef FIXED
    is_answer &= m->part[2] == alice_partner;
#endif
    return is_answer;
}

static void alice_answers(const message *m)
{
    if (alice_is_done || !alice_accepts(m))
        return;
    alice_is_done = true;
    send((message){alice_partner, 1, {m->part[1], ALICE, ALICE}});
}

static void *alice(void *step)
{
    pthread_mutex_lock(&alice_lock);
    alice_answers(&sent[(intptr_t)step]);
    pthread_mutex_unlock(&alice_lock);
    return NULL;
}

/* ---- Bob ---- */

static pthread_mutex_t bob_lock = PTHREAD_MUTEX_INITIALIZER;
static int bob_partner;
static bool bob_has_partner;

static bool is_first(const message *m)
{
    return (m->reader == BOB) & (m->n == 2) &
           ((m->part[1] == ALICE) | (m->part[1] == INTRUDER));
}

static bool is_third(const message *m)
{
    return (m->reader == BOB) & (m->n == 1) & (m->part[0] == NONCE_BOB);
}

static void bob_answers(const message *m)
{
    if (!bob_has_partner && is_first(m)) {
        bob_has_partner = true;
        bob_partner = m->part[1];
        send((message){bob_partner, REPLY_PARTS, {m->part[0], NONCE_BOB, BOB}});
    } else if (bob_has_partner && is_third(m)) {
        treadle_assert((bob_partner != ALICE) | (alice_partner == BOB));
    }
}

static void *bob(void *step)
{
    pthread_mutex_lock(&bob_lock);
    bob_answers(&sent[(intptr_t)step]);
    pthread_mutex_unlock(&bob_lock);
    return NULL;
}

/* ---- the intruder ---- */

typedef struct intruder {
    message seen[MAX_MESSAGES];
    int n_seen;
    int known[MAX_KNOWN], n_known;
} intruder;

/* What is not for the intruder teaches it nothing but a name. */
static void learn(intruder *self, const message *m)
{
    for (int i = 0; i < PARTS; i++)
        self->known[self->n_known++] =
            either(m->reader == INTRUDER, m->part[i], INTRUDER);
}

static void look(intruder *self)
{
    pthread_mutex_lock(&net_lock);
    int n = n_net;
    for (int i = self->n_seen; i < n; i++)
        self->seen[i] = net[i];
    pthread_mutex_unlock(&net_lock);
    for (; self->n_seen < n; self->n_seen++)
        learn(self, &self->seen[self->n_seen]);
}

static bool knows(const intruder *self, int number)
{
    bool found = false;
    for (int i = 0; i < self->n_known; i++)
        found |= self->known[i] == number;
    return found;
}

/* Any message; whether the intruder can make it. */
static bool make(const intruder *self, message *m)
{
    bool can = true;
    m->reader = pick("for whom");
    m->n = pick("parts");
    for (int i = 0; i < PARTS; i++) {
        m->part[i] = pick("part");
        can &= knows(self, m->part[i]);
    }
    return can;
}

/* Replaces it by one that was seen; whether the input asks for that. */
static bool forward(const intruder *self, message *m)
{
    int which = pick("message to forward");
    bool found = false;
    for (int i = 0; i < self->n_seen; i++) {
        const message *old = &self->seen[i];
        m->reader = either(which == i, old->reader, m->reader);
        m->n = either(which == i, old->n, m->n);
        for (int k = 0; k < PARTS; k++)
            m->part[k] = either(which == i, old->part[k], m->part[k]);
        found |= which == i;
    }
    return found;
}

static void *intrude(void *arg)
{
    intruder self = {.known = {ALICE, BOB, INTRUDER, NONCE_INTRUDER}, .n_known = 4};
    for (int step = 0; step < n_steps; step++) {
        message *m = &sent[step];
        look(&self);
        bool is_new = make(&self, m), is_old = forward(&self, m);
        treadle_assume(is_new | is_old);
        deliver(m->reader == ALICE ? alice : bob, step);
    }
    return arg;
}

int main(int argc, char **argv)
{
    n_steps = size_arg(argc, argv, 1, 3, MAX_STEPS);
    alice_partner = pick("partner of Alice");
    treadle_assume((alice_partner == BOB) | (alice_partner == INTRUDER));
    deliver(intrude, 0);
    send((message){alice_partner, 2, {NONCE_ALICE, ALICE, ALICE}});
    return leave();
}
