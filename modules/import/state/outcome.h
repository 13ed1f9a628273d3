/* outcome.h - what became of each item of a run that lasts. */
#ifndef IMPORT_OUTCOME_H
#define IMPORT_OUTCOME_H

#include "state/run.h"

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

#endif
