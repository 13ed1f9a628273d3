/*
 * redirects.h - the files of the module redirects. A row of the table `redirect` says which item
 * left an address (a slug in a locale of a collection) last. It counts only if no published item is
 * at that address now.
 */
#ifndef REDIRECTS_H
#define REDIRECTS_H

#include <stet/module.h>
#include <stet/redirects.h>

#define ROWS_MAX 20 /* of one item; older ones are deleted */

/* ---- moves.c: writes rows ---- */

stet_entry_address_left_fn move_left;
stet_entry_changed_fn move_entry;
stet_schema_changing_fn move_schema;
/* Checks a row that came from a file: its item is in that collection. */
STET_MUST enum stet_status move_loaded(
    struct stet_call *, struct stet_tx *, const void *arg, const char *change, const json_t *key);

/* ---- find.c: the item of an old slug, and the old slugs of an item ---- */

/* Appends the condition that no published item is at the address of the row `r`. */
void free_condition(struct stet_sql *, const struct stet_collection *);
/* The path of an address: by the collection's pattern, or else /collection/slug, of pages /slug. */
const char *place_of(struct stet_call *, const struct stet_collection *, const char *id,
    const char *slug, const char *locale, const char *published_at);

extern const struct stet_redirects_1 redirects_service;
extern const struct stet_member of_item_in[], of_item_out[], forget_in[], forget_out[];
stet_handler of_item, forget;

/* ---- list.c: the op that lists those of a collection ---- */

/* Appends a SELECT of all old addresses that lead to published items, with the columns place, id,
 * slug, locale, published_at: those of imports (place is a path, slug is NULL), then old slugs
 * (place and slug). */
void list_select(struct stet_call *, struct stet_sql *, const struct stet_collection *);

extern const struct stet_member list_in[], list_out[];
stet_handler list;

/* ---- export.c: rules for web servers ---- */

extern const struct stet_member export_in[];
stet_handler export_rules;
int command_redirects(struct stet_call *, int argc, char **argv);

#endif
