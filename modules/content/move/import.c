/*
 * import.c - "stet import jsonl": creates an item from each line of a file. Lines are written in
 * batches of one transaction each, without those that are refused (stet_write_steps).
 */
#include "move/move.h"
#include "write/write.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <stet/steps.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BATCH 200
#define BATCH_BYTES (4 << 20)
#define DEPTH_MAX 100 /* as for requests */
#define USAGE "usage: stet import jsonl FILE --collection SLUG [--create-schema] [--update]\n"

enum done { REFUSED, CREATED, UPDATED, SKIPPED };

struct line {
	long number;
	json_t *item;
	enum done done;
};

struct import {
	const char *file, *collection;
	bool create_schema, update;
	FILE *in;
	long number; /* the number of the last line read */
	struct line line[BATCH];
	int count;
	long created, updated, skipped, failed;
	struct timespec begun;
	int64_t shown; /* when progress was last shown, milliseconds after `begun` */
};

/* ---- progress ---- */

static int64_t
elapsed(const struct import *im)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - im->begun.tv_sec) * INT64_C(1000) +
	       (now.tv_nsec - im->begun.tv_nsec) / 1000000;
}

static long
done(const struct import *im)
{
	return im->created + im->updated + im->skipped;
}

static void
show_progress(struct import *im, bool last)
{
	int64_t ms = elapsed(im);

	if (!isatty(STDERR_FILENO) || (!last && ms - im->shown < 200))
		return;
	im->shown = ms;
	fprintf(stderr, "\r%ld items, %ld a second%s", done(im) + im->failed,
	    (long)(done(im) * 1000 / (ms > 0 ? ms : 1)), last ? "\n" : " ");
}

static void
refuse_line(struct import *im, long number, const char *why)
{
	im->failed++;
	fprintf(stderr, "%s%s:%ld: %s\n", isatty(STDERR_FILENO) ? "\r" : "", im->file, number, why);
}

/* ---- lines ---- */

static bool
is_deep(const json_t *v, int depth)
{
	json_t *mutable = (json_t *)(uintptr_t)v, *child;
	const char *key;
	size_t i;

	if (depth > DEPTH_MAX)
		return true;
	json_object_foreach(mutable, key, child)
	{
		if (is_deep(child, depth + 1))
			return true;
	}
	json_array_foreach(v, i, child)
	{
		if (is_deep(child, depth + 1))
			return true;
	}
	return false;
}

