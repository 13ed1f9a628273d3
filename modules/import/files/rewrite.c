/*
 * rewrite.c - replaces addresses of a source by those of the copied files, in live values and
 * drafts of all items that are not in the trash. Items are read in the order of their ids, a page
 * at a time; only those that contain such an address are written.
 */
#include "files/rewrite.h"
#include "files/urls.h"
#include "state/ids.h"
#include <stdio.h>
#include <stet/content.h>
#include <stet/media.h>
#include <stet/steps.h>
#include <string.h>

#define PAGE 100 /* items of a page */
#define ERRORS_MAX 1000 /* most errors that are listed */

const struct stet_member rewrite_in[] = {
	{ "urlMap", STET_OBJECT, STET_REQUIRED, .about = "Old address: new address or path" },
	{ "collections", STET_ARRAY, .item = STET_STRING, .about = "Only these; absent: all" },
	{ 0 },
};

const struct stet_member rewrite_out[] = {
	{ "updated", STET_INTEGER, STET_REQUIRED, .about = "Items that were changed" },
	{ "byCollection", STET_OBJECT, STET_REQUIRED },
	{ "urlsRewritten", STET_INTEGER, STET_REQUIRED },
	{ "errors", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT,
	    .about =
		"{collection, id, error} of items that stay as they were; the first thousand" },
	{ "failed", STET_INTEGER, STET_REQUIRED, .about = "How many these are" },
	{ 0 },
};

struct rewriting {
	const struct stet_content_1 *content;
	struct urls urls;
	const struct stet_collection *collection;
	const char *slug; /* of the collection; lives as long as the call */
	char after[64]; /* the id of the last item that was read */
	const char *id[PAGE]; /* items of this page to write */
	size_t count;
	size_t replaced[PAGE];
	bool changed[PAGE], more;
	int64_t updated, here, urls_rewritten, failed; /* here: items changed in this collection */
	json_t *by_collection, *errors;
};

/* Returns true for fields of plain text, or of an address. */
static bool
is_text(const struct stet_field *f)
{
	return strcmp(f->type->name, "string") == 0 || strcmp(f->type->name, "text") == 0 ||
	       strcmp(f->type->name, "url") == 0;
}

static bool
may_hold(const struct stet_field *f)
{
	return is_text(f) ||
	       ((f->json_text || f->type->storage == STET_STORE_JSON) &&
		   f->type->holds != STET_HOLDS_TEXTS && f->type->holds != STET_HOLDS_ITEMS);
}

static json_t *
replace(struct stet_call *call, const struct stet_field *f, const json_t *value, void *arg)
{
	struct rewriting *r = arg;

	return may_hold(f) ? urls_value(call, &r->urls, value) : NULL;
}

/* ---- which items ---- */

/* Returns true if the text of a column contains an address of the map. */
static bool
touches(struct stet_call *call, const struct rewriting *r, struct stet_rows *rows, int column)
{
	struct urls u = r->urls;
	size_t len;
	const char *text = stet_col_text(rows, column, &len);

	return text != NULL && urls_text(call, &u, text, len) != NULL;
}

static enum stet_status
draft_touches(struct stet_call *call, const struct rewriting *r, const char *id, bool *out)
{
	const json_t *data;
	const char *slug;
	struct urls u = r->urls;
	json_t *changed;

	*out = false;
	STET_TRY(r->content->draft(call, r->collection, id, &data, &slug));
	if (data == NULL)
		return STET_OK;
	changed = urls_value(call, &u, data);
	*out = changed != NULL;
	json_decref(changed);
	return STET_OK;
}

