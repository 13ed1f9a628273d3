/*
 * transfer.c - definitions as files, and the steps that make a site's definitions equal to the
 * files. Each step is an op with its arguments, so that it is validated like a request.
 */
#include "transfer.h"
#include "blocktypes.h"
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

/* The members of a field and of a collection besides their slugs, named as in the ops. */
static const char *const field_members[] = { "label", "type", "required", "unique", "defaultValue",
	"validation", "widget", "options", "sortOrder", "searchable", "indexed", "translatable",
	NULL };
static const char *const collection_members[] = { "label", "labelSingular", "description", "icon",
	"supports", "urlPattern", "routable", "hasSeo", "hidden", "sortOrder", "publicRead",
	"requiredOn", "admin", NULL };
/* Members that refer to fields, or that can only be set on an existing collection. */
static const char *const later_members[] = { "titleField", "dateField", "urlPatterns", "indexes",
	"commentsEnabled", "commentsModeration", "commentsClosedAfterDays",
	"commentsAutoApproveUsers", NULL };

/* Copies these members of `from`, if it has them. */
static void
copy_members(json_t *to, const json_t *from, const char *const *names)
{
	for (; *names != NULL; names++)
		if (json_object_get(from, *names) != NULL)
			json_object_set(to, *names, json_object_get(from, *names));
}

/* Copies createdAt, except of a field created with its collection: files of older versions lack it
 * there. */
static void
copy_age(json_t *field, const struct stet_collection *c, const struct stet_field *f)
{
	if (strcmp(f->created_at, c->created_at) != 0)
		json_object_set_new(field, "createdAt", json_string(f->created_at));
}

json_t *
transfer_value(struct stet_call *call, const struct stet_collection *c)
{
	struct stet_json *j = stet_json_new(call);
	json_t *whole, *value = json_object(), *fields = json_array();
	size_t len;
	const char *text;

	put_collection(j, NULL, c, true);
	text = stet_json_text(j, &len);
	whole = stet_json_own(call, json_loadb(text, len, 0, NULL));
	json_object_set(value, "slug", json_object_get(whole, "slug"));
	copy_members(value, whole, collection_members);
	json_object_set(value, "source", json_object_get(whole, "source"));
	copy_members(value, whole, later_members);
	for (size_t i = 0; i < c->field_count; i++) {
		json_t *field = json_object(),
		       *from = json_array_get(json_object_get(whole, "fields"), i);

		json_object_set(field, "slug", json_object_get(from, "slug"));
		copy_age(field, c, c->fields[i]);
		copy_members(field, from, field_members);
		json_array_append_new(fields, field);
	}
	json_object_set_new(value, "fields", fields);
	return value;
}

enum stet_status
transfer_dump(struct stet_call *call, const struct stet_export *to)
{
	const struct stet_collection *const *list;
	const struct snapshot *schema;
	size_t n;

	STET_TRY(snapshot_get(call, &schema));
	list = snapshot_list(schema, &n);
	for (size_t i = 0; i < n; i++)
		STET_TRY(to->file(
		    to, call, list[i]->slug, stet_json_own(call, transfer_value(call, list[i]))));
	return STET_OK;
}

/* ---- steps ---- */

static bool
is_block(const char *name)
{
	return strncmp(name, BLOCKS, strlen(BLOCKS)) == 0;
}

static void
add(struct steps *s, const struct step *step)
{
	struct step *copy = stet_alloc(s->call, sizeof(*copy));

	*copy = *step;
	copy->next = NULL;
	*s->tail = copy;
	s->tail = &copy->next;
}

static json_t *
arguments(struct steps *s, const char *member, const char *slug)
{
	return stet_json_own(s->call, json_pack("{s:s}", member, slug));
}

/* Returns true for a member that the operations clear with "". */
static bool
is_text(const char *name)
{
	return strcmp(name, "labelSingular") == 0 || strcmp(name, "description") == 0 ||
	       strcmp(name, "icon") == 0;
}

/* Returns the value of a member that files of older versions lack, as a new reference; NULL: none
 * of these. */
static json_t *
assumed(const char *name)
{
	if (strcmp(name, "requiredOn") == 0)
		return json_string("save");
	return strcmp(name, "publicRead") == 0 ? json_false() : NULL;
}

/* Returns the argument that changes a member from `is` to `wanted` (may be NULL): a new
 * reference. */
static json_t *
said(const char *name, const json_t *is, json_t *wanted)
{
	json_t *parts, *part;
	const char *key;

	if (wanted == NULL && is_text(name))
		return json_string("");
	if (wanted == NULL && (parts = assumed(name)) != NULL)
		return parts;
	if (strcmp(name, "admin") != 0)
		return wanted != NULL ? json_incref(wanted) : json_null();
	parts = json_object();
	json_object_foreach((json_t *)(uintptr_t)is, key, part)
	    json_object_set_new(parts, key, json_null());
	json_object_update(parts, wanted);
	return parts;
}

