/*
 * run.h - one import of an export, in two passes over its files. The first reads to the end, and
 * notes what the second needs to know before it gets there: attachments, terms, locales. The second
 * makes items, a batch in a transaction.
 *
 * What an export holds may be far more than fits into memory. So ids of the source and ours are in
 * a table (map.c), items are written a batch at a time, and lists of the answer are bounded.
 */
#ifndef IMPORT_RUN_H
#define IMPORT_RUN_H

#include "read/wxr.h"
#include <stet/content.h>

/* What a run has done. */
struct report {
	int64_t imported, skipped, failed;
	int64_t updated, unchanged, conflicts; /* of items that were known by their ids */
	int64_t sections_made, sections_skipped, menus_made, menus_changed, menu_items, assignments;
	int64_t comments;
	json_t *by_collection; /* {slug: n} */
	json_t *errors; /* [{title, error}] */
	json_t *notices; /* [{title, notice}]: what was imported otherwise than it was */
	json_t *terms_made, *terms_found; /* {taxonomy: n} */
	json_t *missing; /* {taxonomy: true}: without a definition here */
};

enum run_step {
	RUN_BEGUN, /* nothing is read yet */
	RUN_READ, /* an item more was read by the first pass: `read` */
	RUN_TERM, /* some terms more are looked at, or made */
	RUN_TERMS, /* the terms are made */
	RUN_WRITTEN, /* the items up to `number` are */
	RUN_DONE, /* all is; the map still knows it */
};

struct run {
	struct stet_call *call;
	const char *id; /* of its rows in the map */
	const char *const *paths;
	size_t path_count;
	const struct given *from; /* the importer that reads them; NULL: they are WXR */
	/* What is read in their place, as wxr_read reads files; each time the same. NULL: files. */
	enum stet_status (*source)(struct run *, const struct wxr_sink *);
	/* How to import. */
	const json_t *types; /* {type: {collection, enabled}} */
	const json_t *authors; /* {login: user id or null}; may be NULL */
	bool skip_existing, sections, menus, taxonomies, media;
	const char *home; /* site of which links in contents become relative; NULL: none do */
	const char *locale; /* of items that name none: one of the site's */
	/* A run that lasts: its rows stay, with one for what became of each item (outcome.c). After
	 * a kill it goes on with the same id. */
	bool lasts;
	/* The ids of the source are kept (ids.h), under this name, or else under the site's. */
	bool keeps_ids;
	const char *origin; /* NULL: none are kept */
	bool origin_given;
	json_t *channel; /* {title, tagline} of the site, from the last document */
	char site[801]; /* of which the present document is: its origin */
	bool updates; /* what is known by its id is changed where the source has changed */
	/* A dry run (trial.h): nothing of the site is written. */
	bool tries;
	const json_t *makes; /* {collection: {field: true}} that the import would make, or NULL */
	/* Told of each step; a status that is not STET_OK ends the run with it. NULL: not told. */
	enum stet_status (*told)(struct run *, enum run_step);
	void *arg; /* of the teller */

	struct report report;
	int64_t read, number; /* items that each pass has come to */
	int64_t done; /* those up to this one were written by an earlier run of this id */
	int64_t kept; /* the same, as the map has it now */
	int64_t unnumbered; /* outcomes of what has no number */
	json_t *definitions; /* {taxonomy: {name, collections, hierarchical} or null}; terms.c */
	json_t *seen; /* set of terms that were noted lately */
	int64_t head_terms; /* how many the head of the file has so far */
	json_t *unmade; /* set of terms that cannot be made */
	json_t *notes; /* rows for the map that are not stored yet, [kind, source, value …] */
	json_t *batch; /* items that are written next (entry.c) */
	size_t batch_bytes;
	bool alone; /* it runs in a process of its own */
};

/* ---- given.c: what importers read, as exports are ---- */

struct given {
	const char *importer;
	const json_t *options; /* for it; or NULL */
};
/* Reads files by an importer, or as WXR where there is none. */
STET_MUST enum stet_status given_read(struct stet_call *, const struct given *,
    const char *const *paths, size_t count, const struct wxr_sink *);

/* Notes in {fields: {slug: type}} what an item of an importer has; leaves of the suggested fields
 * those that are needed, and adds what a collection that is new gets. */
