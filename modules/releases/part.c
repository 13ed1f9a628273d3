/* part.c - the service releases/1: one part, read and taken back without a release. */
#include "releases.h"
#include <stdint.h>
#include <string.h>

/* Makes a change of the part, as a release would hold it. */
static enum stet_status
change_of(struct stet_call *call, const struct stet_release_part *part, struct change *out)
{
	*out = (struct change){ .kind = KINDS,
		.action = "publish",
		.collection = part->collection,
		.item = part->item,
		.name = part->name,
		.slug = part->slug,
		.locale = part->locale };
	for (enum kind kind = ITEM; kind < KINDS; kind++)
		if (strcmp(kind_names[kind], part->kind) == 0)
			out->kind = kind;
	return out->kind < KINDS ? STET_OK
				 : stet_fault(call, "releases know no part %s", part->kind);
}

static enum stet_status
state(struct stet_call *call, const struct stet_release_part *part, const json_t **out)
{
	struct change c;
	json_t *all;

	STET_TRY(change_of(call, part, &c));
	if (c.kind == TERM)
		return term_whole(call, &c, part->whole, out);
	if (c.kind != SETTINGS)
		return kinds[c.kind]->state(call, &c, out);
	STET_TRY(stet_invoke_json(call, "settings_get", json_object(), &all));
	*out = all;
	return STET_OK;
}

/* Of settings, a change holds what it sets; what it does not set has not changed. Those that were
 * not set before are null. */
static const json_t *
settings_before(struct stet_call *call, const json_t *before, const json_t *after)
{
	json_t *all = stet_json_own(call, json_copy((json_t *)(uintptr_t)before)), *value;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)after, name, value)
	{
		if (json_object_get(all, name) == NULL)
			(void)json_object_set_new(all, name, json_null());
	}
	return all;
}

static bool
is_public(const json_t *state)
{
	const char *status = text_of(state, "status");

	return status != NULL && strcmp(status, "published") == 0;
}

static enum stet_status
revert(struct stet_call *call, const struct stet_release_part *part, const json_t *before,
    const json_t *after)
{
	json_t *none = stet_json_own(call, json_null());
	struct change c;

	STET_TRY(change_of(call, part, &c));
	c.before = before != NULL ? before : none;
	c.content = after;
	c.groups = part->groups != NULL ? (json_t *)(uintptr_t)part->groups
					: stet_json_own(call, json_object());
	if (c.kind == SETTINGS)
		c.before = settings_before(call, before, after);
	if (c.kind == ITEM && !is_public(after))
		c.action = "unpublish";
	if (c.kind == TERM && after == NULL)
		c.action = "delete";
	if (c.kind == MENU && after == NULL)
		STET_TRY(stet_invoke_unread(call, "menu_create",
		    json_pack("{ss ss ss*}", "name", c.name, "label", text_of(before, "label"),
			"locale", c.locale)));
	if (c.kind == MENU)
		c.content = before; /* all of it is written again */
	return kinds[c.kind]->revert(call, &c);
}

const struct stet_releases_1 release_service = { state, revert };