/* Parses a line to an item; returns NULL with the reason in `why` if it is invalid. */
static json_t *
parse_line(const char *text, size_t len, char why[160])
{
	static const char *const known[] = { "slug", "status", "data", "locale", "translationOf",
		"publishedAt", "createdAt", NULL };
	json_error_t error;
	bool has_nul = memchr(text, '\0', len) != NULL;
	json_t *item = NULL, *v;
	const char *name;

	why[0] = '\0';
	/* Accept U+0000 here: the write refuses it later, and then names the path. */
	if (!has_nul)
		item = json_loadb(text, len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
	if (has_nul)
		snprintf(why, 160, "not JSON: it holds a NUL byte");
	else if (item == NULL)
		snprintf(why, 160, "not JSON: %.120s", error.text);
	else if (!json_is_object(item) || !json_is_object(json_object_get(item, "data")))
		snprintf(why, 160, "not an object with \"data\"");
	else if (is_deep(item, 1))
		snprintf(why, 160, "nested deeper than %d levels", DEPTH_MAX);
	json_object_foreach(item, name, v)
	{
		int i = 0;

		while (known[i] != NULL && strcmp(known[i], name) != 0)
			i++;
		if (known[i] == NULL && why[0] == '\0')
			snprintf(why, 160, "unknown member \"%.63s\"", name);
	}
	if (why[0] == '\0')
		return item;
	json_decref(item);
	return NULL;
}

static bool
is_blank(const char *text, size_t len)
{
	return strspn(text, " \t\r\n") == len;
}

/* Reads the next valid item of the file. Skips invalid lines, and reports them if `tell`.
 * Returns NULL at the end. */
static json_t *
read_item(struct import *im, bool tell, size_t *size)
{
	char *text = NULL, why[160];
	size_t room = 0;
	json_t *item = NULL;
	ssize_t len;

	while (item == NULL && (len = getline(&text, &room, im->in)) >= 0) {
		im->number++;
		*size = (size_t)len;
		if (is_blank(text, (size_t)len))
			continue;
		item = parse_line(text, (size_t)len, why);
		if (item == NULL && tell)
			refuse_line(im, im->number, why);
	}
	free(text);
	return item;
}

/* ---- writing ---- */

static enum stet_status
update_one(struct stet_call *call, struct stet_tx *tx, struct import *im, const json_t *item,
    const char *id)
{
	struct update up = { .collection = im->collection, .id = id };
	struct now now = { 0 };

	up.data = json_object_get(item, "data");
	up.status = json_string_value(json_object_get(item, "status"));
	up.published_at.text = json_string_value(json_object_get(item, "publishedAt"));
	up.published_at.given = up.published_at.text != NULL;
	return item_update(call, tx, &up, &now);
}

static enum stet_status
write_one(struct stet_call *call, struct stet_tx *tx, void *arg, size_t i)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct import *im = arg;
	const json_t *item = im->line[i].item;
	const char *slug = json_string_value(json_object_get(item, "slug")), *id = NULL;
	const char *locale = json_string_value(json_object_get(item, "locale"));
	const struct stet_collection *collection;
	const struct plan *plan;
	struct stet_rows rows;
	bool found = false;

	if (!stet_json_check_nul(call, "", item))
		return stet_issues(call);
	STET_TRY(plan_get(call, im->collection, &collection, &plan));
	if (slug != NULL) {
		locale = stet_locale(call, locale);
		STET_TRY(item_by_slug(call, plan, slug,
		    locale != NULL ? locale : stet_locales(call)[0], &rows, &found));
		id = found ? stet_col_dup(&rows, C_ID) : NULL;
		STET_TRY(stet_rows_end(&rows));
	}
	im->line[i].done = !found ? CREATED : im->update ? UPDATED : SKIPPED;
	if (!found)
		return content->create(call, tx, im->collection, item, &id);
	return im->update ? update_one(call, tx, im, item, id) : STET_OK;
}

/* Reports a refused line. Ends the import if the collection was deleted, since the next line would
 * fail too. */
static enum stet_status
refused(struct stet_call *call, void *arg, size_t i, enum stet_status status, const char *why)
{
	struct import *im = arg;

	if (status == STET_COLLECTION_NOT_FOUND)
		return stet_fail(call, status, NULL, "collection \"%s\" is gone", im->collection);
	im->line[i].done = REFUSED;
	refuse_line(im, im->line[i].number, why);
	return STET_OK;
}

static enum stet_status
write_scope(struct stet_call *call, void *arg)
{
	struct import *im = arg;
	const struct stet_steps steps = { (size_t)im->count, write_one, refused, im };

	return stet_write_steps(call, &steps);
}

static enum stet_status
write_batch(struct stet_call *call, struct import *im)
{
	STET_TRY(stet_scope(call, write_scope, im));
	for (int i = 0; i < im->count; i++) {
		im->created += im->line[i].done == CREATED;
		im->updated += im->line[i].done == UPDATED;
		im->skipped += im->line[i].done == SKIPPED;
		json_decref(im->line[i].item);
	}
	im->count = 0;
	show_progress(im, false);
	return STET_OK;
}

static enum stet_status
write_all(struct stet_call *call, struct import *im)
{
	size_t size = 0, bytes = 0;
	json_t *item;

	while ((item = read_item(im, true, &size)) != NULL) {
		im->line[im->count++] = (struct line){ im->number, item, REFUSED };
		bytes += size;
		if (im->count == BATCH || bytes >= BATCH_BYTES) {
			STET_TRY(write_batch(call, im));
			bytes = 0;
		}
	}
	return write_batch(call, im);
}

/* ---- schema ---- */

struct making {
	const char *collection;
	const json_t *def, *fields;
};

