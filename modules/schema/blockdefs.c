/*
 * blockdefs.c - definitions of types of blocks: validating and storing them, and counting the items
 * that have such blocks.
 */
#include "blocktypes.h"
#include <string.h>

#define LABEL_MAX 500

/* ---- validating fields ---- */

/* The members of a field's definition, as they are stored. */
static const char *const members[] = { "slug", "label", "type", "required", "defaultValue",
	"validation", "widget", "options", NULL };

static bool
is_among(const char *name, const char *const *list)
{
	while (*list != NULL && strcmp(*list, name) != 0)
		list++;
	return *list != NULL;
}

static bool
is_text(const json_t *v, size_t most)
{
	return json_is_string(v) && json_string_length(v) > 0 && json_string_length(v) <= most;
}

static const char *
at(struct stet_call *call, const char *path, const char *name)
{
	return stet_printf(call, "%s.%s", path, name);
}

/* Names that say in Portable Text what a block is. */
static const char *const taken[] = { "children", "markDefs", "style", "listItem", "level", NULL };

static void
check_slug_of(struct stet_call *call, const json_t *fields, size_t i, const char *path)
{
	const json_t *slug = json_object_get(json_array_get(fields, i), "slug");

	if (!json_is_string(slug) || !stet_is_name(json_string_value(slug)))
		stet_issue(call, at(call, path, "slug"),
		    "must be 1 to 63 lower-case letters, digits and underscores, a letter first");
	else if (is_among(json_string_value(slug), taken))
		stet_issue(call, at(call, path, "slug"), "has a meaning in Portable Text");
	for (size_t k = 0; slug != NULL && k < i; k++)
		if (json_equal(json_object_get(json_array_get(fields, k), "slug"), slug))
			stet_issue(call, at(call, path, "slug"), "is listed twice");
}

static void
check_kind(struct stet_call *call, const json_t *field, const char *path, const char *name,
    bool good, const char *what)
{
	const json_t *v = json_object_get(field, name);

	if (v != NULL && !json_is_null(v) && !good)
		stet_issue(call, at(call, path, name), "must be %s", what);
}

static void
check_type_of(struct stet_call *call, const json_t *field, const char *path)
{
	const char *name = json_string_value(json_object_get(field, "type"));
	struct stet_field_type type;

	if (name == NULL || !stet_field_type(call, name, &type))
		stet_issue(call, at(call, path, "type"), "there is no field type \"%s\"",
		    name != NULL ? name : "");
	else if (type.holds == STET_HOLDS_BLOCKS || strcmp(name, "slug") == 0)
		stet_issue(
		    call, at(call, path, "type"), "a block has no fields of the type \"%s\"", name);
}

/* Checks the members that all fields have. */
static void
check_form(struct stet_call *call, const json_t *fields, size_t i, const char *path)
{
	const json_t *field = json_array_get(fields, i), *v;
	const char *name;

	if (!json_is_object(field)) {
		stet_issue(call, path, "must be an object");
		return;
	}
	check_slug_of(call, fields, i, path);
	if (!is_text(json_object_get(field, "label"), LABEL_MAX))
		stet_issue(
		    call, at(call, path, "label"), "must be a text of at most %d bytes", LABEL_MAX);
	check_type_of(call, field, path);
	check_kind(call, field, path, "required",
	    json_is_boolean(json_object_get(field, "required")), "true or false");
	check_kind(call, field, path, "widget",
	    is_text(json_object_get(field, "widget"), LABEL_MAX), "a text");
	check_kind(call, field, path, "validation",
	    json_is_object(json_object_get(field, "validation")), "an object");
	check_kind(call, field, path, "options", json_is_object(json_object_get(field, "options")),
	    "an object");
	json_object_foreach((json_t *)(uintptr_t)field, name, v) if (!is_among(name, members))
	    stet_issue(call, at(call, path, name), "is no member of a field of a block");
}

/* Returns the field without members that are null or false, and with the stored form of its default
 * value: a new reference. */
static json_t *
stored_field(const json_t *field, const json_t *normal)
{
	json_t *out = json_object();

	for (size_t i = 0; members[i] != NULL; i++) {
		json_t *v = json_object_get(field, members[i]);

		if (v == NULL || json_is_null(v) || json_is_false(v))
			continue;
		if (strcmp(members[i], "defaultValue") == 0)
			v = (json_t *)(uintptr_t)normal;
		if (v != NULL)
			json_object_set(out, members[i], v);
	}
	if (json_is_false(json_object_get(field, "defaultValue")))
		json_object_set_new(out, "defaultValue", json_false());
	return out;
}

