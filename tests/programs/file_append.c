/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread appends a byte, and main counts them: no run finds the file of another one. Who is first is explored by
 * the mutex.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 6
 * agree: --search=dpor
 *
 * treadle: -j2
 * expect: verdict complete */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *p)
{
    pthread_mutex_lock(&mutex);
    int fd = open("file_append.txt", O_WRONLY | O_CREAT | O_APPEND, 0644);
    assert(fd >= 0);
    assert(write(fd, "x", 1) == 1);
    close(fd);
    pthread_mutex_unlock(&mutex);
    return p;
}

int main(void)
{
    pthread_t t[3];
    struct stat st;
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, add, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    assert(stat("file_append.txt", &st) == 0);
    assert(st.st_size == 3);
    return 0;
}
