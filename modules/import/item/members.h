/*
 * members.h - struct import_item, called an entry: an item of the source, converted to what will be
 * stored here, and then what has become of it.
 */
#ifndef IMPORT_MEMBERS_H
#define IMPORT_MEMBERS_H

#include "state/run.h"
#include <stet/portabletext.h>

/* Values of `done` beside those of outcome.h. */
#define ITEM_IMPORTED "imported"
#define ITEM_WAITING "waiting" /* for its parent: it has no outcome yet */

/*
 * An entry owns all its members, and item_free frees them with it: texts are copies (item_set),
 * JSON values are references of the entry. `outcome`, `done`, `became` and `settled` alone point to
 * constants.
 * NULL, 0 or false: the item does not have the member.
 */
struct import_item {
	/* ---- the item in the source; item_begin sets them ---- */
	int64_t number; /* its place in the export, from 1 */
	char *id; /* its id there */
	char *type; /* its type of posts */
	char *link; /* its address */
	char *title; /* for reports, at most 500 characters */
	char *place; /* in the source, for reports */
	json_t *keys; /* [other ids by which references name it] */
	json_t *old_slugs; /* [slug or path] that it had before */
	json_t *notices; /* [text]: what is not as the source has it; never NULL */
	json_t *account; /* of its values and texts (account.h); never NULL */

	/* ---- what will be stored; entry_of sets them ---- */
	char *collection, *locale; /* here */
	char *group; /* its translation group in the source */
	char *author; /* login; counts if there are no `credits` */
	char *thumbnail; /* source id of its featured image */
	char *parent; /* source id of its parent */
	json_t *terms; /* {taxonomy: [slug]}, both as in the source */
	json_t *comments; /* sorted by id (talk.c) */
	json_t *credits; /* [{slug: login, role?}] */
	json_t
	    *links; /* {field: {ids, file, many}}: fields that name ids of the source (links.c) */
	char *markup; /* its content as the source has it */
	json_t *body; /* {slug, status, data, createdAt, publishedAt?, updatedAt?, seo?} */
	bool slug_made; /* the source has no slug: it was made from the title */
	json_t *draft; /* {slug?, data}: the draft beside the public version */
	char *scheduled_at; /* when the item, or its draft, will be published */
	char *unpublish_at; /* when the item will be unpublished */
	int64_t weight; /* bytes of the draft's text; they count for the size of a batch */
	char *hash; /* of what will be stored (item_hash); only if the run stores ids */

	/* ---- while it is written ---- */
	bool content_waits; /* `markup` is not yet converted to `content` (contents.c) */
	size_t content_at; /* notices that go before those about the content */
	size_t noticed; /* notices that stay if the item is written once more */
	json_t *later; /* those of `links` whose targets are not here yet */
	char *waited; /* name of the map's row by which the entry waited for its parent */
	bool orphan; /* it does not wait for its parent any more */
	bool renewed; /* an update was tried, so a refusal makes no draft */
	char *untried; /* why a dry run cannot check the item */
	bool known; /* an interrupted run has written it */
	/* What its texts were to show, and what of that the database has (confirm.h). */
	struct stet_html_counts given, held;
	bool lacks; /* the database has less */

	/* ---- what has become of it ---- */
	const char *outcome; /* was known before: nothing is written */
	const char *done; /* for the counts of the report */
	const char *became; /* outcome in a dry run, which is stored after the rollback */
	char *why; /* why it was refused */
	char *note; /* why it has its outcome, if it was not refused */
	char *id_here; /* of the item here */
	char *slug_here;
	bool gone; /* the item with `id_here` was deleted */
	int64_t comment_count, term_count; /* imported with it */
	int64_t comments_known; /* those of `comments` that an earlier import has brought */
	json_t *
	    terms_here; /* {taxonomy in the source: number of terms that it got}; others are left */
	json_t *referred; /* account of its references that need not wait */
	const char *settled; /* the outcome by which its account counts */
	bool credited; /* it got bylines */
};

/* The result for an item that is not written as an entry: its outcome, the reason or NULL, the slug
 * of what it is here or NULL, its account and notices or NULL. */
struct item_told {
	const char *outcome, *reason, *slug;
	json_t *account, *notices;
};

/* Makes an entry that has the members up to `notices`. Freed with item_free. */
struct import_item *item_begin(struct stet_call *, const struct run *, const struct wxr_item *);
void item_free(struct import_item *); /* NULL is allowed */
/* Sets a text member to a copy of the text; to NULL if the text is NULL or no UTF-8. The text may
 * be the member itself. */
void item_set(char **member, const char *text);
/* Sets a member of type JSON. Takes the reference. */
void item_set_value(json_t **member, json_t *value);
void item_notice(struct import_item *, const char *text);

/* Adds the account of an entry that is settled, with the item itself, to another account. */
void item_account(const struct import_item *, json_t *to);

json_t *item_data(const struct import_item *); /* values of fields, in `body`; borrowed */
const char *item_slug(const struct import_item *); /* slug in the source, in `body` */
/* Has the entry a draft or a schedule? */
bool item_has_draft(const struct import_item *);
/* Returns the title of an item of the source; one that has none is "Untitled". */
const char *item_title(struct stet_call *, const struct wxr_item *);

/* Returns the hash of those members that decide what is stored. Owned by the call. */
const char *item_hash(struct stet_call *, const struct import_item *);
/* An entry that waits is in the map as JSON. item_json writes it, owned by the call: the members up
 * to `hash`, and `why`. item_of_json reads it; NULL: the text is no object. */
const char *item_json(struct stet_call *, const struct import_item *);
struct import_item *item_of_json(const char *text);

#endif