/* Has the type of the field check its rules, options and default value. */
static enum stet_status
define_field(struct stet_call *call, const json_t *given, const char *path, json_t *list)
{
	json_t *plain = stet_json_own(call, json_copy((json_t *)(uintptr_t)given)), *v;
	struct stet_field_type *type = stet_alloc(call, sizeof(*type));
	struct stet_field f;
	const json_t *normal;
	const char *name;
	enum stet_status status;
	void *next;

	json_object_foreach_safe(plain, next, name, v) if (json_is_null(v))
	    json_object_del(plain, name);
	block_field(call, plain, type, &f);
	define_listed(call, true);
	status = define_check(call, &f, &normal);
	define_listed(call, false);
	if (status == STET_OK)
		json_array_append_new(list, stored_field(plain, normal));
	else if (status != STET_FAULT)
		stet_error_within(call, f.label, path);
	return status;
}

static enum stet_status
define_fields(struct stet_call *call, struct block_def *def)
{
	size_t n = json_array_size(def->fields);
	json_t *list = stet_json_own(call, json_array());

	if (!json_is_array(def->fields) || n > BLOCK_FIELDS_MAX)
		stet_issue(
		    call, "fields", "must be an array of at most %d fields", BLOCK_FIELDS_MAX);
	for (size_t i = 0; i < n && i < BLOCK_FIELDS_MAX; i++)
		check_form(call, def->fields, i, stet_printf(call, "fields[%zu]", i));
	STET_TRY(stet_issues(call));
	for (size_t i = 0; i < n; i++)
		STET_TRY(define_field(call, json_array_get(def->fields, i),
		    stet_printf(call, "fields[%zu]", i), list));
	def->fields = list;
	return STET_OK;
}

enum stet_status
block_define(struct stet_call *call, struct block_def *def)
{
	/* What the editor, importers and the Markdown reader make. */
	static const char *const own[] = { "audio", "block", "break", "buttons", "callout", "code",
		"columns", "cover", "embed", "file", "footnote", "gallery", "group", "html",
		"image", "math", "pullquote", "shortcode", "span", "table", "unknown", "video",
		NULL };

	if (def->slug == NULL || !stet_is_name(def->slug))
		stet_issue(call, "slug",
		    "must be 1 to 63 lower-case letters, digits and underscores, a letter first");
	else if (is_among(def->slug, own))
		return stet_fail(call, stet_code(call, "RESERVED_SLUG"), "slug",
		    "Texts have blocks of the type \"%s\" already", def->slug);
	if (def->label == NULL || *def->label == '\0' || strlen(def->label) > LABEL_MAX)
		stet_issue(call, "label", "must be a text of at most %d bytes", LABEL_MAX);
	if (def->sort_order != NULL && !json_is_integer(def->sort_order))
		stet_issue(call, "sortOrder", "must be a whole number");
	return define_fields(call, def);
}

/* ---- as JSON ---- */

static void
put_block_field(struct stet_json *j, const struct stet_field *f)
{
	stet_object(j, NULL);
	stet_put_str(j, "slug", f->slug);
	stet_put_str(j, "label", f->label);
	stet_put_str(j, "type", f->type->name);
	stet_put_bool(j, "required", f->required);
	put_set_json(j, "defaultValue", f->default_value);
	put_set_json(j, "validation", f->validation);
	put_set(j, "widget", f->widget);
	put_set_json(j, "options", f->options);
	stet_close(j);
}

static void
put_fields(struct stet_json *j, const char *key, const struct stet_block_type *t)
{
	stet_array(j, key);
	for (size_t i = 0; i < t->field_count; i++)
		put_block_field(j, t->fields[i]);
	stet_close(j);
}

void
put_block_type(struct stet_json *j, const char *key, const struct stet_block_type *t, bool timed)
{
	stet_object(j, key);
	stet_put_str(j, "slug", t->slug);
	stet_put_str(j, "label", t->label);
	put_set(j, "icon", t->icon);
	put_set(j, "description", t->description);
	if (t->sort_order != INT64_MIN)
		stet_put_int(j, "sortOrder", t->sort_order);
	if (timed) {
		stet_put_str(j, "createdAt", t->created_at);
		stet_put_str(j, "updatedAt", t->updated_at);
	}
	put_fields(j, "fields", t);
	stet_close(j);
}

/* ---- storing ---- */

static bool
has_texts(const struct stet_collection *c)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (c->fields[i]->type->holds == STET_HOLDS_BLOCKS)
			return true;
	return false;
}

/* A change of the fields is a change of each collection with texts: what is derived from the values
 * of items, such as the index of usage of media, depends on it. Labels and places are not. */
