/* fields.c - handlers for fields: list, create, change, delete, reorder. */
#include "schema.h"
#include <string.h>

/* ---- reading ---- */

static enum stet_status
reply(
    struct stet_call *call, const struct stet_collection *c, const struct stet_field *f, bool wrap)
{
	struct stet_json *out = stet_reply(call);

	if (!wrap) {
		put_field(out, NULL, c->id, f);
		return STET_OK;
	}
	stet_object(out, NULL);
	put_field(out, "item", c->id, f);
	stet_close(out);
	return STET_OK;
}

enum stet_status
fields_list(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *c;

	STET_TRY(collection_find(call, stet_arg(call, "collection"), STET_NOT_FOUND, &c));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < c->field_count; i++)
		put_field(out, NULL, c->id, c->fields[i]);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

static enum stet_status
find(struct stet_call *call, enum stet_status no_collection, enum stet_status no_field,
    const struct stet_collection **c, const struct stet_field **f)
{
	const char *slug = stet_arg(call, "fieldSlug");

	STET_TRY(collection_find(call, stet_arg(call, "collection"), no_collection, c));
	if ((*f = stet_field(*c, slug)) == NULL)
		return stet_fail(call, no_field, NULL,
		    "Field \"%s\" not found in collection \"%s\"", slug, (*c)->slug);
	return STET_OK;
}

enum stet_status
field_get(struct stet_call *call)
{
	const struct stet_collection *c;
	const struct stet_field *f;

	STET_TRY(find(call, STET_NOT_FOUND, STET_NOT_FOUND, &c, &f));
	return reply(call, c, f, true);
}

/* ---- reading a definition from arguments ---- */

/* Reserved names: system columns, members beside `data` in an item, and arguments beside `data`
 * in a save. */
static const struct {
	const char *name;
	uint32_t use;
} reserved[] = {
#define STET_ITEM_COLUMN(place, name, type, flags, put, about, more, column, declaration, use) \
	{ column, use },
#define STET_ITEM_APART(name, type, flags, column, declaration, use) { column, use },
#define STET_ITEM_MEMBER(place, name, type, flags, put, about, more, use) { name, use },
#include <stet/item.def>
	{ "terms", STET_ITEM_RESERVED },
	{ "_rev", STET_ITEM_RESERVED },
};

bool
field_reserved(const char *slug)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if ((reserved[i].use & STET_ITEM_RESERVED) != 0 &&
		    strcmp(reserved[i].name, slug) == 0)
			return true;
	return false;
}

static enum stet_status
check_new_slug(struct stet_call *call, const struct stet_collection *c, const char *slug)
{
	if (field_reserved(slug))
		return stet_fail(call, stet_code(call, "RESERVED_SLUG"), "slug",
		    "Field slug \"%s\" is reserved", slug);
	if (!stet_is_name(slug))
		stet_issue(call, "slug",
		    "must be 1 to 63 lower-case letters, digits and underscores, a letter first");
	if (c->field_count >= FIELDS_MAX)
		stet_issue(call, "slug", "a collection has at most %d fields", FIELDS_MAX);
	STET_TRY(stet_issues(call));
	if (stet_field(c, slug) != NULL)
		return stet_fail(call, STET_FIELD_EXISTS, "slug",
		    "Field \"%s\" already exists in collection \"%s\"", slug, c->slug);
	return STET_OK;
}

static bool
flag(struct stet_call *call, const char *name, bool otherwise)
{
	return stet_has(call, name) ? stet_arg_bool(call, name) : otherwise;
}

/* Returns an argument that is an object or any value; NULL for null. */
static const json_t *
value(struct stet_call *call, const char *name, const json_t *otherwise)
{
	const json_t *v;

	if (!stet_has(call, name))
		return otherwise;
	v = stet_arg_json(call, name);
	return json_is_null(v) ? NULL : v;
}

