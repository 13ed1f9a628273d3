/* item.c - reading items: finds the row of an item by id or slug, and writes it as JSON. */
#include "item/item.h"
#include "markdown/markdown.h"
#include <string.h>

const char *const item_columns[C_FIELDS] = {
	[C_ID] = "id",
	[C_SLUG] = "slug",
	[C_STATUS] = "status",
	[C_AUTHOR] = "author_id",
	[C_BYLINE] = "primary_byline_id",
	[C_CREATED] = "created_at",
	[C_UPDATED] = "updated_at",
	[C_PUBLISHED] = "published_at",
	[C_SCHEDULED] = "scheduled_at",
	[C_VERSION] = "version",
	[C_LIVE_VERSION] = "live_version",
	[C_LIVE] = "live_revision_id",
	[C_DRAFT] = "draft_revision_id",
	[C_LOCALE] = "locale",
	[C_GROUP] = "translation_group",
	[C_SCHEDULE_ERROR] = "schedule_error",
};

#define ITEM_MEMBERS(has_)                                                                    \
	{ "id", STET_STRING, has_, .about = "Id (ULID)" },                                    \
	    { "type", STET_STRING, has_, .about = "Slug of the collection" },                 \
	    { "slug", STET_STRING, (has_) | STET_NULLABLE, .about = "URL slug" },             \
	    { "status", STET_STRING, has_, STET_CHOICES("draft", "published", "scheduled") }, \
	    { "data", STET_OBJECT, (has_) | STET_VALUES,                                      \
		    .about = "Field values by field slug; unset ones are absent" },           \
	    { "liveData", STET_OBJECT, STET_VALUES,                                           \
		    .about = "When a draft is pending, what is live; data holds the draft" }, \
	    { "liveSlug", STET_STRING, STET_NULLABLE,                                         \
		    .about = "When a draft changes the slug, the one that is live" },         \
	    { "authorId", STET_STRING, (has_) | STET_NULLABLE },                              \
	    { "primaryBylineId", STET_STRING, (has_) | STET_NULLABLE },                       \
	    { "createdAt", STET_TIME, has_ }, { "updatedAt", STET_TIME, has_ },               \
	    { "publishedAt", STET_TIME, (has_) | STET_NULLABLE },                             \
	    { "scheduledAt", STET_TIME, (has_) | STET_NULLABLE },                             \
	    { "version", STET_INTEGER, has_ },                                                \
	    { "liveRevisionId", STET_STRING, (has_) | STET_NULLABLE },                        \
	    { "draftRevisionId", STET_STRING, STET_NULLABLE,                                  \
		    .about = "Absent for readers without the right to drafts" },              \
	    { "locale", STET_STRING, has_ }, { "translationGroup", STET_STRING, has_ },       \
	    { "bylines", STET_ARRAY, has_, .item = STET_OBJECT,                               \
		    .about = "Credits in their order" },                                      \
	    { "byline", STET_OBJECT, (has_) | STET_NULLABLE, .about = "The first of them" },  \
	    { "seo", STET_OBJECT, .of = seo_shape, .about = "In collections that have SEO" }, \
	    { "liveSeo", STET_OBJECT, .of = seo_shape,                                        \
		    .about = "When a draft is pending, the one that is live" },               \
	    { "liveBylines", STET_ARRAY, .item = STET_OBJECT,                                 \
		    .about = "When a draft changes the credits, those that are live" },       \
	{                                                                                     \
		"scheduleError", STET_OBJECT,                                                 \
		    .of = overdue_shape,                                                      \
		    .about = "Why it is not published although its time has come"             \
	}

const struct stet_member item_shape[] = { ITEM_MEMBERS(STET_REQUIRED), { 0 } };
const struct stet_member item_part_shape[] = { ITEM_MEMBERS(0), { 0 } };

const struct stet_member item_reply_shape[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_shape },
	ITEM_REV,
	{ 0 },
};
const struct stet_member item_part_reply_shape[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_part_shape },
	ITEM_REV,
	{ 0 },
};

