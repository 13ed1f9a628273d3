/*
 * carried.c - the files that modules store, in exports: files/MODULE/KEY. They are exported and
 * imported together with the rows that name them, if the table of these rows is moved.
 */
#include "transfer.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- rows that name files ---- */

typedef enum stet_status row_fn(struct stet_call *, const struct stet_file_row *, void *arg);

static bool
is_moved(const struct stet_module *m, const char *table)
{
	struct stet_transfer t;

	for (uint32_t i = 0; i < m->transfers.count; i++) {
		stet_table_row(&m->transfers, i, &t, sizeof(t));
		if (t.table != NULL && strcmp(t.table, table) == 0)
			return true;
	}
	return false;
}

/* Calls fn for each row that names a file, of all modules. With `moved`, only for tables that are
 * moved. */
static enum stet_status
each_row(struct stet_call *call, bool moved, row_fn *fn, void *arg)
{
	const struct stet_module_info *const *modules;
	struct stet_file_column c;
	size_t count;

	STET_TRY(stet_modules(call, &modules, &count));
	for (size_t i = 0; i < count; i++) {
		const struct stet_module *m = modules[i]->module;

		if (!modules[i]->enabled || modules[i]->refused != NULL)
			continue;
		for (uint32_t k = 0; k < m->files.count; k++) {
			stet_table_row(&m->files, k, &c, sizeof(c));
			if (!moved || is_moved(m, c.table))
				STET_TRY(stet_file_each(call, m->name, &c, fn, arg));
		}
	}
	return STET_OK;
}

/* ---- export ---- */

static enum stet_status
take_out(struct stet_call *call, const struct stet_file_row *row, void *arg)
{
	struct files *files = arg;
	const char *name = stet_printf(call, CARRIED "%s/%s", row->module, row->key);
	enum stet_status status;
	int fd;

	if (stet_file_open_of(call, row->module, row->key, &fd) != STET_OK)
		return stet_fail(call, STET_INVALID_INPUT, NULL,
		    "%s: a row of %s names it, and it is not there: see stet verify", row->key,
		    row->module);
	status = files_copy(call, files, name, fd);
	close(fd);
	return status;
}

enum stet_status
carried_export(struct stet_call *call, struct files *files)
{
	return each_row(call, true, take_out, files);
}

/* ---- import ---- */

/* Splits MODULE/KEY. Refuses the file if no enabled module of this name stores files. */
static enum stet_status
split(struct stet_call *call, const char *name, const char **module, const char **key)
{
	const struct stet_module_info *const *modules;
	const char *slash = strchr(name + strlen(CARRIED), '/');
	size_t count;

	STET_TRY(stet_modules(call, &modules, &count));
	if (slash != NULL && stet_file_key_good(slash + 1)) {
		*module = stet_strndup(
		    call, name + strlen(CARRIED), (size_t)(slash - name) - strlen(CARRIED));
		*key = slash + 1;
		for (size_t i = 0; i < count; i++)
			if (modules[i]->enabled && modules[i]->module->files.count > 0 &&
			    strcmp(modules[i]->module->name, *module) == 0)
				return STET_OK;
	}
	return stet_fail(
	    call, STET_INVALID_INPUT, NULL, "%s: no module that is enabled here takes it", name);
}

static enum stet_status
bring_in(struct stet_call *call, const struct files *files, const char *name, bool dry,
    struct stet_import_count *n)
{
	const char *module = NULL, *key = NULL;
	enum stet_status status = STET_OK;
	bool is_new;
	int fd, there;

	STET_TRY(split(call, name, &module, &key));
	STET_TRY(files_open(call, files, name, &fd));
	if (dry) {
		is_new = stet_file_open_of(call, module, key, &there) != STET_OK;
		stet_error_clear(call);
		if (!is_new)
			close(there);
	} else
		status = stet_file_copy(call, module, key, fd, &is_new);
	close(fd);
	if (status == STET_OK)
		is_new ? n->created++ : n->same++;
	return status;
}

enum stet_status
carried_import(
    struct stet_call *call, const struct files *files, bool dry, struct stet_import_count *n)
{
	const char *name;
	json_t *taken;

	*n = (struct stet_import_count){ 0 };
	json_object_foreach(files->carried, name, taken)
	    STET_TRY(bring_in(call, files, name, dry, n));
	return STET_OK;
}

/* ---- missing files ---- */

struct search {
	const struct files *files;
	json_t *lost; /* {"module/key": true} */
};

static enum stet_status
look(struct stet_call *call, const struct stet_file_row *row, void *arg)
{
	const char *name = stet_printf(call, CARRIED "%s/%s", row->module, row->key);
	const struct search *s = arg;
	int fd;

	if (json_object_get(s->files->carried, name) != NULL)
		return STET_OK;
	if (stet_file_open_of(call, row->module, row->key, &fd) == STET_OK) {
		close(fd);
		return STET_OK;
	}
	stet_error_clear(call);
	json_object_set_new(s->lost, name + strlen(CARRIED), json_true());
	return STET_OK;
}

enum stet_status
carried_lost(struct stet_call *call, const struct files *files, json_t **out)
{
	struct search s = { files, stet_json_own(call, json_object()) };

	*out = s.lost;
	return each_row(call, true, look, &s);
}

enum stet_status
carried_check(struct stet_call *call, const struct files *files, const json_t *before)
{
	const char *name;
	json_t *lost, *is;

	STET_TRY(carried_lost(call, files, &lost));
	json_object_foreach(lost, name, is) if (json_object_get(before, name) ==
						NULL) return stet_fail(call, STET_INVALID_INPUT,
	    NULL, CARRIED "%s: a row names it, and it is neither here nor in the export", name);
	return STET_OK;
}

/* ---- files that no row names any more ---- */

static enum stet_status
take_name(struct stet_call *call, const struct stet_file_row *row, void *arg)
{
	json_t *names = arg;

	json_object_set_new(names, stet_printf(call, "%s/%s", row->module, row->key), json_true());
	return STET_OK;
}

enum stet_status
carried_named(struct stet_call *call, json_t **out)
{
	*out = stet_json_own(call, json_object());
	return each_row(call, true, take_name, *out);
}

enum stet_status
carried_forget(
    struct stet_call *call, struct stet_tx *tx, json_t *before, struct stet_import_count *n)
{
	json_t *now = stet_json_own(call, json_object()), *is;
	const char *name;

	n->deleted = 0;
	STET_TRY(each_row(call, false, take_name, now));
	json_object_foreach(before, name, is)
	{
		size_t len = strcspn(name, "/");

		if (json_object_get(now, name) != NULL)
			continue;
		stet_file_forget_of(call, tx, stet_strndup(call, name, len), name + len + 1);
		n->deleted++;
	}
	return STET_OK;
}
