/* page.c - the page of a list: reads the items of a statement until it is full. */
#include "read/read.h"
#include <string.h>

/* Adds rows to the page until it is full. */
static enum stet_status
take(struct walk *w, struct stet_rows *rows)
{
	while (!w->more && stet_row(rows)) {
		if (w->count == w->limit) {
			w->more = true;
			break;
		}
		w->row(w, rows);
		if (++w->count == w->limit && !w->is_ranked)
			w->next = w->keys > 1 ? keys_place(w, rows)
					      : order_place(w->call, w->plan, &w->order, rows);
	}
	return stet_rows_end(rows);
}

enum stet_status
page_one(struct walk *w, const char *id)
{
	struct stet_rows rows;

	if (w->select_one == NULL)
		w->select_one = stet_printf(w->call, "%s AND id = ?1", w->select);
	STET_TRY(stet_query(w->call, &rows, w->select_one, STET_ARGS(id)));
	return take(w, &rows);
}

/* Returns true if ids in this direction are in the order of the list: mostly, where that is by
 * creation, since later ids are larger. */
static bool
are_sorted(const struct walk *w, const char *const *id, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if ((strcmp(id[i - 1], id[i]) < 0) == w->desc)
			return false;
	return true;
}

/* Adds the items of sorted ids; with a status, those that have it. */
static enum stet_status
take_sorted(struct walk *w, const char *const *id, size_t count, const char *status)
{
	struct stet_sql *sql = stet_sql_new(w->call);
	struct stet_rows rows;

	stet_sql_add(sql, w->select);
	if (status != NULL) {
		stet_sql_add(sql, " AND " STET_UNINDEXED("status") " = ");
		stet_sql_bind(sql, stet_val_str(status));
	}
	stet_sql_add(sql, " AND id IN ");
	stet_sql_texts(sql, id, count);
	stet_sql_add(sql, w->desc ? " ORDER BY id DESC" : " ORDER BY id");
	STET_TRY(stet_sql_query(sql, &rows));
	return take(w, &rows);
}

/* Adds the items of these ids, in their order. */
static enum stet_status
take_ids(struct walk *w, const char *const *id, size_t count, const char *status)
{
	if (count > 0 && are_sorted(w, id, count))
		return take_sorted(w, id, count, status);
	for (size_t i = 0; i < count && !w->more; i++)
		STET_TRY(take_sorted(w, &id[i], 1, status));
	return STET_OK;
}

/* Reads ids from this column, until there are enough for the page. The current row is then the last
 * one. */
static size_t
read_ids(const struct walk *w, struct stet_rows *rows, int column, const char **id, size_t most)
{
	size_t count = 0;

	while (count < most && stet_row(rows))
		id[count++] = stet_strdup(w->call, stet_col_str(rows, column));
	return count;
}

enum stet_status
page_ids(struct walk *w, struct stet_sql *sql)
{
	const size_t most = (size_t)(w->limit + 1 - w->count);
	const char **id = stet_alloc(w->call, most * sizeof(*id));
	struct stet_rows rows;
	size_t count;

	STET_TRY(stet_sql_query(sql, &rows));
	count = read_ids(w, &rows, 0, id, most);
	STET_TRY(stet_rows_end(&rows));
	return take_ids(w, id, count, NULL);
}

enum stet_status
page_places(
    struct walk *w, struct stet_sql *sql, bool nulls, const char *status, struct place **last)
{
	const size_t most = (size_t)(w->limit + 1 - w->count);
	const char **id = stet_alloc(w->call, most * sizeof(*id));
	struct stet_rows rows;
	size_t count;

	STET_TRY(stet_sql_query(sql, &rows));
	count = read_ids(w, &rows, nulls ? 0 : 1, id, most);
	*last = count == most ? order_here(w->call, &w->order, nulls, &rows) : NULL;
	STET_TRY(stet_rows_end(&rows));
	return take_ids(w, id, count, status);
}

void
page_put_ids(struct stet_sql *sql, const struct walk *w)
{
	stet_sql_add(sql, "SELECT id");
	filter_from(sql, w->plan->slug);
}

void
page_begin(const struct walk *w, struct stet_sql *sql)
{
	if (w->pick != NULL)
		page_put_ids(sql, w);
	else
		stet_sql_add(sql, w->select);
}

enum stet_status
page_end(struct walk *w, struct stet_sql *sql)
{
	struct stet_rows rows;

	if (w->pick != NULL)
		return page_ids(w, sql);
	STET_TRY(stet_sql_query(sql, &rows));
	return take(w, &rows);
}