static const struct stet_member lost_shape[] = {
	{ "field", STET_STRING, STET_REQUIRED, .about = "Where the Markdown was: data.body" },
	{ "line", STET_INTEGER, STET_REQUIRED, .about = "Line of the Markdown, from 1" },
	{ "what", STET_STRING, STET_REQUIRED,
	    .about = "What blocks do not express. The text is kept, without that" },
	{ 0 },
};
const struct stet_member item_written_shape[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_part_shape },
	ITEM_REV,
	{ "lost", STET_ARRAY, .of = lost_shape,
	    .about = "What could not be kept of Markdown that was sent: of tables, tasks, titles "
		     "and the like. Absent if all of it is kept" },
	{ 0 },
};

/* ---- writing JSON ---- */

static void
put_text(struct stet_json *out, const char *key, struct stet_rows *rows, int column)
{
	size_t len;
	const char *text = stet_col_text(rows, column, &len);

	if (text == NULL)
		stet_put_null(out, key);
	else
		stet_put_strn(out, key, text, len);
}

void
item_put_field(struct stet_json *out, struct stet_rows *rows, const struct plan *plan, size_t i)
{
	const struct plan_field *f = &plan->field[i];
	const int column = C_FIELDS + (int)i;
	const char *text;
	size_t len;

	if (stet_col_null(rows, column))
		return;
	switch (f->kind) {
	case AS_INTEGER:
		stet_put_int(out, f->slug, stet_col_int(rows, column));
		return;
	case AS_REAL:
		stet_put_real(out, f->slug, stet_col_real(rows, column));
		return;
	case AS_BOOLEAN:
		stet_put_bool(out, f->slug, stet_col_int(rows, column) != 0);
		return;
	case AS_JSON:
		text = stet_col_text(rows, column, &len);
		stet_put_raw(out, f->slug, text, len);
		return;
	case AS_TEXT:
		put_text(out, f->slug, rows, column);
		return;
	}
}

/* Writes a Portable Text value as Markdown. */
static void
put_markdown(const struct view *view, struct stet_json *out, struct stet_rows *rows, int column,
    const struct plan_field *f)
{
	const json_t *blocks = item_value(view->call, rows, column, f->kind);

	if (blocks != NULL)
		stet_put_str(out, f->slug, markdown_write(view->call, blocks));
}

void
item_put_fields(struct stet_json *out, const char *key, struct stet_rows *rows,
    const struct plan *plan, const struct view *view)
{
	stet_object(out, key);
	for (size_t i = 0; i < plan->count - plan->seo; i++) {
		if (!view_shows_field(view, i))
			continue;
		if (view->markdown != NULL && view->markdown[i])
			put_markdown(view, out, rows, C_FIELDS + (int)i, &plan->field[i]);
		else
			item_put_field(out, rows, plan, i);
	}
	stet_close(out);
}

void
item_put_data(struct stet_json *out, const char *key, const json_t *data)
{
	const char *name;
	json_t *v;

	stet_object(out, key);
	json_object_foreach((json_t *)(uintptr_t)data, name, v)
	{
		if (strcmp(name, SEO) != 0)
			stet_put_json(out, name, v);
	}
	stet_close(out);
}

/* Writes the values of a draft, and the live values beside them. */
static void
put_newest(struct stet_json *out, struct stet_rows *rows, const struct plan *plan,
    const struct newest *newest, const struct view *view)
{
	if (newest->stored != NULL)
		stored_put(out, newest->stored, rows, plan);
	else if (view_shows(view, I_DATA))
		item_put_data(out, "data", view_data(view, plan, newest->data));
	if (newest->with_live && view_shows(view, I_LIVE_DATA))
		item_put_fields(out, "liveData", rows, plan, view);
	if (newest->with_live && newest->slug_staged && view_shows(view, I_LIVE_SLUG))
		put_text(out, "liveSlug", rows, C_SLUG);
}

