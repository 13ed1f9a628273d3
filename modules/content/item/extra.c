/*
 * extra.c - members of an item that are stored, staged, published, restored, compared and exported
 * like the values of its fields: a table, and what all of them share.
 */
#include "item/item.h"
#include <string.h>

const struct extra extras[EXTRAS] = {
	{ .stored = SEO,
	    .member = I_SEO,
	    .live = I_LIVE_SEO,
	    .label = "SEO",
	    .nothing = SEO_NOTHING,
	    .media = "imageId",
	    .has = seo_has,
	    .check = seo_check,
	    .verify = seo_verify,
	    .copy = seo_copy },
};

static const char *
name_of(const struct extra *e)
{
	return item_shape[e->member].name;
}

bool
extra_is(const char *name)
{
	for (size_t i = 0; *name == '_' && i < EXTRAS; i++)
		if (strcmp(extras[i].stored, name) == 0)
			return true;
	return false;
}

/* ---- a write ---- */

void
extra_args(struct stet_call *call, const json_t **given)
{
	for (size_t i = 0; i < EXTRAS; i++)
		given[i] = stet_arg_json(call, name_of(&extras[i]));
}

void
extra_read(const json_t *item, const json_t **given)
{
	for (size_t i = 0; i < EXTRAS; i++) {
		given[i] = json_object_get(item, name_of(&extras[i]));
		if (json_is_null(given[i]))
			given[i] = NULL;
	}
}

bool
extra_any(const json_t *const *given)
{
	bool any = false;

	for (size_t i = 0; i < EXTRAS; i++)
		any = any || given[i] != NULL;
	return any;
}

enum stet_status
extra_check(struct stet_call *call, const struct stet_collection *c, const json_t *const *given,
    const json_t *data, json_t **out)
{
	for (size_t i = 0; i < EXTRAS; i++) {
		out[i] = NULL;
		if (given[i] == NULL)
			continue;
		if (extras[i].has(c))
			STET_TRY(extras[i].check(call, given[i], data, &out[i]));
		else
			stet_issue(call, name_of(&extras[i]),
			    "\"%s\" has no %s: its supports do not list %s", c->slug,
			    extras[i].label, name_of(&extras[i]));
	}
	return STET_OK;
}

void
extra_set(const struct plan *plan, json_t *const *checked, struct values *values)
{
	for (size_t i = plan->fields; i < plan->count; i++) {
		json_t *value = checked[plan->field[i].extra - extras];

		if (value == NULL)
			continue;
		values->value[i] = value;
		values->given[i] = true;
	}
}

void
extra_copy(struct stet_call *call, json_t *data)
{
	for (size_t i = 0; i < EXTRAS; i++) {
		const json_t *value = json_object_get(data, extras[i].stored);

		if (value != NULL && extras[i].copy != NULL)
			json_object_set(data, extras[i].stored, extras[i].copy(call, value));
	}
}

void
extra_forget(json_t *data)
{
	for (size_t i = 0; i < EXTRAS; i++)
		json_object_del(data, extras[i].stored);
}

/* ---- answers ---- */

void
extra_put(struct stet_json *out, const char *key, const struct plan *plan, size_t i,
    struct stet_rows *rows)
{
	const char *nothing = plan->field[i].extra->nothing;
	size_t len;
	const char *text = stet_col_text(rows, C_FIELDS + (int)i, &len);

	if (text != NULL)
		stet_put_raw(out, key, text, len);
	else
		stet_put_raw(out, key, nothing, strlen(nothing));
}

void
extra_put_newest(struct stet_json *out, const struct extra *e, const json_t *data)
{
	const json_t *value = json_object_get(data, e->stored);

	if (value != NULL)
		stet_put_json(out, name_of(e), value);
	else
		stet_put_raw(out, name_of(e), e->nothing, strlen(e->nothing));
}
