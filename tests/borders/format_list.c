/* SPDX-License-Identifier: Apache-2.0 */
/* A text is read through a va_list, as another thread changes it.
 *
 * treadle:
 * expect: verdict bug
 * expect: finding race format_list.c:30 format_list.c:18
 */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static char out[20], text[20] = "x";

static void print(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(out, sizeof out, format, list);
    va_end(list);
}
static void *thread(void *arg)
{
    print("%s", text);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thread, NULL);
    text[0] = 'y';
    pthread_join(t, NULL);
    return 0;
}
