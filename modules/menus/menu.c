/* menu.c - menus in the database: finds, creates, translates, renames and deletes them. */
#include "menus.h"
#include <stet/changes.h>
#include <string.h>

const struct stet_member menu_shape[] = { MENU_MEMBERS, { 0 } };

/* clang-format off */
#define NAME { "name", STET_STRING, STET_REQUIRED, .about = "Name of the menu" }
#define LOCALE(about_) \
	{ "locale", STET_STRING, .about = (about_), STET_RANGE(1, 63) }
#define LABEL(flags_, about_) \
	{ "label", STET_STRING, flags_, .about = (about_), .pattern = "\\S", STET_RANGE(1, 200) }
#define CREATE(pattern_, about_) \
	{ "name", STET_STRING, STET_REQUIRED, .about = (about_), .pattern = (pattern_), \
	    STET_RANGE(1, 63) }, \
	LABEL(STET_REQUIRED, "As it is shown"), \
	LOCALE("The site's default when omitted"), \
	{ "translationOf", STET_STRING, \
	    .about = "Id of the same menu in another locale; its items are copied. Needs locale" }
#define WHICH "Required when the menu has several"
/* clang-format on */

/* REST accepts any name that fits in a path; tools require a name of the form of an identifier. */
const struct stet_member menu_add_in[] = {
	CREATE("^(?=.*\\S)[^/\\x00-\\x1f\\x7f]+(?![\\s\\S])", "No slash, no control characters"),
	{ 0 },
};
const struct stet_member menu_create_in[] = {
	CREATE("^[a-z][a-z0-9_]*(?![\\s\\S])", "a-z, 0-9 and _"),
	{ 0 },
};
const struct stet_member menu_translate_in[] = {
	NAME,
	{ "locale", STET_STRING, STET_REQUIRED, .about = "Of the new one", STET_RANGE(1, 63) },
	LABEL(0, "That of the other when omitted"),
	{ 0 },
};
const struct stet_member menu_put_in[] = {
	NAME,
	{ "locale", STET_STRING, STET_QUERY, .about = WHICH, STET_RANGE(1, 63) },
	LABEL(0, "As it is shown"),
	{ 0 },
};
const struct stet_member menu_update_in[] = {
	NAME,
	LOCALE(WHICH),
	LABEL(STET_REQUIRED, "As it is shown"),
	{ 0 },
};
const struct stet_member menu_delete_in[] = { NAME, LOCALE(WHICH), { 0 } };
const struct stet_member menu_deleted_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

/* ---- found ---- */

void
menu_load(struct stet_rows *rows, struct menu *m)
{
	m->id = stet_col_dup(rows, M_ID);
	m->name = stet_col_dup(rows, M_NAME);
	m->label = stet_col_dup(rows, M_LABEL);
	m->locale = stet_col_dup(rows, M_LOCALE);
	m->group = stet_col_dup(rows, M_GROUP);
}

/* Selects the menus of this name (locale NULL: all locales), lowest locale first. */
static enum stet_status
query(struct stet_call *call, const char *locale, struct stet_rows *rows)
{
	if (locale != NULL)
		return stet_query(call, rows,
		    "SELECT " MENU_COLUMNS " FROM menu AS m WHERE m.name = ?1 AND m.locale = ?2",
		    STET_ARGS(stet_arg(call, "name"), locale));
	return stet_query(call, rows,
	    "SELECT " MENU_COLUMNS " FROM menu AS m WHERE m.name = ?1 ORDER BY m.locale",
	    STET_ARGS(stet_arg(call, "name")));
}

static enum stet_status
not_found(struct stet_call *call, const char *locale)
{
	const char *name = stet_arg(call, "name");

	if (locale == NULL)
		return stet_fail(call, STET_NOT_FOUND, "name", "Menu '%s' not found", name);
	return stet_fail(
	    call, STET_NOT_FOUND, "name", "Menu '%s' not found in locale '%s'", name, locale);
}

enum stet_status
menu_find(struct stet_call *call, struct stet_rows *rows)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));

	STET_TRY(stet_issues(call));
	STET_TRY(query(call, locale, rows));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return not_found(call, locale);
}

enum stet_status
menu_pick(struct stet_call *call, struct menu *m)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale")), *all = "";
	struct stet_rows rows;
	int count = 0;

	STET_TRY(stet_issues(call));
	STET_TRY(query(call, locale, &rows));
	while (stet_row(&rows)) {
		if (count++ == 0)
			menu_load(&rows, m);
		all = stet_printf(
		    call, "%s%s%s", all, count > 1 ? ", " : "", stet_col_str(&rows, M_LOCALE));
	}
	STET_TRY(stet_rows_end(&rows));
	if (count == 0)
		return not_found(call, locale);
	if (count > 1)
		return stet_fail(call, stet_code(call, "AMBIGUOUS_LOCALE"), "locale",
		    "Menu '%s' exists in multiple locales (%s); pass 'locale' to disambiguate.",
		    m->name, all);
	return STET_OK;
}

enum stet_status
menu_touch(struct stet_call *call, struct stet_tx *tx, const struct menu *m)
{
	STET_TRY(stet_exec(call, tx, "UPDATE menu SET updated_at = ?2 WHERE id = ?1",
	    STET_ARGS(m->id, stet_time_text(call, stet_now(call)))));
	return stet_note(call, tx, "menu", m->name, "update");
}

