/*
 * coverage.c - for which collections the index is complete: those that were scanned to the end. The
 * status that clients read is derived on each request from the result of the last scan, and from
 * what has happened since.
 */
#include "media-usage.h"
#include <stdlib.h>
#include <string.h>

/* ---- collections ---- */

static enum stet_status
find(struct stet_call *call, const char *id, const char *slug, const struct stet_collection **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list;
	size_t count;

	*out = id != NULL && holder_is_id(id) ? holder_by_id(call, id) : NULL;
	STET_TRY(schema->collections(call, &list, &count));
	for (size_t i = 0; i < count && *out == NULL; i++)
		if (strcmp(id != NULL ? list[i]->id : list[i]->slug, id != NULL ? id : slug) == 0)
			*out = list[i];
	return STET_OK;
}

enum stet_status
collection_by_id(struct stet_call *call, const char *id, const struct stet_collection **out)
{
	return find(call, id, NULL, out);
}

enum stet_status
collection_by_slug(struct stet_call *call, const char *slug, const struct stet_collection **out)
{
	return find(call, NULL, slug, out);
}

/* ---- shapes ---- */

static int
by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

static const char *
plain_shape(struct stet_call *call, const struct stet_field *f)
{
	const json_t *subs = json_object_get(f->validation, "subFields");
	const char *text = stet_printf(call, "%s:%s", f->slug, f->type->name);

	if (strcmp(f->type->name, "repeater") != 0)
		return text;
	for (size_t i = 0; i < json_array_size(subs); i++) {
		const json_t *sub = json_array_get(subs, i);
		const char *slug = json_string_value(json_object_get(sub, "slug"));
		const char *type = json_string_value(json_object_get(sub, "type"));

		text = stet_printf(
		    call, "%s/%s:%s", text, slug != NULL ? slug : "", type != NULL ? type : "");
	}
	return text;
}

/* Returns the fields with media of the blocks that the site defines, sorted, since the order of
 * types does not matter; "" if there are none. */
static const char *
blocks_shape(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_block_type *const *types;
	size_t count = 0, n = 0, room = 0;
	const char **list, *text = "";

	if (schema->blocks(call, &types, &count) != STET_OK)
		return text;
	for (size_t i = 0; i < count; i++)
		room += types[i]->field_count;
	list = stet_alloc(call, (room + 1) * sizeof(*list));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < types[i]->field_count; k++)
			if (field_has_media(types[i]->fields[k]))
				list[n++] = stet_printf(call, "+%s.%s", types[i]->slug,
				    plain_shape(call, types[i]->fields[k]));
	qsort(list, n, sizeof(*list), by_text);
	for (size_t i = 0; i < n; i++)
		text = stet_printf(call, "%s%s", text, list[i]);
	return text;
}

static const char *
field_shape(struct stet_call *call, const struct stet_field *f)
{
	const char *text = plain_shape(call, f);

	return f->type->holds == STET_HOLDS_BLOCKS
		   ? stet_printf(call, "%s%s", text, blocks_shape(call))
		   : text;
}

/* Drafts count only in collections with revisions. The fields are sorted, since their order does
 * not matter. */
const char *
coverage_shape(struct stet_call *call, const struct stet_collection *c, const char *without)
{
	const char **list = stet_alloc(call, (part_count(c) + 1) * sizeof(*list));
	const char *text = c->revisions ? "revisions" : "-";
	size_t count = 0;

	if (holder_of(c) != NULL)
		return holder_shape(call, holder_of(c));
	for (size_t i = 0; i < part_count(c); i++)
		if (field_may_use(part_at(c, i)) &&
		    (without == NULL || strcmp(part_at(c, i)->slug, without) != 0))
			list[count++] = field_shape(call, part_at(c, i));
	qsort(list, count, sizeof(*list), by_text);
	for (size_t i = 0; i < count; i++)
		text = stet_printf(call, "%s %s", text, list[i]);
	return text;
}

/* ---- rows ---- */

#define COLUMNS_OF_COVERAGE                                                                      \
	"collection_id, state, shape, run, cursor, indexed, failed, deleted, error, started_at," \
	" completed_at, ended"

static void
read_row(struct stet_rows *rows, struct coverage *out)
{
	*out = (struct coverage){ .there = true,
		.state = stet_col_dup(rows, 1),
		.shape = stet_col_dup(rows, 2),
		.run = stet_col_dup(rows, 3),
		.cursor = stet_col_dup(rows, 4),
		.indexed = stet_col_int(rows, 5),
		.failed = stet_col_int(rows, 6),
		.deleted = stet_col_int(rows, 7),
		.error = stet_col_dup(rows, 8),
		.started = stet_col_dup(rows, 9),
		.completed = stet_col_dup(rows, 10),
		.ended = stet_col_dup(rows, 11) };
}

