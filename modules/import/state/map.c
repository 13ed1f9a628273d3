/* map.c - what a run has noted about its source: in a table, since an export may have millions of
 * items. */
#include "state/map.h"
#include <stet/steps.h>
#include <string.h>

#define NOTES_MAX 3000 /* buffered texts, three for each row */
#define CLEARED 2000 /* rows in one transaction */

const char *
map_id(struct stet_call *call, int64_t id)
{
	return stet_printf(call, "%lld", (long long)id);
}

const char *
map_item(struct stet_call *call, const struct wxr_item *item)
{
	return item->key != NULL ? item->key : map_id(call, item->id);
}

json_t *
map_json(struct stet_call *call, const char *value)
{
	if (value == NULL)
		return NULL;
	return stet_json_own(call, json_loads(value, JSON_DECODE_ANY, NULL));
}

enum stet_status
map_put(struct stet_call *call, struct stet_tx *tx, const struct run *run, const char *kind,
    const char *source, const char *value)
{
	return stet_exec(call, tx,
	    "INSERT INTO import_map (run, kind, source, value) VALUES (?1, ?2, ?3, ?4)"
	    " ON CONFLICT (run, kind, source) DO UPDATE SET value = excluded.value",
	    STET_ARGS(run->id, kind, source, value));
}

enum stet_status
map_get(struct stet_call *call, const struct run *run, const char *kind, const char *source,
    const char **value)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT value FROM import_map WHERE run = ?1 AND kind = ?2 AND source = ?3",
	    STET_ARGS(run->id, kind, source)));
	*value = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

enum stet_status
map_next(struct stet_call *call, const struct run *run, const char *kind, const char *after,
    const char **source, const char **value)
{
	struct stet_rows rows;

	*source = *value = NULL;
	STET_TRY(stet_query(call, &rows,
	    "SELECT source, value FROM import_map WHERE run = ?1 AND kind = ?2 AND source > ?3"
	    " ORDER BY source LIMIT 1",
	    STET_ARGS(run->id, kind, after)));
	if (stet_row(&rows)) {
		*source = stet_col_dup(&rows, 0);
		*value = stet_col_dup(&rows, 1);
	}
	return stet_rows_end(&rows);
}

/* ---- notes of the first pass ---- */

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct run *run = arg;

	for (size_t i = 0; i + 2 < json_array_size(run->notes); i += 3)
		STET_TRY(map_put(call, tx, run, json_string_value(json_array_get(run->notes, i)),
		    json_string_value(json_array_get(run->notes, i + 1)),
		    json_string_value(json_array_get(run->notes, i + 2))));
	return STET_OK;
}

static enum stet_status
store_scope(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, store, arg);
}

enum stet_status
map_store(struct run *run)
{
	if (json_array_size(run->notes) > 0)
		STET_TRY(stet_scope(run->call, store_scope, run));
	(void)json_array_clear(run->notes);
	return STET_OK;
}

enum stet_status
map_note(struct run *run, const char *kind, const char *source, const char *value)
{
	(void)json_array_append_new(run->notes, json_string(kind));
	(void)json_array_append_new(run->notes, json_string(source));
	(void)json_array_append_new(run->notes, json_string(value));
	return json_array_size(run->notes) < NOTES_MAX ? STET_OK : map_store(run);
}

/* ---- the end ---- */

enum stet_status
map_clear(struct stet_call *call, const char *run)
{
	static const char *const kinds[] = { MAP_ATTACHMENT, MAP_TERM, MAP_ORDER, MAP_NUMBER,
		MAP_LABEL, MAP_WANTED, MAP_MADE, MAP_SLUG, MAP_ENTRY, MAP_KEY, MAP_LEFT, MAP_TOLD,
		MAP_GROUP, MAP_AUTHOR, MAP_NAME, MAP_MENU, MAP_MENU_OWN, MAP_LINK, MAP_LATER,
		MAP_AT, MAP_ATTACHED, MAP_PICTURE, MAP_PAGE };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		STET_TRY(stet_delete_steps(call,
		    "DELETE FROM import_map WHERE run = ?1 AND kind = ?2 AND source IN (SELECT"
		    " source FROM import_map WHERE run = ?1 AND kind = ?2 ORDER BY source LIMIT"
		    " ?3)",
		    STET_ARGS(run, kinds[i], CLEARED), CLEARED));
	return STET_OK;
}