static void
put_slug(struct stet_json *out, struct stet_rows *rows, const struct newest *newest)
{
	if (newest != NULL && newest->slug_staged)
		stet_put_str(out, "slug", newest->slug);
	else
		put_text(out, "slug", rows, C_SLUG);
}

int64_t
item_version(struct stet_rows *rows, bool drafts)
{
	bool pinned = !drafts && !stet_col_null(rows, C_LIVE_VERSION);

	return stet_col_int(rows, pinned ? C_LIVE_VERSION : C_VERSION);
}

/* Writes the members that are columns without conversion. */
static void
put_columns(struct stet_json *out, struct stet_rows *rows, bool drafts, const struct newest *newest,
    const struct view *view)
{
	static const struct {
		enum item_member member;
		enum item_column column;
	} columns[] = { { I_AUTHOR, C_AUTHOR }, { I_BYLINE_ID, C_BYLINE }, { I_CREATED, C_CREATED },
		{ I_UPDATED, C_UPDATED }, { I_PUBLISHED, C_PUBLISHED },
		{ I_SCHEDULED, C_SCHEDULED }, { I_VERSION, C_VERSION }, { I_LIVE, C_LIVE },
		{ I_DRAFT, C_DRAFT }, { I_LOCALE, C_LOCALE }, { I_GROUP, C_GROUP } };

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		enum item_member m = columns[i].member;
		const char *name = item_shape[m].name;

		if (!view_shows(view, m))
			continue;
		if (m == I_VERSION)
			stet_put_int(out, name, item_version(rows, drafts || newest != NULL));
		else if (m == I_BYLINE_ID && newest != NULL &&
			 json_object_get(newest->staged, BYLINES) != NULL)
			stet_put_str(out, name, staged_primary(newest->staged));
		/* A schedule of a published item reveals its draft, and live_revision_id is set
		 * when the first draft is made. So readers without drafts get null for both. */
		else if ((m == I_SCHEDULED || m == I_LIVE) && !drafts)
			stet_put_null(out, name);
		else if (m != I_DRAFT || drafts)
			put_text(out, name, rows, (int)columns[i].column);
	}
}

static void
put_seo(struct stet_json *out, struct stet_rows *rows, const struct plan *plan,
    const struct newest *newest, const struct view *view)
{
	if (newest != NULL && newest->with_live && view_shows(view, I_LIVE_SEO))
		seo_put(out, "liveSeo", plan, rows);
	if (!view_shows(view, I_SEO))
		return;
	if (newest != NULL && newest->stored != NULL)
		stored_put_seo(out, newest->stored, rows, plan);
	else if (newest != NULL)
		seo_put_newest(out, newest->data);
	else
		seo_put(out, "seo", plan, rows);
}

void
item_open(struct stet_json *out, const char *key, struct stet_rows *rows, const struct plan *plan,
    bool drafts, const struct newest *newest, const struct view *view)
{
	stet_object(out, key);
	put_text(out, "id", rows, C_ID);
	if (view_shows(view, I_TYPE))
		stet_put_str(out, "type", plan->slug);
	if (view_shows(view, I_SLUG))
		put_slug(out, rows, newest);
	if (view_shows(view, I_STATUS))
		put_text(out, "status", rows, C_STATUS);
	if (newest != NULL)
		put_newest(out, rows, plan, newest, view);
	else if (view_shows(view, I_DATA))
		item_put_fields(out, "data", rows, plan, view);
	put_columns(out, rows, drafts, newest, view);
	if (drafts && view_shows(view, I_SCHEDULE_ERROR))
		overdue_put(out, rows);
	if (plan->seo)
		put_seo(out, rows, plan, newest, view);
}

