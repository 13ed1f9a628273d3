/* menus.h - what the files of the menus module share. */
#ifndef MENUS_H
#define MENUS_H

#include <stet/module.h>

#define MENUS_MAX 500 /* on one site, each locale counted: the list has no pages */
#define ITEMS_MAX 1000 /* in one menu */
#define ORDER_MAX 2147483647 /* the largest sortOrder */

/* ---- menu.c: menus in the database ---- */

/* The order of menu_shape. */
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

/* A menu, or the values for a new one. */
struct menu {
	const char *id, *name, *label, *locale, *group;
};

extern const struct stet_member menu_shape[];

void menu_load(struct stet_rows *, struct menu *);
/* For reads: finds the menu of the arguments `name` and `locale`; without a locale, the lowest one.
 * Fails with NOT_FOUND. On success the row is current. */
STET_MUST enum stet_status menu_find(struct stet_call *, struct stet_rows *);
/* Finds the menu with this id; fails with NOT_FOUND and the text `missing`. */
STET_MUST enum stet_status menu_by(
    struct stet_call *, const char *id, const char *missing, struct stet_rows *);
/* For writes: finds the menu; fails with AMBIGUOUS_LOCALE if there are several and the call names
 * no locale. */
STET_MUST enum stet_status menu_pick(struct stet_call *, struct menu *);
/* Call after a change of items: sets updatedAt to now, and reports the change to the feed. */
STET_MUST enum stet_status menu_touch(struct stet_call *, struct stet_tx *, const struct menu *);

extern const struct stet_member menu_create_in[], menu_add_in[], menu_translate_in[],
    menu_update_in[], menu_put_in[], menu_delete_in[], menu_deleted_out[];
stet_handler menu_create, menu_translate, menu_update, menu_delete;

/* ---- uses.c: menus with links to items ---- */

extern const struct stet_member menu_uses_in[], menu_uses_out[];
stet_handler menu_uses;

/* ---- show.c: reading menus ---- */

extern const struct stet_member menu_list_in[], menu_listed[], menu_get_in[], menu_get_out[],
    menu_by_id[], menu_translations_out[];
stet_handler menu_list, menu_get, menu_translations, menu_translations_by_name;

/* ---- items.c: items in the database and as JSON ---- */

struct item {
	const char *id, *menu, *parent, *type, *collection, *reference, *url, *label, *title,
	    *target, *classes, *created,
	    *group; /* all except id, menu, type, label, created and group may be NULL */
	int64_t order;
};
/* The items of a menu in their order. */
struct items {
	struct item *item;
	size_t count;
};

#define ITEM_TYPES STET_CHOICES("custom", "page", "post", "taxonomy", "collection")
extern const struct stet_member item_shape[];

STET_MUST enum stet_status items_read(struct stet_call *, const char *menu, struct items *);
struct item *items_find(const struct items *, const char *id); /* NULL if there is none */
/* Reports that an item (NULL: several) was written or deleted, so that uses of media items are
 * updated. */
STET_MUST enum stet_status item_changed(struct stet_call *, struct stet_tx *, const char *id);
STET_MUST enum stet_status item_insert(struct stet_call *, struct stet_tx *, const struct item *);
STET_MUST enum stet_status item_replace(struct stet_call *, struct stet_tx *, const struct item *);
/* Writes the items into the open array. */
STET_MUST enum stet_status items_put(
    struct stet_call *, struct stet_json *, const struct menu *, const struct items *);
/* Normalises a link for storing; records an issue about `path` if it is not safe to show. */
STET_MUST enum stet_status item_link(
    struct stet_call *, const char *path, const char *text, const char **out);

/* ---- arrange.c: changing items ---- */

extern const struct stet_member item_create_in[], item_update_in[], item_delete_in[],
    menu_reorder_in[], menu_set_in[], menu_set_out[];
stet_handler item_create, item_update, item_delete, menu_reorder, menu_set_items;

/* ---- target.c: the things that items link to ---- */

struct target {
	const char *url, *title; /* NULL: the public cannot see the target */
};
/* Finds the targets of the items of a menu in this locale; (*out)[i] is the target of item i. */
STET_MUST enum stet_status targets_read(
    struct stet_call *, const char *locale, const struct items *, struct target **out);

#endif
