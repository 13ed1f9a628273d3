/* collections.c - handlers for collections: list, get, create, change, delete, reorder. */
#include "schema.h"
#include <string.h>

/* ---- reading ---- */

enum stet_status
collections_list(struct stet_call *call)
{
	const struct stet_collection *const *list;
	struct stet_json *out = stet_reply(call);
	const struct snapshot *schema;
	size_t n;

	STET_TRY(snapshot_get(call, &schema));
	list = snapshot_list(schema, &n);
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < n; i++)
		put_collection(out, NULL, list[i], false);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* Replies with the collection, wrapped in `item` over REST; some tools return it unwrapped. */
static enum stet_status
reply(struct stet_call *call, const struct stet_collection *c, bool wrap, bool with_fields)
{
	struct stet_json *out = stet_reply(call);

	if (!wrap) {
		put_collection(out, NULL, c, with_fields);
		return STET_OK;
	}
	stet_object(out, NULL);
	put_collection(out, "item", c, with_fields);
	stet_close(out);
	return STET_OK;
}

/* Returns true for the text "true"; any other text counts as false and does not fail. */
static bool
is_true_text(struct stet_call *call, const char *name)
{
	const char *text = stet_arg(call, name);

	return text != NULL && strcmp(text, "true") == 0;
}

enum stet_status
collection_get(struct stet_call *call)
{
	const struct stet_collection *c;

	STET_TRY(collection_find(call, stet_arg(call, "slug"), STET_NOT_FOUND, &c));
	return reply(call, c, true, is_true_text(call, "includeFields"));
}

/* Keeps only the fields that the argument names, separated by commas, in that order. */
static enum stet_status
choose_fields(struct stet_call *call, struct stet_collection *c)
{
	char *names = stet_strdup(call, stet_arg(call, "fields")), *name;
	const struct stet_field *f, **chosen;
	size_t n = 0;

	if (names == NULL)
		return STET_OK;
	chosen = stet_alloc(call, (strlen(names) + 1) * sizeof(struct stet_field *));
	while ((name = strsep(&names, ",")) != NULL) {
		name += strspn(name, " ");
		name[strcspn(name, " ")] = '\0';
		if (*name == '\0')
			continue;
		if ((f = stet_field(c, name)) != NULL)
			chosen[n++] = f;
		else
			stet_issue(call, "fields", "the collection has no field \"%.64s\"", name);
	}
	c->fields = chosen;
	c->field_count = n;
	return stet_issues(call);
}

enum stet_status
collection_get_tool(struct stet_call *call)
{
	const struct stet_collection *c;
	struct stet_collection some;

	STET_TRY(collection_find(call, stet_arg(call, "slug"), STET_NOT_FOUND, &c));
	some = *c;
	STET_TRY(choose_fields(call, &some));
	return reply(call, &some, false, true);
}

/* ---- validating a definition ---- */

/* Slugs that are first segments of API routes, or names of collections of the system. */
static const char *const reserved[] = { "content", "media", "users", "revisions", "taxonomies",
	"options", "audit_logs", "reorder", NULL };

bool
collection_reserved(const char *slug)
{
	for (int i = 0; reserved[i] != NULL; i++)
		if (strcmp(reserved[i], slug) == 0)
			return true;
	return false;
}

static enum stet_status
check_new_slug(struct stet_call *call, const char *slug)
{
	const struct snapshot *schema;

	if (!stet_is_name(slug))
		stet_issue(call, "slug",
		    "must be 1 to 63 lower-case letters, digits and underscores, a letter first");
	STET_TRY(stet_issues(call));
	if (collection_reserved(slug))
		return stet_fail(call, stet_code(call, "RESERVED_SLUG"), "slug",
		    "Collection slug \"%s\" is reserved", slug);
	STET_TRY(snapshot_get(call, &schema));
	if (snapshot_find(schema, slug) != NULL)
		return stet_fail(
		    call, STET_COLLECTION_EXISTS, "slug", "Collection \"%s\" already exists", slug);
	return STET_OK;
}

