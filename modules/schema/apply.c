/*
 * apply.c - the tool schema_apply: brings collections and their fields to given definitions. It
 * takes the steps of "stet schema apply" (transfer.c), each with the checks of its own op, all or
 * none. Unlike files of an export, a definition need not be complete: what it leaves out stays.
 */
#include "transfer.h"
#include <string.h>

const struct stet_member apply_in[] = {
	{ "collections", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT,
	    .about = "Definitions with slug and fields, as schema_get_collection has them",
	    STET_RANGE(1, 100) },
	{ "remove", STET_BOOLEAN,
	    .about = "Delete the fields, with their values, that a list leaves out" },
	{ 0 },
};
static const struct stet_member step_shape[] = {
	{ "step", STET_STRING, STET_REQUIRED, .about = "As \"create field\"" },
	{ "collection", STET_STRING, STET_REQUIRED },
	{ "field", STET_STRING },
	{ "rows", STET_INTEGER, STET_REQUIRED,
	    .about = "Items that it writes, or takes values from" },
	{ "loses", STET_BOOLEAN, STET_REQUIRED, .about = "It deletes values" },
	{ 0 },
};
const struct stet_member apply_out[] = {
	{ "steps", STET_ARRAY, STET_REQUIRED, .of = step_shape,
	    .about = "Empty: all is so already" },
	{ 0 },
};

/* Members that the ops answer, but that nobody sets. */
static const char *const answered[] = { "id", "collectionId", "columnType", "createdAt",
	"updatedAt", "indexState", "indexesBuilding", "fields", NULL };

/* Sets the members of `given` in `base`, without those that nobody sets. */
static void
lay_over(json_t *base, const json_t *given)
{
	const char *const *name;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)given, key, value)
	{
		for (name = answered; *name != NULL && strcmp(*name, key) != 0; name++)
			;
		if (*name == NULL)
			(void)json_object_set(base, key, value);
	}
}

static json_t *
named(const json_t *list, const json_t *slug)
{
	json_t *value;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)list, i, value)
	{
		if (json_is_string(slug) && json_equal(json_object_get(value, "slug"), slug))
			return value;
	}
	return NULL;
}

/* The fields that a definition asks for: a new reference. */
static json_t *
fields_of(const json_t *is, const json_t *given, bool remove)
{
	json_t *out = json_array(), *field, *copy;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)is, i, field)
	{
		if (!remove && named(given, json_object_get(field, "slug")) == NULL)
			(void)json_array_append(out, field);
	}
	json_array_foreach((json_t *)(uintptr_t)given, i, field)
	{
		const json_t *was = named(is, json_object_get(field, "slug"));

		copy = was != NULL ? json_copy((json_t *)(uintptr_t)was) : json_object();
		lay_over(copy, field);
		(void)json_array_append_new(out, copy);
	}
	return out;
}

/* Sets in `wanted`, which has the collections as they are, what the definition asks for. */
static enum stet_status
want(struct stet_call *call, json_t *wanted, const json_t *given, size_t i)
{
	const char *slug = json_string_value(json_object_get(given, "slug"));
	const json_t *fields = json_object_get(given, "fields");
	json_t *is, *now;

	if (slug == NULL || !stet_is_name(slug)) {
		stet_issue(call, stet_printf(call, "collections[%zu].slug", i),
		    "must be the slug of a collection");
		return stet_issues(call);
	}
	if (fields != NULL && !json_is_array(fields)) {
		stet_issue(call, stet_printf(call, "collections[%zu].fields", i), "must be a list");
		return stet_issues(call);
	}
	is = json_object_get(wanted, slug);
	now = is != NULL ? json_copy(is) : json_object();
	lay_over(now, given);
	(void)json_object_set_new(now, "fields",
	    fields == NULL && is != NULL
		? json_incref(json_object_get(is, "fields"))
		: fields_of(json_object_get(is, "fields"), fields, stet_arg_bool(call, "remove")));
	(void)json_object_set_new(wanted, slug, now);
	return STET_OK;
}

static enum stet_status
read_wanted(struct stet_call *call, json_t *wanted)
{
	const json_t *given = stet_arg_json(call, "collections");
	const struct stet_collection *const *list;
	const struct snapshot *schema;
	json_t *value;
	size_t n, i;

	STET_TRY(snapshot_get(call, &schema));
	list = snapshot_list(schema, &n);
	for (i = 0; i < n; i++)
		(void)json_object_set_new(wanted, list[i]->slug, transfer_value(call, list[i]));
	json_array_foreach((json_t *)(uintptr_t)given, i, value)
	    STET_TRY(want(call, wanted, value, i));
	return STET_OK;
}

/* Fails with all steps that were refused, if there is one. */
static enum stet_status
check_refused(struct stet_call *call, const struct steps *steps)
{
	const char *text = "";

	for (const struct step *s = steps->first; s != NULL; s = s->next)
		if (s->refused != NULL)
			text =
			    stet_printf(call, "%s%s%s %s%s%s: %s", text, *text != '\0' ? "; " : "",
				s->verb, s->collection, s->field != NULL ? "." : "",
				s->field != NULL ? s->field : "", s->refused);
	if (*text == '\0')
		return STET_OK;
	stet_fail(call, STET_INVALID_INPUT, NULL, "%s", text);
	stet_detail_json(call, "steps", steps_json(call, steps));
	return STET_INVALID_INPUT;
}

enum stet_status
schema_apply(struct stet_call *call)
{
	json_t *wanted = stet_json_own(call, json_object());
	struct stet_json *out = stet_reply(call);
	struct steps steps;

	STET_TRY(read_wanted(call, wanted));
	STET_TRY(steps_make(call, wanted, true, &steps));
	steps_run(call, &steps);
	STET_TRY(check_refused(call, &steps));
	stet_object(out, NULL);
	stet_put_json(out, "steps", steps_json(call, &steps));
	stet_close(out);
	return STET_OK;
}