void
item_put(struct stet_json *out, const char *key, struct stet_rows *rows, const struct plan *plan,
    bool drafts, const struct newest *newest, const struct shown *shown, const struct view *view)
{
	item_open(out, key, rows, plan, drafts, newest, view);
	if (view_shows(view, I_BYLINES))
		byline_put(out, shown, 0);
	if (newest != NULL && newest->with_live && view_shows(view, I_LIVE_BYLINES))
		byline_put_live(out, shown);
	stet_close(out);
}

enum stet_status
item_any(struct stet_call *call, const struct plan *plan, const char *id, struct stet_rows *rows)
{
	STET_TRY(stet_query(call, rows, plan->by_id, STET_ARGS(id)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_one(call, rows, STET_NOT_FOUND, plan->by_id_trashed, STET_ARGS(id));
}

static enum stet_status
answer(struct stet_call *call, const struct stet_collection *collection, const struct plan *plan,
    struct stet_rows *rows, bool restored, const struct view *view, struct item_more *more)
{
	struct stet_json *out = stet_reply(call);
	bool drafts = stet_may(call, "content:read_drafts");
	struct newest newest = { 0 }, *draft;
	struct shown shown;
	const char *rev = item_rev(call, item_version(rows, drafts), stet_col_str(rows, C_UPDATED)),
		   *staged = drafts ? stet_col_str(rows, C_DRAFT) : NULL;

	if (staged != NULL && collection->revisions && more == NULL && view_is_whole(view))
		STET_TRY(stored_read(call, collection, plan, staged, &newest));
	if (staged != NULL && newest.stored == NULL)
		STET_TRY(item_newest(call, collection, plan, rows, &newest));
	draft = newest.stored != NULL || newest.data != NULL ? &newest : NULL;
	STET_TRY(byline_read_row(call, plan->slug, rows, newest.staged, &shown));
	newest.with_live = true;
	stet_object(out, NULL);
	if (restored)
		stet_put_bool(out, "restored", true);
	item_put(out, "item", rows, plan, drafts, draft, &shown, view);
	stet_put_str(out, "_rev", rev);
	if (json_array_size(view->lost) > 0)
		stet_put_json(out, "lost", view->lost);
	if (more != NULL)
		STET_TRY(more->put(more, call, rows, draft));
	stet_close(out);
	/* What fields there are, and whether drafts are shown, is the collection's. */
	rev = stet_printf(
	    call, "%s.%lld", byline_tag(call, rev, &shown), (long long)collection->version);
	if (drafts)
		rev = overdue_tag(call, rows, rev);
	stet_etag(call, more != NULL ? stet_printf(call, "%s.%s", rev, more->tag) : rev);
	stet_surrogate(call, "i", stet_col_str(rows, C_ID));
	stet_surrogate(call, "c", plan->slug);
	stet_surrogate(call, "k", "bylines");
	return stet_rows_end(rows);
}

void
item_surrogates(struct stet_call *call, const struct plan *plan)
{
	stet_surrogate(call, "l", plan->slug);
	stet_surrogate(call, "c", plan->slug);
	stet_surrogate(call, "k", "bylines");
}

enum stet_status
item_answer(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, struct stet_rows *rows, const struct view *view)
{
	return answer(call, collection, plan, rows, false, view, NULL);
}

enum stet_status
item_answer_restored(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, struct stet_rows *rows, const struct view *view)
{
	return answer(call, collection, plan, rows, true, view, NULL);
}

enum stet_status
item_answer_more(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, struct stet_rows *rows, const struct view *view,
    struct item_more *more)
{
	return answer(call, collection, plan, rows, false, view, more);
}

json_t *
item_value(struct stet_call *call, struct stet_rows *rows, int column, enum column_kind kind)
{
	const char *text;
	size_t len;

	if (stet_col_null(rows, column))
		return NULL;
	switch (kind) {
	case AS_INTEGER:
		return stet_json_own(call, json_integer(stet_col_int(rows, column)));
	case AS_REAL:
		return stet_json_own(call, json_real(stet_col_real(rows, column)));
	case AS_BOOLEAN:
		return json_boolean(stet_col_int(rows, column) != 0);
	default:
		break;
	}
	text = stet_col_text(rows, column, &len);
	if (kind == AS_JSON)
		return stet_json_stored(call, text, len);
	return stet_json_own(call, json_stringn(text, len));
}

/* ---- finding ---- */

enum stet_status
item_not_found(struct stet_call *call, const char *name)
{
	return stet_fail(call, STET_NOT_FOUND, NULL, "Content item not found: %s", name);
}

static enum stet_status
first(struct stet_rows *rows, bool *found)
{
	*found = stet_row(rows);
	return *found ? STET_OK : stet_rows_end(rows);
}

enum stet_status
item_by_slug(struct stet_call *call, const struct plan *plan, const char *slug, const char *locale,
    struct stet_rows *rows, bool *found)
{
	if (locale != NULL)
		STET_TRY(stet_query(call, rows, plan->by_slug_locale, STET_ARGS(slug, locale)));
	else if (stet_may(call, "content:read_drafts"))
		STET_TRY(stet_query(call, rows, plan->by_slug, STET_ARGS(slug)));
	else /* a draft in a lower locale must not hide an item that the reader may see */
		STET_TRY(stet_query(call, rows, plan->by_slug_live, STET_ARGS(slug)));
	return first(rows, found);
}

static enum stet_status
by_name(struct stet_call *call, const struct plan *plan, const char *name, const char *locale,
    struct stet_rows *rows, bool *found)
{
	*found = false;
	/* Every id has the form of an id, so a name of another form can only be a slug. */
	if (stet_is_id(name)) {
		STET_TRY(stet_query(call, rows, plan->by_id, STET_ARGS(name)));
		STET_TRY(first(rows, found));
	}
	return *found ? STET_OK : item_by_slug(call, plan, name, locale, rows, found);
}

/* Finds an item by the slug that its pending draft stages, for readers who may see drafts. A
 * collection without revisions has no drafts. */
static enum stet_status
by_staged_slug(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, const char *slug, const char *locale, struct stet_rows *rows,
    bool *found)
{
	if (!collection->revisions || !stet_may(call, "content:read_drafts"))
		return STET_OK;
	STET_TRY(stet_query(
	    call, rows, plan->by_slug_staged, STET_ARGS((const char *)plan->slug, slug, locale)));
	return first(rows, found);
}

enum stet_status
item_find(struct stet_call *call, const struct plan *plan, const char *name, const char *locale,
    struct stet_rows *rows)
{
	bool found;

	STET_TRY(by_name(call, plan, name, locale, rows, &found));
	return found ? STET_OK : item_not_found(call, name);
}

/* Answers NOT_FOUND for a draft that the reader may not see, with the same text as for no item
 * at all. */
static enum stet_status
check_seen(struct stet_call *call, const char *name, struct stet_rows *rows)
{
	if (stet_may(call, "content:read_drafts") ||
	    strcmp(stet_col_str(rows, C_STATUS), "published") == 0)
		return STET_OK;
	return item_not_found(call, name);
}

enum stet_status
item_find_seen(struct stet_call *call, const struct plan *plan, const char *name,
    const char *locale, struct stet_rows *rows)
{
	STET_TRY(item_find(call, plan, name, locale, rows));
	return check_seen(call, name, rows);
}

enum stet_status
item_find_shown(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, const char *name, const char *slug, const char *locale,
    struct stet_rows *rows)
{
	bool found;

	if (slug != NULL && *slug != '\0') {
		name = slug;
		STET_TRY(item_by_slug(call, plan, slug, locale, rows, &found));
	} else
		STET_TRY(by_name(call, plan, name, locale, rows, &found));
	if (!found)
		STET_TRY(by_staged_slug(call, collection, plan, name, locale, rows, &found));
	return found ? check_seen(call, name, rows) : item_not_found(call, name);
}