static void
check_source(struct stet_call *call, const char *source)
{
	if (source == NULL || strcmp(source, "manual") == 0 || strcmp(source, "discovered") == 0 ||
	    strcmp(source, "seed") == 0 ||
	    (strncmp(source, "template:", 9) == 0 && source[9] != '\0') ||
	    (strncmp(source, "import:", 7) == 0 && source[7] != '\0'))
		return;
	stet_issue(
	    call, "source", "must be manual, discovered, seed, template:<name> or import:<name>");
}

/* The title field must hold text and the date field a time, since lists show and sort by them. */
static void
check_special_field(
    struct stet_call *call, const struct stet_collection *c, const char *member, bool is_date)
{
	const char *slug = stet_arg(call, member);
	const struct stet_field *f;

	if (slug == NULL)
		return;
	if ((f = stet_field(c, slug)) == NULL) {
		stet_issue(call, member, "the collection has no field \"%s\"", slug);
		return;
	}
	if (is_date ? strcmp(f->type->name, "datetime") != 0 : !is_plain_text(f->type))
		stet_issue(call, member, "\"%s\" is not a %s field", slug,
		    is_date ? "datetime" : "string, text or slug");
}

/* Returns the features that the collection supports, without duplicates, in the stored form. */
static const char *
supports_text(struct stet_call *call, bool *seo)
{
	const json_t *given = stet_arg_json(call, "supports");
	size_t n = json_array_size(given);
	json_t *list = stet_json_own(call, json_array());

	*seo = false;
	if (given == NULL)
		return "[\"drafts\",\"revisions\"]";
	for (size_t i = 0; i < n; i++) {
		json_t *v = json_array_get(given, i);
		bool known = false;

		*seo |= strcmp(json_string_value(v), "seo") == 0;
		for (size_t k = 0; k < json_array_size(list); k++)
			known |= json_equal(json_array_get(list, k), v) != 0;
		if (!known)
			json_array_append(list, v);
	}
	return json_text(call, list);
}

/* ---- creating ---- */

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx)
{
	const char *now = stet_time_text(call, stet_now(call)), *source = stet_arg(call, "source"),
		   *on = stet_arg(call, "requiredOn");
	struct stet_sql *sql = stet_sql_new(call);
	bool seo;
	const char *supports = supports_text(call, &seo);
	const struct stet_val values[] = {
		STET_V(stet_id(call)),
		STET_V(stet_arg(call, "slug")),
		STET_V(stet_arg(call, "label")),
		STET_V(stet_arg(call, "labelSingular")),
		STET_V(stet_arg(call, "description")),
		STET_V(stet_arg(call, "icon")),
		STET_V(json_text(call, stet_arg_json(call, "admin"))),
		STET_V(supports),
		STET_V(source != NULL ? source : "manual"),
		STET_V(stet_arg(call, "urlPattern")),
		STET_V(stet_has(call, "routable") ? stet_arg_bool(call, "routable") : true),
		STET_V(stet_has(call, "hasSeo") ? stet_arg_bool(call, "hasSeo") : seo),
		STET_V(stet_arg_bool(call, "hidden")),
		STET_V(stet_arg_bool(call, "publicRead")),
		STET_V(on != NULL ? on : "save"),
		stet_arg_json(call, "sortOrder") != NULL
		    ? stet_val_int(stet_arg_int(call, "sortOrder"))
		    : stet_val_null(),
		STET_V(now),
	};

	stet_sql_add(sql,
	    "INSERT INTO collection (id, slug, label, label_singular, description, icon, admin, "
	    "supports, source, url_pattern, routable, has_seo, hidden, public_read, required_on, "
	    "sort_order, created_at, updated_at) VALUES (");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		stet_sql_bind(sql, values[i]);
		stet_sql_add(sql, ", ");
	}
	stet_sql_bind(sql, STET_V(now));
	stet_sql_add(sql, ")");
	return stet_sql_exec(sql, tx);
}

