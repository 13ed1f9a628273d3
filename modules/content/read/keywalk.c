/*
 * keywalk.c - a walk in an order of several keys (keys.c).
 *
 * The rows after a place are read in parts, each a range of the index: first the rows with equal
 * keys and a later id; then those whose keys but the last are equal and whose last key is later;
 * and so on, up to a later first key. NULL comes before all values in ascending order, and after
 * them in descending order, where it is a part of its own.
 */
#include "read/read.h"

static void
put_key(struct stet_sql *sql, const struct walk *w, size_t i)
{
	stet_sql_add(sql, w->pick != NULL ? "COALESCE(" : "");
	stet_sql_ident(
	    sql, i < w->keys ? w->key[i].prefix : "", i < w->keys ? w->key[i].column : "id");
	stet_sql_add(sql, w->pick != NULL ? ", NULL)" : "");
}

static void
put_compared(
    struct stet_sql *sql, const struct walk *w, size_t i, const char *op, struct stet_val value)
{
	stet_sql_add(sql, " AND ");
	put_key(sql, w, i);
	if (value.type == STET_V_NULL) {
		stet_sql_add(sql, op);
		return;
	}
	stet_sql_add(sql, op);
	stet_sql_bind(sql, value);
}

/* Returns true if there can be rows in this part. */
static bool
has_part(const struct walk *w, size_t level, bool nulls)
{
	if (!w->place.given)
		return level == 0 && !nulls;
	if (level == w->keys)
		return !nulls;
	/* In descending order no rows follow those without a value. */
	if (w->down[level])
		return w->at[level].type != STET_V_NULL;
	return !nulls;
}

/* Adds the condition for the rows after the place whose first `level` keys are equal to its
 * keys. nulls: of these, the rows without a value in the next key, which come last in descending
 * order. */
static void
put_part(struct stet_sql *sql, const struct walk *w, size_t level, bool nulls)
{
	const bool down = w->down[level < w->keys ? level : w->keys - 1];
	struct stet_val at;

	if (!w->place.given)
		return;
	at = level < w->keys ? w->at[level] : stet_val_str(w->place.id);
	for (size_t i = 0; i < level; i++)
		put_compared(
		    sql, w, i, w->at[i].type == STET_V_NULL ? " IS NULL" : " = ", w->at[i]);
	if (nulls)
		put_compared(sql, w, level, " IS NULL", stet_val_null());
	else if (at.type == STET_V_NULL)
		put_compared(sql, w, level, " IS NOT NULL", at);
	else
		put_compared(sql, w, level, down ? " < " : " > ", at);
}

static void
put_order(struct stet_sql *sql, const struct walk *w, size_t from)
{
	stet_sql_add(sql, " ORDER BY ");
	for (size_t i = from; i < w->keys; i++) {
		put_key(sql, w, i);
		stet_sql_add(sql, w->down[i] ? " DESC NULLS LAST, " : " ASC NULLS FIRST, ");
	}
	put_key(sql, w, w->keys);
	stet_sql_add(sql, w->down[w->keys - 1] ? " DESC LIMIT " : " LIMIT ");
	stet_sql_bind(sql, stet_val_int(w->limit + 1 - w->count));
}

static enum stet_status
read_part(struct walk *w, size_t level, bool nulls)
{
	struct stet_sql *sql = stet_sql_new(w->call);

	if (w->more || !has_part(w, level, nulls))
		return STET_OK;
	page_begin(w, sql);
	put_part(sql, w, level, nulls);
	filter_add(sql, w->collection, &w->filter);
	put_order(sql, w, nulls ? level + 1 : level);
	return page_end(w, sql);
}

/* Returns true if the walk may skip many items. A filter by status does not count: if few items
 * have the status, they are picked. */
static bool
may_be_long(const struct walk *w)
{
	bool hides = w->filter.q != NULL || w->filter.bylines != NULL;

	for (const struct cond *c = w->filter.conds; c != NULL; c = c->next)
		hides |= !c->shown && c != w->filter.status;
	return hides && w->pick == NULL;
}

enum stet_status
keys_walk(struct walk *w)
{
	if (may_be_long(w))
		STET_TRY(path_read_much(w));
	for (size_t level = w->keys + 1; level-- > 0;) {
		STET_TRY(read_part(w, level, false));
		STET_TRY(read_part(w, level, true));
	}
	return STET_OK;
}
