/* transfer.h - the files of an export, and the rows they are made of. */
#ifndef MODULES_TRANSFER_H
#define MODULES_TRANSFER_H

#include <stet/module.h>
#include <stet/transfer.h>

/* ---- files.c: a directory, which may be hostile ---- */

#define MANIFEST "stet.json"
#define FORMAT 1
#define CARRIED "files/" /* how the paths of files begin that are not JSON (carried.c) */

struct files {
	const char *dir;
	json_t *names; /* an object: paths below dir without ".json"; true once they are taken */
	json_t *carried; /* the same of files below CARRIED, with all of their names */
};

/* All .json files below the directory, and all those below CARRIED. Links, devices and the like are
 * refused. */
STET_MUST enum stet_status files_list(struct stet_call *, const char *dir, struct files *);
/* One of them, a new reference. */
STET_MUST enum stet_status files_read(
    struct stet_call *, const struct files *, const char *name, json_t **out);
/* Write one, with its directories. */
STET_MUST enum stet_status files_write(
    struct stet_call *, const struct files *, const char *name, const json_t *value);
/* Remove those that were listed and not taken. */
STET_MUST enum stet_status files_sweep(struct stet_call *, const struct files *);
/* One of those below CARRIED, for reading. */
STET_MUST enum stet_status files_open(
    struct stet_call *, const struct files *, const char *name, int *fd);
/* Write one there, of what is at the descriptor, unless it is there already. */
STET_MUST enum stet_status files_copy(
    struct stet_call *, const struct files *, const char *name, int from);
/* A name as it may stand in a file system. */
char *files_name(struct stet_call *, const char *);

/* ---- carried.c: files that modules keep, with the rows that name them ---- */

STET_MUST enum stet_status carried_export(struct stet_call *, struct files *);
/* Those of an export into the site, before its rows: a row never waits for its file. */
STET_MUST enum stet_status carried_import(
    struct stet_call *, const struct files *, bool dry, struct stet_import_count *);
/* Files that rows name, and that are neither kept nor in the export: an object. */
STET_MUST enum stet_status carried_lost(struct stet_call *, const struct files *, json_t **);
/* Is one of them missing that was not before? */
STET_MUST enum stet_status carried_check(
    struct stet_call *, const struct files *, const json_t *before);

/* Files that rows which are moved name, in this transaction: an object. */
STET_MUST enum stet_status carried_named(struct stet_call *, json_t **);
/* Those of them that no row names any more go when it is committed. */
STET_MUST enum stet_status carried_forget(
    struct stet_call *, struct stet_tx *, json_t *before, struct stet_import_count *);

/* ---- kinds.c: what the modules of this site move ---- */

typedef enum stet_status kind_fn(struct stet_call *, const struct stet_transfer *, void *arg);
/* For each, in load order: what a module needs comes before it. */
STET_MUST enum stet_status kinds_each(struct stet_call *, kind_fn *, void *arg);

/* ---- rows.c: tables as JSON ---- */

/* All rows that are moved, by the names of their files: the name, then the columns. */
STET_MUST enum stet_status rows_select(
    struct stet_call *, const struct stet_transfer *, struct stet_rows *);
/* The current row, a new reference. */
json_t *rows_value(struct stet_rows *, const struct stet_transfer *);
/* The members of the key of a row, a new reference. */
json_t *rows_key(const struct stet_transfer *, const json_t *row);
/* The stored row of this key, a new reference; *out NULL: there is none. */
STET_MUST enum stet_status rows_find(
    struct stet_call *, const struct stet_transfer *, const json_t *key, json_t **out);
STET_MUST enum stet_status rows_store(
    struct stet_call *, struct stet_tx *, const struct stet_transfer *, const json_t *row);
STET_MUST enum stet_status rows_delete(
    struct stet_call *, struct stet_tx *, const struct stet_transfer *, const json_t *key);

/* A number for a text: the same for the same text, and hardly for another. */
uint64_t files_hash(const char *);

int export_run(struct stet_call *, int argc, char **argv);
int import_run(struct stet_call *, int argc, char **argv);
int schema_diff_run(struct stet_call *, int argc, char **argv);
int schema_plan_run(struct stet_call *, int argc, char **argv);
int schema_apply_run(struct stet_call *, int argc, char **argv);

#endif
