/* list.c - lists media items page by page, by cursor or by number; reads one item. */
#include "media.h"
#include <string.h>

#define LISTING "media"
#define TYPES_MAX 50
#define LOOKED_AT 5000 /* most items that a page of unused items examines */

const struct stet_member list_in[] = {
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(0, 2048) },
	{ "page", STET_INTEGER, STET_BOUNDED,
	    .about = "Number of the page, instead of a cursor; then totalCount is answered",
	    STET_RANGE(1, 1000000000) },
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "Items a page", STET_RANGE(1, 100),
	    .fallback = "50" },
	{ "mimeType", STET_STRING,
	    .about = "Types, separated by commas; the beginning of one will do: image/",
	    STET_RANGE(0, 2000) },
	{ "q", STET_STRING, .about = "Text in the file name", STET_RANGE(1, 200) },
	{ "folderId", STET_STRING, .about = "Id of a folder, or unfiled", STET_RANGE(1, ID_MAX) },
	{ "includeUsage", STET_STRING, .about = "1: with usage", STET_CHOICES("1") },
	{ "unused", STET_BOOLEAN, .about = "Only what nothing refers to; pages may be short",
	    .permission = "content:read_drafts", .scope = "admin" },
	{ 0 },
};
const struct stet_member get_in[] = {
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "includeUsage", STET_STRING, .about = "1: with usage", STET_CHOICES("1") },
	{ "image", STET_BOOLEAN,
	    .about = "With a copy of the image, at most 512 pixels wide and high" },
	{ 0 },
};
const struct stet_member get_out[] = {
	{ "item", STET_OBJECT, STET_REQUIRED, .of = item_shape },
	{ "image", STET_OBJECT, .of = picture_out, .about = "With image=true" },
	{ 0 },
};
const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = item_shape },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ "totalCount", STET_INTEGER, .about = "Of a list by numbers" },
	{ 0 },
};

/* ---- filters ---- */

/* Adds all types that begin with the text as a range of the index, with OR after the first. */
static void
add_type(struct stet_call *call, struct stet_sql *sql, const char *type, size_t len, bool first)
{
	char *text = stet_strndup(call, type, len);
	bool ascii = true;

	for (char *c = text; *c != '\0'; c++) {
		ascii &= *c > ' ' && *c < 0x7f;
		*c = (char)(*c >= 'A' && *c <= 'Z' ? *c + ('a' - 'A') : *c);
	}
	text[strcspn(text, ";")] = '\0';
	len = strlen(text);
	stet_sql_add(sql, first ? "" : " OR ");
	if (len == 0 || !ascii) { /* no type is like that */
		stet_sql_add(sql, "1 = 0");
		return;
	}
	stet_sql_add(sql, "(mime_type >= ");
	stet_sql_bind(sql, stet_val_str(stet_strdup(call, text)));
	stet_sql_add(sql, " AND mime_type < ");
	text[len - 1]++; /* the next text after all that begin like this */
	stet_sql_bind(sql, stet_val_str(text));
	stet_sql_add(sql, ")");
}

static enum stet_status
add_types(struct stet_call *call, struct stet_sql *sql, const char *list)
{
	size_t count = 0;

	for (const char *p = list; p != NULL && *p != '\0'; p += *p == ',') {
		size_t len = strcspn(p, ","), blank = strspn(p, " \t"), own;

		if (blank >= len) {
			p += len;
			continue;
		}
		own = len - blank;
		while (p[blank + own - 1] == ' ' || p[blank + own - 1] == '\t')
			own--;
		if (count == 0)
			stet_sql_add(sql, " AND (");
		add_type(call, sql, p + blank, own, count == 0);
		if (++count > TYPES_MAX)
			return stet_fail(call, STET_VALIDATION_ERROR, "mimeType",
			    "has more than %d types", TYPES_MAX);
		p += len;
	}
	if (count > 0)
		stet_sql_add(sql, ")");
	return STET_OK;
}

static void
add_name(struct stet_call *call, struct stet_sql *sql, const char *text)
{
	stet_sql_add(sql, " AND ");
	stet_sql_has(sql, "", "filename", stet_fold(call, text, strlen(text)));
}

static void
add_folder(struct stet_call *call, struct stet_sql *sql)
{
	const char *folder = stet_arg(call, "folderId");

	stet_sql_add(sql, " FROM media_items WHERE status = 'ready'");
	if (folder != NULL && strcmp(folder, "unfiled") == 0)
		stet_sql_add(sql, " AND folder_id IS NULL");
	else if (folder != NULL) {
		stet_sql_add(sql, " AND folder_id = ");
		stet_sql_bind(sql, stet_val_str(folder));
	}
}