/* Overwrites `f` with the arguments of the call. */
static void
overlay(struct stet_call *call, struct stet_field *f)
{
	if (stet_has(call, "label"))
		f->label = stet_arg(call, "label");
	if (stet_has(call, "widget"))
		f->widget = stet_arg(call, "widget");
	if (stet_has(call, "sortOrder"))
		f->sort_order = stet_arg_int(call, "sortOrder");
	f->required = flag(call, "required", f->required);
	f->unique = flag(call, "unique", f->unique);
	f->indexed = flag(call, "indexed", f->indexed);
	f->searchable = flag(call, "searchable", f->searchable);
	f->translatable = flag(call, "translatable", f->translatable);
	f->default_value = value(call, "defaultValue", f->default_value);
	f->validation = value(call, "validation", f->validation);
	f->options = value(call, "options", f->options);
	f->json_text = f->type->json_text || reference_is_many(f);
}

static enum stet_status
check_indexable(struct stet_call *call, const struct stet_field *f)
{
	if (!f->indexed || (f->type->flags & STET_INDEXABLE) != 0)
		return STET_OK;
	return stet_fail(call, stet_code(call, "FIELD_NOT_INDEXABLE"), "indexed",
	    "Field \"%s\" cannot be indexed: its type is \"%s\"", f->slug, f->type->name);
}

/* Finds the type; the copy lives as long as the call. */
static enum stet_status
find_type(struct stet_call *call, const char *name, const struct stet_field_type **out)
{
	struct stet_field_type *type = stet_alloc(call, sizeof(*type));

	*out = type;
	if (!stet_field_type(call, name, type))
		stet_issue(call, "type", "there is no field type \"%s\"", name);
	return stet_issues(call);
}

/* ---- creating ---- */

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const struct stet_field *f)
{
	struct stet_sql *sql = stet_sql_new(call);
	const struct stet_val values[] = {
		STET_V(f->id),
		STET_V(c->id),
		STET_V(f->slug),
		STET_V(f->label),
		STET_V(f->type->name),
		STET_V(column_type(f)),
		STET_V(f->json_text),
		STET_V(f->required),
		STET_V(f->unique),
		STET_V(f->indexed),
		STET_V(f->searchable),
		STET_V(f->translatable),
		STET_V(json_text(call, f->default_value)),
		STET_V(json_text(call, f->validation)),
		STET_V(f->widget),
		STET_V(json_text(call, f->options)),
		STET_V(f->sort_order),
	};

	stet_sql_add(sql,
	    "INSERT INTO field (id, collection_id, slug, label, type, storage, json_text, "
	    "required, is_unique, indexed, searchable, translatable, default_value, validation, "
	    "widget, options, sort_order, created_at) VALUES (");
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		stet_sql_bind(sql, values[i]);
		stet_sql_add(sql, ", ");
	}
	stet_sql_bind(sql, STET_V(f->created_at));
	stet_sql_add(sql, ")");
	return stet_sql_exec(sql, tx);
}

static int64_t
next_place(const struct stet_collection *c)
{
	return c->field_count > 0 ? c->fields[c->field_count - 1]->sort_order + 1 : 0;
}

/* Returns a creation time later than all existing revisions, even if the clock was set back: their
 * values of this name belong to a deleted field (modules/content/README). Revisions are ordered by
 * their ids. */
static enum stet_status
time_of(struct stet_call *call, const char **out)
{
	int64_t now = stet_now(call), newest = 0;
	struct stet_rows rows;

	STET_TRY(stet_query(
	    call, &rows, "SELECT created_at FROM revision ORDER BY id DESC LIMIT 1", STET_NO_ARGS));
	if (stet_row(&rows) && stet_time_parse(stet_col_str(&rows, 0), &newest) && newest >= now)
		now = newest + 1;
	*out = stet_time_text(call, now);
	return stet_rows_end(&rows);
}

static enum stet_status
define(struct stet_call *call, const struct stet_collection *c, struct stet_field *f)
{
	const json_t *normal;

	*f = (struct stet_field){ .id = stet_id(call),
		.slug = stet_arg(call, "slug"),
		.translatable = true,
		.sort_order = next_place(c) };
	STET_TRY(time_of(call, &f->created_at));
	STET_TRY(check_new_slug(call, c, f->slug));
	STET_TRY(find_type(call, stet_arg(call, "type"), &f->type));
	overlay(call, f);
	STET_TRY(check_indexable(call, f));
	STET_TRY(define_check(call, f, &normal));
	f->default_value = normal;
	return STET_OK;
}