static enum stet_status
blocks_changed(struct stet_call *call, struct stet_tx *tx, bool fields)
{
	const struct stet_collection *const *list;
	const struct snapshot *schema;
	size_t n;

	STET_TRY(snapshot_bump(call, tx));
	if (!fields)
		return STET_OK;
	STET_TRY(snapshot_get(call, &schema));
	list = snapshot_list(schema, &n);
	for (size_t i = 0; i < n; i++)
		if (has_texts(list[i]))
			STET_TRY(stet_run_schema_changing(
			    call, tx, "update", stet_strdup(call, list[i]->slug), NULL));
	return STET_OK;
}

const json_t *
block_fields_whole(struct stet_call *call, const json_t *fields)
{
	json_t *list = stet_json_own(call, json_array()), *f;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)fields, i, f)
	{
		f = json_is_object(f) ? json_copy(f) : json_incref(f);
		if (json_is_object(f) && json_object_get(f, "required") == NULL)
			json_object_set_new(f, "required", json_false());
		json_array_append_new(list, f);
	}
	return list;
}

/* Returns true if the type has the fields of the definition. */
static bool
has_fields(struct stet_call *call, const struct stet_block_type *t, const json_t *fields)
{
	struct stet_json *j = stet_json_new(call);
	const char *text;
	size_t len;

	put_fields(j, NULL, t);
	text = stet_json_text(j, &len);
	return json_equal(
	    stet_json_own(call, json_loadb(text, len, 0, NULL)), block_fields_whole(call, fields));
}

static enum stet_status
write_row(struct stet_call *call, struct stet_tx *tx, const struct block_def *def,
    const struct stet_block_type *is)
{
	const char *now = stet_time_text(call, stet_now(call));
	const struct stet_val place = def->sort_order != NULL
					  ? stet_val_int(json_integer_value(def->sort_order))
					  : stet_val_null();
	struct stet_sql *sql = stet_sql_new(call);
	const struct stet_val values[] = { STET_V(def->label), STET_V(def->icon),
		STET_V(def->description), STET_V(json_text(call, def->fields)), place,
		STET_V(now) };
	static const char *const names[] = { "label", "icon", "description", "fields", "sort_order",
		"updated_at" };

	if (is == NULL)
		stet_sql_add(sql,
		    "INSERT INTO block_type (label, icon, description, fields, sort_order, "
		    "updated_at, created_at, slug) VALUES (");
	else
		stet_sql_add(sql, "UPDATE block_type SET ");
	for (size_t i = 0; i < 6; i++) {
		if (is != NULL) {
			stet_sql_ident(sql, "", names[i]);
			stet_sql_add(sql, " = ");
		}
		stet_sql_bind(sql, values[i]);
		if (is == NULL || i < 5)
			stet_sql_add(sql, ", ");
	}
	if (is == NULL) {
		stet_sql_bind(sql, STET_V(now));
		stet_sql_add(sql, ", ");
	} else
		stet_sql_add(sql, " WHERE slug = ");
	stet_sql_bind(sql, STET_V(def->slug));
	stet_sql_add(sql, is == NULL ? ")" : "");
	return stet_sql_exec(sql, tx);
}

enum stet_status
block_store(struct stet_call *call, struct stet_tx *tx, const struct block_def *def,
    const struct stet_block_type *is)
{
	const bool fields =
	    is == NULL ? json_array_size(def->fields) > 0 : !has_fields(call, is, def->fields);

	STET_TRY(write_row(call, tx, def, is));
	return blocks_changed(call, tx, fields);
}

enum stet_status
block_drop(struct stet_call *call, struct stet_tx *tx, const char *slug)
{
	STET_TRY(stet_exec(call, tx, "DELETE FROM block_type WHERE slug = ?1", STET_ARGS(slug)));
	return blocks_changed(call, tx, true);
}

/* ---- who uses a type ---- */

/* Returns a pattern of LIKE, in which "!" escapes, for the JSON text of a block of the type. */
static const char *
pattern_of(struct stet_call *call, const char *slug)
{
	const char *name = "";

	for (size_t len; *slug != '\0'; slug += len + (slug[len] == '_')) {
		len = strcspn(slug, "_");
		name = stet_printf(
		    call, "%s%.*s%s", name, (int)len, slug, slug[len] == '_' ? "!_" : "");
	}
	return stet_printf(call, "%%\"!_type\":\"%s\"%%", name);
}