enum stet_status
coverage_read(struct stet_call *call, const char *collection_id, struct coverage *out)
{
	struct stet_rows rows;

	*out = (struct coverage){ .state = "never", .shape = "", .cursor = "" };
	STET_TRY(stet_query(call, &rows,
	    "SELECT " COLUMNS_OF_COVERAGE " FROM media_coverage WHERE collection_id = ?1",
	    STET_ARGS(collection_id)));
	if (stet_row(&rows))
		read_row(&rows, out);
	return stet_rows_end(&rows);
}

/* ---- the coverage of all collections ---- */

static struct covered *
covered_of(struct covered_all *all, const char *id)
{
	for (size_t i = 0; i < all->count; i++)
		if (strcmp(all->list[i].collection->id, id) == 0)
			return &all->list[i];
	return NULL;
}

static int
by_slug(const void *a, const void *b)
{
	const struct covered *x = a, *y = b;

	return strcmp(x->collection->slug, y->collection->slug);
}

static enum stet_status
read_all(struct stet_call *call, struct covered_all *all)
{
	struct covered *c;
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT " COLUMNS_OF_COVERAGE
	    ", EXISTS (SELECT 1 FROM media_work w WHERE w.collection_id = media_coverage.collection_id),"
	    " EXISTS (SELECT 1 FROM media_work w WHERE w.collection_id = media_coverage.collection_id AND"
	    " w.state = 'failed') FROM media_coverage",
	    STET_NO_ARGS));
	while (stet_row(&rows))
		if ((c = covered_of(all, stet_col_str(&rows, 0))) != NULL) {
			read_row(&rows, &c->row);
			c->work = stet_col_int(&rows, 12) != 0;
			c->failed = stet_col_int(&rows, 13) != 0;
		}
	return stet_rows_end(&rows);
}

static const char *
status_of(const struct covered *c, bool missed)
{
	static const char *const known[] = { "never", "partial", "failed", "stale" };

	if (c->row.run != NULL)
		return "running";
	if (strcmp(c->row.state, "complete") == 0)
		return c->failed ? "partial" : c->work || missed ? "stale" : "complete";
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(c->row.state, known[i]) == 0)
			return known[i];
	return "unknown";
}

/* Returns how many collections have this status. */
static size_t
number(const struct covered_all *all, const char *status)
{
	size_t n = 0;

	for (size_t i = 0; i < all->collections; i++)
		n += strcmp(all->list[i].status, status) == 0;
	return n;
}

static const char *
status_of_holders(const struct covered_all *all)
{
	const char *status = "complete";

	for (size_t i = all->collections; i < all->count; i++)
		if (strcmp(all->list[i].status, "complete") != 0)
			status = all->list[i].row.run != NULL ? "running" : "stale";
	return status;
}

static const char *
status_of_all(const struct covered_all *all)
{
	static const char *const any[] = { "unknown", "running", "stale", "partial" };
	static const char *const every[] = { "never", "failed" };

	if (number(all, "complete") == all->collections)
		return status_of_holders(all);
	for (size_t i = 0; i < sizeof(any) / sizeof(any[0]); i++)
		if (number(all, any[i]) > 0)
			return any[i];
	for (size_t i = 0; i < sizeof(every) / sizeof(every[0]); i++)
		if (number(all, every[i]) == all->collections)
			return every[i];
	return "partial";
}

static void
add(struct covered_all *all, const struct stet_collection *c)
{
	all->list[all->count++] = (struct covered){ c,
		{ .state = "never", .shape = "", .cursor = "" }, false, false, NULL };
}

static enum stet_status
list_all(struct stet_call *call, struct covered_all *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list, *holder;
	size_t i = 0, tables = 0;

	STET_TRY(schema->collections(call, &list, &out->collections));
	while (holder_next(call, &i) != NULL)
		tables++;
	out->list = stet_alloc(call, (out->collections + tables + 1) * sizeof(*out->list));
	for (i = 0; i < out->collections; i++)
		add(out, list[i]);
	qsort(out->list, out->count, sizeof(*out->list), by_slug);
	for (i = 0; (holder = holder_next(call, &i)) != NULL;)
		add(out, holder);
	return STET_OK;
}

/* Marks tables as stale whose modules name other columns than when they were scanned. */
static void
compare_shapes(struct stet_call *call, struct covered_all *all)
{
	for (size_t i = all->collections; i < all->count; i++) {
		struct covered *c = &all->list[i];

		if (c->row.there && c->row.run == NULL &&
		    strcmp(c->row.shape, coverage_shape(call, c->collection, NULL)) != 0)
			c->row.state = "stale";
	}
}

enum stet_status
coverage_all(struct stet_call *call, struct covered_all *out)
{
	struct stet_absence absence;

	*out = (struct covered_all){ 0 };
	STET_TRY(stet_absence_of(call, "media-usage", &absence));
	out->missed = absence.open;
	STET_TRY(list_all(call, out));
	STET_TRY(read_all(call, out));
	compare_shapes(call, out);
	for (size_t i = 0; i < out->count; i++)
		out->list[i].status = status_of(&out->list[i], out->missed);
	out->status = status_of_all(out);
	return STET_OK;
}
