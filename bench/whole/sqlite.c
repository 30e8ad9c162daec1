/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads insert a row each into a database in memory that their connections share. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "sqlite3.h"

#define PLACE "file:m?mode=memory&cache=shared"
#define FLAGS (SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI)

static sqlite3 *open_it(void)
{
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(PLACE, &db, FLAGS, NULL) != SQLITE_OK)
        exit(2);
    return db;
}

/* A table that the other thread has locked is tried again. */
static void *insert(void *arg)
{
    sqlite3 *db = open_it();
    char text[64];
    int rc = SQLITE_LOCKED;
    snprintf(text, sizeof text, "INSERT INTO t VALUES(%d)", *(int *)arg);
    for (int i = 0; i < 20 && rc != SQLITE_OK; i++)
        rc = sqlite3_exec(db, text, NULL, NULL, NULL);
    sqlite3_close(db);
    return NULL;
}

int main(void)
{
    sqlite3 *db = open_it();
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    if (sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL) != SQLITE_OK)
        return 2;
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, insert, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    sqlite3_close(db);
    return 0;
}
