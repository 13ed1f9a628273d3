/*
 * page.c - lists a page at a time, by keyset: a page begins after the key of the last row before
 * it. The query asks for one row more than the page has, to know whether more rows follow.
 */
#include "call/call.h"
#include <stet/table.h>

static enum stet_status
add_sql(struct stet_call *call, struct stet_page *page, struct stet_sql *sql)
{
	const char *cursor = stet_arg(call, "cursor"), *id;
	const char *turn = page->ascending ? " ASC" : " DESC";
	const json_t *key;

	page->limit = stet_arg_int(call, "limit");
	page->count = 0;
	page->next = NULL;
	if (cursor != NULL) {
		STET_TRY(stet_cursor_read(call, cursor, page->listing, &key, &id));
		if (!json_is_string(key))
			return stet_fail(
			    call, STET_INVALID_CURSOR, "cursor", "Invalid pagination cursor");
		stet_sql_add(sql, " AND (");
		stet_sql_ident(sql, "", page->key);
		stet_sql_add(sql, page->ascending ? ", id) > (" : ", id) < (");
		stet_sql_bind(sql, stet_val_str(json_string_value(key)));
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(id));
		stet_sql_add(sql, ")");
	}
	stet_sql_add(sql, " ORDER BY ");
	stet_sql_ident(sql, "", page->key);
	stet_sql_add(sql, turn);
	stet_sql_add(sql, ", id");
	stet_sql_add(sql, turn);
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(page->limit + 1));
	return STET_OK;
}

static bool
next_row(struct stet_page *page, struct stet_rows *rows)
{
	const char *next = NULL;

	/* One more row follows: the current row, the last of the page, gives the cursor. */
	if (page->count == page->limit) {
		json_t *key =
		    stet_json_own(rows->call, json_string(stet_col_str(rows, page->key_column)));

		next = stet_cursor_make(
		    rows->call, page->listing, key, stet_col_str(rows, page->id_column));
	}
	if (!stet_row(rows))
		return false;
	if (page->count == page->limit) {
		page->next = next;
		return false;
	}
	page->count++;
	return true;
}

/* ---- struct stet_page of modules built with another size of it ---- */

enum stet_status
stet_page_sql_sized(
    struct stet_call *call, struct stet_page *theirs, size_t size, struct stet_sql *sql)
{
	struct stet_page page;
	enum stet_status status;

	stet_extend(&page, sizeof(page), theirs, size);
	status = add_sql(call, &page, sql);
	stet_extend(theirs, size, &page, sizeof(page));
	return status;
}

bool
stet_page_row_sized(struct stet_page *theirs, size_t size, struct stet_rows *rows)
{
	struct stet_page page;
	bool more;

	stet_extend(&page, sizeof(page), theirs, size);
	more = next_row(&page, rows);
	stet_extend(theirs, size, &page, sizeof(page));
	return more;
}

void
stet_page_end_sized(struct stet_json *out, const struct stet_page *theirs, size_t size)
{
	struct stet_page page;

	stet_extend(&page, sizeof(page), theirs, size);
	if (page.next != NULL)
		stet_put_str(out, "nextCursor", page.next);
}
