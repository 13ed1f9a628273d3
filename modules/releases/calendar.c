/* calendar.c - what is scheduled in some days: publications, unpublications and releases. */
#include "releases.h"
#include <stdlib.h>
#include <stet/content.h>
#include <string.h>

#define ENTRIES_MAX 1000

const struct stet_member calendar_in[] = {
	{ "from", STET_TIME, STET_REQUIRED },
	{ "to", STET_TIME, STET_REQUIRED, .about = "Not included" },
	{ 0 },
};
static const struct stet_member entry_shape[] = {
	{ "act", STET_STRING, STET_REQUIRED, STET_CHOICES("publish", "unpublish", "release") },
	{ "at", STET_TIME, STET_REQUIRED },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item or the release" },
	{ "collection", STET_STRING, .about = "Of an item" },
	{ "title", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED },
	{ "authorId", STET_STRING },
	{ 0 },
};
const struct stet_member calendar_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = entry_shape, .about = "By their times" },
	{ "more", STET_BOOLEAN, STET_REQUIRED, .about = "There are more than 1000" },
	{ 0 },
};

struct entry {
	const char *act, *at, *id, *collection, *title, *status, *author;
};
struct entries {
	struct entry *entry; /* ENTRIES_ROOM */
	size_t count;
	const char *from, *to;
};
#define STATEMENT_MAX (ENTRIES_MAX + 1) /* so that it shows that there are more */
#define ENTRIES_ROOM (2 * STATEMENT_MAX)

static int
earlier(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->at, y->at);

	return order != 0 ? order : strcmp(x->id, y->id);
}

/* Keeps the earliest entries of all statements so far: the next one has room for its own. */
static void
settle(struct entries *e)
{
	qsort(e->entry, e->count, sizeof(*e->entry), earlier);
	if (e->count > STATEMENT_MAX)
		e->count = STATEMENT_MAX;
}

static void
take(struct entries *e, struct entry entry)
{
	if (e->count < ENTRIES_ROOM)
		e->entry[e->count++] = entry;
}

static const struct stet_field *
title_of(const struct stet_collection *c)
{
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];

		if (f->type->storage == STET_STORE_TEXT && !f->json_text &&
		    strcmp(f->slug, c->title_field != NULL ? c->title_field : "title") == 0)
			return f;
	}
	return NULL;
}

/* Parts of the statements about publications, and about unpublications. */
static const struct {
	const char *act, *select, *from, *to, *order;
} acts[] = {
	{ "publish", "SELECT id, status, author_id, slug, scheduled_at, ",
	    " WHERE deleted_at IS NULL AND scheduled_at IS NOT NULL AND scheduled_at >= ",
	    " AND scheduled_at < ", " ORDER BY scheduled_at, id LIMIT " },
	{ "unpublish", "SELECT id, status, author_id, slug, unpublish_at, ",
	    " WHERE deleted_at IS NULL AND unpublish_at IS NOT NULL AND unpublish_at >= ",
	    " AND unpublish_at < ", " ORDER BY unpublish_at, id LIMIT " },
};

static enum stet_status
find_items(struct stet_call *call, const struct stet_collection *c, size_t act, struct entries *e)
{
	const struct stet_field *title = title_of(c);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, acts[act].select);
	if (title != NULL)
		stet_sql_ident(sql, STET_FIELD_COLUMN, title->slug);
	else
		stet_sql_add(sql, "NULL");
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, acts[act].from);
	stet_sql_bind(sql, stet_val_str(e->from));
	stet_sql_add(sql, acts[act].to);
	stet_sql_bind(sql, stet_val_str(e->to));
	stet_sql_add(sql, acts[act].order);
	stet_sql_bind(sql, stet_val_int(STATEMENT_MAX));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows))
		take(e, (struct entry){ .act = acts[act].act,
			    .at = stet_col_dup(&rows, 4),
			    .id = stet_col_dup(&rows, 0),
			    .collection = c->slug,
			    .title = stet_col_dup(&rows, stet_col_null(&rows, 5) ? 3 : 5),
			    .status = stet_col_dup(&rows, 1),
			    .author = stet_col_dup(&rows, 2) });
	settle(e);
	return stet_rows_end(&rows);
}

/* Of releases, those that wait and those that were published. */
#define RELEASES(time)                                                           \
	"SELECT id, name, status, " time ", created_by FROM release WHERE " time \
	" IS NOT NULL AND " time " >= ?1 AND " time " < ?2 ORDER BY " time ", id LIMIT ?3"

static enum stet_status
find_releases(struct stet_call *call, const char *sql, struct entries *e)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, sql, STET_ARGS(e->from, e->to, (int64_t)STATEMENT_MAX)));
	while (stet_row(&rows))
		take(e, (struct entry){ .act = "release",
			    .at = stet_col_dup(&rows, 3),
			    .id = stet_col_dup(&rows, 0),
			    .title = stet_col_dup(&rows, 1),
			    .status = stet_col_dup(&rows, 2),
			    .author = stet_col_dup(&rows, 4) });
	settle(e);
	return stet_rows_end(&rows);
}

static void
put(struct stet_json *out, const struct entry *entry)
{
	stet_object(out, NULL);
	stet_put_str(out, "act", entry->act);
	stet_put_str(out, "at", entry->at);
	stet_put_str(out, "id", entry->id);
	if (entry->collection != NULL)
		stet_put_str(out, "collection", entry->collection);
	stet_put_str(out, "title", entry->title);
	stet_put_str(out, "status", entry->status);
	if (entry->author != NULL)
		stet_put_str(out, "authorId", entry->author);
	stet_close(out);
}

/* Items, like those that a list shows: who may not read drafts sees none that wait. */
static enum stet_status
find_all(struct stet_call *call, struct entries *e)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list;
	size_t n;

	STET_TRY(find_releases(call, RELEASES("scheduled_at"), e));
	STET_TRY(find_releases(call, RELEASES("published_at"), e));
	if (!stet_may(call, "content:read_drafts"))
		return STET_OK;
	STET_TRY(schema->collections(call, &list, &n));
	for (size_t i = 0; i < n; i++) {
		STET_TRY(find_items(call, list[i], 0, e));
		STET_TRY(find_items(call, list[i], 1, e));
	}
	return STET_OK;
}

enum stet_status
calendar(struct stet_call *call)
{
	struct entries e = { .entry = stet_alloc(call, ENTRIES_ROOM * sizeof(*e.entry)),
		.from = stet_arg(call, "from"),
		.to = stet_arg(call, "to") };
	struct stet_json *out = stet_reply(call);

	STET_TRY(find_all(call, &e));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < e.count && i < ENTRIES_MAX; i++)
		put(out, &e.entry[i]);
	stet_close(out);
	stet_put_bool(out, "more", e.count > ENTRIES_MAX);
	stet_close(out);
	return STET_OK;
}
