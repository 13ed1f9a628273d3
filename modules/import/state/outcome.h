/* outcome.h - the table import_outcome: the outcome of each item of a resumable run (`lasts` in
 * run.h). */
#ifndef IMPORT_OUTCOME_H
#define IMPORT_OUTCOME_H

#include "state/run.h"

#define OUTCOME_CREATED "created"
#define OUTCOME_UPDATED "updated"
#define OUTCOME_UNCHANGED "unchanged" /* the item here is as the source has it */
#define OUTCOME_CONFLICT "conflict" /* the item was changed here, and in the source */
#define OUTCOME_SKIPPED "skipped" /* it was here already, or is not imported: see `reason` */
#define OUTCOME_DRAFT "draft" /* the item was refused; a draft holds the error */
#define OUTCOME_FAILED "failed"
#define OUTCOME_REPAIRED "repaired" /* something is not as the source has it: see `reason` */

struct outcome {
	int64_t number; /* of the item in the export, from 1; below 0: not an item */
	const char *source_id, *type, *title, *address; /* in the source; NULL: it has none */
	const json_t *old_slugs; /* [slug or path] that the item had before, or NULL */
	const char *outcome, *reason;
	const json_t *notices; /* [text]: what is not as the source has it; or NULL */
	const char *collection, *item, *slug, *locale; /* of the item here; NULL: there is none */
	int64_t comments, assignments; /* that were imported with the item */
	const json_t *account; /* its account (account.h), or NULL */
};
/* Stores an outcome. Does nothing unless the run is resumable. If the number has an outcome
 * already, that one stays. */
STET_MUST enum stet_status outcome_put(
    struct stet_call *, struct stet_tx *, const struct run *, const struct outcome *);
/* Replaces account and notices of an outcome. */
STET_MUST enum stet_status outcome_correct(struct stet_call *, struct stet_tx *, const struct run *,
    int64_t number, const json_t *account, const json_t *notices);
/* *known: the number has an outcome already. A resumed run reads some items again. */
STET_MUST enum stet_status outcome_known(
    struct stet_call *, const struct run *, int64_t number, bool *known);
/* Adds the outcome of something that is not an item (a place in the file, a menu, a term) to the
 * report; a resumable run also stores it. For the slow lane. */
STET_MUST enum stet_status outcome_tell(
    struct run *, const char *place, const char *outcome, const char *reason);
/* Deletes all outcomes of a run, in several transactions. */
STET_MUST enum stet_status outcome_clear(struct stet_call *, const char *run);

#endif
