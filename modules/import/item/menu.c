/*
 * menu.c - imports menus. Their items are noted while the file is read; the menus are made after
 * the items to which they link. A menu whose name exists here stays as it is; with updates a menu
 * of an earlier import is changed, unless somebody has changed it here since.
 */
#include "item/menu.h"
#include "item/links.h"
#include "item/parts.h"
#include "item/termname.h"
#include "item/terms.h"
#include "item/trial.h"
#include "read/text.h"
#include "state/account.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <stdlib.h>
#include <string.h>

#define ITEMS_MAX 1000 /* in one menu */
#define NAME_MAX 63 /* characters */
#define TEXT_MAX 200
#define OWN_MAX 4096 /* bytes of the data that stet's own exports add to a menu */

static const char *
meta(const struct wxr_item *item, const char *key)
{
	const char *value = wxr_meta_value(item, key);

	return value != NULL ? value : "";
}

static const char *
classes_of(struct stet_call *call, const struct wxr_item *item)
{
	json_t *list = text_serialized(call, meta(item, "_menu_item_classes"), false), *v;
	const char *out = "";
	size_t i;

	json_array_foreach(list, i, v)
	{
		if (json_string_length(v) > 0 && strlen(out) < TEXT_MAX)
			out = stet_printf(call, "%s%s%s", out, *out != '\0' ? " " : "",
			    text_cut(call, json_string_value(v), TEXT_MAX));
	}
	return out;
}

enum stet_status
menu_note(struct run *run, const struct wxr_item *item)
{
	struct stet_call *call = run->call;
	const char *slug = NULL, *label = "";
	json_t *noted;

	for (size_t i = 0; slug == NULL && i < item->label_count; i++)
		if (strcmp(item->labels[i].taxonomy, "nav_menu") == 0) {
			slug = text_unescape(call, item->labels[i].slug);
			label = text_decode(call, item->labels[i].text);
		}
	if (slug == NULL || *slug == '\0' || strcmp(item->status, "publish") != 0)
		return STET_OK;
	noted = stet_json_own(call,
	    json_pack("{ss ss ss ss ss ss ss ss ss ss}", "menu", label, "id", map_item(call, item),
		"parent", meta(item, "_menu_item_menu_item_parent"), "kind",
		meta(item, "_menu_item_type"), "object", meta(item, "_menu_item_object"), "of",
		meta(item, "_menu_item_object_id"), "url", meta(item, "_menu_item_url"), "label",
		text_plain(call, item->title), "target", meta(item, "_menu_item_target"), "classes",
		classes_of(call, item)));
	(void)json_object_set_new(noted, "hint", json_string(text_plain(call, item->excerpt)));
	return map_note(run, MAP_MENU,
	    stet_printf(call, "%s" MAP_SEP "%010lld" MAP_SEP "%019lld%s", slug,
		(long long)(item->menu_order > 0 ? item->menu_order : 0), (long long)item->id,
		item->key != NULL ? item->key : ""),
	    json_dumps_own(call, json_incref(noted)));
}

enum stet_status
menu_note_own(struct run *run, const struct wxr_term *term)
{
	struct stet_call *call = run->call;
	const char *text = NULL, *why;
	const json_t *own;

	if (strcmp(term->taxonomy, "nav_menu") != 0)
		return STET_OK;
	for (size_t i = 0; i < term->meta_count; i++)
		if (strcmp(term->meta[i].key, "_stet") == 0)
			text = term->meta[i].value;
	if (text == NULL || strlen(text) > OWN_MAX)
		return STET_OK;
	own = stet_json_parse(call, text, strlen(text), &why);
	if (!json_is_string(json_object_get(own, "name")) ||
	    !json_is_string(json_object_get(own, "locale")))
		return STET_OK;
	return map_note(run, MAP_MENU_OWN, text_unescape(call, term->slug),
	    json_dumps_own(call, json_pack("{sO sO}", "name", json_object_get(own, "name"),
				     "locale", json_object_get(own, "locale"))));
}

