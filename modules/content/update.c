/* update.c - change an item: rights, its revision, hooks, values, one update. */
#include "content.h"
#include <string.h>

#define ECHOED(name_, type_)               \
	{                                  \
		name_, type_, STET_IGNORED \
	}
/* What clients send back because they read it. */
#define ECHO                                                                                    \
	ECHOED("type", STET_ANY), ECHOED("createdAt", STET_ANY), ECHOED("updatedAt", STET_ANY), \
	    ECHOED("scheduledAt", STET_ANY), ECHOED("version", STET_ANY),                       \
	    ECHOED("liveRevisionId", STET_ANY), ECHOED("draftRevisionId", STET_ANY),            \
	    ECHOED("primaryBylineId", STET_ANY), ECHOED("bylines", STET_ANY),                   \
	    ECHOED("translationGroup", STET_ANY), ECHOED("liveData", STET_ANY)
#define BY_ID                                                                                      \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },           \
	    { "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },               \
	{                                                                                          \
		"locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" \
	}
#define CHANGES                                                                               \
	{ "data", STET_OBJECT, .about = "The field values to change" },                       \
	    { "slug", STET_STRING, STET_NULLABLE },                                           \
	    { "status", STET_STRING, .about = "draft or published" },                         \
	    { "authorId", STET_STRING, STET_NULLABLE, STET_RANGE(0, 64),                      \
		    .about = "Ignored without content:edit_any" },                            \
	{                                                                                     \
		"publishedAt", STET_TIME, STET_NULLABLE, .about = "Needs content:publish_any" \
	}

const struct stet_member update_in[] = {
	BY_ID,
	CHANGES,
	{ "_rev", STET_STRING, STET_HEADER, .about = "Fail when the item is another by now" },
	ECHO,
	{ 0 },
};
const struct stet_member update_tool_in[] = {
	BY_ID,
	CHANGES,
	{ "_rev", STET_STRING, STET_REQUIRED, .about = "As content_get answered it" },
	{ 0 },
};

/* The item as it is before the update. */
struct before {
	const char *id, *slug, *status, *locale, *author, *published_at;
	int64_t version;
	const json_t *data; /* only for hooks */
};

static enum stet_status
read_before(
    struct stet_call *call, const struct update *in, const struct plan *plan, struct before *b)
{
	bool hooked =
	    stet_hooked(call, STET_AT_entry_filter) || stet_hooked(call, STET_AT_entry_before_save);
	struct stet_rows rows;
	const char *rev;

	STET_TRY(item_find(call, plan, in->id, in->locale, &rows));
	b->id = stet_col_dup(&rows, C_ID);
	b->slug = stet_col_dup(&rows, C_SLUG);
	b->status = stet_col_dup(&rows, C_STATUS);
	b->locale = stet_col_dup(&rows, C_LOCALE);
	b->author = stet_col_dup(&rows, C_AUTHOR);
	b->published_at = stet_col_dup(&rows, C_PUBLISHED);
	b->version = stet_col_int(&rows, C_VERSION);
	b->data = hooked ? hook_data(call, &rows, plan) : NULL;
	rev = item_rev(call, b->version, stet_col_str(&rows, C_UPDATED));
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(stet_require_owned(call, "content:edit_own", "content:edit_any", b->author));
	if (in->rev != NULL && strcmp(in->rev, rev) != 0)
		return stet_fail(call, STET_CONFLICT, "_rev",
		    "The item has changed since it was read: read it again, then update");
	return STET_OK;
}

static enum stet_status
check_rights(struct stet_call *call, const struct update *in, const struct before *b)
{
	if (in->published_at.given)
		STET_TRY(stet_require(call, "content:publish_any"));
	if (in->status == NULL || strcmp(in->status, "published") != 0)
		return STET_OK;
	return stet_require_owned(call, "content:publish_own", "content:publish_any", b->author);
}

/* The fields of `all` that are not as they were, or were submitted. */
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

/* The new values over the old ones. */
static json_t *
merged(struct stet_call *call, const json_t *old, const json_t *new)
{
	json_t *all = stet_json_own(call, json_copy((json_t *)(uintptr_t)old));

	json_object_update(all, (json_t *)(uintptr_t) new);
	return all;
}

static enum stet_status
filter(struct stet_call *call, struct stet_tx *tx, const struct change *c, const struct before *b,
    const json_t **data)
{
	const json_t *all;

	if (!stet_hooked(call, STET_AT_entry_filter))
		return STET_OK;
	all = merged(call, b->data, *data);
	STET_TRY(hook_filter(call, tx, c, &all));
	*data = changed(call, all, b->data, *data);
	return STET_OK;
}

static enum stet_status
before_save(struct stet_call *call, struct stet_tx *tx, const struct change *c,
    const struct before *b, const struct values *values)
{
	json_t *all;

	if (!stet_hooked(call, STET_AT_entry_before_save))
		return STET_OK;
	all = stet_json_own(call, json_copy((json_t *)(uintptr_t)b->data));
	for (size_t i = 0; i < c->plan->count; i++) {
		const char *name = c->plan->field[i].slug;

		if (!values->given[i])
			continue;
		if (values->value[i] != NULL)
			json_object_set(all, name, (json_t *)(uintptr_t)values->value[i]);
		else
			json_object_del(all, name);
	}
	return hook_before_save(call, tx, c, all);
}

static void
set(struct stet_sql *sql, const char *column, const char *value)
{
	stet_sql_add(sql, column);
	stet_sql_bind(sql, stet_val_str(value));
}

static void
set_status(struct stet_sql *sql, const struct update *in, const struct before *b, const char *now)
{
	const char *published = in->published_at.text;

	if (in->status != NULL) {
		set(sql, ", status = ", in->status);
		/* Nothing publishes behind the editor's back. */
		stet_sql_add(sql, ", scheduled_at = NULL");
	}
	if (in->status != NULL && strcmp(in->status, "published") == 0 && published == NULL)
		published = b->published_at != NULL ? b->published_at : now;
	if (published != NULL || in->published_at.given)
		set(sql, ", published_at = ", published);
}

static enum stet_status
write(struct stet_call *call, struct stet_tx *tx, const struct update *in, const struct change *c,
    const struct before *b, const struct values *values)
{
	struct stet_sql *sql = stet_sql_new(call);
	const char *now = stet_time_text(call, stet_now(call));
	enum stet_status status;

	stet_sql_add(sql, "UPDATE ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->plan->slug);
	set(sql, " SET version = version + 1, updated_at = ", now);
	for (size_t i = 0; i < c->plan->count; i++) {
		if (!values->given[i])
			continue;
		stet_sql_add(sql, ", ");
		stet_sql_ident(sql, STET_FIELD_COLUMN, c->plan->field[i].slug);
		stet_sql_add(sql, " = ");
		stet_sql_bind(sql, values_sql(call, values->value[i], c->plan->field[i].kind));
	}
	if (in->slug.given)
		set(sql, ", slug = ", c->slug);
	if (in->author.given)
		set(sql, ", author_id = ", c->author);
	set_status(sql, in, b, now);
	set(sql, " WHERE id = ", c->id);
	status = stet_sql_exec(sql, tx);
	return status == STET_CONFLICT ? save_conflict(call, c, values) : status;
}

static struct change
change_of(const struct update *in, const struct before *b, const struct plan *plan,
    const struct stet_collection *collection)
{
	struct change c = {
		.collection = collection,
		.plan = plan,
		.id = b->id,
		.slug = in->slug.given ? in->slug.text : b->slug,
		.status = in->status != NULL ? in->status : b->status,
		.locale = b->locale,
		.author = in->author.given ? in->author.text : b->author,
		.version = b->version + 1,
	};

	if (c.slug != NULL && *c.slug == '\0')
		c.slug = NULL;
	if (c.author != NULL && *c.author == '\0')
		c.author = NULL;
	return c;
}

enum stet_status
item_update(struct stet_call *call, struct stet_tx *tx, const struct update *given,
    const struct plan **plan, struct stet_rows *rows)
{
	const struct stet_collection *collection;
	struct update in = *given;
	struct before b;
	struct change c;
	struct values values;
	const json_t *data = in.data != NULL ? in.data : stet_json_own(call, json_object());

	STET_TRY(plan_get(call, in.collection, &collection, plan));
	STET_TRY(read_before(call, &in, *plan, &b));
	STET_TRY(check_rights(call, &in, &b));
	STET_TRY(save_status(call, in.status));
	if (in.slug.text != NULL)
		slug_is_good(call, in.slug.text);
	if (!stet_may(call, "content:edit_any"))
		in.author.given = false;
	if (in.data == NULL && in.status == NULL && !in.slug.given && !in.author.given &&
	    !in.published_at.given) { /* nothing to change is no change */
		STET_TRY(stet_issues(call));
		return stet_one(call, rows, STET_FAULT, (*plan)->by_id, STET_ARGS(b.id));
	}
	c = change_of(&in, &b, *plan, collection);
	STET_TRY(filter(call, tx, &c, &b, &data));
	STET_TRY(values_check(call, collection, data, false, &values));
	STET_TRY(save_publishable(call, &c));
	STET_TRY(before_save(call, tx, &c, &b, &values));
	STET_TRY(write(call, tx, &in, &c, &b, &values));
	STET_TRY(hook_after_save(call, tx, &c));
	return stet_one(call, rows, STET_FAULT, (*plan)->by_id, STET_ARGS(b.id));
}

static struct maybe
maybe_arg(struct stet_call *call, const char *name)
{
	return (struct maybe){ stet_has(call, name), stet_arg(call, name) };
}

enum stet_status
content_update(struct stet_call *call)
{
	struct update in = {
		.collection = stet_arg(call, "collection"),
		.id = stet_arg(call, "id"),
		.locale = item_locale(call, stet_arg(call, "locale")),
		.status = stet_arg(call, "status"),
		.rev = stet_arg(call, "_rev"),
		.data = stet_arg_json(call, "data"),
		.slug = maybe_arg(call, "slug"),
		.author = maybe_arg(call, "authorId"),
		.published_at = maybe_arg(call, "publishedAt"),
	};
	const struct plan *plan;
	struct stet_rows rows;

	STET_TRY(item_update(call, stet_write_tx(call), &in, &plan, &rows));
	item_reply(call, &rows, plan, stet_may(call, "content:read_drafts"));
	return stet_rows_end(&rows);
}
