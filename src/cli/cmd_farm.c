/* SPDX-License-Identifier: Apache-2.0 */
/* treadle farm init: tables, functions and roles in a database. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "store/exchange/exchange.h"

#define FARM_OPTIONS(X)                                                                  \
    X(superuser, "superuser", 0, FLAG, 0, 0, 0, "",                                      \
      "allow a superuser to own the farm's functions")

typedef struct farm_fields {
    FARM_OPTIONS(CLI_DECLARE_FIELD)
} farm_fields;

#define X(...) CLI_TABLE_ROW(farm_fields, __VA_ARGS__)
static const cli_option farm_table[] = {FARM_OPTIONS(X){0}};
#undef X

static int farm_main(const cli_command *self, int argc, char **argv)
{
    farm_fields f = {0};
    bool has_temporary = false;
    cli_words words = {argc - 1, argv + 1};
    td_diag diag = {0};
    int code = cli_command_parse(self, &words, &f);
    if (code >= 0)
        return code;
    if (words.n != 2 || strcmp(words.at[0], "init") != 0)
        return cli_fail(CLI_EXIT_USAGE,
                        "farm requires: treadle farm init postgresql://...");
    if (!sto_is_farm(words.at[1]))
        return cli_fail(CLI_EXIT_USAGE,
                        "farm: the address of a farm begins with postgresql://");
    sto_farm_owner owner = f.superuser ? STO_OWNER_ANY : STO_OWNER_NO_SUPERUSER;
    td_status status = sto_farm_init(words.at[1], owner, &has_temporary, &diag);
    if (status != TD_OK)
        return cli_fail_status(status, &diag);
    if (has_temporary)
        fputs(
            "treadle: every login can create temporary objects in this database; as its "
            "owner, run: REVOKE TEMPORARY ON DATABASE ... FROM PUBLIC\n",
            stderr);
    puts("the database is a farm: roles treadle_starter, treadle_worker and "
         "treadle_reader can be granted");
    return CLI_EXIT_COMPLETE;
}

const cli_command cli_farm = {
    .name = "farm",
    .words = "init postgresql://...",
    .text = "set up a PostgreSQL database as a farm",
    .table = farm_table,
    .main = farm_main,
};