/* ---- a menu ---- */

struct menu {
	struct run *run;
	char *after; /* malloc: the last row that was read */
	const char *source; /* its name in the source */
	const char *name, *locale; /* here */
	json_t *items; /* as menu_note has noted them */
	const char *id[ITEMS_MAX];
	bool put[ITEMS_MAX];
	json_t *out; /* menu items as arguments of menu_set_items */
	bool more; /* it has more than ITEMS_MAX items */
	int64_t read; /* number of its items */
	int64_t targets, kept_targets, left; /* numbers of links, and of those that lead there */
	const char *label, *hash;
	struct kept kept; /* of a menu that was imported before */
	const char *changed; /* when the menu here was changed last; NULL: there is none */
};

/* Sets name and locale of the menu here: those in stet's own export, or else the name in the source
 * and the locale of the import. */
static enum stet_status
read_name(struct stet_call *call, struct menu *m)
{
	const char *const *locales = stet_locales(call), *text;
	const json_t *own;

	STET_TRY(map_get(call, m->run, MAP_MENU_OWN, m->source, &text));
	m->source = text_cut(call, m->source, NAME_MAX);
	m->name = m->source;
	m->locale = m->run->locale;
	own = map_json(call, text);
	while (*locales != NULL && strcmp(*locales, text_in(own, "locale")) != 0)
		locales++;
	if (*locales == NULL || *text_in(own, "name") == '\0')
		return STET_OK;
	m->locale = *locales;
	m->name = text_cut(call, text_in(own, "name"), NAME_MAX);
	return STET_OK;
}

/* Reads the next menu; m->source is NULL if there is none. */
static enum stet_status
read_menu(struct stet_call *call, struct menu *m)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT source, value FROM import_map WHERE run = ?1 AND kind = ?2 AND source > ?3"
	    " ORDER BY source",
	    STET_ARGS(m->run->id, MAP_MENU, m->after)));
	while (stet_row(&rows)) {
		const char *source = stet_col_str(&rows, 0);
		size_t len = strcspn(source, MAP_SEP);

		if (m->source == NULL)
			m->source = stet_strndup(call, source, len);
		if (strlen(m->source) != len || memcmp(m->source, source, len) != 0)
			break;
		free(m->after);
		m->after = strdup(source);
		if (m->after == NULL)
			stet_out_of_memory();
		m->read++;
		m->more |= json_array_size(m->items) >= ITEMS_MAX;
		if (!m->more)
			(void)json_array_append(m->items, map_json(call, stet_col_str(&rows, 1)));
	}
	return stet_rows_end(&rows);
}

static bool
is_term(const json_t *item)
{
	return strcmp(text_in(item, "kind"), "taxonomy") == 0;
}

/* Finds what a menu item links to: an item here with its collection, or a term with its taxonomy.
 * *id NULL: it was not imported; "": a dry run has made it, and rolled it back. */
static enum stet_status
resolve(struct stet_call *call, const struct menu *m, const json_t *item, const char **collection,
    const char **id)
{
	const char *value = NULL, *sep;

	*collection = *id = NULL;
	if (is_term(item))
		return terms_numbered(call, m->run, text_in(item, "of"), collection, id);
	if (strcmp(text_in(item, "kind"), "post_type") != 0)
		return STET_OK;
	STET_TRY(map_get(call, m->run, MAP_ENTRY, text_in(item, "of"), &value));
	if (value == NULL || (sep = strchr(value, *MAP_SEP)) == NULL)
		return STET_OK;
	*collection = stet_strndup(call, value, (size_t)(sep - value));
	*id = sep + 1;
	return STET_OK;
}

