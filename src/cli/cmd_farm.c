/* SPDX-License-Identifier: Apache-2.0 */
/* treadle farm init: tables, functions and roles in a database. */
#include "cli/cli.h"

#include <string.h>

#include "store/exchange.h"

static const cli_option farm_table[] = {{0}};

static int farm_main(const cli_command *self, int argc, char **argv)
{
    char none;
    cli_words words = {argc - 1, argv + 1};
    td_diag diag = {0};
    int code = cli_command_parse(self, &words, &none);
    if (code >= 0)
        return code;
    if (words.n != 2 || strcmp(words.at[0], "init") != 0)
        return cli_fail(CLI_EXIT_USAGE, "farm wants: treadle farm init postgresql://...");
    if (!sto_is_farm(words.at[1]))
        return cli_fail(CLI_EXIT_USAGE,
                        "farm: the address of a farm begins with postgresql://");
    td_status status = sto_farm_init(words.at[1], &diag);
    if (status != TD_OK)
        return cli_fail_status(status, &diag);
    puts("the database is a farm: roles treadle_starter, treadle_worker and "
         "treadle_reader can be granted");
    return CLI_EXIT_COMPLETE;
}

const cli_command cli_farm = {
    .name = "farm",
    .words = "init postgresql://...",
    .text = "make a database a farm, for campaigns on many machines",
    .table = farm_table,
    .main = farm_main,
};
