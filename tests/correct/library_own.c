/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the program that have names of the C library's are what the program says: no row is about them.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>

static char name[8] = "name";
static int shared;

void error(int status, int number, const char *format, ...);
void error(int status, int number, const char *format, ...)
{
    (void)status, (void)number, (void)format;
}

char *basename(char *path);
char *basename(char *path)
{
    return path;
}

static char *(*pointer)(char *) = basename;

static void *work(void *arg)
{
    error(0, 0, name);
    return pointer(arg);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, &shared);
    name[0] = 'N';
    pthread_join(t, NULL);
    return shared;
}
