/*
 * sql.h - access to the database. Statements are literals with parameters ?N; STET_ARGS passes
 * the values. A read runs in the call's read transaction, or in the write transaction if the
 * call is in the write lane. A write needs a struct stet_tx, which only calls in the write lane
 * have.
 */
#ifndef STET_SQL_H
#define STET_SQL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/status.h>

struct stet_call;
struct stet_tx; /* proves that the caller is inside the write transaction of this call */

/* Never gets new members, since modules have arrays of it. */
struct stet_val {
	enum { STET_V_NULL, STET_V_INT, STET_V_REAL, STET_V_TEXT, STET_V_BLOB } type;
	size_t len; /* of TEXT and BLOB, in bytes */
	union {
		int64_t i;
		double r;
		const char *s;
		const void *b;
	} u;
};

STET_API struct stet_val stet_val_str(const char *); /* NULL is SQL NULL */
STET_API struct stet_val stet_val_strn(const char *, size_t); /* need not end with NUL */
STET_API struct stet_val stet_val_blob(const void *, size_t);
static inline struct stet_val
stet_val_int(int64_t i)
{
	return (struct stet_val){ .type = STET_V_INT, .u.i = i };
}
static inline struct stet_val
stet_val_real(double r)
{
	return (struct stet_val){ .type = STET_V_REAL, .u.r = r };
}
static inline struct stet_val
stet_val_null(void)
{
	return (struct stet_val){ .type = STET_V_NULL };
}
static inline struct stet_val
stet_val_self(struct stet_val v)
{
	return v;
}

/* A C value as an SQL value. A C type without an SQL counterpart does not compile. */
#define STET_V(x) \
	_Generic((x),                                                                             \
	    struct stet_val: stet_val_self,                                                       \
	    bool: stet_val_int,                                                                   \
	    int: stet_val_int,                                                                    \
	    unsigned: stet_val_int,                                                               \
	    long: stet_val_int,                                                                   \
	    long long: stet_val_int,                                                              \
	    double: stet_val_real,                                                                \
	    char *: stet_val_str,                                                                 \
	    const char *: stet_val_str)(x)

/* STET_ARGS(a, b, …): one to twelve values; expands to an array and its length. The values are
 * borrowed until the rows end. STET_NO_ARGS is for a statement without parameters. */
#define STET_V1(a) STET_V(a)
#define STET_V2(a, ...) STET_V(a), STET_V1(__VA_ARGS__)
#define STET_V3(a, ...) STET_V(a), STET_V2(__VA_ARGS__)
#define STET_V4(a, ...) STET_V(a), STET_V3(__VA_ARGS__)
#define STET_V5(a, ...) STET_V(a), STET_V4(__VA_ARGS__)
#define STET_V6(a, ...) STET_V(a), STET_V5(__VA_ARGS__)
#define STET_V7(a, ...) STET_V(a), STET_V6(__VA_ARGS__)
#define STET_V8(a, ...) STET_V(a), STET_V7(__VA_ARGS__)
#define STET_V9(a, ...) STET_V(a), STET_V8(__VA_ARGS__)
#define STET_V10(a, ...) STET_V(a), STET_V9(__VA_ARGS__)
#define STET_V11(a, ...) STET_V(a), STET_V10(__VA_ARGS__)
#define STET_V12(a, ...) STET_V(a), STET_V11(__VA_ARGS__)
#define STET_PICK(a, b, c, d, e, f, g, h, i, j, k, l, n, ...) n
#define STET_ARGS(...)                                                                           \
	(const struct stet_val[]){ STET_PICK(__VA_ARGS__, STET_V12, STET_V11, STET_V10, STET_V9, \
	    STET_V8, STET_V7, STET_V6, STET_V5, STET_V4, STET_V3, STET_V2,                       \
	    STET_V1, )(__VA_ARGS__) },                                                           \
	    STET_PICK(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, )
#define STET_NO_ARGS NULL, 0

