#include <pthread.h>
#include <stdatomic.h>
#include <treadle.h>

static atomic_int n;

static int step(void *state, const struct treadle_call *call, uint64_t *result)
{
    (void)call;
    *result = (uint64_t)(*(int *)state)++;
    return 1;
}

static const struct treadle_spec counter = {sizeof(int), NULL, step};

static void *worker(void *arg)
{
    treadle_op_begin(&n, "next");
    int old = atomic_load(&n);
    atomic_store(&n, old + 1);
    treadle_op_end(&n, old);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    treadle_specify(&n, &counter);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