void given_fields(json_t *type, const struct wxr_item *);
STET_MUST enum stet_status given_suggest(
    struct stet_call *, const char *collection, const json_t *type, json_t *fields);

/* ---- report.c ---- */

void report_begin(struct stet_call *, struct report *);
void report_error(struct report *, const char *title, const char *error);
void report_notice(struct report *, const char *title, const char *notice);
/* Adds to a number by its name. */
void report_add(json_t *numbers, const char *name, int64_t n);
void report_put(struct stet_json *, const struct run *);
extern const struct stet_member execute_out[];

/* ---- map.c: what a run knows of its source, by kind and the source's name of it ---- */

#define MAP_ATTACHMENT "attachment" /* id: {src, alt?} */
#define MAP_TERM "term" /* taxonomy, slug: {name, description, parent} of the head of a file */
#define MAP_ORDER "order" /* place in the head of a file: taxonomy, slug, locale of the term */
#define MAP_NUMBER "number" /* id of a term in the head of a file: taxonomy, slug */
#define MAP_LABEL "label" /* taxonomy, slug, locale: the name of the term as an item has it */
#define MAP_WANTED "wanted" /* taxonomy, slug, locale: where the term is needed */
#define MAP_MADE "made" /* taxonomy, slug, locale: the run has made the term */
#define MAP_SLUG "slug" /* collection, locale, slug: the last number that was given out */
#define MAP_ENTRY "entry" /* id: collection, id of our item */
#define MAP_GROUP "group" /* translation group: collection, id of our item */
#define MAP_AUTHOR "author" /* login, locale: id of our byline */
#define MAP_NAME "name" /* login: display name */
#define MAP_MENU "menu" /* menu, order, id: the item */
#define MAP_MENU_OWN "menuown" /* menu: {name, locale} that our own exports say of it */
#define MAP_LINK "link" /* collection, item here, field: {ids, file, many} that it refers to */
#define MAP_LATER "later" /* parent, id: an item that waits for its parent */
#define MAP_AT "at" /* "": the number of the item up to which all are written */
#define MAP_SEP "\x1f" /* between the parts of a name */

STET_MUST enum stet_status map_put(struct stet_call *, struct stet_tx *, const struct run *,
    const char *kind, const char *source, const char *value);
/* *value: NULL if there is none; owned by the call. */
STET_MUST enum stet_status map_get(struct stet_call *, const struct run *, const char *kind,
    const char *source, const char **value);
/* The first of a kind after this name; *source NULL: there is none. */
STET_MUST enum stet_status map_next(struct stet_call *, const struct run *, const char *kind,
    const char *after, const char **source, const char **value);
/* Keeps a row for the map, and stores the kept ones when there are many, or with `now`. For the
 * slow lane. */
STET_MUST enum stet_status map_note(
    struct run *, const char *kind, const char *source, const char *value);
STET_MUST enum stet_status map_store(struct run *);
/* Removes the rows of the run, some in each transaction. */
STET_MUST enum stet_status map_clear(struct stet_call *, const char *run);
const char *map_id(struct stet_call *, int64_t id); /* an id as a name */
const char *map_item(struct stet_call *, const struct wxr_item *); /* the same, of an item */
json_t *map_json(struct stet_call *, const char *value); /* owned by the call; NULL for NULL */

/* ---- body.c: the body of the request that makes or changes an item ---- */

/* *out is owned by the call. *waits: not before its parent. */
STET_MUST enum stet_status body_of(struct stet_call *, struct stet_tx *, const struct run *,
    json_t *entry, json_t **out, bool *waits);
/* Sets a value if the field takes it, else it is a notice. Takes the reference. */
STET_MUST enum stet_status body_set(
    struct stet_call *, json_t *entry, json_t *data, const char *slug, json_t *value);

/* ---- links.c: fields that refer to items and files of the source ---- */

/* Notes the ids that the value of a field names; false: it names none. Those of WordPress are
 * numbers; `any`: other texts are ids, too. */
bool link_note(struct stet_call *, json_t *entry, const struct stet_field *, const char *text);
bool link_note_value(json_t *entry, const struct stet_field *, const json_t *value, bool any);
/* Sets those that are there; the others are noted for the item that the entry has become. */
STET_MUST enum stet_status links_set(
    struct stet_call *, const struct run *, json_t *entry, json_t *data);
