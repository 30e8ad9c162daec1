/* SPDX-License-Identifier: Apache-2.0 */
/* Forty races and an assertion after them.
 * treadle: -k --runs=300
 * expect: verdict bug
 * expect: ledger runs
 * expect: finding race forty_races.c:59 forty_races.c:59
 * expect: finding race forty_races.c:60 forty_races.c:60
 * expect: finding race forty_races.c:61 forty_races.c:61
 * expect: finding race forty_races.c:62 forty_races.c:62
 * expect: finding race forty_races.c:63 forty_races.c:63
 * expect: finding race forty_races.c:64 forty_races.c:64
 * expect: finding race forty_races.c:65 forty_races.c:65
 * expect: finding race forty_races.c:66 forty_races.c:66
 * expect: finding race forty_races.c:67 forty_races.c:67
 * expect: finding race forty_races.c:68 forty_races.c:68
 * expect: finding race forty_races.c:69 forty_races.c:69
 * expect: finding race forty_races.c:70 forty_races.c:70
 * expect: finding race forty_races.c:71 forty_races.c:71
 * expect: finding race forty_races.c:72 forty_races.c:72
 * expect: finding race forty_races.c:73 forty_races.c:73
 * expect: finding race forty_races.c:74 forty_races.c:74
 * expect: finding race forty_races.c:75 forty_races.c:75
 * expect: finding race forty_races.c:76 forty_races.c:76
 * expect: finding race forty_races.c:77 forty_races.c:77
 * expect: finding race forty_races.c:78 forty_races.c:78
 * expect: finding race forty_races.c:79 forty_races.c:79
 * expect: finding race forty_races.c:80 forty_races.c:80
 * expect: finding race forty_races.c:81 forty_races.c:81
 * expect: finding race forty_races.c:82 forty_races.c:82
 * expect: finding race forty_races.c:83 forty_races.c:83
 * expect: finding race forty_races.c:84 forty_races.c:84
 * expect: finding race forty_races.c:85 forty_races.c:85
 * expect: finding race forty_races.c:86 forty_races.c:86
 * expect: finding race forty_races.c:87 forty_races.c:87
 * expect: finding race forty_races.c:88 forty_races.c:88
 * expect: finding race forty_races.c:89 forty_races.c:89
 * expect: finding race forty_races.c:90 forty_races.c:90
 * expect: finding race forty_races.c:91 forty_races.c:91
 * expect: finding race forty_races.c:92 forty_races.c:92
 * expect: finding race forty_races.c:93 forty_races.c:93
 * expect: finding race forty_races.c:94 forty_races.c:94
 * expect: finding race forty_races.c:95 forty_races.c:95
 * expect: finding race forty_races.c:96 forty_races.c:96
 * expect: finding race forty_races.c:97 forty_races.c:97
 * expect: finding race forty_races.c:98 forty_races.c:98
 * expect: finding assert forty_races.c:111 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int g0, g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17,
    g18, g19;
static int g20, g21, g22, g23, g24, g25, g26, g27, g28, g29, g30, g31, g32, g33, g34, g35,
    g36, g37, g38, g39;
static atomic_int x;

static void touch(void)
{
    g0++;
    g1++;
    g2++;
    g3++;
    g4++;
    g5++;
    g6++;
    g7++;
    g8++;
    g9++;
    g10++;
    g11++;
    g12++;
    g13++;
    g14++;
    g15++;
    g16++;
    g17++;
    g18++;
    g19++;
    g20++;
    g21++;
    g22++;
    g23++;
    g24++;
    g25++;
    g26++;
    g27++;
    g28++;
    g29++;
    g30++;
    g31++;
    g32++;
    g33++;
    g34++;
    g35++;
    g36++;
    g37++;
    g38++;
    g39++;
}

static void *a(void *p)
{
    touch();
    atomic_store(&x, 1);
    return p;
}

static void *b(void *p)
{
    touch();
    assert(atomic_load(&x) == 0);
    return p;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, a, 0);
    pthread_create(&t, 0, b, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    return 0;
}
