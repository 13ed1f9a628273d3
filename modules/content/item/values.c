/*
 * values.c - the field values of a request: validates them by their types, and prepares them for
 * SQL.
 */
#include "item/item.h"
#include <stdlib.h>
#include <string.h>

#define NAMES_SHOWN 60

bool
values_is_empty(const json_t *v)
{
	return v == NULL || json_is_null(v) || (json_is_string(v) && json_string_length(v) == 0);
}

static const char *
path_of(struct stet_call *call, const char *name)
{
	return stet_printf(call, "data.%s", name);
}

/* Returns the names of the fields for the error about an unknown name, which is often a typing
 * error. */
static const char *
names_of(struct stet_call *call, const struct stet_collection *c)
{
	const char *names = "";

	for (size_t i = 0; i < c->field_count && i < NAMES_SHOWN; i++)
		names = stet_printf(
		    call, "%s%s%s", names, *names != '\0' ? ", " : "", c->fields[i]->slug);
	return c->field_count > NAMES_SHOWN ? stet_printf(call, "%s, ...", names) : names;
}

static enum stet_status
check_one(struct stet_call *call, const struct stet_field *field, const json_t *v, bool may_lack,
    struct values *out)
{
	size_t i = field->position;
	json_t *stored = NULL;

	out->given[i] = true;
	if (field->required && values_is_empty(v)) {
		if (may_lack)
			return STET_OK;
		stet_issue(call, path_of(call, field->slug), "%s",
		    json_is_string(v) ? "is required: an empty value is not allowed"
				      : "is required");
		return STET_OK;
	}
	if (json_is_null(v))
		return STET_OK;
	STET_TRY(stet_field_check(call, field, path_of(call, field->slug), v, &stored));
	out->value[i] = stet_json_own(call, stored);
	return STET_OK;
}

/* ---- what an item holds already ---- */

static bool
has_value(const json_t *list, const json_t *value)
{
	const json_t *v;
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (json_equal(v, value))
			return true;
	}
	return false;
}

static bool
is_same(const json_t *data, const struct stet_field *field, const json_t *v)
{
	const json_t *old = json_object_get(data, field->slug);

	return old != NULL && json_equal(old, v);
}

/* Checks only those elements of a list of ids or choices that the item does not have already. */
static enum stet_status
check_list(struct stet_call *call, const struct stet_field *field, const json_t *v,
    struct held held, struct values *out)
{
	const json_t *newest = json_object_get(held.newest, field->slug),
		     *live = json_object_get(held.live, field->slug);
	json_t *fresh = stet_json_own(call, json_array()), *one;
	size_t i;

	json_array_foreach(v, i, one)
	{
		if (!has_value(newest, one) && !has_value(live, one))
			(void)json_array_append(fresh, one);
	}
	if (json_array_size(fresh) > 0 && json_array_size(v) > STET_REFERENCES_MAX)
		return check_one(
		    call, field, v, held.may_lack, out); /* fails: the list is too long */
	if (json_array_size(fresh) > 0)
		STET_TRY(check_one(call, field, fresh, held.may_lack, out));
	out->given[field->position] = true;
	out->value[field->position] = v;
	return STET_OK;
}

static bool
is_list(const struct stet_field *field)
{
	return field->type->holds == STET_HOLDS_TEXTS ||
	       (field->type->holds == STET_HOLDS_ITEMS && field->json_text);
}

/* Returns true if the list has this block. */
static bool
has_block(const json_t *list, const json_t *block)
{
	const json_t *key = json_object_get(block, "_key"), *one;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i, one)
	{
		const json_t *other = json_object_get(one, "_key");

		if ((key == NULL || other == NULL || json_equal(key, other)) &&
		    json_equal(one, block))
			return true;
	}
	return false;
}

/* Blocks whose type the site defines are checked by its definition, but not those that the item has
 * already: these are put into *kept by their number, and replaced in *fresh, a copy of the text. */
static enum stet_status
part_blocks(struct stet_call *call, const struct stet_field *field, const json_t *v,
    struct held held, json_t **fresh, json_t **kept)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const json_t *newest = json_object_get(held.newest, field->slug),
		     *live = json_object_get(held.live, field->slug), *block;
	const struct stet_block_type *const *types, *type;
	size_t i, count;

	*kept = stet_json_own(call, json_object());
	STET_TRY(schema->blocks(call, &types, &count));
	if (count == 0)
		return STET_OK;
	*fresh = stet_json_own(call, json_copy((json_t *)(uintptr_t)v));
	json_array_foreach((json_t *)(uintptr_t)v, i, block)
	{
		STET_TRY(schema->block(call, block, &type));
		if (type == NULL || (!has_block(newest, block) && !has_block(live, block)))
			continue;
		json_object_set(*kept, stet_printf(call, "%zu", i), (json_t *)(uintptr_t)block);
		json_array_set_new(*fresh, i, json_pack("{s:s}", "_type", "block"));
	}
	return STET_OK;
}

