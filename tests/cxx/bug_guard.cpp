// SPDX-License-Identifier: Apache-2.0
/* The end of the initialisation of a static object that no thread has begun.
 * treadle:
 * expect: verdict bug
 * expect: finding misuse bug_guard.cpp:12 */
extern "C" void __cxa_guard_release(long long *guard);

static long long guard;

int main()
{
    __cxa_guard_release(&guard);
    return 0;
}
