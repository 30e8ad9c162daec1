/* SPDX-License-Identifier: Apache-2.0 */
/* A buffer goes to and fro between threads by a pipe: what read writes there is written after the byte was
 * sent, and what write reads was read before.
 *
 * treadle:
 * expect: verdict complete
 * hand: 0 */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int there[2], back[2];
static char buffer[4];

static void *answers(void *arg)
{
    char go;
    if (read(there[0], &go, 1) != 1)
        abort();
    buffer[0]++;
    if (write(back[1], buffer, 1) != 1)
        abort();
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    if (pipe(there) != 0 || pipe(back) != 0)
        return 1;
    pthread_create(&t, NULL, answers, &result);
    buffer[0] = 'a';
    if (write(there[1], buffer, 1) != 1 || read(back[0], buffer, sizeof buffer) != 1)
        return 1;
    pthread_join(t, &result);
    return buffer[0] == 'b' && result == &result ? 0 : 1;
}
