/* page.c - the page of a list: reads the items of a statement until it is full. */
#include "read/read.h"

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

/* Reads ids in their order, then each item. So the database sorts ids and not whole items. */
enum stet_status
page_ids(struct walk *w, struct stet_sql *sql)
{
	const size_t most = (size_t)(w->limit + 1 - w->count);
	const char **id = stet_alloc(w->call, most * sizeof(*id));
	struct stet_rows rows;
	size_t count = 0;

	STET_TRY(stet_sql_query(sql, &rows));
	while (count < most && stet_row(&rows))
		id[count++] = stet_col_dup(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < count && !w->more; i++) {
		w->more = w->count == w->limit;
		if (!w->more)
			STET_TRY(page_one(w, id[i]));
	}
	return STET_OK;
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