static bool
is_unset(const char *name, const json_t *value)
{
	json_t *other = assumed(name);
	const bool is_other = other != NULL && value != NULL && json_equal(other, value);

	json_decref(other);
	return value == NULL || is_other || (is_text(name) && json_string_length(value) == 0) ||
	       (strcmp(name, "admin") == 0 && json_object_size(value) == 0);
}

/* Returns the arguments for all members that differ; NULL: none differs. */
static json_t *
difference(struct steps *s, const json_t *is, const json_t *wanted, const char *const *names)
{
	json_t *change = stet_json_own(s->call, json_object());

	for (; *names != NULL; names++) {
		const json_t *a = json_object_get(is, *names);
		json_t *b = json_object_get(wanted, *names);

		if (is_unset(*names, a) && is_unset(*names, b))
			continue;
		if (a == NULL || b == NULL || !json_equal((json_t *)(uintptr_t)a, b))
			json_object_set_new(change, *names, said(*names, a, b));
	}
	return json_object_size(change) > 0 ? change : NULL;
}

static json_t *
field_named(const json_t *collection, const char *slug)
{
	json_t *list = json_object_get(collection, "fields"), *f;
	size_t i;

	json_array_foreach(list, i, f)
	{
		const char *is = json_string_value(json_object_get(f, "slug"));

		if (is != NULL && strcmp(is, slug) == 0)
			return f;
	}
	return NULL;
}

static void
step_fields(struct steps *s, const char *collection, const json_t *is, const json_t *wanted)
{
	json_t *list = json_object_get(wanted, "fields"), *f, *args;
	size_t i;

	json_array_foreach(list, i, f)
	{
		const char *slug = json_string_value(json_object_get(f, "slug"));
		const json_t *was = field_named(is, slug);

		args = arguments(s, "collection", collection);
		if (was == NULL) {
			json_object_update(args, f);
			json_object_del(args, "createdAt"); /* see ages.c */
			add(s, &(struct step){
				   "create field", collection, slug, "field_create", args });
			continue;
		}
		if ((f = difference(s, was, f, field_members)) == NULL)
			continue;
		json_object_update(args, f);
		json_object_set_new(args, "fieldSlug", json_string(slug));
		add(s, &(struct step){ "change field", collection, slug, "field_update", args });
	}
}

static void
step_removed_fields(struct steps *s, const char *collection, const json_t *is, const json_t *wanted)
{
	json_t *list = json_object_get(is, "fields"), *f, *args;
	size_t i;

	json_array_foreach(list, i, f)
	{
		const char *slug = json_string_value(json_object_get(f, "slug"));

		if (field_named(wanted, slug) != NULL)
			continue;
		args = arguments(s, "collection", collection);
		json_object_set_new(args, "fieldSlug", json_string(slug));
		add(s, &(struct step){ "delete field", collection, slug, "schema_delete_field",
			   args, .loses = true });
	}
}

/* Creates the collections first, before fields refer to them. */
static void
step_collections(struct steps *s, const json_t *is, const json_t *wanted)
{
	const char *slug;
	json_t *value, *args;

	json_object_foreach((json_t *)(uintptr_t)wanted, slug, value)
	{
		const json_t *was = json_object_get(is, slug);

		if (was == NULL) {
			args = arguments(s, "slug", slug);
			copy_members(args, value, collection_members);
			if (json_object_get(value, "source") != NULL)
				json_object_set(args, "source", json_object_get(value, "source"));
			add(s, &(struct step){
				   "create collection", slug, NULL, "collection_create", args });
		} else if ((args = difference(s, was, value, collection_members)) != NULL) {
			json_object_set_new(args, "collection", json_string(slug));
			add(s, &(struct step){
				   "change collection", slug, NULL, "collection_update", args });
		}
	}
}

static void
step_later(struct steps *s, const json_t *is, const json_t *wanted)
{
	const char *slug;
	json_t *value, *args;

	json_object_foreach((json_t *)(uintptr_t)wanted, slug, value)
	{
		args = difference(s, json_object_get(is, slug), value, later_members);
		if (args == NULL)
			continue;
		json_object_set_new(args, "collection", json_string(slug));
		add(s,
		    &(struct step){ "change collection", slug, NULL, "collection_update", args });
	}
}