STET_MUST enum stet_status links_wait(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char *item);
/* Sets those, since all items are there. */
STET_MUST enum stet_status links_finish(struct run *);

/* ---- seo.c ---- */

bool seo_is(const char *key); /* a custom field of an SEO plugin */
/* Takes what a custom field says into the member `seo` of an item; false: it is none of that. *why:
 * it does not fit, in words; NULL: it does. */
bool seo_take(struct stet_call *, json_t *seo, const char *key, const char *text, const char **why);
/* The text with the variables of their templates replaced; those that nobody here knows stay. */
const char *seo_text(
    struct stet_call *, const struct run *, const struct wxr_item *, const char *text);

/* ---- title.c ---- */

/* Takes them for the site; keep: only what it has not. `set` gets the names of those taken. */
STET_MUST enum stet_status title_take(
    struct stet_call *, const char *title, const char *tagline, bool keep, json_t *set);

/* ---- notes.c ---- */

/* The content of the item, with the texts of its footnotes. Owned by the call, or the item. */
const char *notes_in(struct stet_call *, const struct wxr_item *);

/* ---- outcome.c: what became of each item of a run that lasts ---- */

#define OUTCOME_CREATED "created"
#define OUTCOME_UPDATED "updated"
#define OUTCOME_UNCHANGED "unchanged" /* it is here as the source has it */
#define OUTCOME_CONFLICT "conflict" /* it was changed here, and in the source */
#define OUTCOME_SKIPPED "skipped" /* it is there already, or not imported at all: `reason` */
#define OUTCOME_DRAFT "draft" /* refused, and a draft that says why */
#define OUTCOME_FAILED "failed"
#define OUTCOME_REPAIRED "repaired" /* a place of the file, read otherwise than it stands there */

struct outcome {
	int64_t number; /* of the item in the export, from 1; below 0: a place of the file */
	const char *source_id, *type, *title, *address; /* in the source; NULL: it has none */
	const json_t *old_slugs; /* [slug] that it had before, or NULL */
	const char *outcome, *reason;
	const json_t *notices; /* [text]: what is otherwise than it was; or NULL */
	const char *collection, *item, *slug, *locale; /* here; NULL: it is not here */
	int64_t comments, assignments; /* that came with it */
};
/* Does nothing for a run that does not last. The first one of a number stays. */
STET_MUST enum stet_status outcome_put(
    struct stet_call *, struct stet_tx *, const struct run *, const struct outcome *);
/* Is there one of this number already? Runs that go on come to some items again. */
STET_MUST enum stet_status outcome_known(
    struct stet_call *, const struct run *, int64_t number, bool *known);
/* Tells in the report, and in the outcomes of a run that lasts, what became of something that is no
 * item: a place in the file, a menu, a term. For the slow lane. */
STET_MUST enum stet_status outcome_tell(
    struct run *, const char *place, const char *outcome, const char *reason);
/* Removes all of a run, some in each transaction. */
STET_MUST enum stet_status outcome_clear(struct stet_call *, const char *run);

/* ---- text.c: texts of the source ---- */

/* Decodes the entities of HTML, once. */
char *text_decode(struct stet_call *, const char *);
/* The same without tags, for texts that are no content. */
char *text_plain(struct stet_call *, const char *);
/* Decodes percent-encoding; the text as it is if what comes of it is not UTF-8. */
const char *text_unescape(struct stet_call *, const char *);
/* At most so many characters. */
char *text_cut(struct stet_call *, const char *, size_t characters);
/* A time of the source as ISO 8601; NULL: it is none. */
const char *text_time(struct stet_call *, const char *);
const char *text_mail_time(struct stet_call *, const char *); /* RFC 2822 */
/* The texts, or the numbers, of a serialized list of PHP, in order. Owned by the call. */
json_t *text_serialized(struct stet_call *, const char *, bool numbers);

/* ---- variant.c: locale and translation group of an item ---- */

/* *locale is one of the site's, or NULL: the item is in a locale that the site does not have, which
 * is *wanted. *group: NULL if it is not known to have translations. */
STET_MUST enum stet_status variant_of(struct stet_call *, const struct run *,
    const struct wxr_item *, const char **locale, const char **wanted, const char **group);

/* ---- fields.c: custom fields ---- */

