/* export.c - "stet export DIR": writes a site as files, from one snapshot of the database. */
#include "transfer.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct export_run {
	struct files files;
	const struct stet_transfer *kind;
	int64_t written;
};

static enum stet_status
write_file(struct export_run *run, struct stet_call *call, const char *name, const json_t *value)
{
	const char *plain = stet_printf(call, "%s/%s", run->kind->kind, files_name(call, name)),
		   *path = plain;

	/* Two rows may get the same name: an item without a slug is named by its id, which may be
	 * the slug of another item. */
	for (int i = 2; json_is_true(json_object_get(run->files.names, path)); i++)
		path = stet_printf(call, "%s~%d", plain, i);
	run->written++;
	return files_write(call, &run->files, path, value);
}

static enum stet_status
dumped(const struct stet_export *to, struct stet_call *call, const char *name, const json_t *value)
{
	return write_file(to->arg, call, name, value);
}

/* Writes all rows of a kind; they come ordered by the names of their files. */
static enum stet_status
write_rows(struct stet_call *call, const struct stet_transfer *t, struct export_run *run,
    struct stet_rows *rows)
{
	char *open = NULL;
	json_t *list = NULL;
	enum stet_status status = STET_OK;

	while (status == STET_OK && stet_row(rows)) {
		const char *name = stet_col_str(rows, 0);
		json_t *row = rows_value(rows, t);

		if (!t->many) {
			status = write_file(run, call, name, row);
			json_decref(row);
			continue;
		}
		if (open == NULL || strcmp(open, name) != 0) {
			if (open != NULL)
				status = write_file(run, call, open, list);
			json_decref(list);
			free(open);
			open = strdup(name);
			list = json_array();
		}
		json_array_append_new(list, row);
	}
	if (status == STET_OK && open != NULL)
		status = write_file(run, call, open, list);
	json_decref(list);
	free(open);
	return status;
}

static enum stet_status
export_kind(struct stet_call *call, const struct stet_transfer *t, void *arg)
{
	struct export_run *run = arg;
	const struct stet_export to = { dumped, run };
	struct stet_rows rows;

	run->kind = t;
	if (t->dump != NULL)
		return t->dump(call, &to);
	STET_TRY(rows_select(call, t, &rows));
	STET_TRY(write_rows(call, t, run, &rows));
	return stet_rows_end(&rows);
}

/* Refuses a directory with other content, since the export deletes files that it does not write. */
static enum stet_status
open_directory(struct stet_call *call, const char *dir, struct files *files)
{
	if (mkdir(dir, 0777) != 0 && errno != EEXIST)
		return stet_fail(call, STET_INVALID_INPUT, NULL, "%s: %s", dir, strerror(errno));
	STET_TRY(files_list(call, dir, files));
	if (json_object_size(files->names) > 0 && json_object_get(files->names, "stet") == NULL)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s: has files in it, and is no earlier export", dir);
	return STET_OK;
}

static enum stet_status
export_all(struct stet_call *call, struct export_run *run)
{
	json_t *manifest = stet_json_own(
	    call, json_pack("{s:i, s:s}", "format", FORMAT, "writtenBy", "stet export"));

	STET_TRY(kinds_each(call, export_kind, run));
	STET_TRY(carried_export(call, &run->files));
	STET_TRY(files_sweep(call, &run->files));
	return files_write(call, &run->files, "stet", manifest);
}

/* Runs after the files are written: it needs scopes, and the first scope ends the snapshot of the
 * export. */
static enum stet_status
ask_kind(struct stet_call *call, const struct stet_transfer *t, void *doubts)
{
	return doubts_may_be(t) ? doubts_of_kind(call, doubts, t) : STET_OK;
}

static size_t
taken(const json_t *names)
{
	const char *name;
	json_t *is;
	size_t n = 0;

	json_object_foreach((json_t *)(uintptr_t)names, name, is) n += json_is_true(is);
	return n;
}

int
export_run(struct stet_call *call, int argc, char **argv)
{
	struct export_run run = { .written = 0 };
	struct doubts doubts;

	if (argc != 2 || argv[1][0] == '-') {
		fputs("usage: stet export DIR\n", stderr);
		return 2;
	}
	if (open_directory(call, argv[1], &run.files) != STET_OK ||
	    export_all(call, &run) != STET_OK)
		return EXIT_FAILURE;
	doubts_begin(call, &doubts);
	if (kinds_each(call, ask_kind, &doubts) != STET_OK)
		return EXIT_FAILURE;
	printf("%lld files in %s\n", (long long)run.written + (long long)taken(run.files.carried),
	    argv[1]);
	doubts_show(&doubts);
	return EXIT_SUCCESS;
}