static enum stet_status
create(struct stet_call *call, bool wrap, enum stet_status missing)
{
	struct stet_tx *tx = stet_write_tx(call);
	const struct stet_collection *before, *after;
	struct stet_field field;

	STET_TRY(collection_find(call, stet_arg(call, "collection"), missing, &before));
	STET_TRY(define(call, before, &field));
	STET_TRY(insert(call, tx, before, &field));
	STET_TRY(ddl_add(call, tx, before->slug, &field));
	STET_TRY(snapshot_bump(call, tx));
	STET_TRY(collection_find(call, before->slug, STET_FAULT, &after));
	STET_TRY(fieldindex_follow(call, tx, before, &after));
	STET_TRY(stet_run_schema_changing(call, tx, "create", after->slug, field.slug));
	STET_TRY(stet_run_media_holder_changed(call, tx, "field", field.id));
	return reply(call, after, stet_field(after, field.slug), wrap);
}

enum stet_status
field_create(struct stet_call *call)
{
	return create(call, true, STET_COLLECTION_NOT_FOUND);
}

enum stet_status
field_create_tool(struct stet_call *call)
{
	return create(call, false, STET_NOT_FOUND);
}

/* ---- changing ---- */

static enum stet_status
redefine(struct stet_call *call, const struct stet_collection *c, const struct stet_field *old,
    struct stet_field *new)
{
	bool again = stet_has(call, "defaultValue") || stet_has(call, "type") ||
		     stet_has(call, "validation") || stet_has(call, "options");
	const json_t *normal;

	*new = *old;
	if (stet_has(call, "type"))
		STET_TRY(find_type(call, stet_arg(call, "type"), &new->type));
	overlay(call, new);
	STET_TRY(promises_check_type(call, c, old, new));
	STET_TRY(promises_check(call, c, old, new));
	STET_TRY(check_indexable(call, new));
	/* Validate the default only if it may be affected: a default reference whose target was
	 * deleted must not block a change of the label. */
	if (!again)
		new->default_value = NULL;
	STET_TRY(define_check(call, new, &normal));
	new->default_value = again ? normal : old->default_value;
	return STET_OK;
}

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct stet_field *f)
{
	const struct {
		const char *set;
		struct stet_val value;
	} columns[] = {
		{ "UPDATE field SET label = ", STET_V(f->label) },
		{ ", type = ", STET_V(f->type->name) },
		{ ", json_text = ", STET_V(f->json_text) },
		{ ", required = ", STET_V(f->required) },
		{ ", is_unique = ", STET_V(f->unique) },
		{ ", indexed = ", STET_V(f->indexed) },
		{ ", searchable = ", STET_V(f->searchable) },
		{ ", translatable = ", STET_V(f->translatable) },
		{ ", default_value = ", STET_V(json_text(call, f->default_value)) },
		{ ", validation = ", STET_V(json_text(call, f->validation)) },
		{ ", widget = ", STET_V(f->widget) },
		{ ", options = ", STET_V(json_text(call, f->options)) },
		{ ", sort_order = ", STET_V(f->sort_order) },
		{ " WHERE id = ", STET_V(f->id) },
	};
	struct stet_sql *sql = stet_sql_new(call);

	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		stet_sql_add(sql, columns[i].set);
		stet_sql_bind(sql, columns[i].value);
	}
	return stet_sql_exec(sql, tx);
}

static bool
says_nothing(struct stet_call *call)
{
	static const char *const members[] = { "label", "type", "required", "unique",
		"defaultValue", "validation", "widget", "options", "sortOrder", "searchable",
		"indexed", "translatable", NULL };

	for (int i = 0; members[i] != NULL; i++)
		if (stet_has(call, members[i]))
			return false;
	return true;
}

