/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of a structure race: each of its four members is an access of its own, and main sees every mixture
 * of the two: 16, after the run that shows the race. Compared with all interleavings. The byte behind the last
 * member is nobody's. Without optimisation nothing tells the members.
 *
 * treadle: -k
 * agree: -k --search=all
 * expect: verdict bug
 * expect: runs 17
 * expect: finding race promote_struct.c:38 promote_struct.c:46
 *
 * treadle: -k
 * cflags: -DTORN
 * expect: verdict bug
 * expect: finding race promote_struct.c:38 promote_struct.c:46
 * expect: finding assert promote_struct.c:49
 *
 * treadle: -k
 * cflags: -O0
 * expect: verdict bug
 * expect: finding race promote_struct.c:38 promote_struct.c:46
 * expect: ledger race promote_struct.c:38
 * expect: ledger race promote_struct.c:46 */
#include <assert.h>
#include <pthread.h>

struct item {
    char *name;
    int count;
    short kind;
    char end;
};

static struct item shared, fresh = {"b", 1, 2, 3};

static void *worker(void *arg)
{
    shared = fresh;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    struct item mine = shared;
    pthread_join(t, NULL);
#ifdef TORN
    assert(!(mine.name && mine.count == 1 && mine.kind == 0 && mine.end == 3));
#endif
    return mine.count == 7;
}
