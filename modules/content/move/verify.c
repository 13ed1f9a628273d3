/*
 * verify.c - for `stet verify`: checks that items and revisions refer to each other
 * consistently.
 */
#include "move/move.h"
#include "write/write.h"
#include <stdlib.h>
#include <string.h>

#define TOLD_MAX 20 /* problems listed for each kind */

const struct stet_member content_verify_out[] = {
	{ "problems", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ 0 },
};

/* Records a problem for each row of a query: its two columns, then `what`. */
static enum stet_status
tell_rows(struct stet_rows *rows, json_t *problems, const char *where, const char *what)
{
	while (stet_row(rows))
		json_array_append_new(
		    problems, json_sprintf("%s %s: %s %s", where, stet_col_dup(rows, 0), what,
				  stet_col_null(rows, 1) ? "" : stet_col_dup(rows, 1)));
	return stet_rows_end(rows);
}

/* ---- items ---- */

static const struct {
	const char *column, *what;
} links[] = {
	{ "live_revision_id", "its live revision is not there:" },
	{ "draft_revision_id", "its draft is not there:" },
};

static enum stet_status
check_links(struct stet_call *call, const struct stet_collection *c, json_t *problems)
{
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		struct stet_sql *sql = stet_sql_new(call);
		struct stet_rows rows;

		stet_sql_add(sql, "SELECT i.id, i.");
		stet_sql_add(sql, links[i].column);
		stet_sql_add(sql, " FROM ");
		stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
		stet_sql_add(sql, " i WHERE i.");
		stet_sql_add(sql, links[i].column);
		stet_sql_add(sql, " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM revision r"
				  " WHERE r.entry_id = i.id AND r.id = i.");
		stet_sql_add(sql, links[i].column);
		stet_sql_add(sql, ") ORDER BY i.id LIMIT ");
		stet_sql_bind(sql, stet_val_int(TOLD_MAX));
		STET_TRY(stet_sql_query(sql, &rows));
		STET_TRY(tell_rows(&rows, problems, c->slug, links[i].what));
	}
	return STET_OK;
}

/* Checks that live_version, which readers without drafts get, is an earlier version than
 * `version`. */
static enum stet_status
check_versions(struct stet_call *call, const struct stet_collection *c, json_t *problems)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id, live_version FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE live_version >= version ORDER BY id LIMIT ");
	stet_sql_bind(sql, stet_val_int(TOLD_MAX));
	STET_TRY(stet_sql_query(sql, &rows));
	return tell_rows(&rows, problems, c->slug, "its live version is not below its version:");
}

static enum stet_status
check_collections(struct stet_call *call, json_t *problems)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *list;
	size_t count;

	STET_TRY(schema->collections(call, &list, &count));
	for (size_t i = 0; i < count; i++) {
		STET_TRY(check_links(call, list[i], problems));
		STET_TRY(check_versions(call, list[i], problems));
		STET_TRY(count_verify(call, list[i]->slug, problems));
		STET_TRY(many_verify(call, list[i], problems));
	}
	return STET_OK;
}

/* ---- revisions ---- */

/* Checks that a delta refers to a keyframe of the same item. */
static enum stet_status
check_bases(struct stet_call *call, json_t *problems)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT r.id, r.base FROM revision r WHERE r.base IS NOT NULL AND NOT EXISTS"
	    " (SELECT 1 FROM revision k WHERE k.id = r.base AND k.base IS NULL"
	    " AND k.entry_id = r.entry_id) ORDER BY r.id LIMIT ?1",
	    STET_ARGS((int64_t)TOLD_MAX)));
	return tell_rows(&rows, problems, "revision", "its base revision is missing:");
}

/* Checks that the data of each revision is valid JSON. Reads one row at a time: there may be
 * millions. */
static enum stet_status
check_values(struct stet_call *call, json_t *problems)
{
	struct stet_rows rows;
	int told = 0;

	STET_TRY(stet_query(call, &rows, "SELECT id, data FROM revision", STET_NO_ARGS));
	while (told < TOLD_MAX && stet_row(&rows)) {
		size_t len;
		const char *text = stet_col_text(&rows, 1, &len);
		json_t *data = json_loadb(text, len, 0, NULL);

		if (!json_is_object(data)) {
			json_array_append_new(
			    problems, json_sprintf("revision %s: its values cannot be read",
					  stet_col_dup(&rows, 0)));
			told++;
		}
		json_decref(data);
	}
	return stet_rows_end(&rows);
}

enum stet_status
content_verify(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	json_t *problems = stet_json_own(call, json_array());

	STET_TRY(check_collections(call, problems));
	STET_TRY(check_bases(call, problems));
	STET_TRY(check_values(call, problems));
	stet_object(out, NULL);
	stet_put_json(out, "problems", problems);
	stet_close(out);
	return STET_OK;
}