static void
put_like(struct stet_sql *sql, const char *column, const struct stet_field *f, const char *pattern)
{
	stet_sql_add(sql, " OR ");
	if (f != NULL) {
		stet_sql_add(sql, "i.");
		stet_sql_ident(sql, STET_FIELD_COLUMN, f->slug);
	} else
		stet_sql_add(sql, column);
	stet_sql_add(sql, " LIKE ");
	stet_sql_bind(sql, STET_V(pattern));
	stet_sql_add(sql, " ESCAPE '!'");
}

/* Adds the rest of a statement that reads the items of a collection that use the type, live or in
 * their draft; its table is "i". */
static void
put_users(struct stet_sql *sql, const struct stet_collection *c, const char *pattern)
{
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " AS i");
	if (c->revisions)
		stet_sql_add(sql, " LEFT JOIN revision AS r ON r.id = i.draft_revision_id"
				  " LEFT JOIN revision AS k ON k.id = r.base");
	stet_sql_add(sql, " WHERE (1 = 0");
	for (size_t i = 0; i < c->field_count; i++)
		if (c->fields[i]->type->holds == STET_HOLDS_BLOCKS)
			put_like(sql, NULL, c->fields[i], pattern);
	if (c->revisions) {
		put_like(sql, "r.data", NULL, pattern);
		put_like(sql, "k.data", NULL, pattern);
	}
	stet_sql_add(sql, ")");
}

static enum stet_status
uses_in(struct stet_call *call, const struct stet_collection *c, const char *pattern, int64_t most,
    int64_t *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT count(*) FROM (SELECT i.id");
	put_users(sql, c, pattern);
	stet_sql_add(sql, " LIMIT ");
	stet_sql_bind(sql, stet_val_int(most));
	stet_sql_add(sql, ") AS used");
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*out += stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

enum stet_status
block_uses(struct stet_call *call, const char *slug, int64_t most, int64_t *out)
{
	const char *pattern = pattern_of(call, slug);
	const struct stet_collection *const *list;
	const struct snapshot *schema;
	size_t n;

	*out = 0;
	STET_TRY(snapshot_get(call, &schema));
	list = snapshot_list(schema, &n);
	for (size_t i = 0; i < n && *out < most; i++)
		if (has_texts(list[i]))
			STET_TRY(uses_in(call, list[i], pattern, most - *out, out));
	return STET_OK;
}

/* Returns the field with the titles of items, or NULL. */
static const struct stet_field *
title_of(const struct stet_collection *c)
{
	static const char *const usual[] = { "title", "name" };
	const struct stet_field *f = NULL;

	if (c->title_field != NULL)
		f = stet_field(c, c->title_field);
	for (size_t i = 0; i < 2 && f == NULL; i++)
		f = stet_field(c, usual[i]);
	return f != NULL && f->type->storage == STET_STORE_TEXT && !f->json_text ? f : NULL;
}

/* Writes at most `most` items of the collection; counts them in *out. */
static enum stet_status
put_users_in(struct stet_call *call, const struct stet_collection *c, const char *pattern,
    int64_t most, struct stet_json *j, int64_t *out)
{
	const struct stet_field *title = title_of(c);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT i.id, i.slug, i.locale, i.deleted_at, ");
	if (title != NULL) {
		stet_sql_add(sql, "i.");
		stet_sql_ident(sql, STET_FIELD_COLUMN, title->slug);
	} else
		stet_sql_add(sql, "NULL");
	put_users(sql, c, pattern);
	stet_sql_add(sql, " ORDER BY i.id LIMIT ");
	stet_sql_bind(sql, stet_val_int(most));
	STET_TRY(stet_sql_query(sql, &rows));
	for (; stet_row(&rows); ++*out) {
		stet_object(j, NULL);
		stet_put_str(j, "collection", c->slug);
		stet_put_str(j, "id", stet_col_str(&rows, 0));
		stet_put_str(j, "slug", stet_col_str(&rows, 1));
		stet_put_str(j, "locale", stet_col_str(&rows, 2));
		stet_put_str(j, "deletedAt", stet_col_str(&rows, 3));
		stet_put_str(j, "title", stet_col_str(&rows, 4));
		stet_close(j);
	}
	return stet_rows_end(&rows);
}

enum stet_status
block_put_users(struct stet_call *call, const char *slug, int64_t most, struct stet_json *j)
{
	const char *pattern = pattern_of(call, slug);
	const struct stet_collection *const *list;
	const struct snapshot *schema;
	int64_t written = 0;
	size_t n;

	STET_TRY(snapshot_get(call, &schema));
	list = snapshot_list(schema, &n);
	for (size_t i = 0; i < n && written < most; i++)
		if (has_texts(list[i]))
			STET_TRY(put_users_in(call, list[i], pattern, most - written, j, &written));
	return STET_OK;
}