/* *out: the label of a menu item. If it has none, the title of what it links to. */
static enum stet_status
label_of(struct stet_call *call, const json_t *item, const char *collection, const char *id,
    const char **out)
{
	struct stet_sql *sql;
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	struct stet_rows rows;

	*out = text_in(item, "label");
	if (**out != '\0' || collection == NULL || *id == '\0')
		return STET_OK;
	if (is_term(item))
		return term_label(call, id, out);
	STET_TRY(schema->collection(call, collection, &c));
	if (stet_field(c, "title") == NULL)
		return STET_OK;
	sql = stet_sql_new(call);
	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, "title");
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows) && !stet_col_null(&rows, 0))
		*out = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static void
put_look(json_t *to, const char *member, const char *text)
{
	if (*text != '\0')
		(void)json_object_set_new(to, member, json_string(text));
}

/* *out: the URL of a link if menus accept it (field type url, or a fragment), otherwise "#": one
 * refused URL would make the whole menu fail. */
static enum stet_status
link_of(
    struct stet_call *call, struct menu *m, const char *label, const char *url, const char **out)
{
	const char *from = url + strspn(url, " \t\r\n");
	enum stet_status status;
	json_t *good;

	*out = *from != '\0' ? from : "#";
	STET_TRY(stet_type_check(call, "url", "customUrl",
	    stet_json_own(call, json_string(stet_printf(call, **out == '#' ? "/%s" : "%s", *out))),
	    &good));
	status = stet_issues(call);
	if (status != STET_VALIDATION_ERROR)
		return status;
	stet_error_clear(call);
	*out = "#";
	return outcome_tell(m->run, m->name, OUTCOME_REPAIRED,
	    stet_printf(call,
		"The link \"%.100s\" leads nowhere, since its address cannot be kept: %.200s",
		label, from));
}

/* Makes a plain link, for an address or for a target that is not here. */
static enum stet_status
put_link(struct stet_call *call, struct menu *m, const json_t *item, const char *label, json_t *to)
{
	const char *url = text_in(item, "url"), *kind = text_in(item, "kind"), *out;
	bool refers = *kind != '\0' && strcmp(kind, "custom") != 0, left;

	url += strspn(url, " \t\r\n");
	put_look(to, "type", "custom");
	STET_TRY(link_of(call, m, label, url, &out));
	put_look(to, "customUrl", out);
	m->targets += refers || *url != '\0';
	m->kept_targets += *url != '\0' && (*out != '#' || *url == '#');
	if (!refers || *url != '\0')
		return STET_OK;
	STET_TRY(link_left(call, m->run, text_in(item, "of"), &left));
	m->left += left && !is_term(item);
	return outcome_tell(m->run, m->name, OUTCOME_REPAIRED,
	    stet_printf(call,
		"The link \"%.100s\" leads nowhere, since what it leads to was not imported",
		label));
}

static enum stet_status
put_item(struct stet_call *call, struct menu *m, size_t i, json_int_t parent)
{
	const json_t *item = json_array_get(m->items, i);
	const char *collection, *id, *label, *url = text_in(item, "url");
	json_t *to = json_object();

	(void)json_array_append_new(m->out, to);
	STET_TRY(resolve(call, m, item, &collection, &id));
	STET_TRY(label_of(call, item, collection, id, &label));
	if (label[strspn(label, " \t\n")] == '\0')
		label = *url != '\0' ? url : "Untitled";
	put_look(to, "label", text_cut(call, label, TEXT_MAX));
	put_look(to, "titleAttr", text_cut(call, text_in(item, "hint"), TEXT_MAX));
	put_look(to, "target", text_cut(call, text_in(item, "target"), 60));
	put_look(to, "cssClasses", text_cut(call, text_in(item, "classes"), 2 * TEXT_MAX));
	if (parent >= 0)
		(void)json_object_set_new(to, "parentIndex", json_integer(parent));
	if (id == NULL)
		return put_link(call, m, item, label, to);
	m->targets++;
	m->kept_targets++;
	if (*id == '\0') {
		put_look(to, "type", "custom");
		put_look(to, "customUrl", "#");
		return STET_OK;
	}
	put_look(to, "type",
	    is_term(item)                                  ? "taxonomy"
	    : strcmp(text_in(item, "object"), "page") == 0 ? "page"
							   : "post");
	put_look(to, "referenceCollection", collection);
	put_look(to, "referenceId", id);
	return STET_OK;
}

