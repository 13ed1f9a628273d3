/*
 * save.c - creates an item: checks rights, runs hooks, validates values, makes a slug, inserts
 * the row.
 */
#include "write/write.h"
#include <string.h>

#define TRANSLATION "Id of the item that this one translates"

#define CREATED(seo_)                                                                          \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },       \
	    { "data", STET_OBJECT, STET_REQUIRED | STET_VALUES,                                \
		    .about = "Field values by field slug" },                                   \
	    { "slug", STET_STRING, STET_NULLABLE,                                              \
		    .about = "URL slug; made from the title when omitted" },                   \
	    { "status", STET_STRING, .about = "draft (default) or published" },                \
	    { "locale", STET_STRING, .about = "The site's default when omitted" },             \
	    { "translationOf", STET_STRING, .about = TRANSLATION },                            \
	    { "publishedAt", STET_TIME, STET_NULLABLE, .about = "Needs content:publish_any" }, \
	    { "bylines", STET_ARRAY, .item = STET_OBJECT, .about = BYLINES_ABOUT },            \
	    { "taxonomies", STET_OBJECT, .about = TERMS_ABOUT },                               \
	    { "seo", STET_OBJECT, .of = (seo_), .about = SEO_ABOUT },                          \
	{                                                                                      \
		"createdAt", STET_TIME, STET_NULLABLE, .about = "Needs content:publish_any"    \
	}

const struct stet_member create_in[] = { CREATED(seo_in), { 0 } };
/* The tool describes `seo` only in prose, which is shorter than a schema; seo_check validates
 * it. */
const struct stet_member create_tool_in[] = { CREATED(NULL), VIEW_FIELDS, { 0 } };

/* ---- shared with update.c ---- */

enum stet_status
save_status(struct stet_call *call, const char *status)
{
	if (status == NULL || strcmp(status, "draft") == 0 || strcmp(status, "published") == 0)
		return STET_OK;
	stet_issue(call, "status",
	    strcmp(status, "scheduled") == 0
		? "cannot be set to scheduled: schedule the item, with a time to publish it at"
		: "must be one of: draft, published");
	return STET_OK;
}

enum stet_status
save_publishable(struct stet_call *call, const struct change *c)
{
	if (!c->collection->routable || strcmp(c->status, "published") != 0 ||
	    (c->slug != NULL && *c->slug != '\0'))
		return STET_OK;
	return stet_fail(
	    call, STET_VALIDATION_ERROR, "slug", "Cannot publish routable content without a slug");
}

/* ---- create ---- */

/* For a translation: the translation group of the source item, and the values that are copied
 * from it. */
static enum stet_status
join_group(struct stet_call *call, const struct create *in, const struct change *c,
    const char **group, const json_t **data, struct held *held)
{
	struct stet_rows rows;

	*held = (struct held){ .may_lack = c->collection->required_on_publish && !c->live };
	*group = c->id;
	if (in->translation_of == NULL)
		return STET_OK;
	STET_TRY(stet_query(call, &rows, c->plan->by_id, STET_ARGS(in->translation_of)));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return stet_fail(call, STET_VALIDATION_ERROR, "translationOf",
		    "Translation source content not found");
	}
	*group = stet_col_dup(&rows, C_GROUP);
	STET_TRY(stet_require_owned(
	    call, "content:edit_own", "content:edit_any", stet_col_str(&rows, C_AUTHOR)));
	held->live = row_data(call, &rows, c->plan);
	if (translation_shares(c->collection))
		*data = translation_inherit(call, c->collection, held->live, *data);
	STET_TRY(stet_rows_end(&rows));
	return translation_free(call, c->plan, *group, c->locale, c->id);
}

static enum stet_status
check_rights(struct stet_call *call, const struct create *in, const char *author)
{
	if (in->published_at.given || in->created_at.given)
		STET_TRY(stet_require(call, "content:publish_any"));
	if (in->status == NULL || strcmp(in->status, "published") != 0)
		return STET_OK;
	return stet_require_owned(call, "content:publish_own", "content:publish_any", author);
}

enum stet_status
item_check_author(struct stet_call *call, const char *id)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, "SELECT 1 FROM users WHERE id = ?1", STET_ARGS(id)));
	if (!stet_row(&rows))
		stet_issue(call, "authorId", "is not a user");
	return stet_rows_end(&rows);
}

/* Sets the author: the caller, or the user whom an importer names. */
static enum stet_status
choose_author(struct stet_call *call, const struct create *in, const char **author)
{
	const struct stet_principal *who = stet_principal(call);

	*author = who != NULL && *who->id != '\0' ? who->id : NULL;
	if (in->author == NULL || (*author != NULL && strcmp(in->author, *author) == 0))
		return STET_OK;
	*author = in->author;
	STET_TRY(stet_require(call, "content:edit_any"));
	return item_check_author(call, in->author);
}

/* Returns the data of the request with defaults filled in, as the FILTER hooks get it. */
static const json_t *
with_defaults(struct stet_call *call, const struct stet_collection *c, const json_t *data)
{
	json_t *all = stet_json_own(call, json_copy((json_t *)(uintptr_t)data));

	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];

		if (f->default_value != NULL && json_object_get(all, f->slug) == NULL)
			json_object_set(all, f->slug, (json_t *)(uintptr_t)f->default_value);
	}
	return all;
}

