/*
 * pgstmt.c - prepares and runs statements, and reads columns.
 *
 * A statement is prepared by the first call that uses it on a connection, which waits for the types
 * of its parameters. From then on, running it is one message, and the first row is the first wait.
 */
#include "pgstmt.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include "db/txslot.h"
#include "pgcode.h"
#include "pgindex.h"
#include "pglimit.h"
#include "pgsite.h"
#include "pgtext.h"
#include "pgvalue.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOT_OWN                                                                                   \
	"a plugin creates, changes and drops only tables, indexes and triggers whose names begin" \
	" with its own and an underscore"
#define LOCK_MS 2000 /* that a definition waits for the lock of a table, at most */
#define LOCK_TRIES 3
#define LOCK_PAUSE_US 50000 /* between them, in which those who wait behind it read */

/* A statement, or a row that was copied. */
struct pg_stmt {
	struct stmt stmt;
	char *text; /* for PostgreSQL */
	enum pg_kind kind;
	bool renames; /* a table or a column */
	unsigned long long number; /* of the prepared statement */
	char name[PGCONN_NAME];
	unsigned generation; /* the connection for which it is prepared; 0: none */
	int parameters;
	Oid *type; /* of the parameters */
	struct pg_limit limit;
	struct pg_rows rows;
	struct arena memory; /* texts of numbers */
	int count; /* of cell */
	struct pg_cell cell[]; /* copied: the columns */
};

static inline struct pg_stmt *
pgstmt(const struct stmt *s)
{
	return (struct pg_stmt *)(uintptr_t)s;
}

/* ---- preparing ---- */

/* Returns true if it defines something that is not the plugin's own. */
static bool
is_foreign(const struct pg_db *c, const struct pg_text *text, const char *sql)
{
	return text->kind == PG_DEFINE && c->db.plugin != NULL && !pgtext_own(c->db.plugin, sql);
}

/* What a plugin, a reader or anybody may not run; NULL: it may run. */
static const char *
refused(const struct pg_db *c, const struct pg_text *text, const char *sql, size_t len)
{
	if (text->used == 0 || sql[text->used + strspn(sql + text->used, " \t\r\n;")] != '\0' ||
	    strlen(sql) != len)
		return "not one statement";
	if (text->kind == PG_OTHER)
		return "not a statement for modules";
	if (text->kind != PG_QUERY && c->db.mode == DB_READ)
		return "a statement that writes, in a handler that reads";
	if (is_foreign(c, text, sql))
		return NOT_OWN;
	return NULL;
}

/* Prepares it on the connection as it is now, and learns the types of its parameters. */
static enum db_error
prepare(struct pg_stmt *s)
{
	struct pg_db *c = pgconn(s->stmt.db);
	PGresult *about = NULL;
	enum db_error error = DB_OK;

	s->number = ++c->names;
	(void)snprintf(s->name, sizeof(s->name), PGCONN_NAMED, s->number);
	if (!pgconn_took(c, PQsendPrepare(c->conn, s->name, s->text, 0, NULL)) ||
	    !pgconn_took(c, PQsendDescribePrepared(c->conn, s->name)))
		return pgconn_lost(c);
	error = pgconn_expect(c, (struct pg_answer){ .to = &about, .which = 1 });
	if (error == DB_OK)
		error = pgconn_wait(c, &about);
	if (error == DB_OK && PQresultStatus(about) != PGRES_COMMAND_OK)
		error = pgcode_note(c, about);
	if (error == DB_OK) {
		free(s->type);
		s->parameters = PQnparams(about);
		s->type = xcalloc((size_t)s->parameters + 1, sizeof(*s->type));
		for (int i = 0; i < s->parameters; i++)
			s->type[i] = PQparamtype(about, i);
		s->generation = c->generation;
	}
	PQclear(about);
	return error;
}

