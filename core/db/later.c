/* later.c - see later.h. Rows of one statement are appended in the order in which they came. */
#include "db/later.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "db/stmt.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TABLES 32 /* of a connection; changes of others run at once */
#define CHANGES 512 /* that wait, at most */
#define BYTES (4 << 20) /* of what waits, about */
#define ROW_BYTES (64 << 10) /* of a row that waits */
#define ROWS 32 /* of one statement, at most; a power of two */
#define VALUES 1024 /* of one statement, if it has several rows */
#define TEXTS 64 /* statements of several rows that are kept as texts */

/* A change that waits. */
struct change {
	struct change *next; /* of its statement */
	size_t n;
	struct stet_val value[];
};

/* The changes of one statement. */
struct group {
	struct group *next;
	unsigned table; /* its place in `table` */
	enum stet_later kind;
	const char *sql;
	struct change *head, **tail;
	size_t count;
};

/* A statement of several rows. */
struct text {
	char *one, *all; /* the statement of one, and this one */
	size_t rows;
};

struct later {
	const char *table[TABLES]; /* for as long as the connection lives */
	unsigned tables;
	struct text text[TEXTS];
	size_t texts;
	struct group *head, **tail; /* of this transaction, as is all of the memory */
	size_t count, bytes;
	enum db_error failed; /* what ended this transaction; DB_OK: nothing */
	struct arena memory, names;
};

/* ---- adding ---- */

static struct later *
of(struct db *db)
{
	if (db->later == NULL) {
		db->later = xcalloc(1, sizeof(*db->later));
		db->later->tail = &db->later->head;
	}
	return db->later;
}

/* Returns the place of a table; TABLES: there is no more room. */
static unsigned
place(struct later *l, const char *table)
{
	for (unsigned i = 0; i < l->tables; i++)
		if (strcmp(l->table[i], table) == 0)
			return i;
	if (l->tables < TABLES)
		l->table[l->tables++] = arena_strndup(&l->names, table, strlen(table));
	return l->tables < TABLES ? l->tables - 1 : TABLES;
}

static struct group *
group_of(struct later *l, unsigned table, const char *sql, enum stet_later kind)
{
	struct group *g;

	for (g = l->head; g != NULL; g = g->next)
		if (strcmp(g->sql, sql) == 0)
			return g;
	g = arena_alloc(&l->memory, sizeof(*g));
	*g = (struct group){ .table = table,
		.kind = kind,
		.sql = arena_strndup(&l->memory, sql, strlen(sql)),
		.tail = &g->head };
	*l->tail = g;
	l->tail = &g->next;
	return g;
}

static struct stet_val
copy(struct arena *arena, struct stet_val v)
{
	if (v.type == STET_V_TEXT)
		v.u.s = arena_strndup(arena, v.u.s, v.len);
	else if (v.type == STET_V_BLOB)
		v.u.b = arena_strndup(arena, v.u.b, v.len);
	return v;
}

static bool
is_same(const struct stet_val *a, const struct stet_val *b)
{
	if (a->type != b->type)
		return false;
	switch (a->type) {
	case STET_V_NULL:
		return true;
	case STET_V_INT:
		return a->u.i == b->u.i;
	case STET_V_TEXT:
		return a->len == b->len && memcmp(a->u.s, b->u.s, a->len) == 0;
	default:
		return false;
	}
}

/* Adds the last value to that of a change that waits, if there is one with the same other values.
 */
static bool
sum_up(const struct group *g, const struct stet_val *v, size_t n)
{
	for (struct change *c = g->head; c != NULL; c = c->next) {
		size_t same = 0;

		while (same < n - 1 && is_same(&c->value[same], &v[same]))
			same++;
		if (same == n - 1) {
			int64_t sum;

			if (__builtin_add_overflow(c->value[same].u.i, v[same].u.i, &sum))
				return false;
			c->value[same].u.i = sum;
			return true;
		}
	}
	return false;
}

/* The bytes of the texts and blobs of a row. */
static size_t
size_of(const struct stet_val *v, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i].type == STET_V_TEXT || v[i].type == STET_V_BLOB)
			size += v[i].len;
	return size;
}

/* Returns true if the connection may put off a row of this size. */
static bool
has_room(struct db *db, size_t size)
{
	const struct later *l = of(db);

	return l->count < CHANGES && size <= ROW_BYTES && l->bytes + size <= BYTES;
}

bool
later_add(struct db *db, const char *table, const char *sql, enum stet_later kind,
    const struct stet_val *v, size_t n)
{
	struct later *l;
	struct group *g;
	struct change *c;
	unsigned at;
	size_t size = size_of(v, n);

	stet_assert(kind != STET_LATER_SUM || (n > 0 && v[n - 1].type == STET_V_INT));
	if (!db->driver->gathers || db->mode != DB_WRITE || db->savepoints > 0 || n == 0 ||
	    !has_room(db, size) || (at = place(l = db->later, table)) == TABLES)
		return false;
	g = group_of(l, at, sql, kind);
	db->put_off++;
	if (kind == STET_LATER_SUM && sum_up(g, v, n))
		return true;
	c = arena_alloc(&l->memory, sizeof(*c) + n * sizeof(*v));
	c->next = NULL;
	c->n = n;
	for (size_t i = 0; i < n; i++)
		c->value[i] = copy(&l->memory, v[i]);
	*g->tail = c;
	g->tail = &c->next;
	g->count++;
	l->count++;
	l->bytes += size;
	return true;
}

