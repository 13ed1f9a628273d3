/*
 * now.h - the state of an item before a write: its row, its newest values, and the guarded update
 * (now.c). Part of item.h, which includes it.
 */
#ifndef CONTENT_NOW_H
#define CONTENT_NOW_H

#include "item/item.h"

/* ---- fit.c: values for the fields that the collection has now ---- */

/* Returns the value in the form that a column of this kind returns; NULL if the column cannot store
 * it. */
json_t *fit_value(struct stet_call *, json_t *, enum column_kind);
/* Keeps only values of existing fields that their columns can store. */
json_t *fit_data(struct stet_call *, const struct plan *, const json_t *data);
json_t *fit_merge(
    struct stet_call *, const struct plan *, const json_t *old, const struct values *);
/* Returns true if the field was created after `created`, the time of a revision, which therefore
 * lacks the field. */
bool fit_is_newer(const struct stet_collection *, const struct stet_field *, const char *created);
/* Deletes values of fields newer than `created`: they belong to deleted fields of the same
 * names. */
void fit_forget_newer(const struct stet_collection *, json_t *data, const char *created);
/* fit_data for the data of a revision, without values of newer fields. */
json_t *fit_revision(struct stet_call *, const struct stet_collection *, const struct plan *,
    const json_t *data, const char *created);
/* Returns the values of the current row if the draft does not have all values, or else NULL: the
 * argument of fit_overlay. */
json_t *fit_beneath(struct stet_call *, const struct stet_collection *, const struct plan *,
    struct stet_rows *, const struct revision *draft);
/* Returns the values of a draft for the present fields of the collection; `columns` are the row's
 * values. */
json_t *fit_overlay(struct stet_call *, const struct stet_collection *, const struct plan *,
    const json_t *columns, const struct revision *);

/* ---- now.c ---- */

struct now {
	const struct stet_collection *collection;
	const struct plan *plan;
	const char *id, *slug, *status, *author, *updated, *published, *scheduled, *locale, *group;
	const char *unpublish; /* when it becomes a draft; NULL: not by itself */
	const char *live, *draft; /* ids of revisions; NULL if the collection has no revisions */
	int64_t version;
	struct stet_val copied[C_FIELDS]; /* columns with STET_ITEM_COPIED; the others are NULL */
	bool is_overdue; /* the row has the reason why nothing happened at its time */
	bool is_published, pinned; /* pinned: readers without drafts see an earlier version number
				      (live_version) */
	bool stale_pointers; /* the row has pointers to revisions, but the collection has none */
	/* Set by now_values: */
	json_t *columns; /* the values of the row, without nulls */
	json_t *data; /* the newest values: the draft's if there is one, otherwise the columns */
	const char *newest_slug, *staged_slug; /* staged_slug: as slug in struct revision */
	const json_t *staged; /* bylines and terms of the draft (staged.c); NULL: none */
};
/* Finds the item that the arguments collection, id and locale name. */
STET_MUST enum stet_status now_find(struct stet_call *, struct now *);
/* Reads the columns of the current row; `collection` and `plan` must be set. */
void now_row(struct stet_call *, struct stet_rows *, struct now *);
/* Reads the values. Ends the rows. */
STET_MUST enum stet_status now_values(struct stet_call *, struct stet_rows *, struct now *);
/* Fails with CONFLICT if the item has changed since this _rev was read; rev NULL: no check. To
 * callers who may read drafts the error's details say what a merge needs: currentRev,
 * currentRevisionId, baseRevisionId. */
STET_MUST enum stet_status now_is(struct stet_call *, const struct now *, const char *rev);
struct change now_change(const struct now *, const char *slug, const char *status);
/* Finds the columns that must change so that the row has this data. */
void now_diff(struct stet_call *, const struct now *, const json_t *data, struct values *);
/* Begins "UPDATE … SET version = version + 1". Add assignments, then call now_write; it fails with
 * CONFLICT if the row has changed since it was read. values NULL: no field is written.
 * now_update_hidden: readers without drafts see no change. */
struct stet_sql *now_update(struct stet_call *, const struct now *);
struct stet_sql *now_update_hidden(struct stet_call *, const struct now *);
void now_set(struct stet_sql *, const char *column, const char *value);
/* Adds an assignment only if the value differs: SQLite rewrites the indexes of every column that
 * an UPDATE names, changed or not. now_set_fields also leaves out unchanged values. */
void now_turn(struct stet_sql *, const char *column, const char *was, const char *value);
/* Sets or removes (NULL) the times of publication and of its end, and clears the error of the
 * previous ones. */
void now_turn_schedule(
    struct stet_sql *, const struct now *, const char *at, const char *unpublish);
void now_set_fields(
    struct stet_call *, struct stet_sql *, const struct now *, const struct values *);
/* Runs the update, and reports it to entry_changed as this kind of change. */
STET_MUST enum stet_status now_write(struct stet_call *, struct stet_tx *, struct stet_sql *,
    const struct now *, const struct change *, const struct values *, const char *kind);

/* ---- item.c ---- */

/* Reads the item again and writes it as the reply. */
typedef enum stet_status now_answer(struct stet_call *, const struct now *);
now_answer now_reply;
now_answer now_reply_part; /* only the members that the argument `fields` names */
STET_MUST enum stet_status now_reply_view(
    struct stet_call *, const struct now *, const struct view *);

#endif