static enum stet_status
create(struct stet_call *call, bool wrap)
{
	struct stet_tx *tx = stet_write_tx(call);
	const char *slug = stet_arg(call, "slug");
	const struct stet_collection *c;

	schema_check_address(call, "urlPattern", stet_arg(call, "urlPattern"));
	check_source(call, stet_arg(call, "source"));
	STET_TRY(check_new_slug(call, slug));
	STET_TRY(insert(call, tx));
	STET_TRY(ddl_create(call, tx, slug));
	STET_TRY(snapshot_bump(call, tx));
	STET_TRY(stet_run_schema_changing(call, tx, "create", slug, NULL));
	STET_TRY(collection_find(call, slug, STET_FAULT, &c));
	return reply(call, c, wrap, false);
}

enum stet_status
collection_create(struct stet_call *call)
{
	return create(call, true);
}

enum stet_status
collection_create_tool(struct stet_call *call)
{
	return create(call, false);
}

/* ---- changing ---- */

/* The members that a change may set, and their columns. A member that is left out keeps its
 * value. */
static const struct {
	const char *member, *column;
	enum { TEXT, BOOLEAN, INTEGER, JSON, WHOLE, INDEXES } kind;
} settable[] = {
	{ "label", "label", TEXT },
	{ "labelSingular", "label_singular", TEXT },
	{ "description", "description", TEXT },
	{ "icon", "icon", TEXT },
	{ "admin", "admin", JSON },
	{ "urlPattern", "url_pattern", TEXT },
	{ "urlPatterns", "url_patterns", WHOLE },
	{ "titleField", "title_field", TEXT },
	{ "dateField", "date_field", TEXT },
	{ "indexes", "indexes", INDEXES },
	{ "routable", "routable", BOOLEAN },
	{ "hidden", "hidden", BOOLEAN },
	{ "hasSeo", "has_seo", BOOLEAN },
	{ "publicRead", "public_read", BOOLEAN },
	{ "requiredOn", "required_on", TEXT },
	{ "sortOrder", "sort_order", INTEGER },
	{ "commentsEnabled", "comments_enabled", BOOLEAN },
	{ "commentsModeration", "comments_moderation", TEXT },
	{ "commentsClosedAfterDays", "comments_closed_after_days", INTEGER },
	{ "commentsAutoApproveUsers", "comments_auto_approve_users", BOOLEAN },
};

/* Merges changes into an object: members that are left out stay, null removes a member. */
static json_t *
merged(struct stet_call *call, const json_t *before, const json_t *changes)
{
	json_t *all = json_copy((json_t *)(uintptr_t)before), *value;
	const char *name;

	stet_json_own(call, all = all != NULL ? all : json_object());
	json_object_foreach((json_t *)(uintptr_t)changes, name, value)
	{
		if (json_is_null(value))
			json_object_del(all, name);
		else
			json_object_set(all, name, value);
	}
	return json_object_size(all) > 0 ? all : NULL;
}

static struct stet_val
argument(struct stet_call *call, const struct stet_collection *c, size_t i)
{
	const char *name = settable[i].member;

	switch (settable[i].kind) {
	case TEXT:
		return stet_val_str(stet_arg(call, name));
	case JSON:
		return stet_val_str(
		    json_text(call, merged(call, c->admin, stet_arg_json(call, name))));
	case WHOLE:
		return stet_val_str(json_text(call, json_object_size(stet_arg_json(call, name)) > 0
							? stet_arg_json(call, name)
							: NULL));
	case INDEXES:
		return stet_val_str(indexes_text(call, c));
	case BOOLEAN:
		return stet_val_int(stet_arg_bool(call, name));
	case INTEGER:
		break;
	}
	return stet_arg_json(call, name) != NULL ? stet_val_int(stet_arg_int(call, name))
						 : stet_val_null();
}