static enum stet_status
check_blocks(struct stet_call *call, const struct stet_field *field, const json_t *v,
    struct held held, struct values *out)
{
	json_t *fresh = NULL, *kept, *whole, *block;
	const char *number;

	STET_TRY(part_blocks(call, field, v, held, &fresh, &kept));
	if (json_object_size(kept) == 0)
		return check_one(call, field, v, held.may_lack, out);
	STET_TRY(check_one(call, field, fresh, held.may_lack, out));
	if (out->value[field->position] == NULL)
		return STET_OK;
	whole = stet_json_own(call, json_copy((json_t *)(uintptr_t)out->value[field->position]));
	json_object_foreach(kept, number, block)
	    json_array_set(whole, (size_t)strtoul(number, NULL, 10), block);
	out->value[field->position] = whole;
	return STET_OK;
}

/* Accepts values that the item has already, or lacks already: an item can be saved as it was read,
 * even if a target was deleted or a rule has become stricter meanwhile. */
static enum stet_status
check_again(struct stet_call *call, const struct stet_field *field, const json_t *v, bool create,
    struct held held, struct values *out)
{
	bool lacks = !create && held.newest != NULL && json_is_null(v) &&
		     json_object_get(held.newest, field->slug) == NULL;

	if (lacks || is_same(held.newest, field, v) || is_same(held.live, field, v)) {
		out->given[field->position] = true;
		out->value[field->position] = lacks ? NULL : v;
		return STET_OK;
	}
	if (json_is_array(v) && is_list(field))
		return check_list(call, field, v, held, out);
	if (json_array_size(v) > 0 && field->type->holds == STET_HOLDS_BLOCKS)
		return check_blocks(call, field, v, held, out);
	return check_one(call, field, v, held.may_lack, out);
}

/* ---- all values ---- */

static enum stet_status
check_missing(
    struct stet_call *call, const struct stet_field *field, bool may_lack, struct values *out)
{
	size_t i = field->position;

	if (out->given[i])
		return STET_OK;
	if (!values_is_empty(field->default_value))
		return check_one(call, field, field->default_value, may_lack, out);
	if (field->required && !may_lack)
		stet_issue(call, path_of(call, field->slug), "is required");
	return STET_OK;
}

enum stet_status
values_check(struct stet_call *call, const struct stet_collection *collection, const json_t *data,
    bool create, struct held held, struct values *out)
{
	json_t *mutable = (json_t *)(uintptr_t)data, *v;
	const char *name;

	*out = (struct values){ .collection = collection };
	out->value = stet_alloc(call, sizeof(out->value[0]) * (collection->field_count + EXTRAS));
	out->given = stet_alloc(call, sizeof(out->given[0]) * (collection->field_count + EXTRAS));
	json_object_foreach(mutable, name, v)
	{
		const struct stet_field *field = stet_field(collection, name);

		if (field == NULL)
			stet_issue(call, path_of(call, name),
			    "is not a field of \"%s\", which has: %s", collection->slug,
			    names_of(call, collection));
		else
			STET_TRY(check_again(call, field, v, create, held, out));
	}
	for (size_t i = 0; create && i < collection->field_count; i++)
		STET_TRY(check_missing(call, collection->fields[i], held.may_lack, out));
	return stet_issues(call);
}

static struct stet_val
as_json(struct stet_call *call, const json_t *v)
{
	struct stet_json *json = stet_json_new(call);
	const char *text;
	size_t len;

	stet_put_json(json, NULL, v);
	text = stet_json_text(json, &len);
	return stet_val_strn(text, len);
}

struct stet_val
values_sql(struct stet_call *call, const json_t *v, enum column_kind kind)
{
	if (v == NULL || (json_is_null(v) && kind != AS_JSON))
		return stet_val_null();
	switch (kind) {
	case AS_JSON:
		return as_json(call, v);
	case AS_INTEGER:
	case AS_BOOLEAN:
		if (json_is_real(v))
			return stet_val_int((int64_t)json_real_value(v));
		return stet_val_int(json_is_boolean(v) ? json_is_true(v) : json_integer_value(v));
	case AS_REAL:
		/* -0.0 becomes 0.0, as SQLite stores it. */
		return stet_val_real(json_number_value(v) + 0.0);
	case AS_TEXT:
		break;
	}
	if (!json_is_string(v))
		return as_json(call, v);
	return stet_val_strn(json_string_value(v), json_string_length(v));
}
