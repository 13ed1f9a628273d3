/* menus.h - what the files of this module know of each other. */
#ifndef MENUS_H
#define MENUS_H

#include <stet/module.h>

#define MENUS_MAX 500 /* of a site, each locale counted: the list has no pages */
#define ITEMS_MAX 1000 /* of a menu */
#define ORDER_MAX 2147483647 /* a sortOrder */

/* ---- menu.c: menus as they are stored, made, changed, deleted ---- */

/* As in menu_shape. */
enum menu_column { M_ID, M_NAME, M_LABEL, M_CREATED, M_UPDATED, M_LOCALE, M_GROUP, M_COLUMNS };
#define MENU_COLUMNS \
	"m.id, m.name, m.label, m.created_at, m.updated_at, m.locale, m.translation_group"

/* clang-format off */
#define MENU_MEMBERS \
	{ "id", STET_STRING, STET_REQUIRED }, \
	{ "name", STET_STRING, STET_REQUIRED }, \
	{ "label", STET_STRING, STET_REQUIRED }, \
	{ "createdAt", STET_TIME, STET_REQUIRED }, \
	{ "updatedAt", STET_TIME, STET_REQUIRED }, \
	{ "locale", STET_STRING, STET_REQUIRED }, \
	{ "translationGroup", STET_STRING, STET_REQUIRED, \
	    .about = "Shared by the locales of one menu" }
/* clang-format on */

/* A menu, or the start of one. */
struct menu {
	const char *id, *name, *label, *locale, *group;
};

extern const struct stet_member menu_shape[];

void menu_load(struct stet_rows *, struct menu *);
/* The menu that `name` and `locale` of this call mean to read: without a locale the lowest one.
 * NOT_FOUND; else the row is current. */
STET_MUST enum stet_status menu_find(struct stet_call *, struct stet_rows *);
/* By its id; NOT_FOUND with this text. */
STET_MUST enum stet_status menu_by(
    struct stet_call *, const char *id, const char *missing, struct stet_rows *);
/* The one they mean to change: AMBIGUOUS_LOCALE when there are several. */
STET_MUST enum stet_status menu_pick(struct stet_call *, struct menu *);
/* Its items changed: its updatedAt is now, and the feed hears of it. */
STET_MUST enum stet_status menu_touch(struct stet_call *, struct stet_tx *, const struct menu *);

extern const struct stet_member menu_create_in[], menu_add_in[], menu_translate_in[],
    menu_update_in[], menu_put_in[], menu_delete_in[], menu_deleted_out[];
stet_handler menu_create, menu_translate, menu_update, menu_delete;

/* ---- show.c: menus as they are read ---- */

extern const struct stet_member menu_list_in[], menu_listed[], menu_get_in[], menu_get_out[],
    menu_by_id[], menu_translations_out[];
stet_handler menu_list, menu_get, menu_translations, menu_translations_by_name;

/* ---- items.c: items as they are stored and shown ---- */

struct item {
	const char *id, *menu, *parent, *type, *collection, *reference, *url, *label, *title,
	    *target, *classes, *created, *group; /* all but id, menu, type, label, created and
						    group may be NULL */
	int64_t order;
};
/* Those of a menu, in their order. */
struct items {
	struct item *item;
	size_t count;
};

#define ITEM_TYPES STET_CHOICES("custom", "page", "post", "taxonomy", "collection")
extern const struct stet_member item_shape[];

STET_MUST enum stet_status items_read(struct stet_call *, const char *menu, struct items *);
struct item *items_find(const struct items *, const char *id); /* NULL when it is not there */
STET_MUST enum stet_status item_insert(struct stet_call *, struct stet_tx *, const struct item *);
/* Write them into the array that is open. */
STET_MUST enum stet_status items_put(
    struct stet_call *, struct stet_json *, const struct menu *, const struct items *);
/* A link as it is stored; an issue about `path` when it is none that may be shown. */
STET_MUST enum stet_status item_link(
    struct stet_call *, const char *path, const char *text, const char **out);

/* ---- arrange.c: items made, changed, moved, replaced ---- */

extern const struct stet_member item_create_in[], item_update_in[], item_delete_in[],
    menu_reorder_in[], menu_set_in[], menu_set_out[];
stet_handler item_create, item_update, item_delete, menu_reorder, menu_set_items;

/* ---- target.c: what items point to ---- */

struct target {
	const char *url, *title; /* NULL: nothing that the public may see */
};
/* Those of the items of a menu of this locale: *out is an array as long as theirs. */
STET_MUST enum stet_status targets_read(
    struct stet_call *, const char *locale, const struct items *, struct target **out);

#endif
