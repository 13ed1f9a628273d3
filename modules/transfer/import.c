/*
 * import.c - "stet import site DIR": makes rows from files, in one transaction. Writes the rows
 * that differ from the database. Then each module checks its changed rows and reports the changes.
 */
#include "transfer.h"
#include <stdio.h>
#include <stdlib.h>
#include <stet/changes.h>
#include <string.h>

#define USAGE "usage: stet import site DIR [--delete] [--dry-run] [--strict]\n"

struct change {
	const struct stet_transfer *kind;
	const char *what, *file;
	json_t *key; /* owned by the call; NULL: the change concerns several rows */
	struct change *next;
};

struct count {
	const char *kind;
	struct stet_import_count n;
	struct count *next;
};

struct import_run {
	struct files files;
	bool remove, dry, strict, complete;
	struct doubts doubts;
	struct count *count, **count_tail;
	struct change *change, **change_tail;
	struct stet_import_count carried; /* counts of the files that modules store */
	json_t *lost; /* files that were missing before the import */
	/* State of the kind that is being loaded: */
	struct stet_tx *tx;
	struct count *now;
	json_t *seen; /* {key as text: the file with that key} */
	bool parked; /* park_row has run for all rows of the kind */
};

/* Adds the name of the file to the error. */
static enum stet_status
blame(struct stet_call *call, const char *file, enum stet_status status)
{
	const char *text;

	if (status == STET_OK)
		return STET_OK;
	text = stet_error_text(call);
	stet_error_clear(call);
	if (*text == '\0') /* of a unique index in a table that depends on this one */
		text = "something that belongs to it is there already";
	return stet_fail(call, STET_INVALID_INPUT, NULL, "%s.json: %s", file, text);
}

/* The part of the name after the kind's directory, or NULL. */
static const char *
below(const struct stet_transfer *t, const char *name)
{
	size_t len = strlen(t->kind);

	return strncmp(name, t->kind, len) == 0 && name[len] == '/' ? name + len + 1 : NULL;
}

/* ---- rows ---- */

typedef enum stet_status row_fn(struct stet_call *, const struct stet_transfer *,
    struct import_run *, const char *file, json_t *row);

static enum stet_status
each_row(struct stet_call *call, const struct stet_transfer *t, struct import_run *run,
    const char *file, row_fn *fn)
{
	enum stet_status status = STET_OK;
	json_t *value, *row;
	size_t i;

	STET_TRY(files_read(call, &run->files, file, &value));
	if (!t->many)
		status = fn(call, t, run, file, value);
	else if (!json_is_array(value))
		status = stet_fail(call, STET_INVALID_INPUT, NULL, "must be a list");
	else
		json_array_foreach(value, i, row) if (status == STET_OK) status =
		    fn(call, t, run, file, row);
	json_decref(value);
	return blame(call, file, status);
}

static enum stet_status
each_file(struct stet_call *call, const struct stet_transfer *t, struct import_run *run, row_fn *fn)
{
	const char *name;
	json_t *taken;

	json_object_foreach(run->files.names, name, taken)
	{
		if (below(t, name) == NULL)
			continue;
		json_object_set_new(run->files.names, name, json_true());
		STET_TRY(each_row(call, t, run, name, fn));
	}
	return STET_OK;
}

static enum stet_status
note(struct stet_call *call, struct import_run *run, const struct stet_transfer *t,
    const char *what, const json_t *row)
{
	const char *id;

	if (t->feed == NULL)
		return STET_OK;
	id = t->feed_id != NULL ? json_string_value(json_object_get(row, t->feed_id)) : NULL;
	return stet_note(call, run->tx, t->feed, id, what);
}

static void
changed(struct stet_call *call, struct import_run *run, const struct stet_transfer *t,
    const char *what, const char *file, json_t *key)
{
	struct change *c = stet_alloc(call, sizeof(*c));

	*c = (struct change){ t, what, file, key != NULL ? stet_json_own(call, key) : NULL, NULL };
	*run->change_tail = c;
	run->change_tail = &c->next;
}

