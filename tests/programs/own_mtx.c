/* SPDX-License-Identifier: Apache-2.0 */
/* A function of the program that is called like those of <threads.h>: an ordinary one,
 * which nobody has instrumented here.
 *
 * treadle:
 * expect: runs 1
 * expect: verdict complete
 * expect: ledger not watched, alone
 * hand: 0 */
void mtx_fini(int *p);

/* In assembly, as if it came from an object of its own. */
__asm__(".pushsection .text\n.globl mtx_fini\n.type mtx_fini,%function\nmtx_fini:\n"
        "ret\n.popsection\n");

int main(void)
{
    int mutex = 0;
    mtx_fini(&mutex);
    return mutex;
}
