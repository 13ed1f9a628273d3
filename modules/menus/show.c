/* show.c - reads menus: all of them, one with its items, its translations. */
#include "menus.h"

const struct stet_member menu_list_in[] = {
	{ "locale", STET_STRING, .about = "Menus of this locale alone", STET_RANGE(1, 63) },
	{ 0 },
};
const struct stet_member menu_listed[] = {
	MENU_MEMBERS,
	{ "itemCount", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
const struct stet_member menu_get_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Name of the menu" },
	{ "locale", STET_STRING, .about = "The lowest one when omitted", STET_RANGE(1, 63) },
	{ 0 },
};
const struct stet_member menu_get_out[] = {
	MENU_MEMBERS,
	{ "items", STET_ARRAY, STET_REQUIRED, .of = item_shape,
	    .about = "Flat, in their order; parentId says where each belongs" },
	{ 0 },
};
const struct stet_member menu_by_id[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the menu in any locale" },
	{ 0 },
};
static const struct stet_member translation_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "label", STET_STRING, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_member menu_translations_out[] = {
	{ "translationGroup", STET_STRING, STET_REQUIRED },
	{ "translations", STET_ARRAY, STET_REQUIRED, .of = translation_shape,
	    .about = "By locale" },
	{ 0 },
};

enum stet_status
menu_list(struct stet_call *call)
{
	const char *locale = stet_locale(call, stet_arg(call, "locale"));
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_issues(call));
	stet_sql_add(sql,
	    "SELECT " MENU_COLUMNS ", (SELECT count(*) FROM menu_item AS i WHERE i.menu_id = m.id)"
	    " FROM menu AS m");
	if (locale != NULL) {
		stet_sql_add(sql, " WHERE m.locale = ");
		stet_sql_bind(sql, stet_val_str(locale));
	}
	stet_sql_add(sql, " ORDER BY m.name, m.locale");
	STET_TRY(stet_sql_query(sql, &rows));
	return stet_put_rows(out, NULL, &rows, menu_listed);
}

enum stet_status
menu_get(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	struct items items;
	struct menu m;

	STET_TRY(menu_find(call, &rows));
	menu_load(&rows, &m);
	stet_object(out, NULL);
	stet_put_columns(out, &rows, 0, menu_shape, M_COLUMNS);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(items_read(call, m.id, &items));
	stet_array(out, "items");
	STET_TRY(items_put(call, out, &m, &items));
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* ---- translations ---- */

static enum stet_status
put_translations(struct stet_call *call, const char *group)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, name, locale, label, updated_at FROM menu WHERE translation_group = ?1"
	    " ORDER BY locale",
	    STET_ARGS(group)));
	stet_object(out, NULL);
	stet_put_str(out, "translationGroup", group);
	STET_TRY(stet_put_rows(out, "translations", &rows, translation_shape));
	stet_close(out);
	return STET_OK;
}

enum stet_status
menu_translations_by_name(struct stet_call *call)
{
	struct stet_rows rows;
	const char *group;

	STET_TRY(menu_find(call, &rows));
	group = stet_col_dup(&rows, M_GROUP);
	STET_TRY(stet_rows_end(&rows));
	return put_translations(call, group);
}

enum stet_status
menu_translations(struct stet_call *call)
{
	struct stet_rows rows;
	const char *group;

	STET_TRY(menu_by(call, stet_arg(call, "id"), "Menu not found", &rows));
	group = stet_col_dup(&rows, M_GROUP);
	STET_TRY(stet_rows_end(&rows));
	return put_translations(call, group);
}