/* Checks the shape of a row, and that no row before it has the same key. */
static enum stet_status
check_row(struct stet_call *call, const struct stet_transfer *t, struct import_run *run,
    const char *file, json_t *row)
{
	json_t *key;
	char *text;
	const char *other;

	if (!json_is_object(row))
		return stet_fail(call, STET_INVALID_INPUT, NULL, "must be an object");
	stet_check_shape(call, "", t->row, row);
	STET_TRY(stet_issues(call));
	key = rows_key(t, row);
	text = json_dumps(key, JSON_COMPACT | JSON_SORT_KEYS);
	json_decref(key);
	other = json_string_value(json_object_get(run->seen, text));
	if (other == NULL)
		json_object_set_new(run->seen, text, json_string(file));
	free(text);
	return other == NULL ? STET_OK
			     : stet_fail(call, STET_CONFLICT, NULL,
				   "%s.json has a row of the same key", other);
}

/* Refuses a row in a locale that the site does not have. Called for rows that are written;
 * unchanged ones may stay in such a locale. */
static enum stet_status
check_locale(struct stet_call *call, const struct stet_transfer *t, const json_t *row)
{
	for (const struct stet_member *m = t->row; m->name != NULL; m++)
		if (strcmp(m->name, "locale") == 0)
			(void)stet_locale_stored(
			    call, json_string_value(json_object_get(row, "locale")));
	return stet_issues(call);
}

/* If the row's unique text will change, frees the old text for other rows. */
static enum stet_status
park_row(struct stet_call *call, const struct stet_transfer *t, struct import_run *run,
    const char *file, json_t *row)
{
	json_t *key = rows_key(t, row), *was = NULL, *text;
	enum stet_status status = rows_find(call, t, key, &was);

	(void)file;
	text = json_object_get(was, t->moves);
	if (status == STET_OK && text != NULL && !json_equal(text, json_object_get(row, t->moves)))
		status = rows_park(call, run->tx, t, key);
	json_decref(key);
	json_decref(was);
	return status;
}

/* Stores the row. If another row still has its unique text, first frees the texts of all rows that
 * will change theirs: two rows may exchange their texts. */
static enum stet_status
put_row(struct stet_call *call, const struct stet_transfer *t, struct import_run *run,
    const json_t *row)
{
	enum stet_status status = rows_store(call, run->tx, t, row);

	if (status != STET_CONFLICT || t->moves == NULL || run->parked)
		return status;
	run->parked = true;
	STET_TRY(each_file(call, t, run, park_row));
	return rows_store(call, run->tx, t, row);
}

/* Writes a row that differs from the stored one, `was`; NULL: a new row. Takes the reference of the
 * key. */
static enum stet_status
write_row(struct stet_call *call, const struct stet_transfer *t, struct import_run *run,
    const char *file, json_t *key, const json_t *was, const json_t *row)
{
	const char *what = was == NULL ? "create" : "update";
	enum stet_status status;

	changed(call, run, t, what, file, key);
	STET_TRY(check_locale(call, t, row));
	STET_TRY(note(call, run, t, what, row));
	was == NULL ? run->now->n.created++ : run->now->n.updated++;
	if (was != NULL && t->replacing != NULL)
		STET_TRY(t->replacing(call, run->tx, t->arg, was, row));
	status = put_row(call, t, run, row);
	if (status == STET_CONFLICT)
		return stet_fail(call, STET_CONFLICT, NULL,
		    "another row of %s is called so: delete it, or mirror with --delete", t->table);
	return status;
}

static enum stet_status
store_row(struct stet_call *call, const struct stet_transfer *t, struct import_run *run,
    const char *file, json_t *row)
{
	json_t *key = rows_key(t, row), *was = NULL;
	enum stet_status status = rows_find(call, t, key, &was);
	bool same = was != NULL && json_equal(was, row);

	if (status != STET_OK || same) {
		run->now->n.same += same;
		json_decref(key);
	} else
		status = write_row(call, t, run, file, key, was, row);
	json_decref(was);
	return status;
}

/* Calls the hook media_holder_changed for the whole kind: rows may have been deleted together with
 * rows of another kind, to which they belonged. */
static void
gone_with_others(struct stet_call *call, struct import_run *run, const struct stet_transfer *t)
{
	struct stet_transfer *kind = stet_alloc(call, sizeof(*kind));

	*kind = *t;
	kind->changed = NULL;
	kind->settled = NULL;
	changed(call, run, kind, "delete", t->kind, NULL);
}