/* The value for a field of this type; a new reference, NULL if the text is none. */
json_t *field_value(struct stet_call *, const struct stet_field *, const char *text);
/* Is its value, or are parts of it, the id of something else: an item or a file? */
bool field_refers(const struct stet_field *);
/* Rows, or one object, for a field of type repeater or json: texts become values of the sub-fields'
 * types; those that are none are left out and told in `notices`. A new reference. */
json_t *field_rows(
    struct stet_call *, const struct stet_field *, const json_t *value, json_t *notices);
/* Does the field take the value? If not, *why says in words why not. */
STET_MUST enum stet_status field_takes(
    struct stet_call *, const struct stet_field *, const json_t *value, const char **why);

/* ---- entry.c: an item of the source as it will be made ---- */

/*
 * {number, id, type, link, title, oldSlugs, notices, collection, locale, group?, author?,
 * thumbnail?, parent?, terms, comments, markup, state, body: {slug, status, data, createdAt,
 * publishedAt?, updatedAt?}}; a new reference. `state`: 0, 1: the item is refused as it is, 2:
 * nothing of it can be stored; `why` says why then.
 */
STET_MUST enum stet_status entry_of(
    struct stet_call *, struct run *, const struct wxr_item *, json_t **out);
/* Locale and translation group; fails if the site does not have the locale. */
STET_MUST enum stet_status entry_variant(struct stet_call *, const struct run *,
    const struct wxr_item *, const char **locale, const char **group);
/* Its members up to `notices`; a new reference. */
json_t *entry_head(struct stet_call *, const struct run *, const struct wxr_item *);
/* A member that is a text, or NULL; sets one, in an entry or in a part of it. */
const char *entry_text(const json_t *entry, const char *member);
void entry_set(json_t *entry, const char *member, const char *text);
const char *entry_title(struct stet_call *, const struct wxr_item *);
/* The collection of a type of posts; NULL: it is not imported. */
const char *entry_collection(const struct run *, const char *type);

/* ---- contents.c: contents of entries as Portable Text ---- */

/* The content of an entry is its markup, converted when the batch is written. */
void contents_later(json_t *entry);
/* Converts those of these entries, and tells what of them is lost. */
void contents_convert(struct stet_call *, const struct run *, json_t *entries);

/* ---- settle.c: what is stored when it is settled what became of an item ---- */

/* Its outcome, and it waits no longer. */
STET_MUST enum stet_status settle_outcome(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char *outcome);
/* The same; in a dry run when all of the batch is undone. */
STET_MUST enum stet_status settle_entry(
    struct stet_call *, struct stet_tx *, const struct run *, json_t *entry, const char *outcome);
/* Its item is there, made now or before. */
STET_MUST enum stet_status settle_remember(
    struct stet_call *, struct stet_tx *, const struct run *, const json_t *entry, const char *id);
/* It waits for its parent. */
STET_MUST enum stet_status settle_wait(
    struct stet_call *, struct stet_tx *, const struct run *, json_t *entry);
/* Has the entry a draft or a schedule? Both are written after the item. */
bool settle_has_draft(const json_t *entry);
/* Stages the draft of an entry whose item is public. What waits for others is left to links_wait.
 */
STET_MUST enum stet_status settle_draft(
    struct stet_call *, struct stet_tx *, const json_t *entry, const char *id);

/* ---- slug.c: the slugs that items get here ---- */

#define SLUG_LENGTH 250 /* characters, at most */
/* The slug of an entry as the run wants it. *id: the item that has it already, or NULL. */
STET_MUST enum stet_status slug_choose(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char **slug, const char **id);
/* With a number if another item of the export has it: the same in each run. */
STET_MUST enum stet_status slug_claim(struct stet_call *, struct stet_tx *, const struct run *,
    const json_t *entry, const char **slug);
/* With a number if an item has it. */
STET_MUST enum stet_status slug_free(struct stet_call *, const json_t *entry, const char **slug);

/* ---- write.c: batches of items ---- */

/* Takes the reference. */
STET_MUST enum stet_status write_add(struct run *, json_t *entry);
/* The same for an item that is not written; its outcome is, with the batch. */
STET_MUST enum stet_status write_told(struct run *, const struct wxr_item *, const char *outcome,
    const char *reason, const char *slug);
STET_MUST enum stet_status write_flush(struct run *);
/* Writes the items that wait for their parents. */
STET_MUST enum stet_status write_waiting(struct run *);