/* The rows of a running query. Never grows: the host keeps further state behind `stmt`. What a
 * column function returns is valid until the next stet_row. */
struct stet_rows {
	struct stet_call *call;
	void *stmt;
	enum stet_status status;
	bool first; /* stet_one has already stepped to the first row */
};

STET_API STET_MUST enum stet_status stet_query(
    struct stet_call *, struct stet_rows *, const char *sql, const struct stet_val *, size_t);
/* Runs a query that must return a row: fails with `none` otherwise. The row is current when it
 * returns, and stays so until `rows` is used again or the call ends. */
STET_API STET_MUST enum stet_status stet_one(struct stet_call *, struct stet_rows *,
    enum stet_status none, const char *sql, const struct stet_val *, size_t);
/* Steps to the next row. Returns false at the end and on a fault; stet_rows_end tells which. */
STET_API bool stet_row(struct stet_rows *);
STET_API STET_MUST enum stet_status stet_rows_end(struct stet_rows *);
/* Makes one row of these values, current as after stet_one, without a statement. They are borrowed
 * as long as the row is read; texts end with a NUL. Columns are read as what they are: a number is
 * no text. */
STET_API void stet_rows_made(
    struct stet_call *, struct stet_rows *, const struct stet_val *, size_t);

STET_API bool stet_col_null(struct stet_rows *, int);
STET_API int64_t stet_col_int(struct stet_rows *, int);
STET_API double stet_col_real(struct stet_rows *, int);
STET_API const char *stet_col_str(struct stet_rows *, int); /* NULL for SQL NULL */
STET_API const char *stet_col_text(struct stet_rows *, int, size_t *len);
STET_API const void *stet_col_blob(struct stet_rows *, int, size_t *len);
STET_API char *stet_col_dup(struct stet_rows *, int); /* lives as long as the call; NULL for NULL */

/* The transaction of a call in the write lane. Elsewhere the call is a bug and stops the
 * process. */
STET_API struct stet_tx *stet_write_tx(struct stet_call *);
/* Runs a statement that changes data. A violation of a UNIQUE index returns STET_CONFLICT
 * without recording an error: the caller describes it with stet_fail. Other violations and
 * failures are STET_FAULT. */
STET_API STET_MUST enum stet_status stet_exec(
    struct stet_call *, struct stet_tx *, const char *sql, const struct stet_val *, size_t);
/* Like stet_exec, for a change of rows of `table` that no statement of this transaction asks about
 * without naming the table. Where the database is another process, the change may be put off until
 * one does or the commit, and run with others of the same statement; an error then fails the whole
 * transaction, and is a fault. SQL and values are copied.
 * STET_LATER_ROW: "INSERT INTO … VALUES (…)", all of whose values are parameters, or literals
 * without ? and quotation marks in them, up to the end.
 * STET_LATER_HOPED: the same, but like stet_exec if a UNIQUE index refuses it: it is put off only
 * while many calls wait, and if that goes wrong, all run again one by one, with stet_exec.
 * STET_LATER_SUM: running it with 1 and then with 2 as the last value, an integer, is running it
 * with 3. */
enum stet_later { STET_LATER_ROW, STET_LATER_SUM, STET_LATER_HOPED };
STET_API STET_MUST enum stet_status stet_exec_later(struct stet_call *, struct stet_tx *,
    enum stet_later, const char *table, const char *sql, const struct stet_val *, size_t);
/* The number of rows that the last stet_exec of this call has changed. Ask for it in the same
 * transaction. */
STET_API int64_t stet_changes(struct stet_call *);

/* Finds a name that no row has: `base`, or base-N with N from `first` up. `rows` is the FROM
 * clause up to the column of names: "term WHERE taxonomy = ?2 AND locale = ?3 AND slug = "; the
 * values start with ?2. It takes two statements, and with an index on the names they are cheap,
 * however many rows share the base. N is the lowest free number up to 16; above that it may skip
 * free numbers. Call it in the write lane, before the insert; the UNIQUE index of the table
 * remains what decides. */
