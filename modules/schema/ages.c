/* ages.c - when fields were created, in imports: the header says what depends on it. */
#include "transfer.h"
#include <string.h>

static bool
is_created(const struct steps *s, const char *collection, const char *field)
{
	for (const struct step *step = s->first; step != NULL; step = step->next)
		if (strcmp(step->op, "field_create") == 0 &&
		    strcmp(step->collection, collection) == 0 && strcmp(step->field, field) == 0)
			return true;
	return false;
}

static enum stet_status
age_of(
    struct stet_call *call, const struct stet_collection *c, const json_t *field, const char **out)
{
	const json_t *at = json_object_get(field, "createdAt");
	int64_t ms;

	*out = c->created_at;
	if (at == NULL)
		return STET_OK;
	if (!json_is_string(at) || !stet_time_parse(json_string_value(at), &ms))
		return stet_fail(call, STET_INVALID_INPUT, NULL, "%s.%s: createdAt is no time",
		    c->slug, json_string_value(json_object_get(field, "slug")));
	*out = stet_time_text(call, ms);
	return STET_OK;
}

/* Gives a new field the creation time of the file. An existing field gets it only if that is
 * earlier. */
static enum stet_status
keep_age(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const json_t *field, const struct steps *s, bool *changed)
{
	const struct stet_field *f =
	    stet_field(c, json_string_value(json_object_get(field, "slug")));
	const char *at;
	int order;

	STET_TRY(age_of(call, c, field, &at));
	order = strcmp(f->created_at, at);
	if (order == 0 || (order < 0 && !is_created(s, c->slug, f->slug)))
		return STET_OK;
	*changed = true;
	return stet_exec(
	    call, tx, "UPDATE field SET created_at = ?2 WHERE id = ?1", STET_ARGS(f->id, at));
}

enum stet_status
ages_keep(struct stet_call *call, struct stet_tx *tx, const json_t *all, const struct steps *s)
{
	const struct snapshot *schema;
	json_t *value, *list;
	const char *name;
	bool changed = false;

	STET_TRY(snapshot_get(call, &schema));
	json_object_foreach((json_t *)(uintptr_t)all, name, value)
	{
		const struct stet_collection *c = snapshot_find(schema, name);

		list = json_object_get(value, "fields");
		for (size_t i = 0; i < json_array_size(list); i++)
			STET_TRY(keep_age(call, tx, c, json_array_get(list, i), s, &changed));
	}
	return changed ? snapshot_bump(call, tx) : STET_OK;
}
