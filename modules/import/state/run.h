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
	json_t *batch; /* items that are written next (item/entry.c) */
	size_t batch_bytes;
	bool alone; /* it runs in a process of its own */
};

#endif
