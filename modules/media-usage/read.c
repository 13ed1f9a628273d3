/*
 * read.c - the uses of a media item: their number, and a page of them. Both are looked up by the id
 * of the media item. Rows of deleted collections are ignored.
 */
#include "media-usage.h"
#include <stet/media.h>
#include <string.h>

#define LISTING "media-usage"
#define TOLD_MOST 20 /* uses that the answer to a DELETE names, of each kind */
#define OTHERS_MOST 100 /* uses outside of content that details name */

/* Ignores the rows of collections whose deletion is not finished. */
#define OF_LIVE_COLLECTIONS " AND collection_id NOT IN (SELECT collection_id FROM media_deletion)"

/* ---- an item of content, as it is shown ---- */

struct shown {
	bool there;
	const char *title, *slug, *locale, *status, *scheduled, *deleted;
};

static bool
is_blank(const char *text)
{
	return text == NULL || text[strspn(text, " \t\r\n")] == '\0';
}

static bool
is_text(const struct stet_field *f)
{
	return f != NULL && f->type->storage == STET_STORE_TEXT && !f->json_text;
}

static enum stet_status
read_row(struct stet_call *call, const struct stet_collection *c, const char *id, struct shown *out)
{
	static const char *const titles[] = { "title", "name" };
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	int column = 5;

	stet_sql_add(sql, "SELECT slug, locale, status, scheduled_at, deleted_at");
	for (size_t i = 0; i < 2; i++)
		if (is_text(stet_field(c, titles[i]))) {
			stet_sql_add(sql, ", ");
			stet_sql_ident(sql, STET_FIELD_COLUMN, titles[i]);
		}
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	*out = (struct shown){ .there = stet_row(&rows) };
	if (!out->there)
		return stet_rows_end(&rows);
	out->slug = stet_col_dup(&rows, 0);
	out->locale = stet_col_dup(&rows, 1);
	out->status = stet_col_dup(&rows, 2);
	out->scheduled = stet_col_dup(&rows, 3);
	out->deleted = stet_col_dup(&rows, 4);
	for (size_t i = 0; i < 2; i++)
		if (is_text(stet_field(c, titles[i]))) {
			const char *text = stet_col_dup(&rows, column++);

			if (out->title == NULL && !is_blank(text))
				out->title = text;
		}
	return stet_rows_end(&rows);
}

/* Reads an item as it is shown. If its draft uses the media item, title and slug are those of the
 * draft. */
static enum stet_status
read_shown(struct stet_call *call, const struct stet_collection *c, const char *id, bool draft,
    struct shown *out)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const json_t *data = NULL;
	const char *slug, *title;

	STET_TRY(read_row(call, c, id, out));
	if (out->there && draft)
		STET_TRY(content->draft(call, c, id, &data, &slug));
	if (data != NULL) {
		out->slug = slug;
		title = json_string_value(json_object_get(data, "title"));
		if (is_blank(title))
			title = json_string_value(json_object_get(data, "name"));
		out->title = is_blank(title) ? NULL : title;
	}
	if (out->title == NULL)
		out->title = out->slug != NULL ? out->slug : id;
	return STET_OK;
}

/* ---- uses of a media item, in the order of collections' slugs and items' ids ---- */

struct group {
	const struct stet_collection *collection;
	const char *id, *sources;
};
struct groups {
	struct group *list;
	size_t count, most;
};

static enum stet_status
add_groups(struct stet_call *call, const char *media, const struct stet_collection *c,
    const char *after, struct groups *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT content_id, sources FROM media_use WHERE media_id = ?1 AND collection_id = ?2 "
	    "AND content_id > ?3 ORDER BY content_id LIMIT ?4",
	    STET_ARGS(media, c->id, after, (long)(out->most - out->count))));
	while (out->count < out->most && stet_row(&rows))
		out->list[out->count++] =
		    (struct group){ c, stet_col_dup(&rows, 0), stet_col_dup(&rows, 1) };
	return stet_rows_end(&rows);
}

/* Finds the first out->most uses after the item `id` of the collection `slug` ("": from the
 * beginning). */
static enum stet_status
find_groups(struct stet_call *call, const struct covered_all *all, const char *media,
    const char *slug, const char *id, struct groups *out)
{
	out->count = 0;
	out->list = stet_alloc(call, (out->most + 1) * sizeof(*out->list));
	for (size_t i = 0; i < all->collections && out->count < out->most; i++) {
		const struct stet_collection *c = all->list[i].collection;
		int order = strcmp(c->slug, slug);

		if (order >= 0)
			STET_TRY(add_groups(call, media, c, order == 0 ? id : "", out));
	}
	return STET_OK;
}

/* ---- GET /media/:id/usage ---- */

