/*
 * later.h - changes that nobody in their transaction looks at (stet_exec_later): an engine in
 * another process gets them together, as statements of several rows. Engines that gain nothing by
 * this (db_driver.gathers) run them at once.
 */
#ifndef CORE_DB_LATER_H
#define CORE_DB_LATER_H

#include "db/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/sql.h>

struct db;
struct later;
struct stmt;

/* Puts a change off, which is about rows of `table`. Returns false if it has to run now. */
bool later_add(struct db *, const char *table, const char *sql, enum stet_later kind,
    const struct stet_val *, size_t n);
/* Returns true if the statement names the table of a change that was put off. */
bool later_concerns(struct stmt *);
/* Runs them. The error of one ends the transaction: until later_drop this returns it again. */
enum db_error later_run(struct db *);
/* Forgets them: their transaction is undone. */
void later_drop(struct db *);
/* Frees what the connection keeps for them. */
void later_free(struct db *);

#endif
