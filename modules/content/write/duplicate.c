/*
 * duplicate.c - copies an item: its newest values become a new draft, whose author is the caller.
 */
#include "write/write.h"
#include <string.h>

const struct stet_member duplicate_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" },
	{ 0 },
};
const struct stet_member duplicate_tool_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },
	VIEW_FIELDS,
	{ 0 },
};

/* Adapts the values for the copy: marks the title as a copy, and removes unique values, which
 * the original keeps. Returns the text to make the slug from. */
static const char *
rename_copy(struct stet_call *call, const struct now *now, json_t *data)
{
	static const char *const names[] = { "title", "name" };
	const char *title = NULL;

	for (size_t i = 0; i < 2 && title == NULL; i++) {
		const char *s = json_string_value(json_object_get(data, names[i]));

		if (s == NULL || *s == '\0')
			continue;
		title = stet_printf(call, "%s (Copy)", s);
		json_object_set_new(data, names[i], json_string(title));
	}
	for (size_t i = 0; i < now->collection->field_count; i++)
		if (now->collection->fields[i]->unique)
			json_object_del(data, now->collection->fields[i]->slug);
	extra_copy(call, data);
	return title;
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct now *now, const struct change *c,
    const json_t *data)
{
	const json_t **value = stet_alloc(call, (c->plan->count + 1) * sizeof(*value));
	struct stet_val *column = stet_alloc(call, (C_FIELDS + c->plan->count) * sizeof(*column));

	memcpy(column, now->copied, sizeof(now->copied));
	column[C_GROUP] = stet_val_str(c->id);
	for (size_t i = 0; i < c->plan->count; i++)
		value[i] = json_object_get(data, c->plan->field[i].slug);
	return item_insert(call, tx, c, column, value, NULL);
}

/* Gives the copy the credits of the item: those that its draft stages, or else the live ones. */
static enum stet_status
copy_credits(struct stet_call *call, struct stet_tx *tx, const struct now *now,
    const json_t *staged, const char *id)
{
	const json_t *credits = json_object_get(staged, BYLINES);
	json_t *only;

	if (credits == NULL)
		return byline_copy(call, tx, now->plan->slug, now->id, id);
	only = stet_json_own(call, json_object());
	json_object_set(only, BYLINES, (json_t *)(uintptr_t)credits);
	return staged_store(call, tx, now->plan->slug, id, id, only);
}

static enum stet_status
duplicate(struct stet_call *call, bool must_own, now_answer *answer)
{
	struct stet_tx *tx = stet_write_tx(call);
	const struct stet_principal *who = stet_principal(call);
	const bool drafts = stet_may(call, "content:read_drafts");
	struct now now = { 0 };
	struct change c;
	const char *title;
	json_t *data;

	STET_TRY(now_find(call, &now));
	if (must_own)
		STET_TRY(
		    stet_require_owned(call, "content:edit_own", "content:edit_any", now.author));
	data = stet_json_own(call, json_copy(drafts ? now.data : now.columns));
	title = rename_copy(call, &now, data);
	c = now_change(&now, NULL, "draft");
	c.id = stet_id(call);
	c.version = 1;
	c.is_new = true;
	if (who != NULL && *who->id != '\0')
		c.author = who->id;
	STET_TRY(slug_make(call, now.plan, title, now.locale, &c.slug));
	STET_TRY(hook_before_save(call, tx, &c, data));
	STET_TRY(insert(call, tx, &now, &c, data));
	STET_TRY(copy_credits(call, tx, &now, drafts ? now.staged : NULL, c.id));
	STET_TRY(hook_changed(call, tx, &c, "create"));
	STET_TRY(hook_after_save(call, tx, &c));
	now.id = c.id;
	return answer(call, &now);
}

enum stet_status
content_duplicate(struct stet_call *call)
{
	return duplicate(call, true, now_reply);
}

enum stet_status
content_duplicate_tool(struct stet_call *call)
{
	return duplicate(call, false, now_reply_part);
}
