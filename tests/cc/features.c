/* SPDX-License-Identifier: Apache-2.0 */
/* One of everything C has that touches memory; features.sh compares its output. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <setjmp.h>
#include <complex.h>
#include <threads.h>
typedef struct big {
    int a[10];
    double d;
    char c;
} big;
typedef struct pair {
    long x, y;
} pair;
typedef struct __attribute__((packed)) pk {
    char c;
    int i;
    long l;
    short s;
} pk;
typedef struct bf {
    unsigned a : 3, b : 7, c : 22;
    unsigned long d : 40;
} bf;
typedef int v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
typedef float f4 __attribute__((vector_size(16)));
static big gb;
static pair gp;
static pk gk;
static bf gf;
v4 gv;
v8 gv8;
f4 gf4;
volatile int vol;
_Atomic long al;
_Atomic double ad;
_Atomic unsigned char ac;
_Atomic pair ap;
_Atomic(char *) aptr;
__int128 g128;
_Atomic __int128 a128;
long double gld;
_Bool gbool;
double complex gc;
static __thread int tp;
__thread long tq[4];
int (*fp)(pthread_mutex_t *) = pthread_mutex_lock;
enum col { RED, GREEN } gcol;
union un {
    int i;
    float f;
    char b[8];
} gu;
static int sumv(int n, ...)
{
    va_list ap_;
    va_start(ap_, n);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap_, int);
    va_end(ap_);
    return s;
}
static double sumd(int n, ...)
{
    va_list ap_;
    va_start(ap_, n);
    double s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap_, double);
    va_end(ap_);
    return s;
}
static big mk(int k)
{
    big b = {.d = k * 1.5, .c = 'q'};
    for (int i = 0; i < 10; i++)
        b.a[i] = i * k;
    return b;
}
static int use(big b, pair p)
{
    return b.a[3] + (int)b.d + b.c + (int)p.x;
}
static pair mkp(long a)
{
    return (pair){a, a + 1};
}
static int interp(const unsigned char *c)
{
    static const void *t[] = {&&inc, &&dbl, &&end};
    int a = 1;
    goto *t[*c++];
inc:
    a++;
    goto *t[*c++];
dbl:
    a *= 2;
    goto *t[*c++];
end:
    return a;
}
static int sw(int x)
{
    switch (x) {
    case 0:
        return 5;
    case 1:
    case 2:
        return gb.a[x];
    case 100:
        return 7;
    case 1000 ... 1010:
        return 8;
    default:
        return -1;
    }
}
static int vla(int n)
{
    int a[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    int(*p)[n] = &a;
    return s + (*p)[n - 1];
}
static jmp_buf jb;
static int jmp(int x)
{
    volatile int k = x;
    if (setjmp(jb))
        return k;
    k++;
    longjmp(jb, 1);
}
__attribute__((pure)) static int pure(int x)
{
    return gb.a[x & 7] + vol;
}
__attribute__((noinline, const)) static int konst(int x)
{
    return x * 3;
}
static int cmp(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}
static void *th(void *a)
{
    long i = (long)a;
    for (int k = 0; k < 100; k++) {
        atomic_fetch_add(&al, i);
        tp++;
        tq[k & 3]++;
    }
    return (void *)(long)(tp + tq[0]);
}
static int asmadd(int a, int b)
{
    int r;
    __asm__ volatile("addl %2,%0" : "=r"(r) : "0"(a), "r"(b) : "cc");
    __asm__ volatile("" ::: "memory");
    return r;
}
static pthread_mutex_t mtx = PTHREAD_MUTEX_INITIALIZER;
static void cl(int *p)
{
    vol += *p;
}
struct flex {
    int n;
    int a[];
};
extern int ext_other(int);
extern struct {
    int x, y;
} ext_s;
inline int inl(int x)
{
    return x + gb.a[1];
}
extern int inl(int);
static inline __attribute__((always_inline)) int ainl(int *p)
{
    return ++*p;
}
int main(int argc, char **argv)
{
    gb = mk(3);
    gp = mkp(7);
    printf("use %d\n", use(gb, gp));
    gk.c = 1;
    gk.i = 2;
    gk.l = 3;
    gk.s = 4;
    gk.l++;
    pk k2 = gk;
    printf("pk %ld %d\n", k2.l, k2.s);
    gf.a = 5;
    gf.b = 99;
    gf.c = 12345;
    gf.d = 1ul << 39;
    gf.b++;
    printf("bf %u %u %u %lu\n", gf.a, gf.b, gf.c, (unsigned long)gf.d);
    gv = (v4){1, 2, 3, 4};
    gv += gv;
    gv8 = (v8){1, 2, 3, 4, 5, 6, 7, 8};
    gv8 *= gv8;
    gf4 = (f4){1, 2, 3, 4};
    gf4 /= 2;
    printf("vec %d %d %d %g\n", gv[2], gv8[7], gv[argc], (double)gf4[3]);
    vol = 3;
    vol++;
    printf("vol %d\n", vol);
    al = 5;
    al++;
    al |= 8;
    ad = 1.5;
    ad += 2;
    ac = 250;
    ac += 10;
    aptr = argv[0];
    long e = al;
    printf("cas %d\n", atomic_compare_exchange_strong(&al, &e, 77));
    printf("at %ld %g %d\n", (long)al, (double)ad, ac);
    g128 = 1;
    g128 <<= 100;
    g128 += 7;
    printf("i128 %lx %lx\n", (long)(g128 >> 64), (long)g128);
    gld = 1.25L;
    gld *= gld;
    printf("ld %Lg\n", gld);
    gbool = argc;
    gbool = !gbool;
    gc = 1 + 2 * I;
    gc *= gc;
    printf("c %g %g\n", creal(gc), cimag(gc));
    printf("var %d %g\n", sumv(4, 1, 2, 3, 4), sumd(2, 1.5, 2.5));
    printf("goto %d sw %d %d %d vla %d jmp %d pure %d %d\n",
           interp((const unsigned char[]){0, 1, 1, 0, 2}), sw(1), sw(1005), sw(9),
           vla(10 + argc), jmp(4), pure(3) + pure(3), konst(4) + konst(4));
    int arr[50];
    for (int i = 0; i < 50; i++)
        arr[i] = (i * 7919) % 101;
    qsort(arr, 50, sizeof *arr, cmp);
    printf("q %d %d\n", arr[0], arr[49]);
    pthread_t t[3];
    long rs = 0;
    for (long i = 0; i < 3; i++)
        pthread_create(&t[i], 0, th, (void *)i);
    for (int i = 0; i < 3; i++) {
        void *r;
        pthread_join(t[i], &r);
        rs += (long)r;
    }
    printf("th %ld %ld\n", rs, (long)al);
    fp(&mtx);
    pthread_mutex_unlock(&mtx);
    printf("asm %d\n", asmadd(3, 4));
    {
        int z __attribute__((cleanup(cl))) = 5;
        z++;
    }
    printf("cleanup %d\n", vol);
    char buf[64];
    memset(buf, 'a', sizeof buf);
    memcpy(buf + 3, "hello", 5);
    memmove(buf + 1, buf + 3, 10);
    buf[20] = 0;
    printf("%s %zu\n", buf, strlen(buf));
    struct flex *fx = malloc(sizeof *fx + 40);
    fx->n = 10;
    for (int i = 0; i < 10; i++)
        fx->a[i] = i;
    printf("flex %d\n", fx->a[9]);
    free(fx);
    gcol = GREEN;
    gu.f = 1;
    printf("un %x %d\n", gu.i, gu.b[3]);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    ap = gp;
    pair q = ap;
    printf("ap %ld %ld\n", q.x, q.y);
    printf("ext %d %d %d\n", ext_other(3), ext_s.y, inl(2) + ainl(&gb.a[2]));
    printf("%d\n", __sync_fetch_and_add(&gb.a[0], 2) +
                       __atomic_load_n(&gb.a[0], __ATOMIC_ACQUIRE));
    once_flag of = ONCE_FLAG_INIT;
    (void)of;
    return 0;
}
