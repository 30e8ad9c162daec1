/* SPDX-License-Identifier: Apache-2.0 */
/* tmn [steps]: Alice and Bob get a key for a session by way of a server (Tatebayashi,
 * Matsuzaki, Newman), and an intruder listens.
 *
 *     1  Alice -> server    Bob, {secret of Alice, key of Alice}
 *     2  server -> Bob      Alice
 *     3  Bob -> server      Alice, {secret of Bob, key that Bob makes}
 *     4  server -> Alice    Bob, the two keys combined by exclusive or
 *
 * Only the server reads what is in braces; the secret proves who wrote it. The intruder is a
 * user like the others, with a secret and a key. It hears all messages, and in each of its
 * steps it sends one to the server in anybody's name: with braces that it has heard, or with
 * new ones around numbers it knows. At the end it combines a message 4 with a key it knows.
 * All of that is chosen by inputs, which may be any integers; a choice of what the intruder
 * cannot know ends the run. A message that arrives is a thread of its own.
 *
 * The intruder must not get the key that Bob made for Alice. FIXED: the braces name the
 * partner as well, and the server compares. */
#include "pick.h"

enum { MAX_STEPS = 4, MAX_SESSIONS = 6, MAX_LETTERS = 16 };
enum { ALICE = 1, BOB, INTRUDER, USERS };
enum { REPLY, REQUEST };

PICK_FROM(0, ALICE, BOB, INTRUDER, 1001, 1002, 1003, 0x2c9f)

static const int secret_of[USERS] = {0, 1001, 1002, 1003};
static const int key_of[USERS] = {0, 0x5a31, 0, 0x2c9f};

/* What is in braces; partner is there in the corrected protocol only. */
typedef struct cipher {
    int secret, key, partner;
} cipher;

typedef struct letter {
    int kind, from, to;
    cipher content;
} letter;

/* Bob makes a new key for every caller. */
static int key_for(int caller)
{
    return 0x7700 + caller * 0x11;
}

/* ---- what the intruder hears ---- */

static pthread_mutex_t heard_lock = PTHREAD_MUTEX_INITIALIZER;
static cipher heard[MAX_LETTERS]; /* braces of others */
static int n_heard;
static pthread_mutex_t combined_lock = PTHREAD_MUTEX_INITIALIZER;
static int combined[MAX_SESSIONS]; /* messages 4 */
static int n_combined;

/* ---- letters to the server; each has a place of its own ---- */

enum { OF_ALICE, OF_INTRUDER, OF_BOB = OF_INTRUDER + MAX_STEPS };
enum { MAX_MAIL = OF_BOB + MAX_SESSIONS };
static letter mail[MAX_MAIL];

static void *server(void *number);

static void post(int at, letter l)
{
    pthread_mutex_lock(&heard_lock);
    heard[n_heard++] = l.content;
    pthread_mutex_unlock(&heard_lock);
    mail[at] = l;
    deliver(server, at);
}

/* ---- sessions, kept by the server ---- */

typedef struct session {
    int from, to, key;
    bool is_open;
} session;

static pthread_mutex_t server_lock = PTHREAD_MUTEX_INITIALIZER;
static session sessions[MAX_SESSIONS];
static int n_sessions;

/* ---- Bob, called by the server ---- */

/* The session does not change any more but for its end, which is not looked at. */
static void *bob(void *number)
{
    int at = (int)(intptr_t)number, caller = sessions[at].from;
    cipher c = {secret_of[BOB], key_for(caller), caller};
    post(OF_BOB + at, (letter){REPLY, BOB, caller, c});
    return NULL;
}

/* ---- the server ---- */

static bool is_by(const cipher *c, int user, int partner)
{
    bool fits = false;
    for (int u = ALICE; u < USERS; u++)
        fits |= (user == u) & (c->secret == secret_of[u]);
#ifdef FIXED
    fits &= c->partner == partner;
#endif
    return fits;
}

/* Nobody but Bob is called in this study. */
static void begin(const letter *l)
{
    int at = n_sessions++;
    sessions[at] = (session){l->from, l->to, l->content.key, true};
    if (l->to == BOB)
        deliver(bob, at);
}

static void end(const letter *l)
{
    for (int i = 0; i < n_sessions; i++) {
        session *s = &sessions[i];
        if (!s->is_open || !((s->from == l->to) & (s->to == l->from)))
            continue;
        s->is_open = false;
        pthread_mutex_lock(&combined_lock);
        combined[n_combined++] = s->key ^ l->content.key;
        pthread_mutex_unlock(&combined_lock);
        return;
    }
}

static void *server(void *number)
{
    const letter *l = &mail[(intptr_t)number];
    if (!is_by(&l->content, l->from, l->to))
        return NULL;
    pthread_mutex_lock(&server_lock);
    if (l->kind == REQUEST)
        begin(l);
    else
        end(l);
    pthread_mutex_unlock(&server_lock);
    return NULL;
}

/* ---- the intruder ---- */

static int n_steps;

/* Any braces; whether the intruder can make them. */
static bool make(cipher *c)
{
    *c = (cipher){pick("secret"), pick("key"), pick("partner")};
    return (c->secret == secret_of[INTRUDER]) & (c->key == key_of[INTRUDER]);
}

/* Replaces them by some that were heard; whether the input asks for that. */
static bool repeat(cipher *c)
{
    int which = pick("braces to repeat");
    bool found = false;
    for (int i = 0; i < n_heard; i++) {
        c->secret = either(which == i, heard[i].secret, c->secret);
        c->key = either(which == i, heard[i].key, c->key);
        c->partner = either(which == i, heard[i].partner, c->partner);
        found |= which == i;
    }
    return found;
}

static void inject(int at)
{
    letter l = {pick("kind"), pick("from"), pick("to"), {0}};
    bool is_new = make(&l.content);
    pthread_mutex_lock(&heard_lock);
    bool is_old = repeat(&l.content);
    pthread_mutex_unlock(&heard_lock);
    treadle_assume(is_new | is_old);
    mail[at] = l;
    deliver(server, at);
}

static void combine(void)
{
    int which = pick("message 4"), value = 0;
    pthread_mutex_lock(&combined_lock);
    for (int i = 0; i < n_combined; i++)
        value = either(which == i, combined[i], value);
    pthread_mutex_unlock(&combined_lock);
    treadle_assert((value ^ key_of[INTRUDER]) != key_for(ALICE));
}

static void *intrude(void *arg)
{
    for (int step = 0; step < n_steps; step++)
        inject(OF_INTRUDER + step);
    combine();
    return arg;
}

int main(int argc, char **argv)
{
    n_steps = size_arg(argc, argv, 1, 2, MAX_STEPS);
    deliver(intrude, 0);
    cipher c = {secret_of[ALICE], key_of[ALICE], BOB};
    post(OF_ALICE, (letter){REQUEST, ALICE, BOB, c});
    return leave();
}
