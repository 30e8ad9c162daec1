/* SPDX-License-Identifier: Apache-2.0 */
/* snprintf reads a text that another thread changes; sprintf does not read behind its precision.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race format_text.c:25 format_text.c:16
 */
#include <pthread.h>
#include <stdio.h>

static char one[20], two[20], text[20] = "xyz";

static void *thread(void *arg)
{
    sprintf(one, "%d %.2s", 5, text);
    snprintf(two, sizeof two, "%d %.3s", 5, text);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    text[3] = 'y';
    text[10] = 'y';
    text[2] = 'y';
    pthread_join(t, NULL);
    return 0;
}