static const struct stet_member occurrence[] = {
	{ "fieldSlug", STET_STRING, STET_REQUIRED },
	{ "fieldPath", STET_STRING, STET_REQUIRED, .about = "Where in the field: shots[0].photo" },
	{ "occurrenceIndex", STET_INTEGER, STET_REQUIRED },
	{ "referenceType", STET_STRING, STET_REQUIRED,
	    .about = "image_field, file_field, portable_text_image, seo_image, or media_url: the "
		     "URL of its file" },
	{ 0 },
};
static const struct stet_member source[] = {
	{ "variant", STET_STRING, STET_REQUIRED, STET_CHOICES("columns", "draft_overlay") },
	{ "occurrences", STET_ARRAY, STET_REQUIRED, .of = occurrence },
	{ 0 },
};
static const struct stet_member group_shape[] = {
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "contentId", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "locale", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "scheduledAt", STET_TIME, STET_REQUIRED | STET_NULLABLE },
	{ "deletedAt", STET_TIME, STET_REQUIRED | STET_NULLABLE, .about = "In the trash" },
	{ "sources", STET_ARRAY, STET_REQUIRED, .of = source },
	{ 0 },
};
static const struct stet_member coverage_shape_out[] = {
	{ "scope", STET_STRING, STET_REQUIRED, STET_CHOICES("all_content_collections") },
	{ "status", STET_STRING, STET_REQUIRED,
	    STET_CHOICES("complete", "never", "running", "partial", "failed", "stale", "unknown") },
	{ 0 },
};
const struct stet_member detail_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the media item" },
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "Items of content a page",
	    STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
static const struct stet_member other[] = {
	{ "kind", STET_STRING, STET_REQUIRED,
	    .about = "What refers: widget, section, menu_item, byline, term, setting, "
		     "module_setting, or a record of a plugin" },
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "sources", STET_ARRAY, STET_REQUIRED, .of = source },
	{ 0 },
};
const struct stet_member detail_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = group_shape },
	{ "others", STET_ARRAY, .of = other,
	    .about = "Uses outside of content, which are not counted; on the first page, at most "
		     "100" },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ "coverage", STET_OBJECT, STET_REQUIRED, .of = coverage_shape_out },
	{ 0 },
};

static void
put_shown(struct stet_json *out, const struct group *g, const struct shown *s)
{
	stet_put_str(out, "collection", g->collection->slug);
	stet_put_str(out, "contentId", g->id);
	stet_put_str(out, "title", s->title);
	stet_put_str(out, "slug", s->slug);
	stet_put_str(out, "locale", s->locale);
	stet_put_str(out, "status", s->status);
	stet_put_str(out, "scheduledAt", s->scheduled);
	stet_put_str(out, "deletedAt", s->deleted);
}

/* Returns true if the item's draft uses the media item. */
static bool
of_draft(const struct group *g)
{
	return strstr(g->sources, "\"variant\":\"draft_overlay\"") != NULL;
}

static enum stet_status
put_group(struct stet_call *call, struct stet_json *out, const struct group *g)
{
	struct shown shown;

	STET_TRY(read_shown(call, g->collection, g->id, of_draft(g), &shown));
	if (!shown.there) /* the index is out of date, see coverage */
		return STET_OK;
	stet_object(out, NULL);
	put_shown(out, g, &shown);
	stet_put_raw(out, "sources", g->sources, strlen(g->sources));
	stet_close(out);
	return STET_OK;
}

static void
put_coverage(struct stet_json *out, const char *status)
{
	stet_object(out, "coverage");
	stet_put_str(out, "scope", "all_content_collections");
	stet_put_str(out, "status", status);
	stet_close(out);
}

static enum stet_status
read_cursor(struct stet_call *call, const char **slug, const char **id)
{
	const char *cursor = stet_arg(call, "cursor");
	const json_t *key;

	*slug = *id = "";
	if (cursor == NULL)
		return STET_OK;
	STET_TRY(stet_cursor_read(call, cursor, LISTING, &key, id));
	*slug = json_string_value(key);
	if (*slug == NULL || **slug == '\0' || **id == '\0')
		return stet_fail(call, STET_INVALID_CURSOR, "cursor", "%s",
		    stet_status_text(STET_INVALID_CURSOR));
	return STET_OK;
}

