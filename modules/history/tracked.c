/* tracked.c - which ops are recorded, and what they change: found from their arguments, and of what
 * they create from their reply. */
#include "history.h"
#include <string.h>

const char *const kind_names[KINDS + 1] = { [ITEM] = "item",
	[TERM] = "term",
	[TAXONOMY] = "taxonomy",
	[MENU] = "menu",
	[AREA] = "widget-area",
	[BYLINE] = "byline",
	[SETTINGS] = "settings" };

/* clang-format off */
#define ITEM_OP(op) { op, ITEM, "collection", "id", NULL, false }
#define ITEM_NEW(op) { op, ITEM, "collection", NULL, NULL, true }
#define MENU_OP(op) { op, MENU, "name", NULL, NULL, false }
#define AREA_OP(op) { op, AREA, "name", NULL, NULL, false }
static const struct tracked all[] = {
	ITEM_NEW("content_add"), ITEM_NEW("content_create"), ITEM_NEW("content_copy"),
	ITEM_NEW("content_duplicate"),
	ITEM_OP("content_put"), ITEM_OP("content_update"), ITEM_OP("content_patch"),
	ITEM_OP("content_delete"), ITEM_OP("content_restore"),
	ITEM_OP("content_permanent_delete"),
	ITEM_OP("content_publish_now"), ITEM_OP("content_publish"),
	ITEM_OP("content_withdraw"), ITEM_OP("content_unpublish"),
	ITEM_OP("content_schedule_at"), ITEM_OP("content_schedule"),
	ITEM_OP("content_unschedule"),
	ITEM_OP("content_discard"), ITEM_OP("content_discard_draft"),
	ITEM_OP("content_set_terms"),
	{ "revision_restore", ITEM, NULL, "revisionId", NULL, false },
	MENU_OP("menu_create"), MENU_OP("menu_add"), MENU_OP("menu_translate"),
	MENU_OP("menu_update"), MENU_OP("menu_put"), MENU_OP("menu_delete"),
	MENU_OP("menu_set_items"), MENU_OP("menu_item_create"), MENU_OP("menu_item_update"),
	MENU_OP("menu_item_delete"), MENU_OP("menu_reorder"),
	AREA_OP("widget_area_create"), AREA_OP("widget_area_put"), AREA_OP("widget_area_delete"),
	AREA_OP("widget_create"), AREA_OP("widget_update"), AREA_OP("widget_delete"),
	AREA_OP("widget_reorder"),
	{ "taxonomy_create", TAXONOMY, "name", NULL, NULL, false },
	{ "taxonomy_update", TAXONOMY, "name", NULL, NULL, false },
	{ "taxonomy_delete", TAXONOMY, "name", NULL, NULL, false },
	{ "term_create", TERM, "taxonomy", NULL, NULL, true },
	{ "taxonomy_create_term", TERM, "taxonomy", NULL, NULL, true },
	{ "term_translate", TERM, "taxonomy", NULL, NULL, true },
	{ "taxonomy_update_term", TERM, "taxonomy", "termSlug", "slug", false },
	{ "taxonomy_delete_term", TERM, "taxonomy", "termSlug", NULL, false },
	{ "byline_create", BYLINE, NULL, NULL, NULL, true },
	{ "byline_translate", BYLINE, NULL, NULL, NULL, true },
	{ "byline_update", BYLINE, NULL, "id", NULL, false },
	{ "byline_delete", BYLINE, NULL, "id", NULL, false },
	{ "admin_byline_create", BYLINE, NULL, NULL, NULL, true },
	{ "admin_byline_translate", BYLINE, NULL, NULL, NULL, true },
	{ "admin_byline_update", BYLINE, NULL, "id", NULL, false },
	{ "admin_byline_delete", BYLINE, NULL, "id", NULL, false },
	{ "settings_update", SETTINGS, NULL, NULL, NULL, false },
	{ "settings_write", SETTINGS, NULL, NULL, NULL, false },
};
/* clang-format on */

