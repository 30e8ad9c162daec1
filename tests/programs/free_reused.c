/* SPDX-License-Identifier: Apache-2.0 */
/* Memory is given back and comes again with another mutex.
 *
 * treadle: -k
 * expect: runs 1
 * expect: events 8
 * expect: verdict complete
 *
 * treadle: --search=all -k
 * expect: runs 1
 * expect: events 9
 * expect: verdict complete */
#include <pthread.h>
#include <stdlib.h>

struct item {
    int x;
    pthread_mutex_t m;
};

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct item *p = calloc(1, sizeof *p);
        pthread_mutex_init(&p->m, NULL);
        pthread_mutex_lock(&p->m);
        pthread_mutex_unlock(&p->m);
        free(p);
    }
    return 0;
}