enum stet_status
usage_detail(struct stet_call *call)
{
	const char *media = stet_arg(call, "id"), *slug, *id, *ignored;
	size_t limit = (size_t)stet_arg_int(call, "limit"), len;
	struct stet_json *out = stet_reply(call);
	struct groups groups = { .most = limit + 1 };
	struct covered_all all;
	const struct group *last;

	STET_TRY(stet_require(call, "media:read"));
	STET_TRY(stet_invoke(call, "media_get",
	    stet_json_own(call, json_pack("{s:s}", "id", media)), &ignored, &len));
	STET_TRY(read_cursor(call, &slug, &id));
	STET_TRY(coverage_all(call, &all));
	STET_TRY(find_groups(call, &all, media, slug, id, &groups));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < groups.count && i < limit; i++)
		STET_TRY(put_group(call, out, &groups.list[i]));
	stet_close(out);
	if (groups.count > limit) {
		last = &groups.list[limit - 1];
		stet_put_str(out, "nextCursor",
		    stet_cursor_make(call, LISTING,
			stet_json_own(call, json_string(last->collection->slug)), last->id));
	}
	if (*slug == '\0') {
		stet_array(out, "others");
		STET_TRY(holders_put(call, out, media, OTHERS_MOST, true));
		stet_close(out);
	}
	put_coverage(out, all.status);
	stet_close(out);
	return STET_OK;
}

/* ---- the service ---- */

/* Returns true if the caller may see numbers and names of uses: those who may read drafts; by a
 * token, only with the scope admin. */
static bool
is_told(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);

	return p != NULL && stet_may(call, "content:read_drafts") &&
	       (p->via != STET_VIA_TOKEN || stet_scope_allows(p->scopes, "admin"));
}

static enum stet_status
service_coverage(struct stet_call *call, const char **status, bool *told)
{
	struct covered_all all;

	STET_TRY(coverage_all(call, &all));
	*status = all.status;
	*told = is_told(call);
	return STET_OK;
}

static void
service_count(struct stet_sql *sql, const char *column)
{
	stet_sql_add(
	    sql, "(SELECT COALESCE(sum(active), 0) FROM media_use_count WHERE media_id = ");
	stet_sql_add(sql, column);
	stet_sql_add(sql, OF_LIVE_COLLECTIONS ")");
}

/* media_use_count also has rows for the uses of tables other than those of items. */
static enum stet_status
service_unused(struct stet_call *call, struct stet_sql *sql, const char *column)
{
	(void)call;
	stet_sql_add(sql, " AND NOT EXISTS (SELECT 1 FROM media_use_count WHERE media_id = ");
	stet_sql_add(sql, column);
	stet_sql_add(sql, " AND uses > 0" OF_LIVE_COLLECTIONS ")");
	return STET_OK;
}

static enum stet_status
count_uses(struct stet_call *call, const char *media, int64_t *active, int64_t *all)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT COALESCE(sum(active), 0), COALESCE(sum(uses), 0) FROM media_use_count WHERE "
	    "media_id = ?1" OF_LIVE_COLLECTIONS,
	    STET_ARGS(media)));
	*active = stet_col_int(&rows, 0);
	*all = stet_col_int(&rows, 1);
	return stet_rows_end(&rows);
}

static enum stet_status
put_content(
    struct stet_call *call, struct stet_json *out, const struct covered_all *all, const char *media)
{
	struct groups groups = { .most = TOLD_MOST };

	STET_TRY(find_groups(call, all, media, "", "", &groups));
	for (size_t i = 0; i < groups.count; i++) {
		const struct group *g = &groups.list[i];
		struct shown shown;

		STET_TRY(read_shown(call, g->collection, g->id, of_draft(g), &shown));
		if (!shown.there)
			continue;
		stet_object(out, NULL);
		put_shown(out, g, &shown);
		stet_close(out);
	}
	return STET_OK;
}

static enum stet_status
service_uses(struct stet_call *call, const char *id, bool *used, const json_t **out)
{
	struct stet_json *j = stet_json_new(call);
	struct covered_all all;
	bool told = is_told(call);
	int64_t active, uses;
	const char *text;
	size_t len;

	STET_TRY(coverage_all(call, &all));
	STET_TRY(count_uses(call, id, &active, &uses));
	*used = uses > 0;
	stet_object(j, NULL);
	if (told)
		stet_put_int(j, "count", active);
	else
		stet_put_null(j, "count");
	put_coverage(j, all.status);
	stet_array(j, "content");
	if (told)
		STET_TRY(put_content(call, j, &all, id));
	stet_close(j);
	stet_array(j, "others");
	if (told)
		STET_TRY(holders_put(call, j, id, TOLD_MOST, false));
	stet_close(j);
	stet_close(j);
	text = stet_json_text(j, &len);
	*out = stet_json_stored(call, text, len);
	return STET_OK;
}

static void
service_references(struct stet_call *call, const struct stet_field *f, const char *text, size_t len,
    void (*fn)(void *, const char *), void *arg)
{
	struct refs refs = { .call = call };

	extract_ids(&refs, f, text, len);
	for (size_t i = 0; i < refs.count; i++)
		fn(arg, refs.list[i].media);
}

const struct stet_media_usage_1 usage_service = { service_coverage, service_count, service_unused,
	service_uses, field_refers, service_references };
