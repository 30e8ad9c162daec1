/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads write to one file by descriptors of their own, in no order; files of their own are nobody's business.
 *
 * treadle:
 * cflags: -DONE
 * expect: verdict incomplete
 * expect: ledger not watched file_two.c:29 write, on a file that another thread uses
 *
 * treadle:
 * expect: verdict complete */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#ifdef ONE
static const char *const names[] = {"file_two.txt", "file_two.txt"};
#else
static const char *const names[] = {"file_two.1", "file_two.2"};
#endif
static int fds[2];

static void *work(void *p)
{
    int i = *(const int *)p;
    char c = (char)('a' + i);
    char b[2] = {c, 0};
    for (int k = 0; k < 2; k++)
        assert(write(fds[i], b, 1) == 1);
    return NULL;
}

int main(void)
{
    static const int first = 0, second = 1;
    pthread_t t;
    for (int i = 0; i < 2; i++)
        fds[i] = open(names[i], O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert(fds[0] >= 0 && fds[1] == fds[0] + 1);
    pthread_create(&t, NULL, work, (void *)&first);
    work((void *)&second);
    pthread_join(t, NULL);
    assert(lseek(fds[0], 0, SEEK_END) > 0);
    return 0;
}