static enum stet_status
add_filters(struct stet_call *call, struct stet_sql *sql)
{
	const char *q = stet_arg(call, "q");

	add_folder(call, sql);
	if (q != NULL && strspn(q, " \t\r\n") == strlen(q))
		return stet_fail(call, STET_VALIDATION_ERROR, "q", "is blank");
	if (q != NULL)
		add_name(call, sql, q);
	STET_TRY(usage_filter(call, sql));
	return add_types(call, sql, stet_arg(call, "mimeType"));
}

/* ---- pages ---- */

/* The last item that a page of unused items may examine: nearly all of a million items may be
 * used. */
struct bound {
	const char *created, *id; /* of that item; NULL: the list ends before it */
};

static enum stet_status
find_bound(struct stet_call *call, struct bound *out)
{
	const char *cursor = stet_arg(call, "cursor"), *id;
	struct stet_sql *sql = stet_sql_new(call);
	const json_t *key = NULL;
	struct stet_rows rows;

	*out = (struct bound){ 0 };
	if (!stet_arg_bool(call, "unused"))
		return STET_OK;
	stet_sql_add(sql, "SELECT created_at, id");
	add_folder(call, sql);
	if (cursor != NULL)
		STET_TRY(stet_cursor_read(call, cursor, LISTING, &key, &id));
	if (json_is_string(key)) { /* else stet_page_sql fails */
		stet_sql_add(sql, " AND (created_at, id) < (");
		stet_sql_bind(sql, stet_val_str(json_string_value(key)));
		stet_sql_add(sql, ", ");
		stet_sql_bind(sql, stet_val_str(id));
		stet_sql_add(sql, ")");
	}
	stet_sql_add(sql, " ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ");
	stet_sql_bind(sql, stet_val_int(LOOKED_AT - 1));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows))
		*out = (struct bound){ stet_col_dup(&rows, 0), stet_col_dup(&rows, 1) };
	return stet_rows_end(&rows);
}

static void
add_bound(struct stet_sql *sql, const struct bound *bound)
{
	if (bound->id == NULL)
		return;
	stet_sql_add(sql, " AND (created_at, id) >= (");
	stet_sql_bind(sql, stet_val_str(bound->created));
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(bound->id));
	stet_sql_add(sql, ")");
}

static enum stet_status
by_cursor(struct stet_call *call)
{
	struct stet_page page = {
		.listing = LISTING, .key = "created_at", .key_column = M_CREATED, .id_column = M_ID
	};
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	struct bound bound;
	struct usage usage;

	STET_TRY(usage_begin(call, &usage));
	stet_sql_add(sql, "SELECT " ITEM_COLUMNS);
	usage_column(&usage, sql);
	STET_TRY(add_filters(call, sql));
	STET_TRY(find_bound(call, &bound));
	add_bound(sql, &bound);
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		item_put(call, out, NULL, &rows, &usage);
	stet_close(out);
	if (page.next == NULL && bound.id != NULL) /* later items may match, too */
		page.next = stet_cursor_make(
		    call, LISTING, stet_json_own(call, json_string(bound.created)), bound.id);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
count_all(struct stet_call *call, int64_t *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT count(*)");
	STET_TRY(add_filters(call, sql));
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*out = stet_col_int(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
by_number(struct stet_call *call)
{
	int64_t limit = stet_arg_int(call, "limit"), page = stet_arg_int(call, "page"), total;
	struct stet_json *out = stet_reply(call);
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	struct usage usage;

	if (stet_has(call, "cursor"))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "page", "cannot be combined with cursor");
	STET_TRY(count_all(call, &total));
	STET_TRY(usage_begin(call, &usage));
	stet_sql_add(sql, "SELECT " ITEM_COLUMNS);
	usage_column(&usage, sql);
	STET_TRY(add_filters(call, sql));
	stet_sql_add(sql, " ORDER BY created_at DESC, id DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(limit));
	stet_sql_add(sql, " OFFSET ");
	stet_sql_bind(sql, stet_val_int((page - 1) * limit));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_row(&rows))
		item_put(call, out, NULL, &rows, &usage);
	stet_close(out);
	stet_put_int(out, "totalCount", total);
	stet_close(out);
	return stet_rows_end(&rows);
}

enum stet_status
media_list(struct stet_call *call)
{
	return stet_has(call, "page") ? by_number(call) : by_cursor(call);
}

enum stet_status
media_get(struct stet_call *call)
{
	const char *id = stet_arg(call, "id");

	if (stet_arg_bool(call, "image")) {
		if (stet_has(call, "includeUsage"))
			return stet_fail(call, STET_VALIDATION_ERROR, "image",
			    "cannot be combined with includeUsage");
		return picture_answer(call, id);
	}
	return stet_has(call, "includeUsage") ? item_answer_used(call, id)
					      : item_answer(call, id, NULL);
}