/* The table of a DELETE and all that refer to it, directly or not: their rows may go with its. */
static enum db_error
note_followers(struct pg_db *c, struct pg_stmt *s, const struct pg_text *read)
{
	static const char sql[] =
	    "WITH RECURSIVE hit (id) AS (SELECT to_regclass($1)::oid UNION SELECT f.conrelid FROM"
	    " pg_catalog.pg_constraint AS f JOIN hit ON f.confrelid = hit.id WHERE f.contype = 'f')"
	    " SELECT r.relname FROM hit JOIN pg_catalog.pg_class AS r ON r.oid = hit.id";
	char *table = words_format("%.*s", (int)read->from_length, read->from);
	const char *const values[] = { table };
	PGresult *r = NULL;
	enum db_error error = DB_OK;

	if (!pgconn_took(c, PQsendQueryParams(c->conn, sql, 1, NULL, values, NULL, NULL, 1)))
		error = pgconn_lost(c);
	if (error == DB_OK)
		error = pgconn_expect(c, (struct pg_answer){ .to = &r });
	if (error == DB_OK && (error = pgconn_wait(c, &r)) == DB_OK)
		for (int i = 0; i < PQntuples(r); i++)
			s->stmt.writes |=
			    txslot_bit(PQgetvalue(r, i, 0), (size_t)PQgetlength(r, i, 0));
	pgconn_unwant(c, &r);
	free(table);
	return error;
}

enum db_error
pgstmt_get(struct db *db, const char *sql, size_t len, struct stmt **out)
{
	struct pg_db *c = pgconn(db);
	struct buf text = { 0 };
	struct pg_text read = pgtext_read(sql, &text);
	const char *why = refused(c, &read, sql, len);
	struct pg_stmt *s;
	enum db_error error;

	if (why != NULL) {
		buf_free(&text);
		return pgcode_say(c, DB_DENIED, why);
	}
	s = xcalloc(1, sizeof(*s) + len + 1);
	s->stmt.sql = memcpy(s->cell, sql, len + 1);
	s->stmt.db = db;
	s->stmt.alters = read.kind == PG_DEFINE;
	s->stmt.writes = read.writes;
	s->kind = read.kind;
	s->renames = read.renames;
	s->text = text.data;
	s->parameters = read.parameters;
	s->limit.at = read.limit;
	s->rows.row = -1;
	/* What defines something may depend on what was sent just now, and is not kept. */
	error = read.kind == PG_DEFINE ? DB_OK : prepare(s);
	if (error == DB_OK && read.from != NULL)
		error = note_followers(c, s, &read);
	if (error != DB_OK) {
		free(s->type);
		free(s->text);
		free(s);
		return c->lost != DB_OK && c->lost != error ? pgcode_lost(c) : error;
	}
	*out = &s->stmt;
	return DB_OK;
}

void
pgstmt_drop(struct stmt *stmt)
{
	struct pg_stmt *s = pgstmt(stmt);
	struct pg_db *c = pgconn(stmt->db);

	if (s->generation == c->generation && s->generation != 0 && !c->gone) {
		pgconn_drop(c, s->number);
		pglimit_drop(c, &s->limit);
	}
	pgrows_clear(&s->rows);
	free(s->rows.part);
	arena_free(&s->memory);
	free(s->type);
	free(s->text);
	free(s);
}

/* ---- running ---- */

static enum db_error
unfit(struct pg_db *c, const struct pg_stmt *s, int i)
{
	char why[96];

	(void)snprintf(why, sizeof(why), "the value of parameter %d is not of its type (oid %u)",
	    i + 1, s->type[i]);
	return pgcode_say(c, DB_FAULT, why);
}

