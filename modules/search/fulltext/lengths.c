/*
 * lengths.c - how many words the rows of full-text tables have.
 *
 * Who ranks needs the lengths of all rows that match, and FTS5 looks each up in a table: that is a
 * third of a search for a common word. So the lengths of a table that is asked again and again are
 * read at once, and kept until something is committed. FTS5 keeps them in <table>_docsize as
 * varints, one for each column; what does not look so is left to FTS5.
 */
#include "lengths.h"
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>

#define SLOTS 32 /* tables */
#define BYTES_MAX 65536 /* memory for the lengths of one table */
#define ASKED_MIN 4 /* times, before a table is read */
#define UNKNOWN UINT16_MAX

struct table {
	char *name;
	uint64_t serial;
	unsigned asked;
	int columns;
	int64_t rows; /* 0: not read */
	uint16_t *words; /* by row, then by column */
};
struct lengths {
	unsigned version; /* version of the database */
	uint64_t serial;
	unsigned next; /* the slot that the next new table gets */
	struct table slot[SLOTS];
};

struct lengths *
lengths_new(void)
{
	struct lengths *l = calloc(1, sizeof(*l));

	if (l == NULL)
		stet_out_of_memory();
	return l;
}

static void
empty(struct table *t)
{
	free(t->name);
	free(t->words);
	memset(t, 0, sizeof(*t));
}

void
lengths_empty(struct lengths *l)
{
	for (unsigned i = 0; i < SLOTS; i++)
		empty(&l->slot[i]);
}

void
lengths_free(struct lengths *l)
{
	if (l != NULL)
		lengths_empty(l);
	free(l);
}

/* ---- reading a table ---- */

/* Reads a varint as SQLite writes it. Returns false at the end of the bytes. */
static bool
take_varint(const unsigned char **at, const unsigned char *end, uint64_t *out)
{
	*out = 0;
	for (int i = 0; i < 8 && *at < end; i++) {
		const unsigned char c = *(*at)++;

		*out = *out << 7 | (c & 0x7f);
		if (c < 0x80)
			return true;
	}
	return false;
}

/* The lengths of one row; UNKNOWN for what cannot be kept. */
static void
take_row(struct table *t, int64_t row, const unsigned char *at, int len)
{
	const unsigned char *end = at + len;
	uint16_t *out = &t->words[row * t->columns];
	uint64_t n;

	for (int i = 0; i < t->columns; i++)
		if (at != NULL && take_varint(&at, end, &n) && n < UNKNOWN)
			out[i] = (uint16_t)n;
}

/* Prepares a statement about <table>_docsize. */
static int
prepare(sqlite3 *db, const char *columns, const struct table *t, sqlite3_stmt **out)
{
	char *sql = sqlite3_mprintf("SELECT %s FROM \"%w_docsize\"", columns, t->name);
	int rc = sql != NULL ? sqlite3_prepare_v2(db, sql, -1, out, NULL) : SQLITE_NOMEM;

	sqlite3_free(sql);
	return rc;
}

/* How many rows are kept: up to the highest number. */
static int
count_rows(sqlite3 *db, const struct table *t, int64_t *out)
{
	const int64_t most = BYTES_MAX / ((int64_t)sizeof(*t->words) * t->columns);
	sqlite3_stmt *s = NULL;
	int rc = prepare(db, "max(id)", t, &s);

	if (rc == SQLITE_OK)
		rc = sqlite3_step(s);
	*out = rc == SQLITE_ROW ? sqlite3_column_int64(s, 0) : -1;
	*out = *out < most ? *out + 1 : most;
	sqlite3_finalize(s);
	return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

static int
read_rows(sqlite3 *db, struct table *t, int64_t rows)
{
	sqlite3_stmt *s = NULL;
	int rc = prepare(db, "id, sz", t, &s);

	while (rc == SQLITE_OK && (rc = sqlite3_step(s)) == SQLITE_ROW) {
		const int64_t row = sqlite3_column_int64(s, 0);

		if (row >= 0 && row < rows)
			take_row(t, row, sqlite3_column_blob(s, 1), sqlite3_column_bytes(s, 1));
		rc = SQLITE_OK;
	}
	sqlite3_finalize(s);
	t->rows = rc == SQLITE_DONE ? rows : 0;
	return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static int
fill(sqlite3 *db, struct table *t)
{
	int64_t rows;
	size_t size;
	int rc = t->columns > 0 ? count_rows(db, t, &rows) : SQLITE_ERROR;

	if (rc != SQLITE_OK || rows <= 0)
		return rc;
	size = (size_t)rows * (size_t)t->columns * sizeof(*t->words);
	free(t->words); /* left by a call that was interrupted */
	t->words = malloc(size);
	if (t->words == NULL)
		return SQLITE_NOMEM;
	memset(t->words, 0xff, size);
	return read_rows(db, t, rows);
}

/* ---- which tables ---- */

static struct table *
find(struct lengths *l, const char *name, int columns)
{
	struct table *t;

	for (unsigned i = 0; i < SLOTS; i++)
		if (l->slot[i].name != NULL && l->slot[i].columns == columns &&
		    strcmp(l->slot[i].name, name) == 0)
			return &l->slot[i];
	t = &l->slot[l->next++ % SLOTS];
	empty(t);
	t->name = strdup(name);
	if (t->name == NULL)
		stet_out_of_memory();
	t->columns = columns;
	t->serial = ++l->serial;
	return t;
}

int
lengths_begin(
    struct lengths *l, sqlite3 *db, const char *name, int columns, struct lengths_view *out)
{
	unsigned version;
	struct table *t;
	int rc;

	*out = (struct lengths_view){ 0 };
	rc = sqlite3_file_control(db, "main", SQLITE_FCNTL_DATA_VERSION, &version);
	if (rc != SQLITE_OK || sqlite3_txn_state(db, "main") != SQLITE_TXN_READ)
		return SQLITE_OK;
	if (version != l->version)
		lengths_empty(l);
	l->version = version;
	t = find(l, name, columns);
	if (t->asked < ASKED_MIN && ++t->asked == ASKED_MIN)
		rc = fill(db, t);
	if (rc == SQLITE_NOMEM || rc == SQLITE_INTERRUPT) {
		t->asked--; /* the next statement tries again */
		return rc;
	}
	*out = (struct lengths_view){ l, (unsigned)(t - l->slot), t->serial };
	return SQLITE_OK;
}

bool
lengths_get(const struct lengths_view *v, int64_t row, int columns, int32_t *out)
{
	const struct table *t = v->all != NULL ? &v->all->slot[v->slot] : NULL;

	if (t == NULL || t->serial != v->serial || row < 0 || row >= t->rows ||
	    columns > t->columns)
		return false;
	for (int i = 0; i < columns; i++) {
		out[i] = t->words[row * t->columns + i];
		if (out[i] == UNKNOWN)
			return false;
	}
	return true;
}
