/*
 * shown.c - shows credits in replies: reads the credits of a page of items at once, and writes
 * those of each item.
 */
#include "bylines.h"

#define CHUNK 100

struct shown {
	size_t at, len; /* position of its byline in the text */
	const char *id, *role;
	bool inferred;
};
struct credited {
	size_t first, count;
	bool explicit; /* the item has credits of its own, shown or not */
};
struct stet_byline_page {
	struct stet_json *text; /* an array of bylines */
	struct credited *item;
	struct shown *shown;
	size_t count, room;
};

enum shown_column { S_ITEM, S_POSITION, S_ROLE, S_BYLINE };

static struct shown *
next_shown(struct stet_call *call, struct stet_byline_page *page)
{
	struct shown *more;

	if (page->count == page->room) {
		page->room = page->room > 0 ? 2 * page->room : CHUNK;
		more = stet_alloc(call, page->room * sizeof(*more));
		for (size_t i = 0; i < page->count; i++)
			more[i] = page->shown[i];
		page->shown = more;
	}
	return &page->shown[page->count++];
}

/* Adds a row. Rows come item by item, the author's byline before the credits. */
static void
add_row(struct stet_call *call, struct stet_rows *rows, struct stet_byline_page *page,
    struct credited *item)
{
	bool inferred = stet_col_int(rows, S_POSITION) < 0;
	struct shown *shown;
	size_t before;

	if (!inferred && !item->explicit) {
		item->explicit = true;
		page->count -= item->count;
		item->count = 0;
	}
	if (stet_col_null(rows, S_BYLINE))
		return;
	if (item->count++ == 0)
		item->first = page->count;
	shown = next_shown(call, page);
	shown->inferred = inferred;
	shown->role = stet_col_dup(rows, S_ROLE);
	shown->id = stet_col_dup(rows, S_BYLINE + B_ID);
	stet_json_text(page->text, &before);
	stet_object(page->text, NULL);
	stet_put_columns(page->text, rows, S_BYLINE, byline_shape, B_COLUMNS);
	stet_close(page->text);
	stet_json_text(page->text, &shown->len);
	/* after the array's bracket, or after a comma */
	shown->at = before > 1 ? before + 1 : before;
	shown->len -= shown->at;
}

/* Writes the items as a table, filled up with rows of NULLs, so that there are only a few different
 * statements to prepare. */
static void
put_wanted(struct stet_sql *sql, const struct stet_table *items, size_t first, size_t count)
{
	const size_t size = stet_sql_room(count);

	stet_sql_add(sql, "WITH want (n, entry, locale, author) AS (VALUES ");
	for (size_t i = 0; i < size; i++) {
		struct stet_credited it = { .id = NULL };

		if (i < count)
			stet_table_row(items, (uint32_t)(first + i), &it, sizeof(it));
		stet_sql_add(sql, i > 0 ? ", (" : "(");
		stet_sql_bind(sql, stet_val_int((int64_t)i));
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(it.id));
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(it.locale));
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(it.author));
		stet_sql_add(sql, ")");
	}
	stet_sql_add(sql, ")");
}

/* Writes the credits of an item's draft as a table with the columns of stored credits. A last row
 * without an item makes sure that there is one. */
static void
put_kept(struct stet_sql *sql, const char *collection, const struct stet_credited *item)
{
	const size_t n = json_array_size(item->kept);

	stet_sql_add(
	    sql, ", kept (collection, entry_id, position, role_label, byline_group) AS (VALUES ");
	for (size_t i = 0; i <= n && i < STET_CREDITS_MAX; i++) {
		const json_t *credit = json_array_get(item->kept, i);
		const char *group = json_string_value(json_object_get(credit, "bylineId"));
		const struct stet_val row[] = { stet_val_str(collection),
			stet_val_str(group != NULL ? item->id : NULL), stet_val_int((int64_t)i),
			stet_val_str(json_string_value(json_object_get(credit, "roleLabel"))),
			stet_val_str(group) };

		for (size_t k = 0; k < sizeof(row) / sizeof(row[0]); k++) {
			stet_sql_add(sql, k > 0 ? ", " : i > 0 ? ", (" : "(");
			stet_sql_add(sql, k == 2 ? "CAST(" : "");
			stet_sql_bind(sql, row[k]);
			stet_sql_add(sql, k == 2 ? " AS INTEGER)" : "");
		}
		stet_sql_add(sql, ")");
	}
	stet_sql_add(sql, ")");
}