static enum stet_status
make_schema(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *found = NULL;
	const struct making *m = arg;
	enum stet_status status = schema->collection(call, m->collection, &found);
	const json_t *field;
	size_t i;

	if (status == STET_COLLECTION_NOT_FOUND) {
		stet_error_clear(call);
		found = NULL;
		STET_TRY(schema->create_collection(call, tx, m->def));
	} else if (status != STET_OK)
		return status;
	json_array_foreach(m->fields, i, field)
	{
		const char *slug = json_string_value(json_object_get(field, "slug"));

		if (found == NULL || stet_field(found, slug) == NULL)
			STET_TRY(schema->create_field(call, tx, m->collection, field));
	}
	return STET_OK;
}

/* Reads the whole file to infer its fields, creates the collection, and goes back to the
 * beginning. */
static enum stet_status
create_schema(struct stet_call *call, struct import *im)
{
	struct infer *in = infer_new();
	struct making m = { .collection = im->collection };
	json_t *item;
	size_t size;

	if (in == NULL)
		stet_out_of_memory();
	while ((item = read_item(im, false, &size)) != NULL) {
		infer_line(in, json_object_get(item, "data"));
		json_decref(item);
	}
	m.def = stet_json_own(call, infer_collection(in, im->collection));
	m.fields = stet_json_own(call, infer_fields(in));
	infer_free(in);
	rewind(im->in);
	im->number = 0;
	return stet_write_lane(call, make_schema, &m);
}

/* ---- command ---- */

/* Copies a pipe to a temporary file, which can be read twice. */
static FILE *
spool(FILE *in)
{
	FILE *copy = tmpfile();
	char part[65536];
	size_t n;

	while (copy != NULL && (n = fread(part, 1, sizeof(part), in)) > 0)
		if (fwrite(part, 1, n, copy) != n) {
			fclose(copy);
			return NULL;
		}
	if (copy != NULL)
		rewind(copy);
	return copy;
}

static bool
parse_arguments(struct import *im, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--create-schema") == 0)
			im->create_schema = true;
		else if (strcmp(argv[i], "--update") == 0)
			im->update = true;
		else if (strcmp(argv[i], "--collection") == 0 && i + 1 < argc)
			im->collection = argv[++i];
		else if (strncmp(argv[i], "--collection=", 13) == 0)
			im->collection = argv[i] + 13;
		else if (im->file == NULL && (argv[i][0] != '-' || argv[i][1] == '\0'))
			im->file = argv[i];
		else
			return false;
	}
	return im->file != NULL && im->collection != NULL;
}

static bool
open_input(struct import *im)
{
	if (strcmp(im->file, "-") != 0)
		im->in = fopen(im->file, "re");
	else
		im->in = im->create_schema ? spool(stdin) : stdin;
	if (im->in == NULL)
		fprintf(stderr, "stet: cannot read %s: %s\n", im->file, strerror(errno));
	return im->in != NULL;
}

static enum stet_status
run(struct stet_call *call, struct import *im)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *collection;

	if (im->create_schema)
		STET_TRY(create_schema(call, im));
	STET_TRY(schema->collection(call, im->collection, &collection));
	return write_all(call, im);
}

int
import_jsonl(struct stet_call *call, int argc, char **argv)
{
	struct import *im = stet_alloc(call, sizeof(*im));
	enum stet_status status;
	bool broken;

	if (!parse_arguments(im, argc, argv)) {
		fputs(USAGE, stderr);
		return 2;
	}
	if (!open_input(im))
		return EXIT_FAILURE;
	clock_gettime(CLOCK_MONOTONIC, &im->begun);
	status = run(call, im);
	for (int i = 0; i < im->count; i++)
		json_decref(im->line[i].item);
	broken = ferror(im->in) != 0;
	if (broken)
		fprintf(stderr, "stet: cannot read %s to its end\n", im->file);
	if (im->in != stdin)
		fclose(im->in);
	show_progress(im, true);
	printf("created %ld, updated %ld, skipped %ld, failed %ld\n", im->created, im->updated,
	    im->skipped, im->failed);
	return status == STET_OK && im->failed == 0 && !broken ? EXIT_SUCCESS : EXIT_FAILURE;
}
