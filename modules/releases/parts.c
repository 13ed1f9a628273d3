/*
 * parts.c - terms, menus and settings in a release. The release holds what becomes of them, with
 * the arguments of the op that makes such a change at once. Their mark is their whole state, but
 * what is computed from other records.
 */
#include "releases.h"
#include <stet/content.h>
#include <stet/settings.h>
#include <stet/taxonomies.h> /* the tables term_item and content_term */
#include <string.h>

#define TERM_ITEMS_MAX 1000 /* items that get a deleted term again, in one transaction */

/* Copies the members of these names, also null ones. */
static json_t *
picked(const json_t *from, const char *const *names)
{
	json_t *out = json_object();

	for (; *names != NULL; names++)
		(void)json_object_set(out, *names, json_object_get(from, *names));
	return out;
}

/* Returns the content with the members that name the subject. */
static json_t *
with_name(const struct change *c, const char *name, const char *slug)
{
	json_t *args = json_deep_copy((json_t *)(uintptr_t)c->content);

	(void)json_object_set_new(args, name, json_string(c->name));
	if (slug != NULL)
		(void)json_object_set_new(args, slug, json_string(c->slug));
	if (c->locale != NULL)
		(void)json_object_set_new(args, "locale", json_string(c->locale));
	return args;
}

static void
unknown(struct stet_call *call, const char *path, const struct change *c, const char *name)
{
	stet_issue(call, stet_printf(call, "%s.content.%s", path, name), "%s",
	    c->kind == SETTINGS ? "is no setting"
				: stet_printf(call, "is nothing that a release can change of a %s",
				      kind_names[c->kind]));
}

/* Refuses members of the content that the ops do not take, or that name another subject: that
 * would not be compared. */
static void
only(struct stet_call *call, const char *path, const struct change *c, const char *const *names)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)c->content, name, value)
	{
		size_t i = 0;

		while (names[i] != NULL && strcmp(names[i], name) != 0)
			i++;
		if (names[i] == NULL)
			unknown(call, path, c, name);
	}
}

static void
need(struct stet_call *call, const char *path, const char *member, const void *value)
{
	if (value == NULL)
		stet_issue(call, stet_printf(call, "%s.%s", path, member), "is required");
}

/* ---- terms ---- */

static const char *const term_members[] = { "slug", "label", "parentId", "description", NULL };

static void
term_check(struct stet_call *call, const char *path, const struct change *c)
{
	need(call, path, "name", c->name);
	need(call, path, "slug", c->slug);
	if (!change_deletes(c))
		need(call, path, "content", c->content);
	else if (c->content != NULL)
		stet_issue(call, stet_printf(call, "%s.content", path),
		    "is not for a term that is deleted");
	only(call, path, c, term_members);
}

static enum stet_status
term_read(struct stet_call *call, const struct change *c, const char *slug, const json_t **out)
{
	json_t *answer;

	*out = NULL;
	STET_TRY(stet_invoke_found(call, "term_get",
	    json_pack("{ss ss ss*}", "taxonomy", c->name, "termSlug", slug, "locale", c->locale),
	    &answer));
	if (answer != NULL)
		*out = stet_json_own(call, picked(json_object_get(answer, "term"), term_members));
	return STET_OK;
}

static enum stet_status
term_state(struct stet_call *call, const struct change *c, const json_t **out)
{
	const char *slug = text_of(c->content, "slug");

	STET_TRY(term_read(call, c, c->slug, out));
	/* Once it is published, the term may have another slug. */
	return *out == NULL && slug != NULL ? term_read(call, c, slug, out) : STET_OK;
}

/* Reads which items have the term, also those in the trash: [collection, translation group] of
 * each. */
static enum stet_status
term_items(struct stet_call *call, const char *group, json_t **out)
{
	struct stet_rows rows;

	*out = json_array();
	stet_json_own(call, *out);
	STET_TRY(stet_query(call, &rows,
	    "SELECT collection, entry_group FROM content_term WHERE term_group = ?1 LIMIT ?2",
	    STET_ARGS(group, (int64_t)TERM_ITEMS_MAX + 1)));
	while (stet_row(&rows))
		(void)json_array_append_new(
		    *out, json_pack("[ss]", stet_col_str(&rows, 0), stet_col_str(&rows, 1)));
	return stet_rows_end(&rows);
}

