/* cond.c - one condition of a list, and its SQL if it is on a column. */
#include "read/read.h"

struct cond *
cond_new(
    struct stet_call *call, const char *prefix, const char *column, enum cond_op op, size_t values)
{
	struct cond *c = stet_alloc(call, sizeof(*c) + values * sizeof(c->value[0]));

	c->call = call;
	c->prefix = prefix;
	c->column = column;
	c->op = op;
	return c;
}

struct cond *
filter_new(struct stet_call *call, struct filter *f, const char *prefix, const char *column,
    enum cond_op op, size_t values)
{
	struct cond *c = cond_new(call, prefix, column, op, values);

	*f->tail = c;
	f->tail = &c->next;
	return c;
}

/* ---- SQL ---- */

void
filter_from(struct stet_sql *sql, const char *collection)
{
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE deleted_at IS NULL");
}

static void
put_list(struct stet_sql *sql, const struct cond *c)
{
	for (size_t i = 0; i < c->count; i++) {
		stet_sql_add(sql, i > 0 ? ", " : "(");
		stet_sql_bind(sql, c->value[i]);
	}
	stet_sql_add(sql, c->count > 0 ? ")" : "(NULL)");
}

static void
put_bound(
    struct stet_sql *sql, const struct cond *c, bool seen, const char *op, struct stet_val value)
{
	/* "NOT (x < ?)" has the meaning of "x >= ?", but SQLite uses no index for it. */
	static const char *const shown[] = { " >= ", " > ", " <= ", " < " };
	static const char *const hidden[] = { " < ", " <= ", " > ", " >= " };
	int i = op[0] == '>' ? (op[1] == '=' ? 0 : 1) : (op[1] == '=' ? 2 : 3);

	stet_sql_add(sql, seen ? " AND (" : " AND NOT (");
	stet_sql_ident(sql, c->prefix, c->column);
	stet_sql_add(sql, seen ? shown[i] : hidden[i]);
	stet_sql_bind(sql, value);
	stet_sql_add(sql, ")");
}

/* Adds the condition COND_OUT. It is written without index use, since the values outside a list are
 * not one range. */
static void
put_out(struct stet_sql *sql, const struct cond *c)
{
	stet_sql_add(sql, " AND (");
	stet_sql_ident(sql, c->prefix, c->column);
	stet_sql_add(sql, " IN ");
	put_list(sql, c);
	stet_sql_add(sql, ") IS NOT TRUE");
}

/* Adds a condition on a column. If it is hidden from the planner (`seen` false), it is written as
 * the negation of its opposite. */
static void
put_plain(struct stet_sql *sql, const struct cond *c, bool seen)
{
	stet_sql_add(sql, seen ? " AND (" : " AND NOT (");
	stet_sql_ident(sql, c->prefix, c->column);
	switch (c->op) {
	case COND_NULL:
		stet_sql_add(sql, seen ? " IS NULL" : " IS NOT NULL");
		break;
	case COND_SET:
		stet_sql_add(sql, seen ? " IS NOT NULL" : " IS NULL");
		break;
	case COND_IN:
		stet_sql_add(sql, seen ? " IN " : " NOT IN ");
		put_list(sql, c);
		break;
	default:
		stet_sql_add(sql, seen ? " = " : " <> ");
		stet_sql_bind(sql, c->value[0]);
	}
	stet_sql_add(sql, ")");
}

void
filter_cond_as(struct stet_sql *sql, const struct cond *c, bool seen)
{
	if (c->op == COND_OUT) {
		put_out(sql, c);
	} else if (c->op == COND_HAS || c->op == COND_LACKS) {
		has_put(sql, c->values, c->op == COND_LACKS);
	} else if (c->op == COND_CONTAINS || c->op == COND_OMITS) {
		contains_put(sql, c->words, c->op == COND_OMITS);
	} else if (c->op != COND_RANGE) {
		put_plain(sql, c, seen);
	} else {
		if (c->low != NULL)
			put_bound(sql, c, seen, c->low, c->value[0]);
		if (c->high != NULL)
			put_bound(sql, c, seen, c->high, c->value[1]);
	}
}