STET_API STET_MUST enum stet_status stet_free_name(struct stet_call *, const char *base, int first,
    const char *rows, const struct stet_val *, size_t, const char **out);

/* Is there a table of this name? */
STET_API STET_MUST enum stet_status stet_table_exists(
    struct stet_call *, const char *table, bool *out);
/* Begins to read the indexes, made by statements, of the tables that are LIKE this pattern, where a
 * backslash escapes wildcards: the name of the index, that of its table, and the statement. */
STET_API STET_MUST enum stet_status stet_index_names(
    struct stet_call *, struct stet_rows *, const char *pattern);

/*
 * A TEXT column in a condition for which SQLite must not use an index, because another condition
 * selects fewer rows, or because another index gives the order.
 *
 *	"WHERE translation_group = ?1 AND " STET_UNINDEXED("status") " = 'published'"
 *
 * The cast changes no value. PostgreSQL removes it and chooses an index by its statistics.
 */
#define STET_UNINDEXED(column) "CAST(" column " AS TEXT)"

/* Makes a LIKE pattern, for LIKE … ESCAPE '\', that matches the first `len` bytes of a text
 * anywhere. */
STET_API char *stet_like(struct stet_call *, const char *text, size_t len);

/* A builder of SQL for identifiers that come from slugs. stet_sql_add appends literal text;
 * stet_sql_ident appends a quoted identifier, which must match [a-z_][a-z0-9_]* (otherwise the
 * process stops: validate names from outside first); stet_sql_bind appends the next ?N and binds
 * a value. The builder and its values live as long as the call. */
struct stet_sql;
STET_API struct stet_sql *stet_sql_new(struct stet_call *);
STET_API void stet_sql_add(struct stet_sql *, const char *literal);
/* prefix and name form one identifier: ("c_", "posts") is "c_posts". prefix may be "".
 * PostgreSQL truncates names after 63 bytes, so a longer name is written as its first 30 bytes,
 * "$" and a hash of the whole name; this form is stable and unique. Use this function everywhere
 * for names that contain a slug. */
#define STET_IDENT_MAX 63
STET_API void stet_sql_ident(struct stet_sql *, const char *prefix, const char *name);
/* Appends "(?1, ?2, ...)", the values of an IN. So that not each number of values makes another
 * statement to prepare, there are 1, 2, 4, 8 ... of them: the last value is repeated, which changes
 * no result. No values: IN is then false for each row. */
STET_API void stet_sql_list(struct stet_sql *, const struct stet_val *, size_t count);
STET_API void stet_sql_texts(struct stet_sql *, const char *const *, size_t count);
/* Appends a query whose rows are these texts, for "IN (SELECT …)" with very many of them: all are
 * one value. */
STET_API void stet_sql_select(struct stet_sql *, const char *const *, size_t count);
/* The number of values that stet_sql_list writes: for lists of rows (VALUES), to be filled with
 * rows that match nothing. */
STET_API size_t stet_sql_room(size_t count);
/* Appends a condition that is true if the text in this column (an identifier, as for
 * stet_sql_ident) contains another text, ignoring case and accents. `folded` is the other text,
 * folded by stet_fold. It calls the SQL function stet_has(column, text) for each row that passes
 * the other conditions. */
STET_API void stet_sql_has(
    struct stet_sql *, const char *prefix, const char *column, const char *folded);
STET_API void stet_sql_bind(struct stet_sql *, struct stet_val);
STET_API const char *stet_sql_text(struct stet_sql *);
STET_API STET_MUST enum stet_status stet_sql_query(struct stet_sql *, struct stet_rows *);
STET_API STET_MUST enum stet_status stet_sql_one(
    struct stet_sql *, struct stet_rows *, enum stet_status none);
STET_API STET_MUST enum stet_status stet_sql_exec(struct stet_sql *, struct stet_tx *);

#endif
