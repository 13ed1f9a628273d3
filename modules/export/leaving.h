/* leaving.h - the item that is being written: the interface between items.c and relations.c. */
#ifndef EXPORT_LEAVING_H
#define EXPORT_LEAVING_H

#include "export.h"

enum column {
	C_SLUG,
	C_STATUS,
	C_AUTHOR,
	C_CREATED,
	C_UPDATED,
	C_PUBLISHED,
	C_SCHEDULED,
	C_DELETED,
	C_DRAFT,
	C_LOCALE,
	C_GROUP,
	C_UNPUBLISH,
	C_FIELDS
};
/* One item. */
struct leaving {
	struct export *x;
	const struct rank *rank;
	const char *id;
	int64_t number;
	const struct stet_collection *collection;
	const char *text[C_FIELDS]; /* values of the columns; may be NULL */
	json_t *data;
	json_t *credits; /* [{slug, name, role?}] */
	json_t *own; /* data that no element can express, for the custom field _stet */
	json_t *meta; /* [key, value …] */
	bool translated;
};

/* ---- relations.c ---- */

void leaving_meta(struct leaving *, const char *key, const char *value);
/* Read the credits of the item, and the login of its author. */
STET_MUST enum stet_status leaving_credits(struct stet_call *, struct leaving *);
STET_MUST enum stet_status leaving_creator(
    struct stet_call *, struct leaving *, const char **creator);
STET_MUST enum stet_status leaving_variants(struct stet_call *, struct leaving *);
bool taxonomy_is_for(const json_t *taxonomy, const char *collection);
/* *terms: those of the item, [{slug, label, ...}]. */
STET_MUST enum stet_status leaving_terms(
    struct stet_call *, struct leaving *, const char *taxonomy, json_t **terms);
/* Writes the terms of the item. */
STET_MUST enum stet_status leaving_labels(struct stet_call *, struct leaving *);

#endif