/* Appends the children of a menu item, each followed by its own children. `at`: index of the
 * parent. */
static enum stet_status
put_below(struct stet_call *call, struct menu *m, const char *parent, json_int_t at, int depth)
{
	for (size_t i = 0; i < json_array_size(m->items); i++) {
		const json_t *item = json_array_get(m->items, i);
		json_int_t place;

		if (m->put[i] || strcmp(text_in(item, "parent"), parent) != 0)
			continue;
		m->put[i] = true;
		place = (json_int_t)json_array_size(m->out);
		STET_TRY(put_item(call, m, i, at));
		if (depth < 100)
			STET_TRY(put_below(call, m, text_in(item, "id"), place, depth + 1));
	}
	return STET_OK;
}

static enum stet_status
put_all(struct stet_call *call, struct menu *m)
{
	STET_TRY(put_below(call, m, "0", -1, 0));
	STET_TRY(put_below(call, m, "", -1, 0));
	/* Items whose parents are not in the menu come to the top level. */
	for (size_t i = 0; i < json_array_size(m->items); i++) {
		json_int_t place = (json_int_t)json_array_size(m->out);

		if (m->put[i])
			continue;
		m->put[i] = true;
		STET_TRY(put_item(call, m, i, -1));
		STET_TRY(put_below(call, m, text_in(json_array_get(m->items, i), "id"), place, 0));
	}
	return STET_OK;
}

/* Sets m->changed to the time of the menu's last change. */
static enum stet_status
find(struct stet_call *call, struct menu *m)
{
	return op_changed(call, "menu_get",
	    json_pack("{ss ss}", "name", m->name, "locale", m->locale), &m->changed);
}

/* Returns a menu of the site that has this name. `same`: in the same locale, or in another. *out:
 * NULL if there is none. */
static enum stet_status
find_named(struct stet_call *call, const struct menu *m, bool same, const json_t **out)
{
	json_t *reply, *one;
	size_t i;

	*out = NULL;
	STET_TRY(stet_invoke_json(call, "menu_list", json_object(), &reply));
	json_array_foreach(reply, i, one)
	{
		if (*out == NULL && strcmp(text_in(one, "name"), m->name) == 0 &&
		    (strcmp(text_in(one, "locale"), m->locale) == 0) == same)
			*out = one;
	}
	return STET_OK;
}

/* Makes the menu: as a translation if there is one of this name in another locale. */
static enum stet_status
add(struct stet_call *call, const struct menu *m)
{
	const json_t *of;
	json_t *reply;

	STET_TRY(find_named(call, m, false, &of));
	return stet_invoke_json(call, "menu_add",
	    json_pack("{ss ss ss ss*}", "name", m->name, "label", m->label, "locale", m->locale,
		"translationOf", json_string_value(json_object_get(of, "id"))),
	    &reply);
}

/* Makes the menu, or updates the existing one. */
static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct menu now = *(const struct menu *)arg;
	json_t *reply;

	if (now.changed == NULL)
		STET_TRY(add(call, &now));
	else
		STET_TRY(stet_invoke_json(call, "menu_update",
		    json_pack(
			"{ss ss ss}", "name", now.name, "label", now.label, "locale", now.locale),
		    &reply));
	STET_TRY(stet_invoke_json(call, "menu_set_items",
	    json_pack("{ss ss sO}", "name", now.name, "locale", now.locale, "items", now.out),
	    &reply));
	STET_TRY(find(call, &now));
	return part_put(call, tx, now.run, PART_MENU, now.source, now.name, now.hash, now.changed);
}

static void
read_hash(struct stet_call *call, struct menu *m)
{
	m->label = text_in(json_array_get(m->items, 0), "menu");
	if (m->label[strspn(m->label, " \t\n")] == '\0')
		m->label = m->name;
	m->label = text_cut(call, m->label, TEXT_MAX);
	m->hash = ids_hash_of(call,
	    stet_json_own(call, json_pack("{ss sO}", "label", m->label, "items", m->out)), "");
}

