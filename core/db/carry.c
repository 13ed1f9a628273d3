/*
 * carry.c - copies a database into another. Each table is read again in the new database after it
 * was written, and must have the same rows: their number, and the sum of their digests, since their
 * order is not kept.
 */
#include "db/carry.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/words.h"
#include "db/driver.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

#define PAUSE_BYTES 65536 /* between two looks at the rate and at the flag to stop */
/* Words of the progress; the caller may keep them. */
#define COPYING "copying the database"
#define COMPARING "comparing the copy"

/* ---- lists of tables ---- */

void
carry_add_table(struct carry_tables *list, const char *name)
{
	list->table = xrealloc(list->table, (list->count + 1) * sizeof(*list->table));
	list->table[list->count++] = (struct carry_table){ .name = xstrdup(name) };
}

void
carry_add_column(struct carry_tables *list, const char *name)
{
	struct carry_table *t = &list->table[list->count - 1];

	t->column = xrealloc(t->column, (t->columns + 1) * sizeof(*t->column));
	t->column[t->columns++] = xstrdup(name);
}

void
carry_free_tables(struct carry_tables *list)
{
	for (size_t i = 0; i < list->count; i++) {
		for (size_t k = 0; k < list->table[i].columns; k++)
			free(list->table[i].column[k]);
		free(list->table[i].column);
		free(list->table[i].name);
	}
	free(list->table);
}

/* ---- one of the two databases ---- */

bool
carry_fail(struct carry_end *end, const char *fmt, ...)
{
	va_list ap;

	if (end->why != NULL)
		return false;
	va_start(ap, fmt);
	end->why = words_vformat(fmt, ap);
	va_end(ap);
	return false;
}

static struct carry_end *
end_new(const char *place, bool replace)
{
	const struct db_driver *driver = db_driver_of(place);
	struct carry_end *end;

	if (driver == NULL || driver->carrier == NULL)
		return NULL;
	end = xcalloc(1, driver->carrier->size);
	end->carrier = driver->carrier;
	end->place = xstrdup(place);
	end->replace = replace;
	return end;
}

static void
end_free(struct carry_end *end)
{
	if (end == NULL)
		return;
	end->carrier->close(end);
	free(end->place);
	free(end->why);
	free(end->kept);
	free(end);
}

/* ---- rows ---- */

struct carrying {
	struct carry *c;
	struct carry_end *from, *to;
	struct carry_tables have, made; /* the same tables, as each of the two names them */
	uint64_t rows, all; /* read so far, of both passes; how many there are */
	size_t unspent; /* bytes that the pace has not heard of yet */
	struct buf row; /* a row as bytes, for its digest */
};

/* What a table has, whatever the order. */
struct sum {
	uint64_t rows, low, high;
};

static void
add_value(struct buf *b, const struct stet_val *v)
{
	static const char kinds[] = { [STET_V_NULL] = 'n',
		[STET_V_INT] = 'i',
		[STET_V_REAL] = 'r',
		[STET_V_TEXT] = 't',
		[STET_V_BLOB] = 't' }; /* a text in a column of blobs comes back as one */

	buf_char(b, kinds[v->type]);
	if (v->type == STET_V_INT)
		buf_add(b, &v->u.i, sizeof(v->u.i));
	else if (v->type == STET_V_REAL)
		buf_add(b, &v->u.r, sizeof(v->u.r));
	else if (v->type != STET_V_NULL) {
		buf_add(b, &v->len, sizeof(v->len));
		if (v->len > 0)
			buf_add(b, v->u.b, v->len);
	}
}

static void
add_row(struct carrying *g, struct sum *sum, const struct stet_val *v, size_t n)
{
	XXH128_hash_t hash;

	g->row.len = 0;
	for (size_t i = 0; i < n; i++)
		add_value(&g->row, &v[i]);
	hash = XXH3_128bits(g->row.data, g->row.len);
	sum->rows++;
	sum->high += hash.high64 + (sum->low + hash.low64 < sum->low ? 1 : 0);
	sum->low += hash.low64;
}

/* Counts a row that was read. Returns false if the work is to stop. */
static bool
spend(struct carrying *g, const char *what)
{
	struct carry *c = g->c;

	g->rows++;
	g->unspent += g->row.len + 1;
	if (g->unspent < PAUSE_BYTES)
		return true;
	if (!pace_spend(&c->pace, g->unspent))
		return carry_fail(g->from, "it was told to stop");
	g->unspent = 0;
	if (c->progress != NULL)
		c->progress(c->arg, what, g->rows, 2 * g->all);
	return true;
}

static bool
copy_rows(struct carrying *g, const struct carry_table *t, const struct carry_table *target,
    struct sum *sum)
{
	struct stet_val *v = xcalloc(t->columns + 1, sizeof(*v));
	bool more = true, good;

	good = g->from->carrier->read(g->from, t) && g->to->carrier->write(g->to, target);
	while (good && (good = g->from->carrier->row(g->from, v, &more)) && more) {
		add_row(g, sum, v, t->columns);
		good = spend(g, COPYING) && g->to->carrier->put(g->to, v);
	}
	good = good && g->to->carrier->wrote(g->to);
	free(v);
	return good;
}