/* Adds to the state what the return of a deleted term needs: its translation group, its locale, and
 * unless `many` is NULL the items that have it. *many: more items than can be written at once have
 * it; then none is added. */
static enum stet_status
term_more(struct stet_call *call, const struct change *c, json_t *state, bool *many)
{
	json_t *answer, *term, *items;

	STET_TRY(stet_invoke_found(call, "term_get",
	    json_pack("{ss ss ss*}", "taxonomy", c->name, "termSlug", c->slug, "locale", c->locale),
	    &answer));
	term = json_object_get(answer, "term");
	if (term == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "It is gone");
	(void)json_object_set(state, "group", json_object_get(term, "translationGroup"));
	(void)json_object_set(state, "locale", json_object_get(term, "locale"));
	if (many == NULL)
		return STET_OK;
	STET_TRY(term_items(call, text_of(term, "translationGroup"), &items));
	*many = json_array_size(items) > TERM_ITEMS_MAX;
	if (!*many)
		(void)json_object_set(state, "items", items);
	return STET_OK;
}

static enum stet_status
term_drop(struct stet_call *call, const struct change *c, json_t *state)
{
	bool many;

	STET_TRY(term_more(call, c, state, &many));
	if (many)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "More than %d items have the term: delete it without a release",
		    TERM_ITEMS_MAX);
	return stet_invoke_unread(call, "taxonomy_delete_term",
	    json_pack("{ss ss sO}", "taxonomy", c->name, "termSlug", c->slug, "locale",
		json_object_get(state, "locale")));
}

static enum stet_status
term_apply(struct stet_call *call, const struct change *c, json_t *state)
{
	if (change_deletes(c))
		return term_drop(call, c, state);
	if (state != NULL)
		return stet_invoke_unread(
		    call, "taxonomy_update_term", with_name(c, "taxonomy", "termSlug"));
	return stet_invoke_unread(call, "taxonomy_create_term", with_name(c, "taxonomy", "slug"));
}

/* Fails if items were given a new term since: they would lose it. */
static enum stet_status
term_unused(struct stet_call *call, const struct change *c)
{
	struct stet_rows rows;
	json_t *answer;
	int64_t n;

	STET_TRY(stet_invoke_found(call, "term_get",
	    json_pack("{ss ss ss*}", "taxonomy", c->name, "termSlug", c->slug, "locale", c->locale),
	    &answer));
	if (answer == NULL)
		return STET_OK;
	STET_TRY(stet_one(call, &rows, STET_FAULT,
	    "SELECT count(DISTINCT item) FROM term_item WHERE term_group = ?1",
	    STET_ARGS(text_of(json_object_get(answer, "term"), "translationGroup"))));
	n = stet_col_int(&rows, 0);
	STET_TRY(stet_rows_end(&rows));
	if (n == 0)
		return STET_OK;
	return stet_fail(call, STET_CONFLICT, NULL,
	    "The term would be deleted, but %lld %s it: take it from them first", (long long)n,
	    n == 1 ? "item has" : "items have");
}

/* The translation group that the term has now, if undoing brought it back with another. */
static const char *
term_group(const struct change *c, const char *group)
{
	const char *now = group != NULL ? text_of(c->groups, group) : NULL;

	return now != NULL ? now : group;
}

/* Copies the state before, with the parent that the term has now. */
static json_t *
term_before(const struct change *c)
{
	json_t *args = picked(c->before, term_members);
	const char *parent = term_group(c, text_of(args, "parentId"));

	if (parent != NULL)
		(void)json_object_set_new(args, "parentId", json_string(parent));
	return args;
}

