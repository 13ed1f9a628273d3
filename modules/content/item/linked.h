/* linked.h - bylines and terms of items, stored by other modules. Part of item.h. */
#ifndef CONTENT_LINKED_H
#define CONTENT_LINKED_H

#include <stet/bylines.h>
#include <stet/module.h>
#include <stet/taxonomies.h>

/* ---- byline.c: credits of items ---- */

/* The bylines that a reply shows. */
struct shown {
	const struct stet_bylines_1 *service; /* NULL: the module is not enabled */
	struct stet_byline_page *page; /* NULL: no item has bylines */
	int64_t version; /* part of the entity tag; 0: the site has no bylines */
	bool with_live; /* item 1 of the page has the live credits of item 0, which has those of a
			   draft */
};

#define BYLINES_ABOUT "Credits in their order: [{bylineId, roleLabel}]; the first is primary"
/* Reads `bylines` of a body (or NULL). *out is NULL if the credits stay as they are. */
STET_MUST enum stet_status byline_check(
    struct stet_call *, const json_t *bylines, struct stet_credits **out);
STET_MUST enum stet_status byline_store(struct stet_call *, struct stet_tx *,
    const char *collection, const char *id, const struct stet_credits *);
STET_MUST enum stet_status byline_copy(
    struct stet_call *, struct stet_tx *, const char *collection, const char *from, const char *to);
STET_MUST enum stet_status byline_forget(
    struct stet_call *, struct stet_tx *, const char *collection, const char *id);
/* Reads whether the site has bylines. If it has, version is not 0. */
STET_MUST enum stet_status byline_begin(struct stet_call *, struct shown *);
STET_MUST enum stet_status byline_read(struct stet_call *, const char *collection,
    const struct stet_credited *, size_t count, struct shown *);
/* Both read the credits of the current row. `staged` (staged.c): what its draft stages, if the
 * draft is shown. */
STET_MUST enum stet_status byline_read_row(struct stet_call *, const char *collection,
    struct stet_rows *, const json_t *staged, struct shown *);
/* Writes the members `bylines` and `byline` of item i; shown may be NULL. */
void byline_put(struct stet_json *, const struct shown *, size_t i);
/* Writes the member liveBylines, if the page has it. */
void byline_put_live(struct stet_json *, const struct shown *);
/* Returns the credits of item i of the page in the form of the member `bylines`: JSON, owned by the
 * call. */
json_t *byline_json(struct stet_call *, const struct shown *, size_t i);
/* Returns the entity tag of an item: its _rev, followed by a dot and the version of the bylines if
 * the site has bylines. */
char *byline_tag(struct stet_call *, const char *rev, const struct shown *);

/* A condition on the bylines of the items of one collection. */
struct byline_filter {
	const struct stet_bylines_1 *service;
	const char *collection;
	struct stet_byline_filter *it;
};
/* Reads the arguments bylines and includeInferredBylines; *out is NULL if neither filters. */
STET_MUST enum stet_status byline_filter(
    struct stet_call *, const char *collection, const struct byline_filter **out);

/* ---- terms.c: terms of items ---- */

#define TERMS_ABOUT "Terms by taxonomy: {name: [slug or id]}; [] takes all away"
/* Reads `taxonomies` of a body. If it is NULL, *out is NULL and the terms stay as they are. */
STET_MUST enum stet_status terms_check(
    struct stet_call *, const json_t *taxonomies, const char *locale, struct stet_terms **out);
/* Stores terms. Call it in the save of an item, before the change is reported. */
STET_MUST enum stet_status terms_store(struct stet_call *, struct stet_tx *, const char *collection,
    const char *group, const char *id, const struct stet_terms *);

/* ---- staged.c: bylines and terms that a draft stages ---- */

#define BYLINES "_bylines" /* members of the data of the draft's revision */
#define TAXONOMIES "_taxonomies"
struct now;
/* Returns the two members of a revision's data as an object, owned by the call; NULL: it has
 * neither. */
json_t *staged_of(struct stet_call *, const json_t *data);
/* Returns a copy of the data with these members; `data` itself if `staged` is NULL. */
const json_t *staged_with(struct stet_call *, const json_t *data, const json_t *staged);
/* Returns the terms of a taxonomy (NULL: of all) that a draft stages; NULL: it stages none. */
const json_t *staged_terms(const json_t *staged, const char *taxonomy);
/* Returns the primary byline that a draft stages, or NULL. */
const char *staged_primary(const json_t *staged);
/* Reads the bylines and terms that the draft of the current row stages, if the caller may read
 * drafts. */
STET_MUST enum stet_status staged_read(
    struct stet_call *, const struct stet_collection *, struct stet_rows *, json_t **out);
/* Returns the bylines and terms that the item's draft stages after an edit that sets these (either
 * may be NULL). *changes: they differ from the newest. */
STET_MUST enum stet_status staged_edit(struct stet_call *, const struct now *,
    const struct stet_credits *, const struct stet_terms *, const json_t **out, bool *changes);
/* When a draft is published: adds the live credits and terms to the revision that has the live
 * values, then stores those of the draft as live. */
STET_MUST enum stet_status staged_publish(
    struct stet_call *, struct stet_tx *, const struct now *, const json_t *staged);
/* Stores staged bylines and terms as live. `group`: the item's translation group. */
STET_MUST enum stet_status staged_store(struct stet_call *, struct stet_tx *,
    const char *collection, const char *group, const char *id, const json_t *staged);
/* Removes a taxonomy's terms from the draft of the current row, after its terms were stored as
 * live. */
STET_MUST enum stet_status staged_drop_terms(
    struct stet_call *, struct stet_tx *, const char *draft, const char *taxonomy);
/* Returns the live and the draft's values of the members that the draft stages, in the form of
 * replies. */
STET_MUST enum stet_status staged_compare(
    struct stet_call *, const struct now *, json_t **live, json_t **draft);

#endif