static enum db_error
send_values(struct pg_db *c, struct pg_stmt *s, const struct stet_val *v, int values)
{
	size_t n = (size_t)values + 1;
	const char **data, *name = s->name;
	char other[PGCONN_NAME];
	int *lengths, *formats;

	if (values > 0 && s->limit.at > 0) {
		enum db_error error;
		const struct pg_limited *own =
		    pglimit_for(c, &s->limit, s->text, &v[values - 1], s->type, values - 1, &error);

		if (error != DB_OK)
			return error;
		if (own != NULL) {
			(void)snprintf(other, sizeof(other), PGCONN_NAMED, own->name);
			name = other;
			values--;
		}
	}
	arena_reset(&c->scratch);
	data = arena_alloc(&c->scratch, n * sizeof(*data));
	lengths = arena_alloc(&c->scratch, n * sizeof(*lengths));
	formats = arena_alloc(&c->scratch, n * sizeof(*formats));

	for (int i = 0; i < values; i++) {
		struct pg_sent sent;

		if (!pgvalue_send(&v[i], s->type[i], &c->scratch, &sent))
			return unfit(c, s, i);
		data[i] = sent.data;
		lengths[i] = sent.len;
		c->unsent += (size_t)sent.len;
		formats[i] = sent.format;
	}
	return pgconn_took(c, PQsendQueryPrepared(c->conn, name, values, data, lengths, formats, 1))
		   ? DB_OK
		   : pgconn_lost(c);
}

/* ---- definitions ---- */

/* How long this transaction waits for locks from now on. */
static enum db_error
bound_locks(struct pg_db *c, int ms)
{
	char sql[48];

	(void)snprintf(sql, sizeof(sql), "SET LOCAL lock_timeout = %d", ms);
	return pgconn_send(c, sql);
}

/* Waits for the lock of a table for a moment only: meanwhile, all who want to read the table wait
 * behind this statement. All attempts are shorter than other writers wait for the lock of the site.
 */
static enum db_error
try_define(struct pg_db *c, const char *sql, bool renames, bool last)
{
	int wait_ms = c->place.timeout_ms / (LOCK_TRIES + 1);
	PGresult *r = NULL;
	enum db_error error = pgconn_send(c, "SAVEPOINT statement");

	if (error == DB_OK)
		error = bound_locks(c, wait_ms < LOCK_MS ? wait_ms : LOCK_MS);
	if (error == DB_OK)
		error = pgconn_send(c, sql);
	if (error == DB_OK && renames)
		error = pgconn_send(c, pgsite_renamed);
	if (error == DB_OK)
		error = bound_locks(c, pgplace_lock_ms(&c->place));
	if (error == DB_OK)
		error = pgconn_send(c, "RELEASE SAVEPOINT statement");
	if (error == DB_OK)
		error =
		    pgconn_expect(c, (struct pg_answer){ .to = &r, .which = 2, .guarded = !last });
	if (error == DB_OK && (error = pgconn_wait(c, &r)) == DB_OK &&
	    PQresultStatus(r) != PGRES_COMMAND_OK)
		error = pgcode_note(c, r);
	pgconn_unwant(c, &r);
	return error;
}

/* Makes or alters a table, and notes the statement, so that the tables of the site can be made
 * again in another database. If others read the table for long, tries again. An index of it that is
 * being made gives way. */
static enum db_error
define(struct pg_db *c, const char *sql, const char *own, bool renames)
{
	const char *const values[] = { own };
	enum db_error error = DB_BUSY;

	for (int i = 1; error == DB_BUSY && i <= LOCK_TRIES; i++) {
		if (i > 1)
			(void)usleep(LOCK_PAUSE_US);
		if (i == 2 && pgindex_yield(c) != DB_OK)
			return DB_GONE;
		error = try_define(c, sql, renames, i == LOCK_TRIES);
	}
	if (error != DB_OK)
		return error;
	if (!pgconn_took(c,
		PQsendQueryParams(c->conn,
		    "INSERT INTO site_ddl (n, sql) SELECT coalesce(max(n), 0) + 1, $1 FROM site_ddl",
		    1, NULL, values, NULL, NULL, 1)))
		return pgconn_lost(c);
	return pgconn_expect(c, (struct pg_answer){ 0 });
}