/* Deletes the rows that are not in the files. */
static enum stet_status
remove_rows(struct stet_call *call, const struct stet_transfer *t, struct import_run *run)
{
	json_t *gone = stet_json_own(call, json_array()), *row;
	struct stet_rows rows;
	size_t i;

	STET_TRY(rows_select(call, t, &rows));
	while (stet_row(&rows)) {
		json_t *key;
		char *text;

		row = rows_value(&rows, t);
		key = rows_key(t, row);
		text = json_dumps(key, JSON_COMPACT | JSON_SORT_KEYS);
		if (json_object_get(run->seen, text) == NULL)
			json_array_append(gone, row);
		free(text);
		json_decref(key);
		json_decref(row);
	}
	STET_TRY(stet_rows_end(&rows));
	json_array_foreach(gone, i, row)
	{
		STET_TRY(rows_delete(call, run->tx, t, row));
		STET_TRY(note(call, run, t, "delete", row));
		run->now->n.deleted++;
		changed(call, run, t, "delete", t->kind, rows_key(t, row));
	}
	if (t->media != NULL)
		gone_with_others(call, run, t);
	return STET_OK;
}

/* ---- kinds ---- */

static enum stet_status
load_own(struct stet_call *call, const struct stet_transfer *t, struct import_run *run)
{
	json_t *all = stet_json_own(call, json_object()), *taken, *value;
	const char *name;

	json_object_foreach(run->files.names, name, taken)
	{
		if (below(t, name) == NULL)
			continue;
		json_object_set_new(run->files.names, name, json_true());
		STET_TRY(files_read(call, &run->files, name, &value));
		json_object_set_new(all, below(t, name), value);
	}
	return blame(call, t->kind, t->load(call, run->tx, all, run->remove, &run->now->n));
}

static enum stet_status
load_kind(struct stet_call *call, const struct stet_transfer *t, void *arg)
{
	struct import_run *run = arg;

	run->now = stet_alloc(call, sizeof(*run->now));
	run->now->kind = t->kind;
	*run->count_tail = run->now;
	run->count_tail = &run->now->next;
	if (t->load != NULL)
		return load_own(call, t, run);
	run->seen = stet_json_own(call, json_object());
	run->parked = false;
	STET_TRY(each_file(call, t, run, check_row));
	if (run->remove && !t->stays)
		STET_TRY(remove_rows(call, t, run));
	return each_file(call, t, run, store_row);
}

/* ---- the whole import ---- */