static void
set_column(struct stet_sql *sql, const char *column, struct stet_val value)
{
	stet_sql_add(sql, ", ");
	stet_sql_ident(sql, "", column);
	stet_sql_add(sql, " = ");
	stet_sql_bind(sql, value);
}

/* Updates only the given members, so that concurrent changes of different members both persist. */
static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c)
{
	struct stet_sql *sql = stet_sql_new(call);
	bool seo;

	stet_sql_add(sql, "UPDATE collection SET updated_at = ");
	stet_sql_bind(sql, STET_V(stet_time_text(call, stet_now(call))));
	for (size_t i = 0; i < sizeof(settable) / sizeof(settable[0]); i++)
		if (stet_has(call, settable[i].member))
			set_column(sql, settable[i].column, argument(call, c, i));
	if (stet_has(call, "supports")) {
		set_column(sql, "supports", STET_V(supports_text(call, &seo)));
		if (!stet_has(call, "hasSeo"))
			set_column(sql, "has_seo", STET_V(seo));
	}
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, STET_V(c->id));
	return stet_sql_exec(sql, tx);
}

/* `missing` is the error for an unknown collection: COLLECTION_NOT_FOUND over REST, NOT_FOUND in
 * tools. */
static enum stet_status
update(struct stet_call *call, const char *slug, enum stet_status missing)
{
	struct stet_tx *tx = stet_write_tx(call);
	const struct stet_collection *before, *after;

	STET_TRY(collection_find(call, slug, missing, &before));
	schema_check_address(call, "urlPattern", stet_arg(call, "urlPattern"));
	schema_check_addresses(call);
	check_special_field(call, before, "titleField", false);
	check_special_field(call, before, "dateField", true);
	(void)indexes_text(call, before);
	STET_TRY(stet_issues(call));
	if (before->required_on_publish && stet_has(call, "requiredOn") &&
	    strcmp(stet_arg(call, "requiredOn"), "save") == 0)
		STET_TRY(promises_check_complete(call, before));
	STET_TRY(store(call, tx, before));
	STET_TRY(snapshot_bump(call, tx));
	STET_TRY(collection_find(call, slug, STET_FAULT, &after));
	STET_TRY(fieldindex_follow(call, tx, before, &after));
	STET_TRY(stet_run_schema_changing(call, tx, "update", slug, NULL));
	return reply(call, after, true, false);
}

/* Clients may send back the slug that they have read; another slug is refused. */
enum stet_status
collection_update(struct stet_call *call)
{
	const char *slug = stet_arg(call, "slug"), *path = stet_arg(call, "collection");

	if (slug != NULL && strcmp(slug, path) != 0)
		stet_issue(call, "slug", "cannot change");
	STET_TRY(stet_issues(call));
	return update(call, path, STET_COLLECTION_NOT_FOUND);
}

enum stet_status
collection_update_tool(struct stet_call *call)
{
	return update(call, stet_arg(call, "slug"), STET_NOT_FOUND);
}

/* ---- deleting ---- */

const struct stet_member collection_removes[] = {
	{ "items", STET_INTEGER, STET_REQUIRED, .about = "Also those in the trash" },
	{ "fields", STET_INTEGER, STET_REQUIRED },
	{ "references", STET_INTEGER, STET_REQUIRED,
	    .about = "Fields of other collections that refer to this one, and stay" },
	{ 0 },
};

/* The fields of other collections that refer to this one. */
static enum stet_status
count_referring(struct stet_call *call, const char *slug, int64_t *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *all;
	size_t count;

	*out = 0;
	STET_TRY(schema->collections(call, &all, &count));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < all[i]->field_count; k++) {
			const json_t *to =
			    json_object_get(all[i]->fields[k]->options, "collection");

			*out += json_is_string(to) && strcmp(all[i]->slug, slug) != 0 &&
				strcmp(json_string_value(to), slug) == 0;
		}
	return STET_OK;
}

