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

/* A site with posts and pages as prepare makes them, and some fields. locales NULL: en. */
struct harness *imported_open(const char *const *locales);
/* Imports the channel of an export; `config`: more members of the configuration. */
struct outcome *imported_run(struct harness *, const char *config, const char *channel);
/* Sends a form with these parts; NULL: it has none. */
struct outcome *imported_send(struct harness *, const char *config, const char *file);

/* The same to another route. */
struct outcome *imported_post(
    struct harness *, const char *request, const char *config, const char *file);

#endif
