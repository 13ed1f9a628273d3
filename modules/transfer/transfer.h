/*
 * transfer.h - declarations that the files of the transfer module share.
 */
#ifndef MODULES_TRANSFER_H
#define MODULES_TRANSFER_H

#include <stet/module.h>
#include <stet/transfer.h>

/* ---- files.c: a directory whose content is not trusted ---- */

#define MANIFEST "stet.json"
#define FORMAT 1
#define CARRIED "files/" /* the directory of files that are not JSON (carried.c) */

struct files {
	const char *dir;
	json_t *names; /* {path below dir without ".json": true if the file was used} */
	json_t *carried; /* {complete path of a file below CARRIED: true if it was used} */
};

/* Lists all .json files below the directory, and all files below CARRIED. Refuses links, devices
 * and other special files. */
STET_MUST enum stet_status files_list(struct stet_call *, const char *dir, struct files *);
/* Parses a file; *out is a new reference. */
STET_MUST enum stet_status files_read(
    struct stet_call *, const struct files *, const char *name, json_t **out);
/* Writes a file, and makes its directories. */
STET_MUST enum stet_status files_write(
    struct stet_call *, const struct files *, const char *name, const json_t *value);
/* Removes the listed files that were not used. */
STET_MUST enum stet_status files_sweep(struct stet_call *, const struct files *);
/* Opens a file below CARRIED for reading. */
STET_MUST enum stet_status files_open(
    struct stet_call *, const struct files *, const char *name, int *fd);
/* Copies from the descriptor to a file below CARRIED, unless that has the same content already. */
STET_MUST enum stet_status files_copy(
    struct stet_call *, const struct files *, const char *name, int from);
/* Converts a name to one that is safe in a file system. */
char *files_name(struct stet_call *, const char *);

/* ---- carried.c: files that modules store, and the rows that name them ---- */

STET_MUST enum stet_status carried_export(struct stet_call *, struct files *);
/* Copies the files of an export to the site. Called before the rows are written, so that a row is
 * never without its file. */
STET_MUST enum stet_status carried_import(
    struct stet_call *, const struct files *, bool dry, struct stet_import_count *);
/* Sets *out to an object: the files that rows name but that are neither stored nor in the
 * export. */
STET_MUST enum stet_status carried_lost(struct stet_call *, const struct files *, json_t **);
/* Fails if a file is missing that is not in `before`, the result of carried_lost. */
STET_MUST enum stet_status carried_check(
    struct stet_call *, const struct files *, const json_t *before);

/* Sets *out to an object: the files that moved rows name, as this transaction sees them. */
STET_MUST enum stet_status carried_named(struct stet_call *, json_t **);
/* Removes those of the files in `before` that no row names any more, once the transaction is
 * committed. */
STET_MUST enum stet_status carried_forget(
    struct stet_call *, struct stet_tx *, json_t *before, struct stet_import_count *);

/* ---- kinds.c: the kinds that the modules move ---- */

typedef enum stet_status kind_fn(struct stet_call *, const struct stet_transfer *, void *arg);
/* Calls fn for each kind in load order: those of a needed module come first. */
STET_MUST enum stet_status kinds_each(struct stet_call *, kind_fn *, void *arg);

/* ---- doubts.c: values that are moved although a save would refuse them now ---- */

struct doubts {
	json_t *lines; /* the first LINES_MAX, each with the name of its file; owned by the call */
	int64_t count;
};

void doubts_begin(struct stet_call *, struct doubts *);
/* Returns true if rows of the kind can have such values. */
bool doubts_may_be(const struct stet_transfer *);
/* Checks the row with this key; with NULL, the media items of all rows in the file. `file` is its
 * name in the export, without the suffix. */
STET_MUST enum stet_status doubts_of_row(struct stet_call *, struct doubts *,
    const struct stet_transfer *, const char *file, const json_t *key);
/* Checks all rows of the kind, some in each scope; so it must run outside of a transaction. */
STET_MUST enum stet_status doubts_of_kind(
    struct stet_call *, struct doubts *, const struct stet_transfer *);
/* Prints the lines and the number of further ones. */
void doubts_show(const struct doubts *);

/* ---- rows.c: tables as JSON ---- */

/* Selects all rows that are moved, ordered by the names of their files. Column 0 is the name; then
 * follow the columns of the row. */
STET_MUST enum stet_status rows_select(
    struct stet_call *, const struct stet_transfer *, struct stet_rows *);
/* Returns the current row as JSON; a new reference. */
json_t *rows_value(struct stet_rows *, const struct stet_transfer *);
/* Selects the columns that refer to media items, from the row with this key or, with NULL, from all
 * rows. Column 0 is the name of the row's file. Sets column[] to the names of the columns and
 * *count to their number. */
#define ROWS_MEDIA_MAX 8
STET_MUST enum stet_status rows_select_media(struct stet_call *, const struct stet_transfer *,
    const json_t *key, const char *column[ROWS_MEDIA_MAX], size_t *count, struct stet_rows *);
/* Selects up to `most` rows whose key, one text member, is greater than that of `after`, ordered by
 * key. Column 0 is the name, column 1 the key. */
STET_MUST enum stet_status rows_select_after(struct stet_call *, const struct stet_transfer *,
    const json_t *after, int64_t most, struct stet_rows *);
/* Returns the members of the row's key as an object; a new reference. */
json_t *rows_key(const struct stet_transfer *, const json_t *row);
/* Reads the stored row with this key; *out is a new reference, or NULL if there is no such row. */
STET_MUST enum stet_status rows_find(
    struct stet_call *, const struct stet_transfer *, const json_t *key, json_t **out);
STET_MUST enum stet_status rows_store(
    struct stet_call *, struct stet_tx *, const struct stet_transfer *, const json_t *row);
/* Sets the unique text of a row (`moves`) to the row's key, which frees the text for another
 * row. */
STET_MUST enum stet_status rows_park(
    struct stet_call *, struct stet_tx *, const struct stet_transfer *, const json_t *key);
STET_MUST enum stet_status rows_delete(
    struct stet_call *, struct stet_tx *, const struct stet_transfer *, const json_t *key);

/* A hash of a text. */
uint64_t files_hash(const char *);

int export_run(struct stet_call *, int argc, char **argv);
int import_run(struct stet_call *, int argc, char **argv);
int schema_diff_run(struct stet_call *, int argc, char **argv);
int schema_plan_run(struct stet_call *, int argc, char **argv);
int schema_apply_run(struct stet_call *, int argc, char **argv);

#endif