static enum stet_status
check_manifest(struct stet_call *call, const struct files *files)
{
	json_t *manifest;

	if (json_object_get(files->names, "stet") == NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s: is no export: it has no " MANIFEST, files->dir);
	STET_TRY(files_read(call, files, "stet", &manifest));
	stet_json_own(call, manifest);
	json_object_set_new(files->names, "stet", json_true());
	if (json_integer_value(json_object_get(manifest, "format")) != FORMAT)
		return stet_fail(
		    call, STET_INVALID_INPUT, NULL, MANIFEST ": this stet reads format %d", FORMAT);
	return STET_OK;
}

static enum stet_status
check_taken(struct stet_call *call, const struct files *files)
{
	const char *name;
	json_t *taken;

	json_object_foreach(files->names, name, taken) if (!json_is_true(taken)) return stet_fail(
	    call, STET_INVALID_INPUT, NULL, "%s.json: no module that is enabled here takes it",
	    name);
	return STET_OK;
}

static enum stet_status
judge(struct stet_call *call, struct stet_tx *tx, const struct import_run *run)
{
	for (const struct change *c = run->change; c != NULL; c = c->next) {
		if (c->kind->media != NULL)
			STET_TRY(stet_run_media_holder_changed(call, tx, c->kind->table,
			    json_string_value(json_object_get(c->key, c->kind->key))));
		if (c->kind->changed == NULL)
			continue;
		STET_TRY(blame(
		    call, c->file, c->kind->changed(call, tx, c->kind->arg, c->what, c->key)));
		STET_TRY(blame(call, c->file, stet_issues(call)));
	}
	for (const struct change *c = run->change; c != NULL; c = c->next) {
		const struct change *first = run->change;

		while (first->kind->settled != c->kind->settled)
			first = first->next;
		if (first == c && c->kind->settled != NULL)
			STET_TRY(blame(call, c->kind->kind, c->kind->settled(call, tx)));
	}
	return STET_OK;
}

/* Checks which values of the written rows a save would refuse now. */
static enum stet_status
doubt(struct stet_call *call, struct import_run *run)
{
	doubts_begin(call, &run->doubts);
	for (const struct change *c = run->change; c != NULL; c = c->next)
		if (doubts_may_be(c->kind) && strcmp(c->what, "delete") != 0)
			STET_TRY(blame(call, c->file,
			    doubts_of_row(call, &run->doubts, c->kind, c->file, c->key)));
	if (!run->strict || run->doubts.count == 0)
		return STET_OK;
	return stet_fail(call, STET_INVALID_INPUT, NULL,
	    "--strict: a save would refuse %lld of the values, or what they name is gone, so "
	    "nothing was changed",
	    (long long)run->doubts.count);
}

static enum stet_status
load(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct import_run *run = arg;
	json_t *named;

	run->tx = tx;
	run->count = NULL;
	run->count_tail = &run->count;
	run->change = NULL;
	run->change_tail = &run->change;
	STET_TRY(files_list(call, run->files.dir, &run->files));
	STET_TRY(check_manifest(call, &run->files));
	STET_TRY(carried_named(call, &named));
	STET_TRY(kinds_each(call, load_kind, run));
	STET_TRY(check_taken(call, &run->files));
	STET_TRY(judge(call, tx, run));
	STET_TRY(doubt(call, run));
	STET_TRY(carried_check(call, &run->files, run->lost));
	STET_TRY(carried_forget(call, tx, named, &run->carried));
	run->complete = true;
	return run->dry ? stet_fail(call, STET_DECLINED, NULL, "tried, not done") : STET_OK;
}

static void
show(const struct import_run *run)
{
	for (const struct count *c = run->count; c != NULL; c = c->next)
		printf("%-28s %lld created, %lld updated, %lld deleted, %lld as they were\n",
		    c->kind, (long long)c->n.created, (long long)c->n.updated,
		    (long long)c->n.deleted, (long long)c->n.same);
	if (run->carried.created + run->carried.deleted + run->carried.same > 0)
		printf("%-28s %lld created, %lld deleted, %lld as they were\n", "files",
		    (long long)run->carried.created, (long long)run->carried.deleted,
		    (long long)run->carried.same);
	doubts_show(&run->doubts);
	if (run->dry)
		puts("nothing was changed: --dry-run");
}

static bool
parse_arguments(struct import_run *run, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--delete") == 0)
			run->remove = true;
		else if (strcmp(argv[i], "--dry-run") == 0)
			run->dry = true;
		else if (strcmp(argv[i], "--strict") == 0)
			run->strict = true;
		else if (run->files.dir == NULL && argv[i][0] != '-')
			run->files.dir = argv[i];
		else
			return false;
	return run->files.dir != NULL;
}

/* Copies the files before the rows that name them are written, and outside the transaction, since
 * files may be large. If the import fails then, no row names these files, so they are removed some
 * hours later. */
static enum stet_status
carry(struct stet_call *call, struct import_run *run)
{
	STET_TRY(files_list(call, run->files.dir, &run->files));
	STET_TRY(check_manifest(call, &run->files));
	STET_TRY(carried_lost(call, &run->files, &run->lost));
	return carried_import(call, &run->files, run->dry, &run->carried);
}

int
import_run(struct stet_call *call, int argc, char **argv)
{
	struct import_run run = { .complete = false };
	enum stet_status status;

	if (!parse_arguments(&run, argc, argv)) {
		fputs(USAGE, stderr);
		return 2;
	}
	status = carry(call, &run);
	if (status == STET_OK)
		status = stet_write_lane(call, load, &run);
	if (status != STET_OK && !(run.dry && run.complete)) {
		doubts_show(&run.doubts);
		return EXIT_FAILURE;
	}
	stet_error_clear(call);
	show(&run);
	return EXIT_SUCCESS;
}