/* CROSS JOIN makes SQLite begin with the items, whatever its planner estimates. */
static enum stet_status
read_chunk(struct stet_call *call, const char *collection, const struct stet_table *items,
    size_t base, size_t count, struct stet_byline_page *page)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_credited first = { .id = NULL };
	struct stet_rows rows;

	put_wanted(sql, items, base, count);
	stet_table_row(items, (uint32_t)base, &first, sizeof(first));
	if (first.kept != NULL)
		put_kept(sql, collection, &first);
	stet_sql_add(sql, " SELECT w.n, c.position, c.role_label, ");
	byline_columns(call, sql);
	stet_sql_add(sql, " FROM want AS w CROSS JOIN ");
	stet_sql_add(sql, first.kept != NULL ? "kept" : "content_byline");
	stet_sql_add(sql, " AS c LEFT JOIN byline AS b"
			  " ON b.translation_group = c.byline_group AND b.locale = w.locale");
	byline_avatar(call, sql);
	stet_sql_add(sql, " WHERE c.entry_id = w.entry AND c.collection = ");
	stet_sql_bind(sql, stet_val_str(collection));
	if (first.kept != NULL)
		stet_sql_add(sql, " AND EXISTS (SELECT 1 FROM byline AS e"
				  " WHERE e.translation_group = c.byline_group)");
	stet_sql_add(sql, " UNION ALL SELECT w.n, -1, NULL, ");
	byline_columns(call, sql);
	stet_sql_add(sql, " FROM want AS w CROSS JOIN byline AS b");
	byline_avatar(call, sql);
	stet_sql_add(sql, " WHERE b.user_id = w.author AND b.locale = w.locale ORDER BY 1, 2");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		add_row(call, &rows, page, &page->item[base + (size_t)stet_col_int(&rows, S_ITEM)]);
	return stet_rows_end(&rows);
}

/* Returns how many items, from this one on, one statement reads: several with stored credits, or
 * one with credits in its draft. */
static size_t
run_of(const struct stet_table *items, size_t first)
{
	struct stet_credited it = { .id = NULL };
	size_t n = 0;

	for (; first + n < items->count && n < CHUNK; n++) {
		stet_table_row(items, (uint32_t)(first + n), &it, sizeof(it));
		if (it.kept != NULL)
			return n > 0 ? n : 1;
	}
	return n;
}

enum stet_status
credits_read(struct stet_call *call, const char *collection, const struct stet_table *items,
    struct stet_byline_page **out)
{
	struct stet_byline_page *page = stet_alloc(call, sizeof(*page));
	size_t count = items->count, n;

	page->item = stet_alloc(call, count * sizeof(page->item[0]));
	page->text = stet_json_new(call);
	stet_array(page->text, NULL);
	for (size_t i = 0; i < count; i += n) {
		n = run_of(items, i);
		STET_TRY(read_chunk(call, collection, items, i, n, page));
	}
	stet_close(page->text);
	*out = page;
	return STET_OK;
}

void
credits_put_list(
    struct stet_json *out, const char *key, const struct stet_byline_page *page, size_t i)
{
	const char *text = page != NULL ? stet_json_text(page->text, NULL) : NULL;
	const size_t count = page != NULL ? page->item[i].count : 0;

	stet_array(out, key);
	for (size_t k = 0; k < count; k++) {
		const struct shown *shown = &page->shown[page->item[i].first + k];

		stet_object(out, NULL);
		stet_put_raw(out, "byline", text + shown->at, shown->len);
		stet_put_int(out, "sortOrder", (int64_t)k);
		stet_put_str(out, "roleLabel", shown->role);
		stet_put_str(out, "source", shown->inferred ? "inferred" : "explicit");
		stet_close(out);
	}
	stet_close(out);
}

void
credits_put(struct stet_json *out, const struct stet_byline_page *page, size_t i)
{
	credits_put_list(out, "bylines", page, i);
	if (page != NULL && page->item[i].count > 0) {
		const struct shown *first = &page->shown[page->item[i].first];

		stet_put_raw(
		    out, "byline", stet_json_text(page->text, NULL) + first->at, first->len);
	} else
		stet_put_null(out, "byline");
}

/* ---- beside items ---- */

static void
put_beside(struct stet_include_page *to, const struct stet_byline_page *page, size_t item)
{
	const char *text = stet_json_text(page->text, NULL);
	const struct credited *credited = &page->item[item];

	for (size_t k = 0; k < credited->count; k++) {
		const struct shown *shown = &page->shown[credited->first + k];
		struct stet_json *out = stet_include_row(to, shown->id);

		if (out != NULL)
			stet_put_raw(out, shown->id, text + shown->at, shown->len);
		stet_include_link(to, item, NULL, shown->id);
	}
}

static enum stet_status
beside_read(struct stet_call *call, struct stet_include_page *to)
{
	struct stet_credited *item = stet_alloc(call, (to->count + 1) * sizeof(*item));
	const struct stet_table items = { item, (uint32_t)to->count, sizeof(*item) };
	struct stet_byline_page *page;

	for (size_t i = 0; i < to->count; i++)
		item[i] = (struct stet_credited){ to->item[i]->id, to->item[i]->locale,
			to->item[i]->author, to->item[i]->bylines };
	if (to->count == 0)
		return STET_OK;
	STET_TRY(credits_read(call, to->collection->slug, &items, &page));
	for (size_t i = 0; i < to->count; i++)
		put_beside(to, page, i);
	return STET_OK;
}

const struct stet_include bylines_includes[1] = {
	{ .name = "bylines",
	    .about = "The bylines that the items show, each once; links in their order",
	    .op = "byline_get",
	    .read = beside_read },
};
