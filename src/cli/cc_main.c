/* SPDX-License-Identifier: Apache-2.0 */
/* treadle-cc, which `treadle cc` becomes; under the name treadle-c++, or another that ends so, it is
 * `treadle c++`. A program of its own: loading LLVM takes longer than many a session. */
#include "instrument/instrument.h"

#include <signal.h>
#include <string.h>

#include "base/vec.h"

static void do_nothing(int signal)
{
    (void)signal;
}

/* A write beyond the size limit of files fails, and does not end the process. Programs that are
 * started do not inherit this. */
static void survive_limit(void)
{
    struct sigaction with = {.sa_handler = do_nothing};
    sigaction(SIGXFSZ, &with, NULL);
}

static bool is_cxx(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t n = strlen(slash ? slash + 1 : path);
    return n > 2 && strcmp(path + strlen(path) - 2, "++") == 0;
}

int main(int argc, char **argv)
{
    static char mode[] = "--driver-mode=g++";
    survive_limit();
    if (argc == 0 || !is_cxx(argv[0]))
        return ins_cc_main(argc, argv);
    char **words = td_alloc(((size_t)argc + 2) * sizeof *words);
    words[0] = argv[0];
    words[1] = mode;
    memcpy(words + 2, argv + 1, (size_t)argc * sizeof *words); /* includes the NULL */
    int code = ins_cc_main(argc + 1, words);
    td_free(words);
    return code;
}
