/* SPDX-License-Identifier: Apache-2.0 */
/* (c) The file system example of Flanagan and Godefroid (POPL 2005),
 * NUMBLOCKS = 26, NUMINODE = 32, N threads.  */
#include "bench.h"
#ifndef N
#define N 14
#endif
#define NUMBLOCKS 26
#define NUMINODE 32
pthread_mutex_t locki[NUMINODE];
pthread_mutex_t lockb[NUMBLOCKS];
int inode[NUMINODE];
int busy[NUMBLOCKS];

void *thread(void *arg)
{
    int i = (int)(long)arg % NUMINODE;
    pthread_mutex_lock(&locki[i]);
    if (inode[i] == 0) {
        int b = (i * 2) % NUMBLOCKS;
        for (;;) {
            pthread_mutex_lock(&lockb[b]);
            if (!busy[b]) {
                busy[b] = 1;
                inode[i] = b + 1;
                pthread_mutex_unlock(&lockb[b]);
                break;
            }
            pthread_mutex_unlock(&lockb[b]);
            b = (b + 1) % NUMBLOCKS;
        }
    }
    pthread_mutex_unlock(&locki[i]);
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < NUMINODE; i++)
        pthread_mutex_init(&locki[i], NULL);
    for (int i = 0; i < NUMBLOCKS; i++)
        pthread_mutex_init(&lockb[i], NULL);
    for (long i = 0; i < N; i++)
        spawn(&t[i], thread, i);
    for (int i = 0; i < N; i++)
        join(t[i]);
    return 0;
}