static enum stet_status
update(struct stet_call *call, enum stet_status missing)
{
	struct stet_tx *tx = stet_write_tx(call);
	const struct stet_collection *before, *after;
	const struct stet_field *old;
	struct stet_field new;

	STET_TRY(find(call, missing, STET_FIELD_NOT_FOUND, &before, &old));
	if (says_nothing(call))
		return reply(call, before, old, true);
	STET_TRY(redefine(call, before, old, &new));
	STET_TRY(store(call, tx, &new));
	STET_TRY(snapshot_bump(call, tx));
	STET_TRY(collection_find(call, before->slug, STET_FAULT, &after));
	STET_TRY(fieldindex_follow(call, tx, before, &after));
	STET_TRY(stet_run_schema_changing(call, tx, "update", after->slug, new.slug));
	STET_TRY(stet_run_media_holder_changed(call, tx, "field", new.id));
	return reply(call, after, stet_field(after, new.slug), true);
}

/* Clients may send back the slug that they have read; another slug is refused. */
enum stet_status
field_update(struct stet_call *call)
{
	const char *slug = stet_arg(call, "slug");

	if (slug != NULL && strcmp(slug, stet_arg(call, "fieldSlug")) != 0)
		stet_issue(call, "slug", "cannot change");
	STET_TRY(stet_issues(call));
	return update(call, STET_COLLECTION_NOT_FOUND);
}

enum stet_status
field_update_tool(struct stet_call *call)
{
	return update(call, STET_NOT_FOUND);
}

/* ---- deleting ---- */

const struct stet_member field_removes[] = {
	{ "values", STET_INTEGER, STET_REQUIRED, .about = "Items that have a value" },
	{ 0 },
};

/* Hooks run before the column is dropped, so that they can delete what refers to it. SQLite does
 * not drop a column that an index uses. */
enum stet_status
field_delete(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *before, *after;
	const struct stet_field *f;
	int64_t values;

	STET_TRY(find(call, STET_NOT_FOUND, STET_FIELD_NOT_FOUND, &before, &f));
	STET_TRY(ddl_count(call, before->slug, f->slug, &values));
	STET_TRY(stet_run_schema_changing(call, tx, "delete", before->slug, f->slug));
	STET_TRY(stet_exec(call, tx, "DELETE FROM field WHERE id = ?1", STET_ARGS(f->id)));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE collection SET title_field = NULL WHERE id = ?1 AND title_field = ?2",
	    STET_ARGS(before->id, f->slug)));
	STET_TRY(stet_exec(call, tx,
	    "UPDATE collection SET date_field = NULL WHERE id = ?1 AND date_field = ?2",
	    STET_ARGS(before->id, f->slug)));
	STET_TRY(indexes_forget(call, tx, before, f->slug));
	STET_TRY(snapshot_bump(call, tx));
	STET_TRY(collection_find(call, before->slug, STET_FAULT, &after));
	STET_TRY(fieldindex_follow(call, tx, before, &after));
	STET_TRY(ddl_remove(call, tx, before->slug, f->slug));
	STET_TRY(stet_run_media_holder_changed(call, tx, "field", f->id));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_put_str(out, "deleted", f->slug);
	stet_put_str(out, "collection", before->slug);
	stet_object(out, "removes");
	stet_put_int(out, "values", values);
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* ---- order ---- */

/* Ignores slugs that the collection does not have; fields that are not named keep their place. */
enum stet_status
fields_reorder(struct stet_call *call)
{
	const json_t *slugs = stet_arg_json(call, "fieldSlugs");
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *c;
	size_t n = json_array_size(slugs);

	STET_TRY(
	    collection_find(call, stet_arg(call, "collection"), STET_COLLECTION_NOT_FOUND, &c));
	for (size_t i = 0; i < n; i++) {
		const char *slug = json_string_value(json_array_get(slugs, i));

		STET_TRY(stet_exec(call, tx,
		    "UPDATE field SET sort_order = ?1 WHERE collection_id = ?2 AND slug = ?3",
		    STET_ARGS((long)i, c->id, slug)));
	}
	STET_TRY(snapshot_bump(call, tx));
	STET_TRY(stet_run_schema_changing(call, tx, "update", c->slug, NULL));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_close(out);
	return STET_OK;
}
