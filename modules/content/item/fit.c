/* fit.c - adapts values of revisions and requests to the present fields of the collection. */
#include "item/item.h"
#include <string.h>

json_t *
fit_value(struct stet_call *call, json_t *v, enum column_kind kind)
{
	double real = json_real_value(v);

	if (v == NULL || json_is_null(v))
		return NULL;
	switch (kind) {
	case AS_JSON:
		return v;
	case AS_TEXT:
		return json_is_string(v) ? v : NULL;
	case AS_REAL:
		if (json_is_integer(v))
			return stet_json_own(call, json_real((double)json_integer_value(v)));
		return json_is_real(v) ? v : NULL;
	case AS_INTEGER:
		if (json_is_real(v) && real >= -9e15 && real <= 9e15 &&
		    real == (double)(int64_t)real)
			return stet_json_own(call, json_integer((json_int_t)real));
		return json_is_integer(v) ? v : NULL;
	case AS_BOOLEAN:
		if (json_is_integer(v))
			return json_boolean(json_integer_value(v) != 0);
		return json_is_boolean(v) ? v : NULL;
	}
	return NULL;
}

json_t *
fit_data(struct stet_call *call, const struct plan *plan, const json_t *data)
{
	json_t *out = stet_json_own(call, json_object());

	for (size_t i = 0; i < plan->count; i++) {
		json_t *v = fit_value(
		    call, json_object_get(data, plan->field[i].slug), plan->field[i].kind);

		if (v != NULL)
			json_object_set(out, plan->field[i].slug, v);
	}
	return out;
}

json_t *
fit_merge(
    struct stet_call *call, const struct plan *plan, const json_t *old, const struct values *values)
{
	json_t *all = stet_json_own(call, json_copy((json_t *)(uintptr_t)old));

	for (size_t i = 0; i < plan->count; i++) {
		json_t *v =
		    fit_value(call, (json_t *)(uintptr_t)values->value[i], plan->field[i].kind);

		if (!values->given[i])
			continue;
		if (v != NULL)
			json_object_set(all, plan->field[i].slug, v);
		else
			json_object_del(all, plan->field[i].slug);
	}
	return all;
}

/* Fields that are as old as the collection are never newer than a revision, not even than an
 * imported revision that is older than the collection. */
bool
fit_is_newer(const struct stet_collection *c, const struct stet_field *f, const char *created)
{
	return strcmp(f->created_at, created) > 0 && strcmp(f->created_at, c->created_at) != 0;
}

void
fit_forget_newer(const struct stet_collection *c, json_t *data, const char *created)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (fit_is_newer(c, c->fields[i], created))
			json_object_del(data, c->fields[i]->slug);
}

json_t *
fit_revision(struct stet_call *call, const struct stet_collection *c, const struct plan *plan,
    const json_t *data, const char *created)
{
	json_t *out = fit_data(call, plan, data);

	fit_forget_newer(c, out, created);
	return out;
}

json_t *
fit_beneath(struct stet_call *call, const struct stet_collection *c, const struct plan *plan,
    struct stet_rows *rows, const struct revision *draft)
{
	bool some = false;

	for (size_t i = plan->fields; i < plan->count && !some; i++)
		some = json_object_get(draft->data, plan->field[i].slug) == NULL;
	for (size_t i = 0; i < c->field_count && !some; i++)
		some = fit_is_newer(c, c->fields[i], draft->created);
	return some ? row_data(call, rows, plan) : NULL;
}

json_t *
fit_overlay(struct stet_call *call, const struct stet_collection *c, const struct plan *plan,
    const json_t *columns, const struct revision *r)
{
	json_t *out = fit_revision(call, c, plan, r->data, r->created);

	/* A field that was added after the draft keeps the row's value. */
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];
		json_t *v = json_object_get(columns, f->slug);

		if (v != NULL && fit_is_newer(c, f, r->created))
			json_object_set(out, f->slug, v);
	}
	/* A draft from a time when items of the collection had no such member stages none. */
	for (size_t i = plan->fields; i < plan->count; i++) {
		const char *name = plan->field[i].slug;

		if (json_object_get(out, name) == NULL && json_object_get(columns, name) != NULL)
			json_object_set(out, name, json_object_get(columns, name));
	}
	return out;
}