static void
step_removed(struct steps *s, const json_t *is, const json_t *wanted)
{
	const char *slug;
	json_t *value, *args;

	json_object_foreach((json_t *)(uintptr_t)is, slug, value)
	{
		if (json_object_get(wanted, slug) != NULL) {
			step_removed_fields(s, slug, value, json_object_get(wanted, slug));
			continue;
		}
		args = arguments(s, "slug", slug);
		json_object_set_new(args, "force", json_string("true"));
		add(s, &(struct step){ "delete collection", slug, NULL, "collection_delete", args,
			   .loses = true });
	}
}

/* Counts the rows that a step writes or deletes. */
static enum stet_status
count_rows(struct stet_call *call, const json_t *is, struct step *step)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	if (json_object_get(is, step->collection) == NULL)
		return STET_OK;
	stet_sql_add(sql, "SELECT count(*) FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, step->collection);
	if (step->field != NULL && step->loses) {
		stet_sql_add(sql, " WHERE ");
		stet_sql_ident(sql, STET_FIELD_COLUMN, step->field);
		stet_sql_add(sql, " IS NOT NULL");
	}
	STET_TRY(stet_sql_one(sql, &rows, STET_NOT_FOUND));
	step->rows = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

/* A change of a label writes no rows; a new index or column affects all rows. */
static bool
touches_rows(const struct step *step)
{
	if (step->loses)
		return true;
	if (step->field == NULL)
		return false;
	return strcmp(step->verb, "create field") == 0
		   ? json_is_true(json_object_get(step->args, "required")) ||
			 json_is_true(json_object_get(step->args, "indexed"))
		   : json_object_get(step->args, "indexed") != NULL ||
			 json_object_get(step->args, "unique") != NULL ||
			 json_object_get(step->args, "type") != NULL;
}

static bool
is_among(const char *const *names, const char *name)
{
	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

static enum stet_status
check_members(struct stet_call *call, const char *name, const json_t *value)
{
	static const char *const own[] = { "slug", "source", "fields", NULL };
	const char *key;
	json_t *member;

	json_object_foreach((json_t *)(uintptr_t)value, key,
	    member) if (!is_among(own, key) && !is_among(collection_members, key) &&
			!is_among(later_members, key)) return stet_fail(call, STET_INVALID_INPUT,
	    NULL, "%s: %s: unknown member", name, key);
	return STET_OK;
}

static enum stet_status
check_definition(struct stet_call *call, const char *name, const json_t *value)
{
	const char *slug = json_string_value(json_object_get(value, "slug"));
	json_t *list = json_object_get(value, "fields"), *f;
	size_t i;

	if (slug == NULL || strcmp(slug, name) != 0 || !stet_is_name(slug))
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s: is no definition of the collection \"%s\"", name, name);
	STET_TRY(check_members(call, name, value));
	if (!json_is_array(list))
		return stet_fail(call, STET_INVALID_INPUT, NULL, "%s: fields must be a list", name);
	json_array_foreach(list, i, f)
	{
		slug = json_string_value(json_object_get(f, "slug"));
		if (slug == NULL || !stet_is_name(slug) || field_named(value, slug) != f)
			return stet_fail(call, STET_INVALID_INPUT, NULL,
			    "%s: fields[%zu] has no slug of its own", name, i);
	}
	return STET_OK;
}

/* Adds the steps for types of blocks, which `wanted` names "blocks/<slug>". Types are deleted only
 * if there is such a file: exports of older versions have none. */
static enum stet_status
step_blocks(struct steps *s, const json_t *wanted, bool remove)
{
	json_t *files = stet_json_own(s->call, json_object()), *value;
	struct block_step *list;
	const char *name;
	size_t n;

	json_object_foreach((json_t *)(uintptr_t)wanted, name, value) if (is_block(name))
	    json_object_set(files, name + strlen(BLOCKS), value);
	STET_TRY(block_steps(s->call, files, remove && json_object_size(files) > 0, &list, &n));
	for (size_t i = 0; i < n; i++)
		add(s, &(struct step){ list[i].verb, list[i].slug, NULL, "", NULL,
			   .rows = list[i].rows, .block = &list[i] });
	return STET_OK;
}

/* Returns the definitions of collections among those that are wanted. */
static const json_t *
collections_of(struct stet_call *call, const json_t *wanted)
{
	json_t *out = stet_json_own(call, json_object()), *value;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)wanted, name, value) if (!is_block(name))
	    json_object_set(out, name, value);
	return out;
}

