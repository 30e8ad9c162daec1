/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzz target: inputs that begin with T start two threads, which count the rest; after TX not as one step. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const uint8_t *bytes;
static size_t size;
static int n;

static void *half(void *arg)
{
    size_t first = arg ? size / 2 : 2, end = arg ? size : size / 2;
    for (size_t i = first; i < end; i++) {
        pthread_mutex_lock(&lock);
        int old = n;
        if (bytes[1] == 'X') { /* the mistake */
            pthread_mutex_unlock(&lock);
            pthread_mutex_lock(&lock);
        }
        n = old + 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
    if (length < 6 || data[0] != 'T')
        return 0;
    pthread_t a, b;
    bytes = data;
    size = length < 8 ? length : 8;
    n = 0;
    pthread_create(&a, NULL, half, NULL);
    pthread_create(&b, NULL, half, &n);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(n == (int)size - 2);
    return 0;
}
