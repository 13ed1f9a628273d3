/* map.h - the table import_map: what a run has noted about its source. A row has a kind (see
 * below), a name in the source, and a value. */
#ifndef IMPORT_MAP_H
#define IMPORT_MAP_H

#include "state/run.h"

#define MAP_ATTACHMENT "attachment" /* id: {id, provider, src, alt?}, value of an image field */
#define MAP_ATTACHED "attached" /* id of the item, order, id: a picture attached to it */
#define MAP_PICTURE "picture" /* id: {title, date, modified, name, menu_order}, for galleries */
#define MAP_TERM "term" /* taxonomy, slug: {name, description, parent}, from the head of a file */
#define MAP_ORDER "order" /* place in the head of a file: taxonomy, slug, locale of the term */
#define MAP_NUMBER "number" /* id of a term in the head of a file: taxonomy, slug */
#define MAP_LABEL "label" /* taxonomy, slug, locale: the name of the term as an item has it */
#define MAP_WANTED "wanted" /* taxonomy, slug, locale: where the term is needed */
#define MAP_MADE "made" /* taxonomy, slug, locale: the run has made the term */
#define MAP_SLUG "slug" /* collection, locale, slug: the last number added to it */
#define MAP_ENTRY "entry" /* id: collection, id of our item */
#define MAP_KEY "key" /* another id that references may name: as MAP_ENTRY */
#define MAP_TOLD \
	"told" /* collection, number: the item is not here, as is told; MAP_GONE: by choice */
#define MAP_GONE "gone" /* its value if the item was deleted here, and is not made again */
#define MAP_LEFT "left" /* id: the item is not imported, by choice */
#define MAP_GROUP "group" /* translation group: collection, id of our item */
#define MAP_AUTHOR "author" /* login, locale: id of our byline */
#define MAP_NAME "name" /* login: display name */
#define MAP_MENU "menu" /* menu, order, id: the item */
#define MAP_MENU_OWN "menuown" /* menu: {name, locale}, from stet's own exports */
#define MAP_LINK "link" /* collection, item here, field: {ids, file, many}, a field that waits */
#define MAP_PAGE "page" /* path on the site of the source: id of the item */
#define MAP_LATER "later" /* parent, id: an item that waits for its parent */
#define MAP_AT "at" /* "": all items up to this number have been written */
#define MAP_SEP "\x1f" /* between the parts of a name */

STET_MUST enum stet_status map_put(struct stet_call *, struct stet_tx *, const struct run *,
    const char *kind, const char *source, const char *value);
/* *value: NULL if there is none; owned by the call. */
STET_MUST enum stet_status map_get(struct stet_call *, const struct run *, const char *kind,
    const char *source, const char **value);
/* Reads the first row of a kind whose name sorts after `after`; *source NULL: there is none. */
STET_MUST enum stet_status map_next(struct stet_call *, const struct run *, const char *kind,
    const char *after, const char **source, const char **value);
/* Buffers a row for the map, and stores the buffered rows when they are many. For the slow lane. */
STET_MUST enum stet_status map_note(
    struct run *, const char *kind, const char *source, const char *value);
STET_MUST enum stet_status map_store(struct run *);
/* Deletes the rows of the run, in several transactions. */
STET_MUST enum stet_status map_clear(struct stet_call *, const char *run);
const char *map_id(struct stet_call *, int64_t id); /* an id as a name */
const char *map_item(struct stet_call *, const struct wxr_item *); /* the id of an item as a name */
json_t *map_json(struct stet_call *, const char *value); /* owned by the call; NULL for NULL */

#endif