enum stet_status
steps_make(struct stet_call *call, const json_t *all, bool remove, struct steps *s)
{
	const json_t *wanted = collections_of(call, all);
	json_t *is = stet_json_own(call, json_object()), *value;
	const struct stet_collection *const *list;
	const struct snapshot *schema;
	const char *name;
	size_t n;

	*s = (struct steps){ .call = call, .tail = &s->first };
	json_object_foreach((json_t *)(uintptr_t)wanted, name, value)
	    STET_TRY(check_definition(call, name, value));
	STET_TRY(snapshot_get(call, &schema));
	list = snapshot_list(schema, &n);
	for (size_t i = 0; i < n; i++)
		json_object_set_new(is, list[i]->slug, transfer_value(call, list[i]));
	step_collections(s, is, wanted);
	json_object_foreach((json_t *)(uintptr_t)wanted, name, value)
	    step_fields(s, name, json_object_get(is, name), value);
	step_later(s, is, wanted);
	if (remove)
		step_removed(s, is, wanted);
	for (struct step *step = s->first; step != NULL; step = step->next)
		if (touches_rows(step))
			STET_TRY(count_rows(call, is, step));
	return step_blocks(s, all, remove);
}

static enum stet_status
step_run(struct stet_call *call, struct step *step)
{
	struct in_way in_way = { 0 }, *outer = promises_begin(call, &in_way);
	enum stet_status status;
	const char *out;
	size_t len;

	status = step->block != NULL ? block_step_take(call, stet_write_tx(call), step->block)
				     : stet_invoke(call, step->op, step->args, &out, &len);
	promises_begin(call, outer);
	if (status == STET_OK)
		return STET_OK;
	step->code = stet_status_name(stet_error_status(call));
	step->refused = stet_error_text(call);
	step->in_way = in_way.rows;
	stet_error_clear(call);
	return status;
}

/* Stops after a fault: the transaction may be unusable, so later steps cannot be tried. */
void
steps_run(struct stet_call *call, struct steps *s)
{
	for (struct step *step = s->first; step != NULL; step = step->next)
		if (step_run(call, step) == STET_FAULT)
			return;
}

enum stet_status
steps_refusal(struct stet_call *call, const struct steps *s)
{
	for (const struct step *step = s->first; step != NULL; step = step->next)
		if (step->refused != NULL)
			return stet_fail(call, STET_INVALID_INPUT, NULL, "%s %s%s%s: %s",
			    step->verb, step->collection, step->field != NULL ? "." : "",
			    step->field != NULL ? step->field : "", step->refused);
	return STET_OK;
}

/* ---- loading, planning, applying ---- */

enum stet_status
transfer_load(struct stet_call *call, struct stet_tx *tx, const json_t *all, bool remove,
    struct stet_import_count *count)
{
	struct steps steps;

	STET_TRY(steps_make(call, all, remove, &steps));
	for (const struct step *step = steps.first; step != NULL; step = step->next)
		if (strncmp(step->verb, "create", 6) == 0)
			count->created++;
		else if (step->loses)
			count->deleted++;
		else
			count->updated++;
	if (steps.first == NULL)
		count->same = (int64_t)json_object_size(all);
	define_as_stored(call, true);
	steps_run(call, &steps);
	define_as_stored(call, false);
	STET_TRY(steps_refusal(call, &steps));
	return ages_keep(call, tx, all, &steps);
}

const json_t *
steps_json(struct stet_call *call, const struct steps *steps)
{
	json_t *list = stet_json_own(call, json_array());

	for (const struct step *s = steps->first; s != NULL; s = s->next) {
		json_t *step = json_pack("{s:s, s:s, s:s*, s:I, s:b}", "step", s->verb,
		    s->block != NULL ? "block" : "collection", s->collection, "field", s->field,
		    "rows", (json_int_t)s->rows, "loses", s->loses);

		if (s->refused != NULL)
			json_object_set_new(step, "refused",
			    json_pack("{s:s, s:s, s:I}", "code", s->code, "message", s->refused,
				"rows", (json_int_t)s->in_way));
		json_array_append_new(list, step);
	}
	return list;
}

enum stet_status
transfer_plan(struct stet_call *call, const json_t *wanted, const json_t **out)
{
	struct steps steps;

	STET_TRY(steps_make(call, wanted, true, &steps));
	*out = steps_json(call, &steps);
	return STET_OK;
}

enum stet_status
transfer_take(struct stet_call *call, struct stet_tx *tx, const json_t *wanted, const json_t **out)
{
	struct steps steps;

	(void)tx;
	STET_TRY(steps_make(call, wanted, true, &steps));
	steps_run(call, &steps);
	*out = steps_json(call, &steps);
	return STET_OK;
}

enum stet_status
transfer_apply(struct stet_call *call, struct stet_tx *tx, const json_t *wanted)
{
	struct steps steps;

	(void)tx;
	STET_TRY(steps_make(call, wanted, true, &steps));
	steps_run(call, &steps);
	return steps_refusal(call, &steps);
}