/* Sets *out if the menu is to be written. If it was changed here since, reports a conflict. */
static enum stet_status
is_wanted(const struct menu *m, bool *out)
{
	const char *outcome, *reason;

	*out = m->changed == NULL;
	if (m->kept.item == NULL)
		return STET_OK;
	outcome = part_outcome(m->run, &m->kept, m->hash, m->changed, &reason);
	*out = outcome == NULL || strcmp(outcome, OUTCOME_UPDATED) == 0;
	return outcome != NULL && strcmp(outcome, OUTCOME_CONFLICT) == 0
		   ? outcome_tell(m->run, m->name, OUTCOME_CONFLICT, reason)
		   : STET_OK;
}

/* Counts the items that the menu has in the database. */
static enum stet_status
count_here(struct stet_call *call, const struct menu *m, int64_t put)
{
	const json_t *menu;
	int64_t here = m->run->tries ? put : 0;

	STET_TRY(find_named(call, m, true, &menu));
	if (menu != NULL)
		here = json_integer_value(json_object_get(menu, "itemCount"));
	account_add(m->run->report.rest, ACCOUNT_COUNTED, stet_printf(call, "menu %s", m->source),
	    put, here, 0);
	return STET_OK;
}

static enum stet_status
write(struct stet_call *call, struct menu *m)
{
	struct report *r = &m->run->report;
	int64_t put = (int64_t)json_array_size(m->out);
	enum stet_status status = trial_lane(call, m->run, store, m);
	const char *why;

	if (status == STET_OK) {
		r->menus_made += m->changed == NULL;
		r->menus_changed += m->changed != NULL;
		r->menu_items += put;
		account_add(r->rest, ACCOUNT_MENUS, m->source, m->read, put, 0);
		STET_TRY(count_here(call, m, put));
		account_add(r->rest, ACCOUNT_REFERENCES, stet_printf(call, "menu %s", m->source),
		    m->targets, m->kept_targets, m->left);
		return m->more ? outcome_tell(m->run, m->name, OUTCOME_REPAIRED,
				     "The menu has more than 1000 items; the others are left out")
			       : STET_OK;
	}
	if (stet_status_http(status) >= 500)
		return status;
	account_add(r->rest, ACCOUNT_MENUS, m->source, m->read, 0, 0);
	why = stet_error_text(call);
	stet_error_clear(call);
	return outcome_tell(m->run, m->name, OUTCOME_FAILED, why);
}

static enum stet_status
make(struct stet_call *call, void *arg)
{
	struct menu *m = arg;
	bool wanted;

	m->source = NULL;
	m->more = false;
	m->read = m->targets = m->kept_targets = m->left = 0;
	memset(m->put, 0, sizeof(m->put));
	m->items = stet_json_own(call, json_array());
	m->out = stet_json_own(call, json_array());
	STET_TRY(read_menu(call, m));
	if (m->source == NULL)
		return STET_OK;
	STET_TRY(read_name(call, m));
	STET_TRY(find(call, m));
	STET_TRY(part_find(call, m->run, PART_MENU, m->source, &m->kept));
	if (m->changed != NULL && (m->kept.item == NULL || !m->run->updates))
		return STET_OK;
	STET_TRY(put_all(call, m));
	read_hash(call, m);
	STET_TRY(is_wanted(m, &wanted));
	return wanted ? write(call, m) : STET_OK;
}

enum stet_status
menu_make(struct run *run)
{
	struct menu *m = calloc(1, sizeof(*m));
	enum stet_status status;

	if (m == NULL || (m->after = strdup("")) == NULL)
		stet_out_of_memory();
	m->run = run;
	do
		status = stet_scope(run->call, make, m);
	while (status == STET_OK && m->source != NULL);
	free(m->after);
	free(m);
	return status;
}
