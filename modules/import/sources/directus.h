/* directus.h - an export of Directus while it is read, and the translations of its items. */
#ifndef IMPORT_DIRECTUS_H
#define IMPORT_DIRECTUS_H

#include "sources/documents.h"

struct directus {
	struct documents all; /* by "COLLECTION:ID" */
	json_t *files; /* {id: item of the file} */
	json_t *place; /* {name: of the document that has them} */
	json_t *users; /* {id: account} */
	bool unknown; /* an account is not in the export, which has been told */
	json_t *keys; /* {collection: field with its primary key, unless that is id} */
	/* {"COLLECTION:FIELD": {to: collection, interface}}. by: the member of an item that names
	 * the collection; of: the collection whose rows the field has; beside: the field of these
	 * rows that refers to the items of the field, unless the rows are the items; from: the
	 * field of these rows that refers to the item. */
	json_t *fields;
	json_t *rows; /* {key: row of a junction} */
	json_t *translated; /* {key of an item: [row of its translations]} */
	/* Of the present item. */
	json_t *item;
	const char *type, *name; /* its collection and document */
};

/* Returns "COLLECTION:ID", or another pair; owned by the call. */
const char *directus_key(const struct directus *, const char *type, const char *id);
/* Notes a part of what the snapshot says about a field; about: {collection, field}. */
void directus_note(struct directus *, const json_t *about, const char *name, const json_t *value);
/* Returns the id of an item of the collection; "": it has none. */
const char *directus_id(const struct directus *, const char *type, const json_t *object);

/* The translations of an item. Without any, `rows` is empty. */
struct translated {
	const char *field; /* that has them; "": the collection has none */
	const char *of, *from, *beside; /* as in `fields` above */
	json_t *rows;
	size_t gone; /* the item names more, which are not in the export */
	/* The row whose item has the id: that of the site's first locale, or else the first one.
	 * NULL: the item has a text of its own in that locale, so its id is its own. */
	const json_t *first;
};

/* Notes the rows of a collection if they are translations: as the snapshot says, or without one by
 * the names that Directus gives them (posts_translations with posts_id and languages_code). */
void directus_know_rows(struct directus *, const char *type, const json_t *list);
/* Are the items of the collection translations of others, or languages of these? */
bool directus_is_translations(const struct directus *, const char *type);
bool directus_is_languages(const struct directus *, const char *type);
/* Finds the translations of an item: rows of their file, or inside the item. */
void directus_translated(
    const struct directus *, const char *type, const json_t *object, struct translated *);
/* Returns the code of a row's language; "": it has none. */
const char *directus_locale(const struct directus *, const struct translated *, const json_t *row);
/* Tells of the rows whose item is not in the export: these are lost. */
STET_MUST enum stet_status directus_tell_orphans(
    const struct directus *, const char *type, const json_t *list);

#endif
