/*
 * transfer.h - what the files of the transfer module share: the files of an export, and the rows
 * that they contain.
 */
#ifndef MODULES_TRANSFER_H
#define MODULES_TRANSFER_H

#include <stet/module.h>
#include <stet/transfer.h>

/* ---- files.c: a directory, whose content is not trusted ---- */

#define MANIFEST "stet.json"
#define FORMAT 1
#define CARRIED "files/" /* the directory of files that are not JSON (carried.c) */

struct files {
	const char *dir;
	json_t *names; /* an object: paths below dir without ".json"; the value is true once a file
			  was used */
	json_t *carried; /* the same for files below CARRIED, with complete names */
};

/* Lists all .json files below the directory, and all files below CARRIED. Refuses links, devices
 * and other special files. */
STET_MUST enum stet_status files_list(struct stet_call *, const char *dir, struct files *);
/* Reads one; a new reference. */
STET_MUST enum stet_status files_read(
    struct stet_call *, const struct files *, const char *name, json_t **out);
/* Writes one, and makes its directories. */
STET_MUST enum stet_status files_write(
    struct stet_call *, const struct files *, const char *name, const json_t *value);
/* Removes listed files that were not used. */
STET_MUST enum stet_status files_sweep(struct stet_call *, const struct files *);
/* Opens a file below CARRIED for reading. */
STET_MUST enum stet_status files_open(
    struct stet_call *, const struct files *, const char *name, int *fd);
/* Copies a file there from the descriptor, unless it exists. */
STET_MUST enum stet_status files_copy(
    struct stet_call *, const struct files *, const char *name, int from);
/* Makes a name that is safe in a file system. */
char *files_name(struct stet_call *, const char *);

/* ---- carried.c: files that modules store, and the rows that name them ---- */

STET_MUST enum stet_status carried_export(struct stet_call *, struct files *);
/* Copies the files of an export to the site, before its rows are written: a row is never without
 * its file. */
STET_MUST enum stet_status carried_import(
    struct stet_call *, const struct files *, bool dry, struct stet_import_count *);
/* The files that rows name but that are neither stored nor in the export: an object. */
STET_MUST enum stet_status carried_lost(struct stet_call *, const struct files *, json_t **);
/* Fails if a file is missing that was not missing before. */
STET_MUST enum stet_status carried_check(
    struct stet_call *, const struct files *, const json_t *before);

/* The files that moved rows name, as this transaction sees them: an object. */
STET_MUST enum stet_status carried_named(struct stet_call *, json_t **);
/* Removes those that no row names any more, once the transaction is committed. */
STET_MUST enum stet_status carried_forget(
    struct stet_call *, struct stet_tx *, json_t *before, struct stet_import_count *);

/* ---- kinds.c: the kinds that the modules move ---- */

typedef enum stet_status kind_fn(struct stet_call *, const struct stet_transfer *, void *arg);
/* Calls fn for each kind in load order: those of a needed module come first. */
STET_MUST enum stet_status kinds_each(struct stet_call *, kind_fn *, void *arg);

/* ---- doubts.c: values that are moved although a save would refuse them ---- */

struct doubts {
	json_t *lines; /* the first of them, with the names of their files; owned by the call */
	int64_t count;
};

void doubts_begin(struct stet_call *, struct doubts *);
/* May rows of the kind have such values? */
bool doubts_may_be(const struct stet_transfer *);
/* Asks about one row, or with the key NULL about all of a file. `file` is its name in the export,
 * without the suffix. */
STET_MUST enum stet_status doubts_of_row(struct stet_call *, struct doubts *,
    const struct stet_transfer *, const char *file, const json_t *key);
/* Asks the kind about all its rows, a few in each scope: it must run outside of a transaction. */
STET_MUST enum stet_status doubts_of_kind(
    struct stet_call *, struct doubts *, const struct stet_transfer *);
/* Prints them. */
void doubts_show(const struct doubts *);

/* ---- rows.c: tables as JSON ---- */

/* Selects all rows that are moved, ordered by the names of their files: first the name, then the
 * columns. */
STET_MUST enum stet_status rows_select(
    struct stet_call *, const struct stet_transfer *, struct stet_rows *);
/* The current row as JSON; a new reference. */
json_t *rows_value(struct stet_rows *, const struct stet_transfer *);
/* Selects what a row, or with the key NULL each row, has in columns that refer to media items:
 * first the name of its file, then the columns, whose names become those of column[], *count of
 * them. */
#define ROWS_MEDIA_MAX 8
STET_MUST enum stet_status rows_select_media(struct stet_call *, const struct stet_transfer *,
    const json_t *key, const char *column[ROWS_MEDIA_MAX], size_t *count, struct stet_rows *);
/* Selects up to `most` rows whose key, one text member, is greater than that of `after`, in the
 * order of their keys: first the name, then the key. */
STET_MUST enum stet_status rows_select_after(struct stet_call *, const struct stet_transfer *,
    const json_t *after, int64_t most, struct stet_rows *);
/* The members of the row's key; a new reference. */
json_t *rows_key(const struct stet_transfer *, const json_t *row);
/* The stored row with this key, a new reference; *out is NULL if there is none. */
STET_MUST enum stet_status rows_find(
    struct stet_call *, const struct stet_transfer *, const json_t *key, json_t **out);
STET_MUST enum stet_status rows_store(
    struct stet_call *, struct stet_tx *, const struct stet_transfer *, const json_t *row);
/* Puts the key of a row in the place of the member that moves. */
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
