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
#include "state/report.h"
#include <jansson.h>

/* How far a run is. */
enum run_step {
	RUN_BEGUN, /* nothing is read yet */
	RUN_READ, /* the first pass has read one more item: `read` */
	RUN_TERM, /* one more page of terms was checked or made */
	RUN_TERMS, /* the terms are made */
	RUN_WRITTEN, /* the items up to `number` are written */
	RUN_DONE, /* all is written; the rows of the map still exist */
};

struct import_item; /* item/members.h */

struct run {
	struct stet_call *call;
	const char *id; /* of the run, in its rows */
	const char *const *paths;
	size_t path_count;
	const struct given *from; /* the importer that reads the files; NULL: they are WXR */
	const json_t *names; /* {custom field of WXR: its name here}, or NULL */
	/* Reads the source in place of the files, and calls the sink as wxr_read does. Gives the
	 * same each time. NULL: the files are read. */
	enum stet_status (*source)(struct run *, const struct wxr_sink *);
	const json_t *types; /* {type: {collection, enabled}} */
	const json_t *authors; /* {login: user id or null}; may be NULL */
	bool skip_existing, sections, menus, taxonomies, media;
	const char *home; /* links in contents to this site become relative; or NULL */
	const char *locale; /* for items that name none; one of the site's locales */
	/* A resumable run: its rows stay, also one for the outcome of each item (outcome.c). After
	 * a kill the run resumes under the same id. */
	bool lasts;
	/* The ids of the source are stored (ids.h), under `origin`: a given name, or else that of
	 * the site. */
	bool keeps_ids;
	const char *origin; /* NULL: no ids are stored */
	bool origin_given;
	json_t *channel; /* {title, tagline} of the site, from the last document */
	char site[801]; /* origin of the present document's site */
	bool updates; /* items of earlier imports are updated if the source has changed */
	/* A dry run (trial.h): nothing of the site is written. */
	bool tries;
	const json_t *makes; /* {collection: {field: true}}: what the import would make, or NULL */
	const json_t *makes_taxonomies; /* the same for taxonomies of the source: a set, or NULL */
	/* Is called after each step; a status that is not STET_OK ends the run with it. Or NULL. */
	enum stet_status (*told)(struct run *, enum run_step);
	void *arg; /* for `told` and `source` */

	struct report report;
	int64_t read, number; /* items that the first and the second pass have read so far */
	int64_t done; /* up to this number, items were written before the run resumed */
	int64_t kept; /* the number of written items that the map has now (MAP_AT) */
	int64_t unnumbered; /* outcomes so far of what is not an item */
	json_t *definitions; /* {taxonomy: {name, collections, hierarchical} or null}; terms.c */
	json_t *doubles; /* ids that several items have, {id: name of the first}; run/doubles.c */
	unsigned char *ids; /* of the items read so far, as bits; malloc */
	size_t ids_room;
	json_t *seen; /* set of terms that were noted lately, to note them once */
	int64_t head_terms; /* terms of the heads of files that were read so far */
	json_t *unmade; /* set of terms that cannot be made */
	json_t *notes; /* rows for the map that are not stored yet, [kind, source, value …] */
	/* Entries that are written next (run/write.c). */
	struct import_item **batch;
	size_t batch_count, batch_bytes;
	bool alone; /* it runs in a process of its own (a command) */
};

#endif
