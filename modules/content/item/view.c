/*
 * view.c - the view of a request: which members of an item the client wants (argument `fields`),
 * and whether Portable Text is written as Markdown (argument `markdown`). It also converts
 * Markdown that a client sends for Portable Text fields.
 */
#include "item/item.h"
#include "markdown/markdown.h"
#include <string.h>

const struct view view_all = { .members = ~0U };

bool
view_is_blocks(const struct stet_field *field)
{
	return field->type->holds == STET_HOLDS_BLOCKS;
}

bool
view_shows(const struct view *view, enum item_member member)
{
	return (view->members & 1U << member) != 0;
}

bool
view_shows_field(const struct view *view, size_t field)
{
	return view->field == NULL || view->field[field];
}

bool
view_is_whole(const struct view *view)
{
	return view->members == view_all.members && view->field == NULL && view->markdown == NULL;
}

/* ---- members ---- */

static char *
allowed(struct stet_call *call, const struct stet_collection *c)
{
	char *all = stet_strdup(call, item_shape[0].name);

	for (const struct stet_member *m = &item_shape[1]; m->name != NULL; m++)
		all = stet_printf(call, "%s, %s", all, m->name);
	for (size_t i = 0; i < c->field_count; i++)
		all = stet_printf(call, "%s, %s", all, c->fields[i]->slug);
	return all;
}

static bool
want_member(struct view *view, const char *name)
{
	if (strcmp(name, "_rev") == 0) {
		view->members |= VIEW_REV;
		return true;
	}
	for (unsigned i = 0; item_shape[i].name != NULL; i++) {
		if (strcmp(item_shape[i].name, name) != 0)
			continue;
		view->members |= 1U << (i == I_BYLINE ? I_BYLINES : i);
		return true;
	}
	return false;
}

static bool
want_field(struct view *view, const struct stet_collection *c, bool *want, const char *name)
{
	const struct stet_field *field = stet_field(c, name);

	if (field == NULL)
		return false;
	want[field->position] = true;
	view->members |= 1U << I_DATA;
	return true;
}

static void
read_fields(struct view *view, const struct stet_collection *c, const char *list)
{
	bool *want = stet_alloc(view->call, c->field_count + 1), known = true;
	size_t len;

	view->members = 1U << I_ID;
	for (list += strspn(list, ", "); *list != '\0' && known; list += len) {
		const char *name;
		bool member;

		len = strcspn(list, ", ");
		name = stet_strndup(view->call, list, len);
		len += strspn(list + len, ", ");
		member = want_member(view, name);
		known = want_field(view, c, want, name) || member;
		if (!known)
			stet_issue(view->call, "fields", "\"%.64s\" is none of: %s", name,
			    allowed(view->call, c));
	}
	/* "data" and "liveData" select all fields, unless `fields` also names single fields. */
	for (size_t i = 0; i < c->field_count; i++)
		if (want[i])
			view->field = want;
}

/* ---- format ---- */

/* Returns true if the client sent Markdown for a Portable Text field. */
static bool
sent(const struct stet_collection *c, const json_t *data, const json_t *operations)
{
	for (size_t i = 0; i < c->field_count; i++)
		if (view_is_blocks(c->fields[i]) &&
		    json_is_string(json_object_get(data, c->fields[i]->slug)))
			return true;
	for (size_t i = 0; i < json_array_size(operations); i++)
		if (json_is_string(json_object_get(json_array_get(operations, i), "value")))
			return true;
	return false;
}

void
view_markdown(struct view *view, const struct stet_collection *c)
{
	bool *markdown = stet_alloc(view->call, c->field_count + 1);

	for (size_t i = 0; i < c->field_count; i++)
		markdown[i] = view_is_blocks(c->fields[i]);
	view->markdown = markdown;
}

enum stet_status
view_fields(struct stet_call *call, const struct stet_collection *c, struct view *out)
{
	const char *fields = stet_arg(call, "fields");

	*out = view_all;
	out->call = call;
	if (fields != NULL)
		read_fields(out, c, fields);
	return stet_issues(call);
}

enum stet_status
view_read(struct stet_call *call, const struct stet_collection *c, struct view *out)
{
	STET_TRY(view_fields(call, c, out));
	if (stet_arg_bool(call, "markdown"))
		view_markdown(out, c);
	return STET_OK;
}

enum stet_status
view_written(struct stet_call *call, const struct stet_collection *c, const json_t *data,
    const json_t *operations, const json_t *lost, struct view *out)
{
	STET_TRY(view_fields(call, c, out));
	out->lost = lost;
	if (sent(c, data, operations))
		view_markdown(out, c);
	return STET_OK;
}

const json_t *
view_data(const struct view *view, const struct plan *plan, const json_t *data)
{
	json_t *out;

	if (view->field == NULL && view->markdown == NULL)
		return data;
	out = stet_json_own(view->call, json_object());
	for (size_t i = 0; i < plan->fields; i++) {
		const char *name = plan->field[i].slug;
		json_t *v = json_object_get(data, name);

		if (v == NULL || !view_shows_field(view, i))
			continue;
		if (view->markdown != NULL && view->markdown[i])
			json_object_set_new(out, name, json_string(markdown_write(view->call, v)));
		else
			json_object_set(out, name, v);
	}
	return out;
}

/* ---- converting a request ---- */

static bool
is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '\0';
}

enum stet_status
view_convert(struct stet_call *call, const struct stet_collection *c, const json_t *stored,
    const json_t **data, json_t *lost)
{
	json_t *out = NULL;

	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];
		const char *text = json_string_value(json_object_get(*data, f->slug));
		json_t *blocks;

		/* An empty text is not a value; the check of required fields handles it. */
		if (text == NULL || !view_is_blocks(f) || (f->required && is_blank(text)))
			continue;
		blocks = markdown_read_lost(call, stet_printf(call, "data.%s", f->slug), text,
		    json_object_get(stored, f->slug), lost);
		if (out == NULL)
			out = stet_json_own(call, json_copy((json_t *)(uintptr_t)*data));
		if (blocks != NULL)
			json_object_set(out, f->slug, blocks);
	}
	if (out != NULL)
		*data = out;
	return stet_issues(call);
}