/* With c->db.careful, a change that fails does not end the transaction. */
static enum db_error
send_guarded(
    struct pg_db *c, struct pg_stmt *s, const struct stet_val *v, int n, struct pg_answer answer)
{
	enum db_error error = DB_OK;

	answer.counts = s->kind == PG_CHANGE;
	answer.guarded = c->db.careful && answer.counts;
	answer.which = answer.guarded ? 1 : 0;
	if (answer.guarded)
		error = pgconn_send(c, "SAVEPOINT statement");
	if (error == DB_OK)
		error = send_values(c, s, v, n);
	if (error == DB_OK && answer.guarded)
		error = pgconn_send(c, "RELEASE SAVEPOINT statement");
	return error == DB_OK ? pgconn_expect(c, answer) : error;
}

static enum db_error
send(struct pg_stmt *s, const struct stet_val *v, size_t n, struct pg_answer answer)
{
	struct pg_db *c = pgconn(s->stmt.db);
	enum db_error error = DB_OK;

	arena_reset(&s->memory);
	if (c->lost != DB_OK)
		return pgcode_lost(c);
	if (s->kind == PG_DEFINE) {
		error = define(c, s->text, s->stmt.sql, s->renames);
		s->rows.done = true;
	} else {
		if (s->generation != c->generation)
			error = prepare(s);
		if (error == DB_OK)
			error = send_guarded(c, s, v, (int)n, answer);
	}
	c->written += s->kind != PG_QUERY;
	return error;
}

enum db_error
pgstmt_send(struct stmt *stmt, const struct stet_val *v, size_t n)
{
	struct pg_stmt *s = pgstmt(stmt);

	return send(s, v, n, (struct pg_answer){ .rows = &s->rows, .portions = true });
}

int
pgstmt_parameters(const struct stmt *s)
{
	return pgstmt(s)->parameters;
}

static enum db_error
gone(struct pg_db *c)
{
	return pgcode_say(c, DB_GONE, c->lost_said.data != NULL ? c->lost_said.data : "");
}

enum db_error
pgstmt_row(struct stmt *stmt)
{
	struct pg_stmt *s = pgstmt(stmt);
	struct pg_db *c = pgconn(stmt->db);

	arena_reset(&s->memory);
	while (!pgrows_next(&s->rows)) {
		if (s->rows.failed)
			return pgcode_say(c, DB_FULL, "no temporary file for rows");
		if (s->rows.error != NULL)
			return pgcode_note(c, s->rows.error);
		if (s->rows.done)
			return DB_END;
		if (pgconn_wait_rows(c, &s->rows) != DB_OK || (s->rows.parts == 0 && !s->rows.done))
			return gone(c);
	}
	return DB_OK;
}

/* Nobody waits, unless the call is to go on after an error, or there is no transaction: then this
 * is where it appears.
 * Otherwise it ends the transaction, and the jobs run again, carefully. */
enum db_error
pgstmt_run(struct stmt *stmt, const struct stet_val *v, size_t n)
{
	struct pg_db *c = pgconn(stmt->db);
	bool waits = c->db.careful || c->db.mode == DB_ASIDE;
	PGresult *r = NULL;
	enum db_error error =
	    send(pgstmt(stmt), v, n, (struct pg_answer){ .to = waits ? &r : NULL });

	if (error != DB_OK || !waits || pgstmt(stmt)->kind == PG_DEFINE)
		return error;
	if (pgconn_wait(c, &r) != DB_OK || r == NULL)
		error = gone(c);
	else if (PQresultStatus(r) != PGRES_COMMAND_OK && PQresultStatus(r) != PGRES_TUPLES_OK)
		error = pgcode_note(c, r);
	pgconn_unwant(c, &r);
	return error;
}