const struct tracked *
tracked_find(const char *op)
{
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (strcmp(all[i].op, op) == 0)
			return &all[i];
	return NULL;
}

/* An argument of the running op; NULL: it is not given, or the op does not take it. */
static const char *
argument(struct stet_call *call, const char *name)
{
	const struct stet_op *op = stet_written_op(call);
	const char *value = NULL;

	for (const struct stet_member *m = op->in; m != NULL && m->name != NULL; m++)
		if (name != NULL && strcmp(m->name, name) == 0)
			value = stet_arg(call, name);
	return value != NULL ? stet_strdup(call, value) : NULL;
}

/* The item of the revision that the op restores. */
static enum stet_status
of_revision(struct stet_call *call, struct subject *out)
{
	const json_t *item;
	json_t *answer;

	STET_TRY(stet_invoke_found(
	    call, "revision_get", json_pack("{ss*}", "revisionId", out->id), &answer));
	item = json_object_get(answer, "item");
	out->name = text_of(item, "collection");
	out->id = text_of(item, "entryId");
	if (out->name == NULL || out->id == NULL)
		out->kind = KINDS;
	return STET_OK;
}

enum stet_status
tracked_subject(struct stet_call *call, const struct tracked *t, struct subject *out)
{
	*out = (struct subject){ .kind = t->creates ? KINDS : t->kind,
		.name = argument(call, t->name),
		.id = argument(call, t->id),
		.locale =
		    t->kind == ITEM || t->kind == TERM || t->kind == TAXONOMY || t->kind == MENU
			? argument(call, "locale")
			: NULL,
		.deleted = strcmp(t->op, "taxonomy_delete_term") == 0 };
	if (t->kind == SETTINGS)
		out->locale = NULL;
	return t->kind == ITEM && t->name == NULL ? of_revision(call, out) : STET_OK;
}

/* The object of the reply that says what was made: the reply, or its only object. */
static const json_t *
made(const json_t *reply)
{
	static const char *const names[] = { "item", "term", "byline" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (json_is_object(json_object_get(reply, names[i])))
			return json_object_get(reply, names[i]);
	return reply;
}

void
tracked_after(struct stet_call *call, const struct tracked *t, const char *reply, size_t len,
    struct subject *s)
{
	const char *later = argument(call, t->later);
	json_t *all_of_it;
	const json_t *it;

	if (later != NULL)
		s->id = later;
	if (!t->creates)
		return;
	/* Our own replies may nest deeper than stet_json_parse allows. */
	all_of_it = json_loadb(reply, len, JSON_DECODE_ANY, NULL);
	if (all_of_it == NULL)
		return;
	it = made(stet_json_own(call, all_of_it));
	s->kind = t->kind;
	s->id = text_of(it, t->kind == TERM ? "slug" : "id");
	s->locale = t->kind == TERM ? text_of(it, "locale") : NULL;
	if (s->id == NULL)
		s->kind = KINDS;
}

/* ---- subjects as texts ---- */

const char *
subject_text(struct stet_call *call, const struct subject *s)
{
	if (s->kind == SETTINGS)
		return "site";
	if (s->name == NULL || s->id == NULL)
		return s->name != NULL ? s->name : s->id;
	return stet_printf(call, "%s/%s", s->name, s->id);
}

void
subject_read(struct stet_call *call, const char *kind, const char *text, const char *locale,
    struct subject *out)
{
	const char *slash = strchr(text, '/');

	*out = (struct subject){ .kind = ITEM, .locale = locale };
	while (out->kind < KINDS && strcmp(kind_names[out->kind], kind) != 0)
		out->kind++;
	if (out->kind == BYLINE)
		out->id = text;
	else if (slash != NULL && (out->kind == ITEM || out->kind == TERM)) {
		out->name = stet_strndup(call, text, (size_t)(slash - text));
		out->id = slash + 1;
	} else if (out->kind != SETTINGS)
		out->name = text;
}