/* Returns the values of a new item as they will be stored. */
static json_t *
stored(struct stet_call *call, const struct values *values)
{
	json_t *data = stet_json_own(call, json_object());

	for (size_t i = 0; i < values->collection->field_count; i++)
		if (values->value[i] != NULL)
			json_object_set(data, values->collection->fields[i]->slug,
			    (json_t *)(uintptr_t)values->value[i]);
	return data;
}

const char *
save_slug_source(const struct values *values)
{
	static const char *const names[] = { "title", "name" };

	for (size_t i = 0; i < 2; i++) {
		const struct stet_field *f = stet_field(values->collection, names[i]);
		const char *s = f == NULL ? NULL : json_string_value(values->value[f->position]);

		if (s != NULL && *s != '\0')
			return s;
	}
	return NULL;
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct create *in, const struct change *c,
    const struct values *values, const char *group)
{
	const char *published = in->published_at.text;
	struct stet_val *column = stet_alloc(call, (C_FIELDS + c->plan->count) * sizeof(*column));

	if (published == NULL && strcmp(c->status, "published") == 0)
		published = stet_time_text(call, stet_now(call));
	column[C_CREATED] = stet_val_str(in->created_at.text);
	column[C_UPDATED] = stet_val_str(in->updated_at.text);
	column[C_PUBLISHED] = stet_val_str(published);
	column[C_LOCALE] = stet_val_str(c->locale);
	column[C_GROUP] = stet_val_str(group);
	return item_insert(call, tx, c, column, values->value, values);
}

static enum stet_status
choose_slug(
    struct stet_call *call, const struct create *in, const struct values *values, struct change *c)
{
	c->slug = in->slug;
	if (c->slug == NULL || *c->slug == '\0')
		STET_TRY(slug_make(call, c->plan, save_slug_source(values), c->locale, &c->slug));
	return save_publishable(call, c);
}

enum stet_status
item_create(struct stet_call *call, struct stet_tx *tx, const struct create *in,
    const struct stet_collection **collection, const struct plan **plan, struct stet_rows *rows)
{
	struct change c = { .version = 1, .is_new = true };
	const char *group = NULL;
	const json_t *data = in->data;
	struct stet_credits *credits;
	struct stet_terms *terms;
	struct values values;
	struct held held;
	json_t *extra[EXTRAS];

	STET_TRY(plan_get(call, in->collection, &c.collection, plan));
	*collection = c.collection;
	c.plan = *plan;
	STET_TRY(choose_author(call, in, &c.author));
	STET_TRY(check_rights(call, in, c.author));
	STET_TRY(save_status(call, in->status));
	c.locale = stet_locale_stored(call, in->locale);
	if (in->slug != NULL)
		slug_is_good(call, in->slug);
	c.id = stet_id(call);
	c.status = in->status != NULL ? in->status : "draft";
	c.live = strcmp(c.status, "published") == 0;
	c.slug = in->slug;
	if (c.live && stet_drafts_only(call))
		return stet_refuse_public(call);
	if (in->markdown)
		STET_TRY(view_convert(call, c.collection, NULL, &data, in->lost));
	STET_TRY(join_group(call, in, &c, &group, &data, &held));
	if (stet_hooked(call, STET_AT_entry_filter))
		data = with_defaults(call, c.collection, data);
	STET_TRY(hook_filter(call, tx, &c, &data));
	STET_TRY(byline_check(call, in->bylines, &credits));
	STET_TRY(terms_check(call, in->taxonomies, c.locale, &terms));
	STET_TRY(extra_check(call, c.collection, in->extra, NULL, extra));
	STET_TRY(values_check(call, c.collection, data, true, held, &values));
	extra_set(c.plan, extra, &values);
	STET_TRY(choose_slug(call, in, &values, &c));
	if (stet_hooked(call, STET_AT_entry_before_save))
		STET_TRY(hook_before_save(call, tx, &c, stored(call, &values)));
	if (c.live && stet_hooked(call, STET_AT_entry_before_publish))
		STET_TRY(hook_before_publish(call, tx, &c, stored(call, &values)));
	STET_TRY(insert(call, tx, in, &c, &values, group));
	if (terms != NULL)
		STET_TRY(translation_spare(call, c.plan, group, c.id));
	STET_TRY(byline_store(call, tx, c.plan->slug, c.id, credits));
	STET_TRY(terms_store(call, tx, c.plan->slug, group, c.id, terms));
	STET_TRY(hook_changed(call, tx, &c, "create"));
	if (in->translation_of != NULL)
		STET_TRY(translation_share(call, tx, &c, group, NULL, stored(call, &values)));
	STET_TRY(hook_after_save(call, tx, &c));
	STET_TRY(left_row(call, c.plan, c.id, rows));
	if (c.live)
		STET_TRY(hook_after_publish(call, tx, &c, stet_col_str(rows, C_PUBLISHED), false));
	return STET_OK;
}

