/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are called when the process ends. */
extern int shared;

void given_exit(void)
{
    shared++;
}
void given_status(int status, void *p)
{
    shared++;
}

__attribute__((destructor)) static void unasked(void)
{
    shared++;
}
__attribute__((destructor(200))) void earlier(void)
{
    shared++;
}