/* Returns in *out whether an item of this translation group is left. */
static enum stet_status
item_left(struct stet_call *call, const char *collection, const char *group, bool *out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct stet_sql *sql = stet_sql_new(call);
	const struct stet_collection *known;
	struct stet_rows rows;

	*out = false;
	if (schema->collection(call, collection, &known) != STET_OK) {
		stet_error_clear(call); /* it was deleted */
		return STET_OK;
	}
	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE translation_group = ");
	stet_sql_bind(sql, stet_val_str(group));
	stet_sql_add(sql, " LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* Gives the term to an item again, beside the terms that it has now. */
static enum stet_status
term_give(struct stet_call *call, const struct change *c, const char *group, const json_t *item)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	const char *collection = json_string_value(json_array_get(item, 0)),
		   *entry = json_string_value(json_array_get(item, 1));
	json_t *stored, *wanted, *groups;
	struct stet_terms *terms;
	bool left;

	STET_TRY(item_left(call, collection, entry, &left));
	if (!left)
		return STET_OK;
	STET_TRY(taxonomies->stored(call, collection, entry, &stored));
	groups = json_copy(json_object_get(stored, c->name));
	if (groups == NULL)
		groups = json_array();
	(void)json_array_append_new(groups, json_string(group));
	wanted = stet_json_own(call, json_pack("{so}", c->name, groups));
	STET_TRY(taxonomies->kept(call, wanted, &terms));
	return taxonomies->store(call, stet_write_tx(call), collection, entry, terms);
}

/* A translation of the deleted term that is left, in any locale: its id, or NULL. */
static enum stet_status
term_other(struct stet_call *call, const struct change *c, const char **id)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	const char *group = term_group(c, text_of(c->before, "group"));
	struct stet_term_found found;
	struct stet_table table;

	*id = NULL;
	STET_TRY(taxonomies->find(call, &group, 1, text_of(c->before, "locale"), &table));
	stet_table_row(&table, 0, &found, sizeof(found));
	if (found.slug == NULL)
		return STET_OK;
	return taxonomies->by_slug(call, c->name, found.slug, found.locale, id, &group);
}

/* Gives the term, which has come back with another group, to the items that are left. */
static enum stet_status
term_give_all(struct stet_call *call, const struct change *c)
{
	const char *group;
	json_t *answer, *item;
	size_t i;

	STET_TRY(stet_invoke_found(call, "term_get",
	    json_pack("{ss ss sO}", "taxonomy", c->name, "termSlug", c->slug, "locale",
		json_object_get(c->before, "locale")),
	    &answer));
	group = text_of(json_object_get(answer, "term"), "translationGroup");
	(void)json_object_set_new(c->groups, text_of(c->before, "group"), json_string(group));
	json_array_foreach(json_object_get(c->before, "items"), i, item)
	    STET_TRY(term_give(call, c, group, item));
	return STET_OK;
}

/* The term comes back as the last of its siblings, with another id, unless it has a translation:
 * then where that is. */
static enum stet_status
term_restore(struct stet_call *call, const struct change *c)
{
	json_t *args = term_before(c);
	const char *other;

	stet_json_own(call, args);
	for (size_t i = 0; term_members[i] != NULL; i++)
		if (json_is_null(json_object_get(args, term_members[i])))
			(void)json_object_del(args, term_members[i]);
	(void)json_object_update_new(
	    args, json_pack("{ss sO* ss}", "taxonomy", c->name, "locale",
		      json_object_get(c->before, "locale"), "slug", c->slug));
	STET_TRY(term_other(call, c, &other));
	if (other != NULL) {
		(void)json_object_set_new(args, "translationOf", json_string(other));
		(void)json_object_del(args, "parentId");
	}
	STET_TRY(stet_invoke_unread(call, "taxonomy_create_term", json_incref(args)));
	/* Of a translation, the items have kept it. */
	return other != NULL ? STET_OK : term_give_all(call, c);
}

static enum stet_status
term_revert(struct stet_call *call, const struct change *c)
{
	const char *slug = json_is_object(c->before) ? text_of(c->content, "slug") : NULL;
	json_t *args = json_pack("{ss ss ss*}", "taxonomy", c->name, "termSlug",
	    slug != NULL ? slug : c->slug, "locale", c->locale);

	stet_json_own(call, args);
	if (change_deletes(c))
		return term_restore(call, c);
	if (!json_is_object(c->before)) {
		STET_TRY(term_unused(call, c));
		return stet_invoke_unread(call, "taxonomy_delete_term", json_incref(args));
	}
	(void)json_object_update_new(args, term_before(c));
	return stet_invoke_unread(call, "taxonomy_update_term", json_incref(args));
}

