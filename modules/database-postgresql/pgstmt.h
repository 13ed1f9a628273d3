/* pgstmt.h - statements: preparing, sending, rows; scripts. */
#ifndef PGSTMT_H
#define PGSTMT_H

#include "pgconn.h"

enum db_error pgstmt_get(struct db *, const char *sql, size_t len, struct stmt **);
void pgstmt_drop(struct stmt *);
enum db_error pgstmt_send(struct stmt *, const struct stet_val *, size_t n);
int pgstmt_parameters(const struct stmt *);
enum db_error pgstmt_row(struct stmt *);
enum db_error pgstmt_run(struct stmt *, const struct stet_val *, size_t n);
void pgstmt_put(struct stmt *);
int64_t pgstmt_affected(struct db *);
struct stmt *pgstmt_keep(struct stet_call *, struct stmt *);
enum db_error pgstmt_script(struct db *, const char *sql, char **why);

bool pgstmt_is_null(const struct stmt *, int column);
int64_t pgstmt_integer(const struct stmt *, int column);
double pgstmt_real(const struct stmt *, int column);
const char *pgstmt_text(const struct stmt *, int column, size_t *len);
const void *pgstmt_blob(const struct stmt *, int column, size_t *len);

#endif