static bool
compare_rows(struct carrying *g, const struct carry_table *target, const struct sum *wanted)
{
	struct stet_val *v = xcalloc(target->columns + 1, sizeof(*v));
	struct sum sum = { 0 };
	bool more = true, good = g->to->carrier->read(g->to, target);

	while (good && (good = g->to->carrier->row(g->to, v, &more)) && more) {
		add_row(g, &sum, v, target->columns);
		good = spend(g, COMPARING);
	}
	free(v);
	if (!good || memcmp(&sum, wanted, sizeof(sum)) == 0)
		return good;
	if (sum.rows != wanted->rows)
		return carry_fail(g->to, "%s has %llu rows in the copy, and %llu here",
		    target->name, (unsigned long long)sum.rows, (unsigned long long)wanted->rows);
	return carry_fail(
	    g->to, "%s has other values in the copy: their digests differ", target->name);
}

/* ---- tables ---- */

/* Finds a name, which an engine may spell with other capitals. Returns the number of names if it is
 * not there. */
static size_t
find_column(const struct carry_table *t, const char *name)
{
	size_t i = 0;

	while (i < t->columns && strcasecmp(t->column[i], name) != 0)
		i++;
	return i;
}

static size_t
find_table(const struct carry_tables *list, const char *name)
{
	size_t i = 0;

	while (i < list->count && strcasecmp(list->table[i].name, name) != 0)
		i++;
	return i;
}

/* Puts the columns of `to` into the order of `from`. */
static bool
pair_columns(struct carrying *g, const struct carry_table *from, struct carry_table *to)
{
	for (size_t i = 0; i < from->columns; i++) {
		size_t k = find_column(to, from->column[i]);
		char *name;

		if (k == to->columns || from->columns != to->columns)
			return carry_fail(
			    g->from, "%s has other columns than what made it says", from->name);
		name = to->column[i];
		to->column[i] = to->column[k];
		to->column[k] = name;
	}
	return true;
}

/* The same for tables. The new database may have tables of its own behind them. */
static bool
pair_tables(struct carrying *g)
{
	for (size_t i = 0; i < g->have.count; i++) {
		const struct carry_table *t = &g->have.table[i];
		size_t k = find_table(&g->made, t->name);
		struct carry_table one;

		if (k == g->made.count)
			return carry_fail(
			    g->from, "nothing says how the table %s was made", t->name);
		one = g->made.table[i];
		g->made.table[i] = g->made.table[k];
		g->made.table[k] = one;
		if (!pair_columns(g, t, &g->made.table[i]))
			return false;
	}
	return true;
}

static bool
define(void *arg, const char *sql)
{
	struct carry_end *to = arg;

	return to->carrier->define(to, sql);
}

/* Drops the tables whose rows are not copied from both lists. */
static void
leave_out(struct carrying *g)
{
	size_t n = 0;

	for (size_t i = 0; i < g->have.count; i++) {
		struct carry_table have = g->have.table[i], made = g->made.table[i];

		if (g->c->leave != NULL && g->c->leave(have.name))
			continue;
		g->have.table[i] = g->have.table[n];
		g->made.table[i] = g->made.table[n];
		g->have.table[n] = have;
		g->made.table[n++] = made;
	}
	g->c->tables = n;
}

static bool
define_all(struct carrying *g)
{
	struct carry_end *from = g->from, *to = g->to;

	return from->carrier->definitions(from, define, to) && to->carrier->defined(to) &&
	       from->carrier->tables(from, &g->have) && to->carrier->tables(to, &g->made) &&
	       pair_tables(g);
}

static bool
copy_all(struct carrying *g)
{
	struct carry *c = g->c;
	uint64_t rows = 0;

	if (!define_all(g))
		return false;
	leave_out(g);
	for (size_t i = 0; i < c->tables; i++, g->all += rows)
		if (!g->from->carrier->count(g->from, &g->have.table[i], &rows))
			return false;
	for (size_t i = 0; i < c->tables; i++) {
		struct sum sum = { 0 };

		if (!copy_rows(g, &g->have.table[i], &g->made.table[i], &sum) ||
		    !compare_rows(g, &g->made.table[i], &sum))
			return false;
		c->rows += sum.rows;
	}
	if (c->progress != NULL)
		c->progress(c->arg, "making indexes", 1, 1);
	return (c->change == NULL || g->to->carrier->change(g->to, c->change)) &&
	       g->to->carrier->finish(g->to);
}

/* ---- the whole ---- */

static bool
begin(struct carrying *g, char **why)
{
	struct carry *c = g->c;

	g->from = end_new(c->from, false);
	g->to = end_new(c->to, c->replace);
	if (g->from == NULL || g->to == NULL) {
		*why = words_format(
		    "no module brings the engine of %s", g->from == NULL ? c->from : c->to);
		return false;
	}
	if (g->from->carrier->open(g->from) && g->to->carrier->make(g->to) && copy_all(g))
		return true;
	*why = xstrdup(g->to->why != NULL ? g->to->why : g->from->why);
	return false;
}

bool
carry_begin(struct carry *c, char **why)
{
	struct carrying g = { .c = c };
	bool good = begin(&g, why);

	end_free(g.from);
	if (good)
		c->made = g.to;
	else
		end_free(g.to);
	carry_free_tables(&g.have);
	carry_free_tables(&g.made);
	buf_free(&g.row);
	return good;
}

bool
carry_keep(struct carry *c, char **why)
{
	struct carry_end *to = c->made;

	if (!to->carrier->keep(to)) {
		*why = xstrdup(to->why);
		return false;
	}
	c->kept = to->kept;
	to->kept = NULL;
	return true;
}

bool
carry_run(struct carry *c, char **why)
{
	return carry_begin(c, why) && carry_keep(c, why);
}

void
carry_free(struct carry *c)
{
	end_free(c->made);
	free(c->kept);
	free(c->change);
	c->made = NULL;
	c->kept = c->change = NULL;
}