/* Hooks run before the table is dropped, so that they can delete what refers to it. */
static enum stet_status
drop(struct stet_call *call, bool force, enum stet_status missing)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *c;
	int64_t items, fields, referring;
	bool content;

	STET_TRY(collection_find(call, stet_arg(call, "slug"), missing, &c));
	if (!force) {
		STET_TRY(ddl_has_content(call, c->slug, &content));
		if (content)
			return stet_fail(call, stet_code(call, "COLLECTION_HAS_CONTENT"), NULL,
			    "Collection \"%s\" has content. Use force: true to delete.", c->slug);
	}
	STET_TRY(ddl_count(call, c->slug, NULL, &items));
	STET_TRY(count_referring(call, c->slug, &referring));
	fields = (int64_t)c->field_count;
	STET_TRY(stet_run_schema_changing(call, tx, "delete", c->slug, NULL));
	STET_TRY(ddl_drop(call, tx, c->slug));
	STET_TRY(
	    stet_exec(call, tx, "DELETE FROM field WHERE collection_id = ?1", STET_ARGS(c->id)));
	STET_TRY(stet_exec(call, tx, "DELETE FROM collection WHERE id = ?1", STET_ARGS(c->id)));
	STET_TRY(snapshot_bump(call, tx));
	STET_TRY(stet_run_media_holder_changed(call, tx, "field", NULL));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_put_str(out, "deleted", c->slug);
	stet_object(out, "removes");
	stet_put_int(out, "items", items);
	stet_put_int(out, "fields", fields);
	stet_put_int(out, "references", referring);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

enum stet_status
collection_delete(struct stet_call *call)
{
	return drop(call, is_true_text(call, "force"), STET_COLLECTION_NOT_FOUND);
}

enum stet_status
collection_delete_tool(struct stet_call *call)
{
	return drop(call, stet_arg_bool(call, "force"), STET_NOT_FOUND);
}

/* ---- order ---- */

/* Checks that every slug exists and is named once; otherwise nothing changes. */
static enum stet_status
check_order(struct stet_call *call, const json_t *slugs)
{
	const char *unknown = NULL, *twice = NULL;
	const struct snapshot *schema;
	size_t n = json_array_size(slugs);

	STET_TRY(snapshot_get(call, &schema));
	for (size_t i = 0; i < n; i++) {
		const char *slug = json_string_value(json_array_get(slugs, i));

		if (snapshot_find(schema, slug) == NULL)
			unknown =
			    unknown == NULL ? slug : stet_printf(call, "%s, %s", unknown, slug);
		for (size_t k = 0; k < i; k++)
			if (json_equal(json_array_get(slugs, k), json_array_get(slugs, i)))
				twice = slug;
	}
	if (unknown != NULL) {
		stet_detail(call, "slugs", unknown);
		return stet_fail(
		    call, STET_COLLECTION_NOT_FOUND, "slugs", "Collection not found: %s", unknown);
	}
	if (twice != NULL) {
		stet_detail(call, "slugs", twice);
		return stet_fail(call, stet_code(call, "DUPLICATE_SLUG"), "slugs",
		    "\"%s\" is listed twice", twice);
	}
	return STET_OK;
}

/* Collections that are not named lose their sort order. */
enum stet_status
collections_reorder(struct stet_call *call)
{
	const json_t *slugs = stet_arg_json(call, "slugs");
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	size_t n = json_array_size(slugs);

	STET_TRY(check_order(call, slugs));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE collection SET sort_order = NULL WHERE sort_order IS NOT NULL", STET_NO_ARGS));
	for (size_t i = 0; i < n; i++) {
		const char *slug = json_string_value(json_array_get(slugs, i));

		STET_TRY(
		    stet_exec(call, tx, "UPDATE collection SET sort_order = ?1 WHERE slug = ?2",
			STET_ARGS((long)i, slug)));
	}
	STET_TRY(snapshot_bump(call, tx));
	for (size_t i = 0; i < n; i++)
		STET_TRY(stet_run_schema_changing(
		    call, tx, "update", json_string_value(json_array_get(slugs, i)), NULL));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}
