/*
 * stages.h - the stages of an import, from the files of an export to the rewritten addresses, for
 * the command and the jobs. A stage that was interrupted may run again: it duplicates nothing.
 */
#ifndef IMPORT_STAGES_H
#define IMPORT_STAGES_H

#include "plan/names.h"
#include "state/run.h"

enum stage { STAGE_ANALYZE, STAGE_PREPARE, STAGE_EXECUTE, STAGE_MEDIA, STAGE_REWRITE, STAGES };

struct stages {
	struct stet_call *call;
	/* Input and options; also run.names->given and chosen. */
	const char *const *files;
	size_t file_count;
	const json_t *asked; /* {name: type of the field that it becomes}, or NULL */
	int directory; /* where files of attachments are; -1: download them */
	/* Called after each step; of: the total, 0 if unknown. A failure ends the stage. */
	enum stet_status (*step)(struct stages *, enum stage, int64_t done, int64_t of);
	/* Called with each warning. about: a place in the file, an address, an item. */
	void (*says)(struct stages *, enum stage, const char *about, const char *what);
	/* Called when the terms are created. May be NULL. */
	enum stet_status (*terms_made)(struct stages *);
	void *arg; /* data of the callbacks */

	/* Result of the analysis. */
	int64_t items, attachments, terms;
	int64_t titles, descriptions; /* of attachments, which files here do not have */
	json_t *types; /* {type: {count, pictures?, untitled?, collection?, state?}}; the last two
			* by the plan */
	json_t *definitions; /* those of an export of stet (plan/definition.h) */
	json_t *nested; /* set of taxonomies here whose terms have parents in the source */
	/* What a dry run makes of taxonomies: {name: definition}, and [{op, args}] by which. */
	json_t *taxonomies, *ahead;
	/* Input of prepare (collections and fields) and of execute ({type: collection}). */
	json_t *prepare, *mappings;
	/* The run tells what the source says, so the analysis says it only if no run follows. */
	bool runs;
	json_t *notices; /* [{about, text}]: those that are kept for that; at most NOTICES_MAX */
	bool fits; /* no collection has fields of other types */
	/* The run. The caller sets `call`, `id`, `lasts`, `locale` and the options. */
	struct run run;
	bool fields; /* collections get fields for custom fields of the source */
	bool title; /* the site takes title and tagline, where it has none */
	/* Numbers of copied files and rewritten addresses. */
	int64_t copied, there, failed, addresses, rewritten;
	int64_t here; /* attachments whose file the library has, as the rewriting has found */
};

void stages_begin(struct stages *, struct stet_call *);
/* Sets the name under which ids of the source are stored; NULL or "": the address of its site. */
void stages_source(struct stages *, const char *name, bool updates);
/* Makes archives of `files` readable (read/repack.h). Call it first. */
STET_MUST enum stet_status stages_open(struct stages *);
STET_MUST enum stet_status stages_analyze(struct stages *);
/* Chooses a collection for each type, and collects what to prepare. */
STET_MUST enum stet_status stages_plan(struct stages *);
STET_MUST enum stet_status stages_prepare(struct stages *);
STET_MUST enum stet_status stages_execute(struct stages *);
/* A dry run, of what prepare makes and of the items. It changes nothing of the site. */
STET_MUST enum stet_status stages_try(struct stages *);
/* Reports which custom fields of the source, and how many titles and descriptions of files, are
 * left out, and, unless a run can follow, which labels have got an unexpected slug. Call it after
 * stages_plan. */
STET_MUST enum stet_status stages_tell(struct stages *);

/* ---- stages_terms.c ---- */

/* Adds the taxonomies of an item's terms to {taxonomies: {name: name in the source}} of its type.
 */
void stages_note_terms(struct stages *, json_t *type, const struct wxr_item *);
/* Adds those of the types that the definitions of an export name, with or without terms. */
void stages_note_defined(struct stages *);
/* Adds the taxonomy of a term to `nested`, if the term has a parent. */
void stages_note_parent(struct stages *, const struct wxr_term *);
/* Adds collections to the taxonomies whose terms their items have in the source, and makes those
 * that are missing. Call it after stages_prepare, or in a dry run. */
STET_MUST enum stet_status stages_taxonomies(struct stages *);

/* ---- stages_media.c ---- */
STET_MUST enum stet_status stages_media(struct stages *);
/* copied: the files were copied; otherwise only the addresses are mended that no site has. */
STET_MUST enum stet_status stages_rewrite(struct stages *, bool copied);
/* Adds the files of the source to an account: how many were read and stored, and, counted in the
 * database, how many are here. copied false: all are left by choice. */
void stages_note_media(struct stages *, const struct wxr_item *); /* counts an attachment */
void stages_media_account(const struct stages *, bool copied, json_t *account);

#endif