enum stet_status
term_whole(struct stet_call *call, const struct change *c, bool items, const json_t **out)
{
	json_t *whole;
	bool many;

	STET_TRY(term_read(call, c, c->slug, out));
	if (*out == NULL)
		return STET_OK;
	whole = stet_json_own(call, json_copy((json_t *)(uintptr_t)*out));
	*out = whole;
	return term_more(call, c, whole, items ? &many : NULL);
}

const struct kind_row term_kind = { { "taxonomy_update_term", "taxonomy_create_term",
					"taxonomy_delete_term" },
	"taxonomies:read", term_check, term_state, term_apply, term_revert };

/* ---- menus ---- */

static const char *const link_members[] = { "id", "parentId", "type", "referenceCollection",
	"referenceId", "customUrl", "label", "titleAttr", "target", "cssClasses", NULL };

static void
menu_check(struct stet_call *call, const char *path, const struct change *c)
{
	static const char *const members[] = { "label", "items", NULL };
	const json_t *items = json_object_get(c->content, "items");

	need(call, path, "name", c->name);
	need(call, path, "content", c->content);
	only(call, path, c, members);
	if (c->content != NULL && !json_is_array(items) && text_of(c->content, "label") == NULL)
		stet_issue(call, stet_printf(call, "%s.content", path), "needs items, or a label");
}

static enum stet_status
menu_state(struct stet_call *call, const struct change *c, const json_t **out)
{
	json_t *answer, *state, *items, *item;
	size_t i;

	*out = NULL;
	STET_TRY(stet_invoke_found(call, "menu_get",
	    json_pack("{ss ss*}", "name", c->name, "locale", c->locale), &answer));
	if (answer == NULL)
		return STET_OK;
	state = stet_json_own(call, json_object());
	items = json_array();
	(void)json_object_set(state, "label", json_object_get(answer, "label"));
	(void)json_object_set_new(state, "items", items);
	json_array_foreach(json_object_get(answer, "items"), i, item)(void)
	    json_array_append_new(items, picked(item, link_members));
	*out = state;
	return STET_OK;
}

static enum stet_status
menu_write(struct stet_call *call, const struct change *c, const char *label, json_t *items)
{
	if (label != NULL)
		STET_TRY(stet_invoke_unread(call, "menu_update",
		    json_pack(
			"{ss ss ss*}", "name", c->name, "label", label, "locale", c->locale)));
	if (items == NULL)
		return STET_OK;
	return stet_invoke_unread(call, "menu_set_items",
	    json_pack("{ss so ss*}", "name", c->name, "items", items, "locale", c->locale));
}

static enum stet_status
menu_apply(struct stet_call *call, const struct change *c, json_t *state)
{
	const json_t *items = json_object_get(c->content, "items");

	if (state == NULL)
		STET_TRY(stet_invoke_unread(call, "menu_create",
		    json_pack("{ss ss* ss*}", "name", c->name, "label",
			text_of(c->content, "label"), "locale", c->locale)));
	return menu_write(
	    call, c, text_of(c->content, "label"), items != NULL ? again(items) : NULL);
}

static bool
has_id(const json_t *items, const char *id)
{
	size_t i;
	json_t *item;

	json_array_foreach((json_t *)(uintptr_t)items, i,
	    item) if (strcmp(text_of(item, "id"), id) == 0) return true;
	return false;
}

/* Appends the items below `parent` (NULL: at the top), each before those below it, in the form in
 * which an op takes them. */
static void
append_below(json_t *out, const json_t *items, const json_t *now, const char *parent, int64_t at)
{
	size_t i;
	json_t *item;

	json_array_foreach((json_t *)(uintptr_t)items, i, item)
	{
		const char *above = text_of(item, "parentId"), *id = text_of(item, "id");
		const bool here =
		    above == NULL || parent == NULL ? above == parent : strcmp(above, parent) == 0;
		json_t *copy;

		if (!here)
			continue;
		copy = json_copy(item);
		(void)json_object_del(copy, "parentId");
		if (!has_id(now, id)) /* it was deleted: it comes back with another id */
			(void)json_object_del(copy, "id");
		if (parent != NULL)
			(void)json_object_set_new(copy, "parentIndex", json_integer(at));
		(void)json_array_append_new(out, copy);
		append_below(out, items, now, id, (int64_t)json_array_size(out) - 1);
	}
}

