/* imported.h - a site with prepared collections, and exports that are imported into it. */
#ifndef T_MODULE_IMPORTED_H
#define T_MODULE_IMPORTED_H

#include "harness.h"

#define SKIP ",\"skipExisting\":true"
#define META(key, value)                                                                \
	"<wp:postmeta><wp:meta_key>" key "</wp:meta_key><wp:meta_value><![CDATA[" value \
	"]]></wp:meta_value></wp:postmeta>"
#define ITEM(id, type, slug, more)                                                   \
	"<item><wp:post_id>" id "</wp:post_id><wp:post_type>" type "</wp:post_type>" \
	"<wp:post_name>" slug "</wp:post_name>" more "</item>\n"

#define LABELLED(taxonomy, slug, text) \
	"<category domain=\"" taxonomy "\" nicename=\"" slug "\"><![CDATA[" text "]]></category>"
/* An item of the menu "main"; `of` is the id of its target. */
#define LINK(id, order, parent, kind, of, url, title)                                              \
	ITEM(id, "nav_menu_item", id,                                                              \
	    "<title>" title "</title><wp:status>publish</wp:status><wp:menu_order>" order          \
	    "</wp:menu_order>" LABELLED("nav_menu", "main", "Main menu") META("_menu_item_type",   \
		kind) META("_menu_item_menu_item_parent", parent) META("_menu_item_object_id", of) \
		META("_menu_item_object", "page") META("_menu_item_url", url)                      \
		    META("_menu_item_classes", "a:2:{i:0;s:3:\"big\";i:1;s:0:\"\";}"))

/* Opens a site with the collections posts and pages of imported_prepare, and some fields. locales
 * NULL: en. */
struct harness *imported_open(const char *const *locales);
/* Creates the collections posts and pages. */
void imported_prepare(struct harness *);
/* Opens such a site with the plugin meddler, which acts on the titles of items. */
struct harness *imported_meddled(void);
/* Imports the channel of an export; `config`: more members of the configuration. */
struct outcome *imported_run(struct harness *, const char *config, const char *channel);
/* Imports a channel by another request; config NULL: none. */
struct outcome *imported_channel(
    struct harness *, const char *request, const char *config, const char *channel);
/* Posts a form with these parts; NULL: the form lacks the part. */
struct outcome *imported_send(struct harness *, const char *config, const char *file);

/* Posts such a form by another request. */
struct outcome *imported_post(
    struct harness *, const char *request, const char *config, const char *file);

#endif