/* ---- statements that name their tables ---- */

static bool
is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Does the statement have this word? */
static bool
names(const char *sql, const char *table)
{
	size_t len = strlen(table);

	for (const char *at = sql; (at = strcasestr(at, table)) != NULL; at++)
		if ((at == sql || !is_part(at[-1])) && !is_part(at[len]))
			return true;
	return false;
}

bool
later_concerns(struct stmt *s)
{
	const struct later *l = s->db->later;

	if (l == NULL || l->count == 0)
		return false;
	for (; s->looked < l->tables; s->looked++)
		if (names(s->sql, l->table[s->looked]))
			s->named |= 1U << s->looked;
	for (const struct group *g = l->head; g != NULL; g = g->next)
		if (g->count > 0 && (s->named >> g->table & 1) != 0)
			return true;
	return false;
}

/* ---- running ---- */

/* Appends the row of VALUES with the numbers of its parameters raised. */
static void
put_row(struct buf *sql, const char *row, size_t raise)
{
	while (*row != '\0') {
		size_t len = strcspn(row, "?'");

		buf_add(sql, row, len);
		row += len;
		if (*row == '\'') { /* literals end with the next one: none has another inside */
			len = 1 + strcspn(row + 1, "'");
			len += row[len] == '\'';
			buf_add(sql, row, len);
			row += len;
		} else if (*row == '?') {
			char *end;
			unsigned long number = strtoul(row + 1, &end, 10);

			buf_printf(sql, "?%zu", number + raise);
			row = end;
		}
	}
}

/* The statement for so many rows of n values. */
static void
put_statement(struct buf *sql, const char *one, size_t rows, size_t n)
{
	static const char words[] = "VALUES ";
	const char *row = strstr(one, words) + sizeof(words) - 1;

	buf_add(sql, one, (size_t)(row - one));
	for (size_t i = 0; i < rows; i++) {
		buf_str(sql, i > 0 ? ", " : "");
		put_row(sql, row, i * n);
	}
}

static void
forget_texts(struct later *l)
{
	for (; l->texts > 0; l->texts--) {
		free(l->text[l->texts - 1].one);
		free(l->text[l->texts - 1].all);
	}
}

/* The same, which is kept: it comes again in each batch. */
static const char *
statement_of(struct later *l, const char *one, size_t rows, size_t n)
{
	struct buf sql = { 0 };
	struct text *t;

	for (t = l->text; t < l->text + l->texts; t++)
		if (t->rows == rows && strcmp(t->one, one) == 0)
			return t->all;
	if (l->texts == TEXTS)
		forget_texts(l);
	put_statement(&sql, one, rows, n);
	t = &l->text[l->texts++];
	*t = (struct text){ xstrdup(one), sql.data, rows };
	return t->all;
}

static enum db_error
run(struct db *db, const char *sql, const struct stet_val *v, size_t n)
{
	struct stmt *s;
	bool again;
	enum db_error error = stmt_get(db, sql, &s, &again);

	if (error != DB_OK)
		return error;
	error = db->driver->run(s, v, n);
	stmt_put(s);
	return error;
}

/* Runs so many changes of a group as one, and takes them off. */
static enum db_error
run_rows(struct db *db, struct group *g, size_t rows)
{
	size_t n = g->head->n;
	struct stet_val *v = arena_alloc(&db->later->memory, rows * n * sizeof(*v));
	const char *sql = g->sql;

	for (size_t i = 0; i < rows; i++, g->head = g->head->next)
		memcpy(v + i * n, g->head->value, n * sizeof(*v));
	g->count -= rows;
	if (rows > 1)
		sql = statement_of(db->later, sql, rows, n);
	return run(db, sql, v, rows * n);
}

static enum db_error
run_group(struct db *db, struct group *g)
{
	size_t rows = g->kind != STET_LATER_SUM ? ROWS : 1;
	enum db_error error = DB_OK;

	while (rows > 1 && g->head != NULL && rows * g->head->n > VALUES)
		rows /= 2;
	while (g->head != NULL && error == DB_OK) {
		while (rows > g->count)
			rows /= 2;
		error = run_rows(db, g, rows);
	}
	return error;
}

static void
forget(struct later *l)
{
	if (l->head == NULL)
		return;
	l->head = NULL;
	l->tail = &l->head;
	l->count = l->bytes = 0;
	arena_reset(&l->memory);
}

enum db_error
later_run(struct db *db)
{
	struct later *l = db->later;
	bool careful = db->careful;

	if (l == NULL || l->count == 0)
		return l != NULL ? l->failed : DB_OK;
	db->careful = false; /* whoever put it off cannot look at its error any more */
	for (struct group *g = l->head; g != NULL && l->failed == DB_OK; g = g->next)
		l->failed = run_group(db, g);
	db->careful = careful;
	forget(l);
	return l->failed;
}

void
later_drop(struct db *db)
{
	if (db->later == NULL)
		return;
	forget(db->later);
	db->later->failed = DB_OK;
}

void
later_free(struct db *db)
{
	if (db->later == NULL)
		return;
	arena_free(&db->later->memory);
	arena_free(&db->later->names);
	forget_texts(db->later);
	free(db->later);
	db->later = NULL;
}