void
pgstmt_put(struct stmt *stmt)
{
	pgconn_unwant_rows(pgconn(stmt->db), &pgstmt(stmt)->rows);
}

int64_t
pgstmt_affected(struct db *db)
{
	(void)pgconn_wait(pgconn(db), NULL);
	return pgconn(db)->affected;
}

/* ---- columns ---- */

static inline struct pg_cell
cell(const struct pg_stmt *s, int i)
{
	if (s->stmt.copied) {
		stet_assert(i >= 0 && i < s->count);
		return s->cell[i];
	}
	return pgrows_cell(&s->rows, i);
}

bool
pgstmt_is_null(const struct stmt *s, int i)
{
	return cell(pgstmt(s), i).data == NULL;
}

int64_t
pgstmt_integer(const struct stmt *s, int i)
{
	struct pg_cell c = cell(pgstmt(s), i);

	return pgvalue_int(&c);
}

double
pgstmt_real(const struct stmt *s, int i)
{
	struct pg_cell c = cell(pgstmt(s), i);

	return pgvalue_real(&c);
}

const char *
pgstmt_text(const struct stmt *s, int i, size_t *len)
{
	struct pg_cell c = cell(pgstmt(s), i);
	size_t unused;

	return pgvalue_text(&c, &pgstmt(s)->memory, len != NULL ? len : &unused);
}

const void *
pgstmt_blob(const struct stmt *s, int i, size_t *len)
{
	return pgstmt_text(s, i, len);
}

/* ---- rows that live longer than their statement ---- */

static void
free_copy(void *arg)
{
	arena_free(&((struct pg_stmt *)arg)->memory);
}

struct stmt *
pgstmt_keep(struct stet_call *call, struct stmt *row)
{
	const struct pg_stmt *from = pgstmt(row);
	int count = from->rows.columns;
	struct pg_stmt *s = stet_alloc(call, sizeof(*s) + (size_t)count * sizeof(s->cell[0]));

	s->stmt.driver = row->driver;
	s->stmt.copied = true;
	s->count = count;
	for (int i = 0; i < count; i++) {
		s->cell[i] = cell(from, i);
		if (s->cell[i].data != NULL)
			s->cell[i].data =
			    stet_strndup(call, s->cell[i].data, (size_t)s->cell[i].len);
	}
	stet_defer(call, free_copy, s);
	return &s->stmt;
}

/* ---- scripts ---- */

static enum db_error
send_one(struct pg_db *c, const struct pg_text *text, const char *sql, const char *for_server)
{
	char *own = words_format("%.*s", (int)(text->used - text->begins), sql + text->begins);
	enum db_error error = DB_OK;

	if (text->kind == PG_OTHER)
		error = pgcode_say(c, DB_DENIED, "not a statement for migrations");
	else if (is_foreign(c, text, own))
		error = pgcode_say(c, DB_DENIED, NOT_OWN);
	if (error == DB_OK)
		error = text->kind == PG_DEFINE ? define(c, for_server, own, text->renames)
						: pgconn_tell(c, for_server);
	c->written++;
	free(own);
	return error;
}

/* Sends all statements and waits for the last. Any error ends the transaction, so the first is the
 * reason. */
enum db_error
pgstmt_script(struct db *db, const char *sql, char **why)
{
	struct pg_db *c = pgconn(db);
	struct buf text = { 0 };
	enum db_error error = DB_OK;

	while (error == DB_OK && sql[strspn(sql, " \t\r\n;")] != '\0') {
		struct pg_text read;

		text.len = 0;
		read = pgtext_read(sql, &text);
		if (text.len > 0)
			error = send_one(c, &read, sql, text.data);
		sql += read.used;
	}
	if (error == DB_OK && (error = pgconn_wait(c, NULL)) == DB_OK)
		error = pgcode_lost(c);
	if (error != DB_OK)
		*why = xstrdup(c->said.data);
	buf_free(&text);
	return error;
}