/* ---- credit.c: bylines ---- */

/* The byline of an author of the source; *id NULL: there are no bylines. */
STET_MUST enum stet_status credit_of(struct stet_call *, struct stet_tx *, const struct run *,
    const char *login, const char *locale, const char **id);
/* Puts the credits of an entry into its body, in their order, or its author alone. */
STET_MUST enum stet_status credit_entry(
    struct stet_call *, struct stet_tx *, const struct run *, const json_t *entry, json_t *body);

/* ---- terms.c ---- */

/* Notes a term, of the head of a file or of an item, that is wanted in a locale. For the first
 * pass. */
STET_MUST enum stet_status terms_note(struct run *, const struct wxr_term *, const char *locale);
/* Notes the number of a term of the head of a file, by which menus refer to it. */
STET_MUST enum stet_status terms_number(struct run *, const struct wxr_term *);
/* The term here that has this number there, in the locale of the import, and its taxonomy; *id
 * NULL: there is none. */
STET_MUST enum stet_status terms_numbered(struct stet_call *, const struct run *,
    const char *number, const char **taxonomy, const char **id);
/* The label of a term here; "" if it is not there. */
STET_MUST enum stet_status terms_label(struct stet_call *, const char *id, const char **out);
/* The taxonomy here; NULL: it is not imported. */
const char *terms_taxonomy(const char *source);
/* Makes the noted terms, parents first. Fails with WXR_IMPORT_TAXONOMY_CONFLICT before any is
 * made. */
STET_MUST enum stet_status terms_make(struct run *);
/* The terms of an item of this collection and locale, {taxonomy: [slug]}, of {taxonomy: [slug]} of
 * the source; *count: how many. Owned by the call. Adds to `refused` the names of taxonomies that
 * leave the collection out. */
STET_MUST enum stet_status terms_of(struct stet_call *, const struct run *, const json_t *wanted,
    const char *collection, const char *locale, json_t **out, int64_t *count, json_t *refused);
/* The name of the definition here for a taxonomy of the source. */
const char *terms_definition(struct stet_call *, const char *taxonomy);
/* May items of the collection have terms of this taxonomy? */
bool terms_takes(const json_t *definition, const char *collection);

/* ---- talk.c: comments ---- */

json_t *talk_of(struct stet_call *, const struct wxr_item *); /* a new reference */
/* Those whose id in the source is above `after`; *count: how many were added to it. */
STET_MUST enum stet_status talk_store(struct stet_call *, struct stet_tx *, const char *collection,
    const char *entry, const json_t *comments, int64_t after, int64_t *count);
int64_t talk_last(const json_t *comments); /* the highest id */

/* ---- section.c, menu.c ---- */

/* What became of a block: an outcome, why, and the slug of the section. */
struct section_told {
	const char *outcome, *reason, *slug;
};
/* A reusable block becomes a section. */
STET_MUST enum stet_status section_import(
    struct run *, const struct wxr_item *, struct section_told *);
STET_MUST enum stet_status menu_note(struct run *, const struct wxr_item *);
/* The term of a menu, which our own exports say more of. */
STET_MUST enum stet_status menu_note_own(struct run *, const struct wxr_term *);
STET_MUST enum stet_status menu_make(struct run *);

/* ---- execute.c ---- */

/* What to import, and how, of a configuration that fits execute_config. */
STET_MUST enum stet_status config_take(struct stet_call *, const json_t *config, struct run *);
/* Imports what the members up to `locale` say; the report then says what was done. */
STET_MUST enum stet_status run_all(struct stet_call *, struct run *);

/* ---- passes.c ---- */

STET_MUST enum stet_status run_passes(struct run *);

/* The value of a custom field; the last one counts. NULL: there is none. */
const char *meta_of(const struct wxr_item *, const char *key);
/* ---- ops.c: ops of other modules ---- */

/* Runs an op of another module inside this call; *out is owned by the call. Takes the arguments. */
STET_MUST enum stet_status op_run(struct stet_call *, const char *op, json_t *args, json_t **out);
/* Runs an op that gets something: when that was changed last, or NULL if it is not there. */
STET_MUST enum stet_status op_changed(
    struct stet_call *, const char *op, json_t *args, const char **changed);

/* The value as text, owned by the call. Takes the reference. */
char *json_dumps_own(struct stet_call *, json_t *);

#endif
