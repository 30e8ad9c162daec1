/* SPDX-License-Identifier: Apache-2.0 */
/* Library functions that read and write shared memory, and states of the library, always under one lock: no
 * access of theirs is a race.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[32] = "12 3.5";
static wchar_t wide[8] = L"17";
static int number, rest;
static double real;
static struct tm date;
static char *made;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    sscanf(text, "%d %lf%n", &number, &real, &rest);
    number += (int)strtod(text, NULL) + (int)wcstol(wide, NULL, 10);
    time_t now = 86400;
    gmtime_r(&now, &date);
    strftime(text, sizeof text, "%d 3.5", &date);
    setenv("LIBRARY_LOCKED", arg ? "1" : "2", 1);
    if (getenv("LIBRARY_LOCKED") == NULL)
        abort();
    const struct tm *other = localtime(&now);
    number += other->tm_year;
    free(made);
    if (asprintf(&made, "%s %d", text, number) < 0)
        made = NULL;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, &number);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(made);
    return 0;
}