/* ---- items that an importer could not create as they were ---- */

/* Keeps the values that are valid each by itself. Leaves out unique ones, since another item may
 * have them. */
static enum stet_status
valid_values(
    struct stet_call *call, const struct stet_collection *c, const json_t *data, struct values *out)
{
	const struct held none = { 0 };
	json_t *good = stet_json_own(call, json_object()), *v;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)data, name, v)
	{
		const struct stet_field *f = stet_field(c, name);
		enum stet_status status;

		if (f == NULL || f->unique)
			continue;
		status = values_check(
		    call, c, stet_json_own(call, json_pack("{sO}", name, v)), false, none, out);
		if (status == STET_OK)
			json_object_set(good, name, v);
		else if (status == STET_VALIDATION_ERROR)
			stet_error_clear(call);
		else
			return status;
	}
	return values_check(call, c, good, false, none, out);
}

/* Stores the draft of the new item: its values, and the reason why it could not be created
 * unchanged. */
static enum stet_status
stage_failed(struct stet_call *call, struct stet_tx *tx, const struct change *c, const char *group,
    json_t *columns, const json_t *error)
{
	struct now now = { .collection = c->collection,
		.plan = c->plan,
		.id = c->id,
		.author = c->author,
		.updated = stet_time_text(call, stet_now(call)),
		.locale = c->locale,
		.group = group,
		.columns = columns };
	struct stet_sql *sql = stet_sql_new(call);
	json_t *data = stet_json_own(call, json_copy(columns));
	const char *revision = NULL;

	json_object_set(data, IMPORT_ERROR, (json_t *)(uintptr_t)error);
	STET_TRY(revision_write(call, tx, &now, data, NULL, NULL, &revision));
	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->plan->slug);
	now_set(sql, " SET draft_revision_id = ", revision);
	now_set(sql, " WHERE id = ", c->id);
	return stet_sql_exec(sql, tx);
}

static const char *
good_slug(struct stet_call *call, const char *slug)
{
	if (slug == NULL || slug_is_good(call, slug))
		return slug;
	stet_error_clear(call);
	return NULL;
}

enum stet_status
item_create_failed(struct stet_call *call, struct stet_tx *tx, const struct create *in,
    const char *message, const char *markup, const char **id)
{
	struct change c = { .version = 1, .is_new = true, .status = "draft" };
	struct create draft = *in;
	struct stet_credits *credits;
	struct values values;
	json_t *columns;

	STET_TRY(plan_get(call, in->collection, &c.collection, &c.plan));
	STET_TRY(choose_author(call, in, &c.author));
	c.locale = stet_locale_stored(call, in->locale);
	STET_TRY(byline_check(call, in->bylines, &credits));
	STET_TRY(stet_issues(call));
	c.id = *id = stet_id(call);
	c.slug = good_slug(call, in->slug);
	draft.published_at = (struct maybe){ 0 };
	STET_TRY(valid_values(call, c.collection, in->data, &values));
	columns = stored(call, &values);
	if (stet_hooked(call, STET_AT_entry_before_save))
		STET_TRY(hook_before_save(call, tx, &c, columns));
	STET_TRY(insert(call, tx, &draft, &c, &values, c.id));
	STET_TRY(byline_store(call, tx, c.plan->slug, c.id, credits));
	STET_TRY(stage_failed(call, tx, &c, c.id, columns,
	    stet_json_own(call, json_pack("{ss ss}", "message", message, "markup", markup))));
	STET_TRY(hook_changed(call, tx, &c, "create"));
	return hook_after_save(call, tx, &c);
}

struct maybe
maybe_arg(struct stet_call *call, const char *name)
{
	return (struct maybe){ stet_has(call, name), stet_arg(call, name) };
}

static enum stet_status
create_by(struct stet_call *call, bool markdown)
{
	struct create in = {
		.markdown = markdown,
		.collection = stet_arg(call, "collection"),
		.data = stet_arg_json(call, "data"),
		.slug = stet_arg(call, "slug"),
		.status = stet_arg(call, "status"),
		.locale = stet_arg(call, "locale"),
		.translation_of = stet_arg(call, "translationOf"),
		.published_at = maybe_arg(call, "publishedAt"),
		.created_at = maybe_arg(call, "createdAt"),
		.bylines = stet_arg_json(call, "bylines"),
		.taxonomies = stet_arg_json(call, "taxonomies"),
		.lost = stet_json_own(call, json_array()),
	};
	const struct stet_collection *collection;
	const struct plan *plan;
	struct stet_rows rows;
	struct view view = view_all;

	extra_args(call, in.extra);
	STET_TRY(item_create(call, stet_write_tx(call), &in, &collection, &plan, &rows));
	if (markdown)
		STET_TRY(view_written(call, collection, in.data, NULL, in.lost, &view));
	return item_answer(call, collection, plan, &rows, &view);
}

enum stet_status
content_create(struct stet_call *call)
{
	return create_by(call, false);
}

enum stet_status
content_create_tool(struct stet_call *call)
{
	return create_by(call, true);
}