enum stet_status
menu_by(struct stet_call *call, const char *id, const char *missing, struct stet_rows *rows)
{
	STET_TRY(stet_query(
	    call, rows, "SELECT " MENU_COLUMNS " FROM menu AS m WHERE m.id = ?1", STET_ARGS(id)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_fail(call, STET_NOT_FOUND, NULL, "%s", missing);
}

static enum stet_status
reply(struct stet_call *call, const char *id)
{
	struct stet_rows rows;

	STET_TRY(menu_by(call, id, "The menu is gone", &rows));
	stet_put_row(stet_reply(call), &rows, menu_shape);
	return stet_rows_end(&rows);
}

/* ---- made ---- */

static enum stet_status
count_all(struct stet_call *call, int64_t *out)
{
	struct stet_rows rows;

	STET_TRY(stet_one(call, &rows, STET_NOT_FOUND, "SELECT count(*) FROM menu", STET_NO_ARGS));
	*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, const struct menu *m)
{
	enum stet_status status = stet_exec(call, tx,
	    "INSERT INTO menu (id, name, label, locale, translation_group, created_at, updated_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6)",
	    STET_ARGS(m->id, m->name, m->label, m->locale, m->group,
		stet_time_text(call, stet_now(call))));
	struct stet_rows rows;
	bool taken;

	if (status != STET_CONFLICT)
		return status;
	STET_TRY(stet_query(call, &rows, "SELECT 1 FROM menu WHERE name = ?1 AND locale = ?2",
	    STET_ARGS(m->name, m->locale)));
	taken = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	if (taken)
		return stet_fail(call, STET_CONFLICT, "name",
		    "Menu '%s' already exists in locale '%s'", m->name, m->locale);
	return stet_fail(call, STET_CONFLICT, "locale",
	    "The menu has a translation in locale '%s' already", m->locale);
}

/* Copies the items of another menu under new ids. Each copy stays in the translation group of
 * its original, and below the copy of its parent. */
static enum stet_status
copy_items(struct stet_call *call, struct stet_tx *tx, const char *from, const char *to)
{
	struct items items;
	const char **ids;

	STET_TRY(items_read(call, from, &items));
	ids = stet_alloc(call, (items.count + 1) * sizeof(*ids));
	for (size_t i = 0; i < items.count; i++)
		ids[i] = stet_id(call);
	for (size_t i = 0; i < items.count; i++) {
		struct item copy = items.item[i];
		const struct item *parent =
		    copy.parent != NULL ? items_find(&items, copy.parent) : NULL;

		copy.id = ids[i];
		copy.menu = to;
		copy.parent = parent != NULL ? ids[parent - items.item] : NULL;
		STET_TRY(item_insert(call, tx, &copy));
	}
	return STET_OK;
}

/* Creates a menu from *m, with a new id. of: the menu that it translates, or NULL. */
static enum stet_status
make(struct stet_call *call, struct menu *m, const struct menu *of)
{
	struct stet_tx *tx = stet_write_tx(call);
	int64_t count;

	STET_TRY(count_all(call, &count));
	if (count >= MENUS_MAX)
		return stet_fail(
		    call, STET_CONFLICT, NULL, "A site has at most %d menus", MENUS_MAX);
	m->id = stet_id(call);
	m->group = of != NULL ? of->group : m->id;
	STET_TRY(insert(call, tx, m));
	if (of != NULL)
		STET_TRY(copy_items(call, tx, of->id, m->id));
	STET_TRY(stet_note(call, tx, "menu", m->name, "create"));
	return reply(call, m->id);
}

enum stet_status
menu_create(struct stet_call *call)
{
	const char *source = stet_arg(call, "translationOf");
	struct menu of, m = { .name = stet_arg(call, "name"),
		.label = stet_arg(call, "label"),
		.locale = stet_locale_stored(call, stet_arg(call, "locale")) };
	struct stet_rows rows;

	if (source != NULL && !stet_has(call, "locale"))
		stet_issue(call, "locale", "is required when translationOf is given");
	STET_TRY(stet_issues(call));
	if (source == NULL)
		return make(call, &m, NULL);
	STET_TRY(menu_by(call, source, "Source menu for translation not found", &rows));
	menu_load(&rows, &of);
	STET_TRY(stet_rows_end(&rows));
	return make(call, &m, &of);
}

enum stet_status
menu_translate(struct stet_call *call)
{
	const char *locale = stet_locale_stored(call, stet_arg(call, "locale"));
	struct stet_rows rows;
	struct menu of, m;

	STET_TRY(stet_issues(call));
	STET_TRY(query(call, NULL, &rows));
	if (!stet_row(&rows)) {
		STET_TRY(stet_rows_end(&rows));
		return not_found(call, NULL);
	}
	menu_load(&rows, &of);
	STET_TRY(stet_rows_end(&rows));
	m = of;
	m.locale = locale;
	if (stet_has(call, "label"))
		m.label = stet_arg(call, "label");
	return make(call, &m, &of);
}

/* ---- changed, deleted ---- */

enum stet_status
menu_update(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct menu m;

	STET_TRY(menu_pick(call, &m));
	if (!stet_has(call, "label"))
		return reply(call, m.id);
	STET_TRY(stet_exec(call, tx, "UPDATE menu SET label = ?2, updated_at = ?3 WHERE id = ?1",
	    STET_ARGS(m.id, stet_arg(call, "label"), stet_time_text(call, stet_now(call)))));
	STET_TRY(stet_note(call, tx, "menu", m.name, "update"));
	return reply(call, m.id);
}

enum stet_status
menu_delete(struct stet_call *call)
{
	struct stet_tx *tx = stet_write_tx(call);
	struct stet_json *out = stet_reply(call);
	struct menu m;

	STET_TRY(menu_pick(call, &m));
	STET_TRY(stet_exec(call, tx, "DELETE FROM menu WHERE id = ?1", STET_ARGS(m.id)));
	STET_TRY(item_changed(call, tx, NULL));
	STET_TRY(stet_note(call, tx, "menu", m.name, "delete"));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}
