/*
 * update.c - changes an item: checks rights and its _rev, runs hooks, validates values, and then
 * does one of three writes.
 *
 * If the item is published, or has a draft already, the new values become a draft: a revision,
 * to which the row points. Bylines and terms are staged with them (staged.c). If it is not
 * published, the values go into its row, with a revision for the history. With status "published"
 * in the request, all of it goes live.
 */
#include "write/write.h"
#include <string.h>

/* Members that clients may send back because they have read them. */
#define ECHO_WRITABLE(name)
#define ECHO_READ_ONLY(name) { name, STET_ANY, STET_IGNORED },
#define BY_ID                                                                                      \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },           \
	    { "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },               \
	{                                                                                          \
		"locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" \
	}
#define CHANGES(seo_)                                                                         \
	{ "data", STET_OBJECT, STET_VALUES, .about = "The field values to change" },          \
	    { "slug", STET_STRING, STET_NULLABLE },                                           \
	    { "status", STET_STRING, .about = "draft or published" },                         \
	    { "bylines", STET_ARRAY, .item = STET_OBJECT, .about = BYLINES_ABOUT },           \
	    { "taxonomies", STET_OBJECT, .about = TERMS_ABOUT },                              \
	    { "seo", STET_OBJECT, .of = (seo_), .about = SEO_ABOUT },                         \
	    { "authorId", STET_STRING, STET_NULLABLE, STET_RANGE(0, 64),                      \
		    .about = "Ignored without content:edit_any" },                            \
	{                                                                                     \
		"publishedAt", STET_TIME, STET_NULLABLE, .about = "Needs content:publish_any" \
	}

const struct stet_member update_in[] = {
	BY_ID,
	CHANGES(seo_in),
	{ "_rev", STET_STRING, STET_HEADER, .about = "Fail when the item is another by now" },
	{ "skipRevision", STET_BOOLEAN,
	    .about = "The draft that this one replaces need not be kept as a revision" },
#define STET_ITEM_COLUMN(place, name, type, flags, put, ...) ECHO_##put(name)
#define STET_ITEM_MEMBER(place, name, type, flags, put, ...) ECHO_##put(name)
#include <stet/item.def>
	{ 0 },
};
const struct stet_member update_tool_in[] = {
	BY_ID,
	CHANGES(NULL),
	{ "_rev", STET_STRING, STET_REQUIRED, .about = "As content_get answered it" },
	VIEW_FIELDS,
	{ 0 },
};

/* An update while it runs. */
struct edit {
	struct update *in;
	struct now *now;
	struct change c;
	struct values values; /* as submitted, after the filters */
	json_t *data; /* the newest values after the update */
	const char *slug; /* the newest slug after the update */
	struct stet_credits *credits; /* NULL: unchanged */
	struct stet_terms *terms; /* NULL: unchanged */
	const json_t *staged; /* bylines and terms of the draft after the update (staged.c) */
	bool edited; /* the data, the slug, or the staged bylines and terms change */
	bool publishes, stages;
};

static bool
same(const char *a, const char *b)
{
	return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static enum stet_status
check_rights(struct stet_call *call, const struct update *in, const struct now *now)
{
	STET_TRY(stet_require_owned(call, "content:edit_own", "content:edit_any", now->author));
	STET_TRY(now_is(call, now, in->rev));
	if (in->published_at.given)
		STET_TRY(stet_require(call, "content:publish_any"));
	if (in->status == NULL || strcmp(in->status, "published") != 0)
		return STET_OK;
	return stet_require_owned(call, "content:publish_own", "content:publish_any", now->author);
}

/* Returns the fields of `all` that differ from the stored values, or that the client sent. */
static const json_t *
changed(struct stet_call *call, const json_t *all, const json_t *was, const json_t *submitted)
{
	json_t *out = stet_json_own(call, json_object()), *v;
	json_t *mutable = (json_t *)(uintptr_t)all;
	const char *name;

	json_object_foreach(mutable, name, v)
	{
		const json_t *old = json_object_get(was, name);

		if (json_object_get(submitted, name) != NULL || old == NULL || !json_equal(old, v))
			json_object_set(out, name, v);
	}
	return out;
}

static enum stet_status
filter(struct stet_call *call, struct stet_tx *tx, struct edit *e, const json_t **data)
{
	json_t *all;
	const json_t *filtered;

	if (!stet_hooked(call, STET_AT_entry_filter))
		return STET_OK;
	all = stet_json_own(call, json_copy(e->now->data));
	extra_forget(all);
	json_object_update(all, (json_t *)(uintptr_t)*data);
	filtered = all;
	STET_TRY(hook_filter(call, tx, &e->c, &filtered));
	*data = changed(call, filtered, e->now->data, *data);
	return STET_OK;
}

/* ---- the three writes ---- */

static bool has_meta(const struct edit *);

/* Refuses what the public sees, or will see at the time of a schedule, if the caller may write
 * drafts only. */
static enum stet_status
check_hidden(struct stet_call *call, const struct edit *e)
{
	const struct now *now = e->now;

	if (!stet_drafts_only(call))
		return STET_OK;
	if (e->c.live || now->scheduled != NULL ||
	    (now->is_published && (e->in->status != NULL || has_meta(e))))
		return stet_refuse_public(call);
	if (e->in->taxonomies != NULL && !e->stages)
		return translation_spare(call, now->plan, now->group, now->id);
	return STET_OK;
}

/* Returns true if the request changes members that take effect at once, even if the values become a
 * draft. */
static bool
has_meta(const struct edit *e)
{
	const struct maybe *at = &e->in->published_at;

	/* Clients may send back values that they have read: an equal value is no change. */
	return (e->in->author.given && !same(e->c.author, e->now->author)) ||
	       (at->given && !same(at->text, e->now->published));
}

/* Returns true if the request sets bylines or terms. */
static bool
has_links(const struct edit *e)
{
	return e->credits != NULL || e->terms != NULL;
}

static void
set_meta(struct stet_sql *sql, const struct edit *e)
{
	if (e->in->author.given)
		now_turn(sql, ", author_id = ", e->now->author, e->c.author);
	if (e->in->published_at.given)
		now_turn(sql, ", published_at = ", e->now->published, e->in->published_at.text);
}

/* Before the first draft of a published item, keeps the live values as a revision, so that the
 * history has them. */
static enum stet_status
keep_live(struct stet_call *call, struct stet_tx *tx, const struct edit *e, const char **id)
{
	*id = e->now->live;
	if (*id != NULL || !e->now->is_published)
		return STET_OK;
	return revision_keep(call, tx, e->now, id);
}

/* Returns the slug that the draft stages: of this request, or else of the previous draft. */
static const char *
staged_slug(const struct edit *e)
{
	if (!e->in->slug.given)
		return e->now->staged_slug;
	return e->slug != NULL ? e->slug : "";
}

static enum stet_status
stage(struct stet_call *call, struct stet_tx *tx, const struct edit *e)
{
	const struct now *now = e->now;
	bool meta = has_meta(e);
	const char *live = now->live, *draft = now->draft;
	struct stet_sql *sql = meta ? now_update(call, now) : now_update_hidden(call, now);

	if (!e->edited && !meta)
		return STET_OK;
	if (e->edited) {
		STET_TRY(keep_live(call, tx, e, &live));
		STET_TRY(revision_write(call, tx, now, staged_with(call, e->data, e->staged),
		    staged_slug(e), live, &draft));
		if (e->in->skip_revision && now->draft != NULL && !same(now->draft, live))
			STET_TRY(revision_delete(call, tx, now->id, now->draft));
	} else
		STET_TRY(revision_lasts(call, tx, now));
	now_set(sql, ", live_revision_id = ", live);
	now_set(sql, ", draft_revision_id = ", draft);
	set_meta(sql, e);
	/* Readers without drafts must not notice a draft, so updated_at changes only with
	 * members that are public at once. */
	if (meta)
		now_set(sql, ", updated_at = ", stet_time_text(call, stet_now(call)));
	STET_TRY(now_write(call, tx, sql, now, &e->c, NULL, e->edited ? "stage" : "update"));
	/* Two changes are reported: the draft, which few may see, and the members that are live at
	 * once. */
	return e->edited && meta ? hook_changed(call, tx, &e->c, "update") : STET_OK;
}

/* Writes the row. Stores bylines and terms at once: terms before the change is reported, so that
 * hooks see them. */
static enum stet_status
write_columns(struct stet_call *call, struct stet_tx *tx, const struct edit *e)
{
	struct stet_sql *sql = now_update(call, e->now);
	const char *id;

	STET_TRY(terms_store(call, tx, e->now->plan->slug, e->now->group, e->now->id, e->terms));
	STET_TRY(byline_store(call, tx, e->now->plan->slug, e->now->id, e->credits));
	now_set(sql, ", updated_at = ", stet_time_text(call, stet_now(call)));
	now_set_fields(call, sql, e->now, &e->values);
	if (e->in->slug.given)
		now_turn(sql, ", slug = ", e->now->slug, e->slug);
	set_meta(sql, e);
	STET_TRY(now_write(call, tx, sql, e->now, &e->c, &e->values, "update"));
	STET_TRY(translation_share(call, tx, &e->c, e->now->group, e->now->columns, e->data));
	if (!e->edited)
		return revision_lasts(call, tx, e->now);
	if (!e->now->collection->revisions)
		return STET_OK;
	return revision_replace(
	    call, tx, e->now, e->data, e->in->slug.given ? staged_slug(e) : NULL, &id);
}

static enum stet_status
publish(struct stet_call *call, struct stet_tx *tx, const struct edit *e)
{
	const struct publish p = {
		.data = e->data,
		.slug = e->slug,
		.staged_slug = staged_slug(e),
		.staged = e->staged,
		.edited = e->edited,
		.published_at = e->in->published_at,
		.author = { e->in->author.given, e->c.author },
	};

	return item_publish(call, tx, e->now, &p);
}

/* Unpublishes the item after the other changes of the request; reads the row again first, since
 * they have changed it. */
static enum stet_status
unpublish(struct stet_call *call, struct stet_tx *tx, const struct edit *e)
{
	struct now now = { .collection = e->now->collection, .plan = e->now->plan };
	struct stet_rows rows;

	STET_TRY(left_row(call, now.plan, e->now->id, &rows));
	now_row(call, &rows, &now);
	STET_TRY(now_values(call, &rows, &now));
	return item_unpublish(call, tx, &now, false);
}

/* Returns true if there is nothing to save: the values are the present ones, and no draft goes
 * live. */
static bool
is_idle(const struct edit *e)
{
	return !e->edited && (!e->publishes || (e->now->is_published && e->now->draft == NULL));
}

/* Reports the change with the version of the stored row: one request may make several changes, or
 * none. */
static enum stet_status
tell(struct stet_call *call, struct stet_tx *tx, const struct edit *e)
{
	struct change c = e->c;
	struct stet_rows rows;

	if (!stet_hooked(call, STET_AT_entry_after_save))
		return STET_OK;
	STET_TRY(left_row(call, e->now->plan, e->now->id, &rows));
	c.version = stet_col_int(&rows, C_VERSION);
	STET_TRY(stet_rows_end(&rows));
	return c.version == e->now->version ? STET_OK : hook_after_save(call, tx, &c);
}

/* ---- update ---- */

static void
prepare(struct stet_call *call, struct update *in, struct now *now, struct edit *e)
{
	const char *author = in->author.text;

	*e = (struct edit){ .in = in, .now = now };
	e->publishes = in->status != NULL && strcmp(in->status, "published") == 0;
	e->stages = !e->publishes && now->collection->revisions &&
		    (now->is_published || now->draft != NULL);
	e->slug = in->slug.given ? in->slug.text : now->newest_slug;
	if (e->slug != NULL && *e->slug == '\0')
		e->slug = NULL;
	e->c = now_change(now, e->slug, in->status != NULL ? in->status : now->status);
	e->c.live = e->publishes || (now->is_published && !e->stages);
	if (in->author.given)
		e->c.author = author != NULL && *author != '\0' ? author : NULL;
	if (in->slug.text != NULL)
		slug_is_good(call, in->slug.text);
}

/* Checks that the given author is a user; the present author is accepted anyway. */
static enum stet_status
check_author(struct stet_call *call, const struct edit *e)
{
	if (!e->in->author.given || e->c.author == NULL || same(e->c.author, e->now->author))
		return STET_OK;
	return item_check_author(call, e->c.author);
}

/* Returns the values to change: converts Markdown, applies a patch, and runs the filters. */
static enum stet_status
values_of(struct stet_call *call, struct stet_tx *tx, struct edit *e, const json_t **data)
{
	*data = e->in->data;
	if (*data == NULL)
		*data = stet_json_own(call, json_object());
	if (e->in->markdown)
		STET_TRY(view_convert(call, e->now->collection, e->now->data, data, e->in->lost));
	if (e->in->patch != NULL)
		STET_TRY(patch_apply(call, e->in->patch, e->now, data, e->in->lost));
	return filter(call, tx, e, data);
}

/* Returns true if required fields may lack values: in a draft, if the collection says so. What is
 * to be published at a time has to be complete; and if the request publishes, item_publish names
 * all fields that lack a value. */
static bool
may_lack(const struct edit *e)
{
	return e->now->collection->required_on_publish &&
	       (e->publishes || (!e->c.live && e->now->scheduled == NULL));
}

/* A draft that was saved without a title gets its slug when it gets the title. */
static enum stet_status
first_slug(struct stet_call *call, struct edit *e)
{
	const struct now *now = e->now;

	if (!now->collection->required_on_publish || e->slug != NULL || now->published != NULL ||
	    (e->in->slug.given && now->newest_slug != NULL)) /* the request takes it away */
		return STET_OK;
	STET_TRY(slug_make(call, now->plan, save_slug_source(&e->values), now->locale, &e->slug));
	e->in->slug = (struct maybe){ e->slug != NULL, e->slug };
	e->c.slug = e->slug;
	return STET_OK;
}

/* Validates the arguments, and computes the newest values after the edit. */
static enum stet_status
check_given(struct stet_call *call, struct edit *e, const json_t *data)
{
	const struct now *now = e->now;
	bool changes = false;
	json_t *extra[EXTRAS];

	STET_TRY(byline_check(call, e->in->bylines, &e->credits));
	STET_TRY(terms_check(call, e->in->taxonomies, now->locale, &e->terms));
	STET_TRY(extra_check(call, now->collection, e->in->extra, now->data, extra));
	STET_TRY(values_check(call, now->collection, data, false,
	    (struct held){ now->data, now->columns, may_lack(e) }, &e->values));
	extra_set(now->plan, extra, &e->values);
	e->data = fit_merge(call, now->plan, now->data, &e->values);
	STET_TRY(first_slug(call, e));
	if (e->stages || e->publishes)
		STET_TRY(staged_edit(call, now, e->credits, e->terms, &e->staged, &changes));
	e->edited = changes || !json_equal(e->data, now->data) || !same(e->slug, now->newest_slug);
	return STET_OK;
}

/* Does one of the three writes (see the top of the file). */
static enum stet_status
write_edit(struct stet_call *call, struct stet_tx *tx, const struct edit *e)
{
	if (e->publishes)
		return publish(call, tx, e);
	if (e->stages)
		return stage(call, tx, e);
	return e->edited || has_meta(e) || has_links(e) ? write_columns(call, tx, e) : STET_OK;
}

static enum stet_status
submit(struct stet_call *call, struct stet_tx *tx, struct edit *e)
{
	const json_t *data;

	STET_TRY(values_of(call, tx, e, &data));
	STET_TRY(check_given(call, e, data));
	if (!e->publishes) /* item_publish first names the fields that lack a value */
		STET_TRY(save_publishable(call, &e->c));
	if (stet_hooked(call, STET_AT_entry_before_save) && !is_idle(e))
		STET_TRY(hook_before_save(call, tx, &e->c, e->data));
	STET_TRY(write_edit(call, tx, e));
	if (e->in->status != NULL && !e->publishes)
		STET_TRY(unpublish(call, tx, e));
	return tell(call, tx, e);
}

enum stet_status
item_update(struct stet_call *call, struct stet_tx *tx, const struct update *given, struct now *now)
{
	struct update in = *given;
	struct stet_rows rows;
	struct edit e;

	STET_TRY(plan_get(call, in.collection, &now->collection, &now->plan));
	STET_TRY(item_find(call, now->plan, in.id, in.locale, &rows));
	now_row(call, &rows, now);
	STET_TRY(now_values(call, &rows, now));
	STET_TRY(check_rights(call, &in, now));
	STET_TRY(save_status(call, in.status));
	if (!stet_may(call, "content:edit_any"))
		in.author.given = false;
	prepare(call, &in, now, &e);
	STET_TRY(check_hidden(call, &e));
	STET_TRY(check_author(call, &e));
	if (in.data == NULL && in.status == NULL && !in.slug.given && !in.author.given &&
	    !in.published_at.given && in.bylines == NULL && in.taxonomies == NULL &&
	    !extra_any(in.extra) && in.patch == NULL) /* the request is empty */
		return stet_issues(call);
	return submit(call, tx, &e);
}

static enum stet_status
update_by(struct stet_call *call, bool skip_revision, bool markdown)
{
	struct update in = {
		.markdown = markdown,
		.collection = stet_arg(call, "collection"),
		.id = stet_arg(call, "id"),
		.locale = stet_locale(call, stet_arg(call, "locale")),
		.status = stet_arg(call, "status"),
		.rev = stet_arg(call, "_rev"),
		.data = stet_arg_json(call, "data"),
		.slug = maybe_arg(call, "slug"),
		.author = maybe_arg(call, "authorId"),
		.published_at = maybe_arg(call, "publishedAt"),
		.bylines = stet_arg_json(call, "bylines"),
		.taxonomies = stet_arg_json(call, "taxonomies"),
		.skip_revision = skip_revision,
		.lost = stet_json_own(call, json_array()),
	};
	struct now now = { 0 };
	struct view view = view_all;

	extra_args(call, in.extra);
	STET_TRY(item_update(call, stet_write_tx(call), &in, &now));
	if (markdown)
		STET_TRY(view_written(call, now.collection, in.data, NULL, in.lost, &view));
	return now_reply_view(call, &now, &view);
}

enum stet_status
content_update(struct stet_call *call)
{
	return update_by(call, false, true);
}

enum stet_status
content_put(struct stet_call *call)
{
	return update_by(call, stet_arg_bool(call, "skipRevision"), false);
}

enum stet_status
content_patch(struct stet_call *call)
{
	const struct patch patch = { stet_arg(call, "field"), stet_arg_json(call, "blocks") };
	const struct update in = {
		.collection = stet_arg(call, "collection"),
		.id = stet_arg(call, "id"),
		.locale = stet_locale(call, stet_arg(call, "locale")),
		.rev = stet_arg(call, "_rev"),
		.data = stet_arg_json(call, "set"),
		.patch = patch.operations != NULL ? &patch : NULL,
		.markdown = true,
		.lost = stet_json_own(call, json_array()),
	};
	struct now now = { 0 };
	struct view view;

	STET_TRY(stet_issues(call));
	STET_TRY(item_update(call, stet_write_tx(call), &in, &now));
	if (in.data == NULL && in.patch == NULL) /* after the check of rights */
		stet_issue(call, "blocks", "is required, or set");
	STET_TRY(view_written(call, now.collection, in.data, patch.operations, in.lost, &view));
	return now_reply_view(call, &now, &view);
}