static enum stet_status
menu_revert(struct stet_call *call, const struct change *c)
{
	const json_t *now;
	json_t *items;

	if (!json_is_object(c->before)) /* the release has made it */
		return stet_invoke_unread(call, "menu_delete",
		    json_pack("{ss ss*}", "name", c->name, "locale", c->locale));
	STET_TRY(menu_state(call, c, &now));
	if (json_object_get(c->content, "items") == NULL)
		return menu_write(call, c, text_of(c->before, "label"), NULL);
	items = json_array();
	append_below(
	    items, json_object_get(c->before, "items"), json_object_get(now, "items"), NULL, 0);
	return menu_write(call, c, text_of(c->before, "label"), items);
}

const struct kind_row menu_kind = { { "menu_update", "menu_set_items", "menu_create" },
	"menus:read", menu_check, menu_state, menu_apply, menu_revert };

/* ---- settings: those that the change sets ---- */

static bool
is_setting(const struct stet_op_info *op, const char *name)
{
	const struct stet_member *m = op->op->in;

	while (m->name != NULL && strcmp(m->name, name) != 0)
		m++;
	return m->name != NULL;
}

static void
settings_check(struct stet_call *call, const char *path, const struct change *c)
{
	const struct stet_op_info *op;
	const char *name;
	json_t *value;

	if (op_find(call, "settings_update", &op) != STET_OK) {
		stet_error_clear(call); /* the module is not enabled: nobody can make the change */
		return;
	}
	json_object_foreach((json_t *)(uintptr_t)c->content, name, value)
	{
		if (!is_setting(op, name))
			unknown(call, path, c, name);
	}
	need(call, path, "content", c->content);
	if (c->content != NULL && json_object_size(c->content) == 0)
		stet_issue(call, stet_printf(call, "%s.content", path), "sets nothing");
}

/* Settings that are not set are null. */
static enum stet_status
settings_state(struct stet_call *call, const struct change *c, const json_t **out)
{
	json_t *answer, *state = stet_json_own(call, json_object()), *value;
	const char *name;

	STET_TRY(stet_invoke_json(call, "settings_get", json_object(), &answer));
	json_object_foreach((json_t *)(uintptr_t)c->content, name, value)
	{
		json_t *now = json_object_get(answer, name);

		if (now == NULL)
			(void)json_object_set_new(state, name, json_null());
		else
			(void)json_object_set(state, name, now);
	}
	*out = state;
	return STET_OK;
}

static enum stet_status
settings_apply(struct stet_call *call, const struct change *c, json_t *state)
{
	(void)state;
	return stet_invoke_unread(call, "settings_update", again(c->content));
}

/* Returns the value that takes a setting away: "", or {} for an object. */
static json_t *
nothing(const json_t *is)
{
	return json_is_object(is) ? json_object_get(is, "mediaId") != NULL
					? json_pack("{ss}", "mediaId", "")
					: json_object()
				  : json_string("");
}

static enum stet_status
settings_revert(struct stet_call *call, const struct change *c)
{
	const struct stet_settings_1 *settings = stet_service(call, STET_SETTINGS_1);
	json_t *args = json_object(), *was;
	const char *name;

	json_object_foreach((json_t *)(uintptr_t)c->before, name, was)
	{
		const json_t *is = json_object_get(c->content, name);

		if (!json_is_null(was))
			(void)json_object_set(args, name, was);
		else if (!json_is_integer(is))
			(void)json_object_set_new(args, name, nothing(is));
	}
	STET_TRY(stet_invoke_unread(call, "settings_update", args));
	/* The op takes no value that takes away a number. */
	json_object_foreach((json_t *)(uintptr_t)c->before, name, was)
	{
		if (json_is_null(was) && json_is_integer(json_object_get(c->content, name)))
			STET_TRY(settings->clear(call, stet_write_tx(call), name));
	}
	return STET_OK;
}

const struct kind_row settings_kind = { { "settings_update", NULL }, "settings:read",
	settings_check, settings_state, settings_apply, settings_revert };
