/*
 * guide.c - the house rules of a site: what its editors want every assistant to know, such as tone,
 * words and how pictures are named. One Markdown text. Assistants get its beginning with the
 * instructions of the server, and the whole as the resource stet://guide.
 */
#include "mcp.h"
#include <string.h>

#define GUIDE_MOST 20000 /* characters */
#define ROW "guide" /* the only one */

const struct stet_member guide_in[] = {
	{ "text", STET_STRING, STET_REQUIRED,
	    .about = "Markdown: tone, words, how pictures are named. Empty: there are none",
	    STET_RANGE(0, GUIDE_MOST) },
	{ 0 },
};
const struct stet_member guide_out[] = {
	{ "text", STET_STRING, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_NULLABLE, .about = "null: never" },
	{ 0 },
};

static const struct stet_member row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "text", STET_STRING, STET_REQUIRED },
	{ "updatedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};
const struct stet_transfer guide_transfers[GUIDE_TRANSFERS] = {
	{ .kind = "guide", .table = "mcp_guide", .row = row, .key = "id", .name = "t.id" },
};

enum stet_status
guide_text(struct stet_call *call, const char **text, const char **updated)
{
	struct stet_rows rows;

	*text = "";
	*updated = NULL;
	STET_TRY(stet_query(call, &rows, "SELECT text, updated_at FROM mcp_guide WHERE id = ?1",
	    STET_ARGS((const char *)ROW)));
	if (stet_row(&rows)) {
		*text = stet_col_dup(&rows, 0);
		*updated = stet_col_dup(&rows, 1);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
answer(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *text, *updated;

	STET_TRY(guide_text(call, &text, &updated));
	stet_object(out, NULL);
	stet_put_str(out, "text", text);
	if (updated != NULL)
		stet_put_str(out, "updatedAt", updated);
	else
		stet_put_null(out, "updatedAt");
	stet_close(out);
	return STET_OK;
}

enum stet_status
guide_get(struct stet_call *call)
{
	return answer(call);
}

enum stet_status
guide_put(struct stet_call *call)
{
	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO mcp_guide (id, text, updated_at) VALUES (?1, ?2, ?3)"
	    " ON CONFLICT (id) DO UPDATE SET text = excluded.text, updated_at = excluded.updated_at",
	    STET_ARGS(
		(const char *)ROW, stet_arg(call, "text"), stet_time_text(call, stet_now(call)))));
	return answer(call);
}
