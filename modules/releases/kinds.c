/* kinds.c - what all kinds of changes share. */
#include "releases.h"
#include <string.h>

const struct kind_row *const kinds[KINDS] = {
	[ITEM] = &item_kind, [TERM] = &term_kind, [MENU] = &menu_kind, [SETTINGS] = &settings_kind
};

bool
kind_creates(const struct change *c)
{
	return c->kind == MENU || (c->kind == TERM && !change_deletes(c));
}

bool
kind_lost(const struct change *c, const json_t *state, bool published)
{
	if (state != NULL)
		return false;
	return published ? !change_deletes(c) : !kind_creates(c);
}

const json_t *
kind_mark(struct stet_call *call, const struct change *c, const json_t *state)
{
	if (state == NULL)
		return stet_json_own(call, json_null());
	return c->kind == ITEM ? json_object_get(state, "_rev") : state;
}

const char *
kind_title(struct stet_call *call, const struct change *c, const json_t *state)
{
	const char *title = text_of(state, "title"), *label = text_of(state, "label");

	if (c->kind == SETTINGS)
		return NULL;
	if (c->kind == ITEM)
		return title != NULL                    ? title
		       : text_of(state, "slug") != NULL ? text_of(state, "slug")
							: c->item;
	return label != NULL     ? label
	       : c->slug != NULL ? stet_printf(call, "%s/%s", c->name, c->slug)
				 : c->name;
}

static const char *
item_does(const struct change *c, const json_t *state)
{
	const char *status = text_of(state, "status"), *live = text_of(state, "liveRevisionId"),
		   *draft = text_of(state, "draftRevisionId");
	const bool is_public = status != NULL && strcmp(status, "published") == 0;

	if (strcmp(c->action, "unpublish") == 0)
		return is_public ? "unpublish" : "nothing";
	if (!is_public)
		return "publish";
	return draft != NULL && (live == NULL || strcmp(live, draft) != 0) ? "update" : "nothing";
}

const char *
kind_does(const struct change *c, const json_t *state)
{
	if (c->kind == ITEM)
		return state != NULL ? item_does(c, state) : "nothing";
	if (change_deletes(c))
		return state != NULL ? "delete" : "nothing";
	return kind_creates(c) && state == NULL ? "create" : "update";
}