static void
select_page(struct stet_sql *sql, const struct rewriting *r)
{
	const struct stet_collection *c = r->collection;

	stet_sql_add(sql, "SELECT id, draft_revision_id IS NOT NULL");
	for (size_t i = 0; i < c->field_count; i++) {
		if (!may_hold(c->fields[i]))
			continue;
		stet_sql_add(sql, ", ");
		stet_sql_ident(sql, STET_FIELD_COLUMN, c->fields[i]->slug);
	}
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE id > ");
	stet_sql_bind(sql, stet_val_str(r->after));
	stet_sql_add(sql, " AND deleted_at IS NULL ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int(PAGE));
}

static enum stet_status
find_page(struct stet_call *call, struct rewriting *r)
{
	struct stet_sql *sql = stet_sql_new(call);
	const char *staged[PAGE];
	size_t stage_count = 0, seen = 0;
	struct stet_rows rows;
	int columns = 2;

	for (size_t i = 0; i < r->collection->field_count; i++)
		columns += may_hold(r->collection->fields[i]);
	r->count = 0;
	select_page(sql, r);
	STET_TRY(stet_sql_query(sql, &rows));
	for (; stet_row(&rows); seen++) {
		const char *id = stet_col_dup(&rows, 0);
		bool found = false;

		for (int i = 2; i < columns && !found; i++)
			found = touches(call, r, &rows, i);
		if (found)
			r->id[r->count++] = id;
		else if (stet_col_int(&rows, 1) != 0)
			staged[stage_count++] = id;
		(void)snprintf(r->after, sizeof(r->after), "%s", id);
	}
	STET_TRY(stet_rows_end(&rows));
	r->more = seen == PAGE;
	for (size_t i = 0; i < stage_count; i++) {
		bool found;

		STET_TRY(draft_touches(call, r, staged[i], &found));
		if (found)
			r->id[r->count++] = staged[i];
	}
	return STET_OK;
}

/* ---- the writes ---- */

static enum stet_status
rewrite_one(struct stet_call *call, struct stet_tx *tx, void *arg, size_t i)
{
	struct rewriting *r = arg;
	int64_t was;

	r->urls.replaced = 0;
	STET_TRY(ids_version(call, r->collection->slug, r->id[i], &was));
	STET_TRY(r->content->rewrite(
	    call, tx, r->collection->slug, r->id[i], replace, r, &r->changed[i]));
	r->replaced[i] = r->urls.replaced;
	return r->changed[i] ? ids_follow(call, tx, r->collection->slug, r->id[i], was) : STET_OK;
}

static enum stet_status
refused(struct stet_call *call, void *arg, size_t i, enum stet_status status, const char *why)
{
	struct rewriting *r = arg;

	(void)call;
	(void)status;
	r->changed[i] = false;
	if (r->failed++ < ERRORS_MAX)
		(void)json_array_append_new(r->errors,
		    json_pack("{ss ss ss}", "collection", r->slug, "id", r->id[i], "error", why));
	return STET_OK;
}

static enum stet_status
rewrite_page(struct stet_call *call, void *arg)
{
	struct rewriting *r = arg;
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_steps batch = { .step = rewrite_one, .refused = refused, .arg = r };

	STET_TRY(schema->collection(call, r->slug, &r->collection));
	STET_TRY(find_page(call, r));
	batch.count = r->count;
	STET_TRY(stet_write_steps(call, &batch));
	for (size_t i = 0; i < r->count; i++)
		if (r->changed[i]) {
			r->here++;
			r->urls_rewritten += (int64_t)r->replaced[i];
		}
	return STET_OK;
}

static enum stet_status
rewrite_collection(struct stet_call *call, struct rewriting *r, const char *slug)
{
	r->slug = slug;
	r->here = 0;
	r->after[0] = '\0';
	do {
		STET_TRY(stet_scope(call, rewrite_page, r));
	} while (r->more);
	r->updated += r->here;
	if (r->here > 0)
		(void)json_object_set_new(r->by_collection, slug, json_integer(r->here));
	return STET_OK;
}

/* ---- the op ---- */

/* Looks up the media items of the new addresses, for values that become references. */
static enum stet_status
find_items(struct stet_call *call, struct rewriting *r)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	json_t *map = (json_t *)(uintptr_t)r->urls.map, *to, *items;
	const char **list = stet_alloc(call, (json_object_size(map) + 1) * sizeof(*list)), *from;
	struct stet_table found;
	size_t count = 0;

	r->urls.items = items = stet_json_own(call, json_object());
	json_object_foreach(map, from, to) list[count++] = json_string_value(to);
	if (media == NULL || count == 0)
		return STET_OK;
	STET_TRY(media->find(call, list, count, &found));
	for (size_t i = 0; i < count; i++) {
		struct stet_media_item item;

		stet_table_row(&found, (uint32_t)i, &item, sizeof(item));
		if (item.id != NULL)
			(void)json_object_set_new(items, list[i], json_string(item.id));
	}
	return STET_OK;
}

static enum stet_status
rewrite_all(struct stet_call *call, struct rewriting *r, const json_t *wanted)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list, *one;
	size_t count;

	if (wanted == NULL) {
		STET_TRY(schema->collections(call, &list, &count));
		for (size_t i = 0; i < count; i++)
			STET_TRY(rewrite_collection(call, r, stet_strdup(call, list[i]->slug)));
		return STET_OK;
	}
	for (size_t i = 0; i < json_array_size(wanted); i++)
		STET_TRY(
		    schema->collection(call, json_string_value(json_array_get(wanted, i)), &one));
	for (size_t i = 0; i < json_array_size(wanted); i++)
		STET_TRY(rewrite_collection(call, r, json_string_value(json_array_get(wanted, i))));
	return STET_OK;
}

enum stet_status
rewrite_content(struct stet_call *call, const json_t *map, const json_t *collections, bool bare,
    struct rewritten *out)
{
	struct rewriting *r = stet_alloc(call, sizeof(*r));

	r->content = stet_service(call, STET_CONTENT_1);
	r->urls.map = map;
	r->urls.bare = bare;
	r->by_collection = stet_json_own(call, json_object());
	r->errors = stet_json_own(call, json_array());
	STET_TRY(find_items(call, r));
	if (json_object_size(map) > 0 || bare)
		STET_TRY(rewrite_all(call, r, collections));
	*out = (struct rewritten){ r->updated, r->urls_rewritten, r->failed, r->by_collection,
		r->errors };
	return STET_OK;
}

enum stet_status
import_rewrite(struct stet_call *call)
{
	const json_t *map = stet_arg_json(call, "urlMap");
	struct rewritten done;
	struct stet_json *out;

	STET_TRY(urls_check(call, "urlMap", map));
	STET_TRY(rewrite_content(call, map, stet_arg_json(call, "collections"), false, &done));
	out = stet_reply(call);
	stet_object(out, NULL);
	stet_put_int(out, "updated", done.updated);
	stet_put_json(out, "byCollection", done.by_collection);
	stet_put_int(out, "urlsRewritten", done.urls);
	stet_put_json(out, "errors", done.errors);
	stet_put_int(out, "failed", done.failed);
	stet_close(out);
	return STET_OK;
}
