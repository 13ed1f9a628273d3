/*
 * uploads.c - analysed files are kept for a day, so that they need not be sent again to be
 * imported. Only the user who has sent them can use them. Their number and size are limited; the
 * oldest are removed first.
 */
#include "read/uploads.h"
#include "read/form.h"
#include <string.h>
#include <unistd.h>

#define KEPT_MAX 20 /* analyses of a site */

/* ---- keeping ---- */

struct keeping {
	const char *id, *file, *types;
	int64_t size;
	size_t number;
};

static const char *
owner_of(struct stet_call *call)
{
	const struct stet_principal *who = stet_principal(call);

	return who != NULL ? who->id : "";
}

static enum stet_status
insert(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct keeping *k = arg;

	return stet_exec(call, tx,
	    "INSERT INTO import_upload (file, analysis, number, owner, size, types, kept_at)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	    STET_ARGS(k->file, k->id, (int64_t)k->number, owner_of(call), k->size, k->types,
		stet_time_text(call, stet_now(call))));
}

enum stet_status
upload_forget(struct stet_call *call, struct stet_tx *tx, const char *analysis)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows, "SELECT file FROM import_upload WHERE analysis = ?1",
	    STET_ARGS(analysis)));
	while (stet_row(&rows))
		stet_file_forget(call, tx, stet_col_str(&rows, 0));
	STET_TRY(stet_rows_end(&rows));
	return stet_exec(
	    call, tx, "DELETE FROM import_upload WHERE analysis = ?1", STET_ARGS(analysis));
}

/* Removes the oldest analyses until, with the coming one, their number and bytes are allowed. */
static enum stet_status
make_room(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const int64_t *coming = arg;
	int64_t count = 1, bytes = *coming, most = import_most(call) + FORM_ROOM;
	const char *list[KEPT_MAX * 2];
	struct stet_rows rows;
	size_t old = 0;

	STET_TRY(stet_query(call, &rows,
	    "SELECT analysis, SUM(size) FROM import_upload WHERE analysis NOT IN " UPLOAD_NEEDED(
		"upload") " GROUP BY analysis ORDER BY analysis DESC",
	    STET_NO_ARGS));
	while (old < KEPT_MAX * 2 && stet_row(&rows)) {
		bytes += stet_col_int(&rows, 1);
		if (++count > KEPT_MAX || bytes > most)
			list[old++] = stet_col_dup(&rows, 0);
	}
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < old; i++)
		STET_TRY(upload_forget(call, tx, list[i]));
	return STET_OK;
}

enum stet_status
uploads_keep(struct stet_call *call, const json_t *types, const char **id)
{
	const struct stet_part *const *part;
	size_t parts = stet_parts(call, &part);

	return uploads_keep_parts(call, part, parts, types, id);
}

enum stet_status
uploads_keep_parts(struct stet_call *call, const struct stet_part *const *part, size_t parts,
    const json_t *types, const char **id)
{
	struct stet_json *text = stet_json_new(call);
	struct keeping k = { .id = stet_id(call) };
	int64_t size = 0;

	stet_put_json(text, NULL, types);
	k.types = stet_json_text(text, NULL);
	for (size_t i = 0; i < parts; i++)
		if (form_is_file(part[i]))
			size += (int64_t)part[i]->size;
	STET_TRY(stet_write_lane(call, make_room, &size));
	for (size_t i = 0; i < parts; i++) {
		if (!form_is_file(part[i]))
			continue;
		k.file = stet_id(call);
		k.size = (int64_t)part[i]->size;
		STET_TRY(stet_file_keep(call, part[i], k.file, insert, &k));
		k.number++;
	}
	*id = k.id;
	return STET_OK;
}

/* ---- using ---- */

static void
close_file(void *arg)
{
	close((int)(intptr_t)arg);
}

/* Returns paths of open descriptors, since a file may be removed before it is read. */
enum stet_status
uploads_find(struct stet_call *call, const char *id, const char *const **paths, size_t *count,
    json_t **types)
{
	const char **list = stet_alloc(call, FORM_FILES_MAX * sizeof(*list));
	struct stet_rows rows;

	*count = 0;
	*paths = list;
	STET_TRY(stet_query(call, &rows,
	    "SELECT file, types FROM import_upload WHERE analysis = ?1 AND owner = ?2 AND"
	    " (kept_at >= ?3 OR analysis IN " UPLOAD_NEEDED("upload") ") ORDER BY number",
	    STET_ARGS(id, owner_of(call), stet_time_text(call, stet_now(call) - UPLOAD_MS))));
	while (*count < FORM_FILES_MAX && stet_row(&rows)) {
		list[(*count)++] = stet_col_dup(&rows, 0);
		*types = stet_json_own(call, json_loads(stet_col_str(&rows, 1), 0, NULL));
	}
	STET_TRY(stet_rows_end(&rows));
	if (*count == 0)
		return stet_fail(call, STET_NOT_FOUND, "analysisId",
		    "There is no file of this analysis any more: files are kept for a day");
	for (size_t i = 0; i < *count; i++) {
		int fd;

		STET_TRY(stet_file_open(call, list[i], &fd));
		stet_defer(call, close_file, (void *)(intptr_t)fd);
		list[i] = stet_printf(call, "/proc/self/fd/%d", fd);
	}
	return STET_OK;
}
