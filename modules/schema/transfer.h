/*
 * transfer.h - definitions as files, and the steps from one state of definitions to another.
 */
#ifndef MODULES_SCHEMA_TRANSFER_H
#define MODULES_SCHEMA_TRANSFER_H

#include "schema.h"

/* Begins the names of types of blocks among definitions that are wanted. */
#define BLOCKS "blocks/"

struct block_step;

struct step {
	const char *verb, *collection, *field; /* "create field"; field may be NULL. Of a step for
						  a type of blocks, its slug instead */
	const char *op; /* the op that takes the step, and its arguments */
	json_t *args;
	bool loses; /* the step deletes data */
	int64_t rows; /* rows that the step writes or deletes */
	const char
	    *refused; /* set by steps_run: why the step is refused, in one line; NULL: it is not */
	const char *code; /* the name of that error */
	int64_t in_way; /* items that prevent the step */
	const struct block_step *block; /* a step for a type of blocks, which no op takes */
	struct step *next;
};

struct steps {
	struct stet_call *call;
	struct step *first, **tail;
};

/* The content of the file of one collection; a new reference. */
json_t *transfer_value(struct stet_call *, const struct stet_collection *);
/* Makes the steps from the site's definitions to these ({slug: definition}). With `remove`,
 * definitions that are not in `wanted` are deleted. */
STET_MUST enum stet_status steps_make(
    struct stet_call *, const json_t *wanted, bool remove, struct steps *);
/* Takes the steps, in the write lane. Marks those that are refused; each is tried as if the
 * steps before it had succeeded. The caller must then roll back if one was refused:
 * steps_refusal fails. */
void steps_run(struct stet_call *, struct steps *);
/* Fails with the first step that was refused. */
STET_MUST enum stet_status steps_refusal(struct stet_call *, const struct steps *);

/* ages.c: drafts are imported with their creation time, and a draft has values only of fields that
 * are older. So the fields of these definitions get their creation time, too. */
STET_MUST enum stet_status ages_keep(
    struct stet_call *, struct stet_tx *, const json_t *all, const struct steps *);

/* The steps as a list of objects, owned by the call: {step, collection, field?, rows, loses,
 * refused?}. */
const json_t *steps_json(struct stet_call *, const struct steps *);

/* apply.c: the tool schema_apply. */
extern const struct stet_member apply_in[], apply_out[];
stet_handler schema_apply;

/* Functions of the service. */
enum stet_status transfer_plan(struct stet_call *, const json_t *wanted, const json_t **out);
enum stet_status transfer_apply(struct stet_call *, struct stet_tx *, const json_t *wanted);
enum stet_status transfer_take(
    struct stet_call *, struct stet_tx *, const json_t *wanted, const json_t **steps);

enum stet_status transfer_dump(struct stet_call *, const struct stet_export *);
enum stet_status transfer_load(struct stet_call *, struct stet_tx *, const json_t *all, bool remove,
    struct stet_import_count *);

#endif
