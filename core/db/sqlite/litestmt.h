/* litestmt.h - statements of SQLite, and the columns of their rows. See struct db_driver. */
#ifndef CORE_DB_LITESTMT_H
#define CORE_DB_LITESTMT_H

#include "db/sqlite/liteconn.h"

enum db_error litestmt_get(struct db *, const char *sql, size_t len, struct stmt **);
void litestmt_drop(struct stmt *);
int litestmt_parameters(const struct stmt *);
enum db_error litestmt_send(struct stmt *, const struct stet_val *, size_t n);
enum db_error litestmt_row(struct stmt *);
enum db_error litestmt_run(struct stmt *, const struct stet_val *, size_t);
void litestmt_put(struct stmt *);
int64_t litestmt_affected(struct db *);
struct stmt *litestmt_keep(struct stet_call *, struct stmt *);
void litestmt_plan(struct db *, const char *sql, struct buf *);
enum db_error litestmt_script(struct db *, const char *sql, char **why);

bool litestmt_is_null(const struct stmt *, int column);
int64_t litestmt_integer(const struct stmt *, int column);
double litestmt_real(const struct stmt *, int column);
const char *litestmt_text(const struct stmt *, int column, size_t *len);
const void *litestmt_blob(const struct stmt *, int column, size_t *len);

#endif
