/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread has files of its own: numbers are given in every order, and nothing is left out. Where the program sees
 * no number one run is enough.
 *
 * treadle:
 * expect: verdict complete
 * expect: runs 6
 * treadle:
 * cflags: -g -DSTREAM
 * expect: verdict complete
 * expect: runs 1 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef STREAM
static void *works(void *arg)
{
    char name[16], line[16] = "";
    snprintf(name, sizeof name, "own-%d", arg != NULL);
    FILE *f = fopen(name, "w");
    fprintf(f, "%d", arg != NULL);
    fclose(f);
    f = fopen(name, "r");
    assert(fgets(line, sizeof line, f) && line[0] == '0' + (arg != NULL));
    fclose(f);
    printf("thread %d\n", arg != NULL);
    return NULL;
}
#else
static void *works(void *arg)
{
    char name[] = "own-0", c = '0' + (arg != NULL);
    name[4] = c;
    int fd = open(name, O_RDWR | O_CREAT, 0600);
    assert(write(fd, &c, 1) == 1 && lseek(fd, 0, SEEK_SET) == 0);
    c = 0;
    assert(read(fd, &c, 1) == 1 && c == '0' + (arg != NULL));
    close(fd);
    return NULL;
}
#endif

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, NULL, works, NULL);
    pthread_create(&y, NULL, works, &y);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
