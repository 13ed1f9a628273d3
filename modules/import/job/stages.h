/*
 * stages.h - a whole import, from the files of an export to the rewritten addresses of its
 * pictures: what `stet import wxr` and the jobs do. Each stage may be run again after it was cut:
 * it makes nothing twice.
 */
#ifndef IMPORT_STAGES_H
#define IMPORT_STAGES_H

#include "state/run.h"

enum stage { STAGE_ANALYZE, STAGE_PREPARE, STAGE_EXECUTE, STAGE_MEDIA, STAGE_REWRITE, STAGES };

struct stages {
	struct stet_call *call;
	/* What, and how. */
	const char *const *files;
	size_t file_count;
	const json_t *given; /* {type: collection}, "": it is left out; others go as suggested */
	int directory; /* where files of attachments lie; -1: they are fetched */
	/* Told of each step, of how many (0: unknown); a status that is not STET_OK ends the stage
	 * with it. */
	enum stet_status (*step)(struct stages *, enum stage, int64_t done, int64_t of);
	/* Told of what went otherwise than it should; `about`: a place of the file, an address, an
	 * item. */
	void (*says)(struct stages *, enum stage, const char *about, const char *what);
	/* Told that the terms are made; NULL: not told. */
	enum stet_status (*terms_made)(struct stages *);
	void *arg; /* of these */

	/* What the analysis has found. */
	int64_t items, attachments, terms;
	json_t
	    *types; /* {type: {count, pictures?, collection?, state?}}; the last two by the plan */
	/* What is to be made for it. */
	json_t *prepare, *mappings;
	bool fits; /* no collection has fields of other types */
	/* How it is imported: `call`, `id`, `lasts`, `locale` and what is wanted are the caller's.
	 */
	struct run run;
	bool fields; /* collections get fields for custom fields of the source */
	bool title; /* the site takes title and tagline, where it has none */
	/* What was copied and rewritten. */
	int64_t copied, there, failed, addresses, rewritten;
};

void stages_begin(struct stages *, struct stet_call *);
/* The ids of the source are kept under this name; NULL or "": the address of the site. */
void stages_source(struct stages *, const char *name, bool updates);
STET_MUST enum stet_status stages_analyze(struct stages *);
/* Says for each type where it goes, and notes what to prepare. */
STET_MUST enum stet_status stages_plan(struct stages *);
STET_MUST enum stet_status stages_prepare(struct stages *);
STET_MUST enum stet_status stages_execute(struct stages *);
/* A dry run of the items, without what prepare would make: nothing of the site is written. */
STET_MUST enum stet_status stages_try(struct stages *);
/* Says which custom fields of the source are left out. After the plan. */
STET_MUST enum stet_status stages_tell_custom(struct stages *);

/* ---- stages_terms.c ---- */

/* Notes in {taxonomies: {name: true}} of which taxonomies an item has terms. */
void stages_note_terms(struct stet_call *, json_t *type, const struct wxr_item *);
/* Lets the taxonomies have items of the collections whose items have their terms. After the plan. A
 * dry run tells it. */
STET_MUST enum stet_status stages_taxonomies(struct stages *);

/* ---- stages_media.c ---- */
STET_MUST enum stet_status stages_media(struct stages *);
STET_MUST enum stet_status stages_rewrite(struct stages *);

#endif
