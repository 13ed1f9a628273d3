/*
 * sections - reusable pieces of content that editors insert into items. A section is made in the
 * site, imported, or comes with a theme.
 */
#include <stet/changes.h>
#include <stet/content.h>
#include <stet/module.h>
#include <string.h>

#define LISTING "sections" /* its name in cursors */
#define KEYWORDS_MAX 100
#define KEYWORD_LENGTH 100

static const struct stet_migration migrations[] = {
	{ 1, "sections",
	    "CREATE TABLE section ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " slug TEXT NOT NULL,"
	    " title TEXT NOT NULL,"
	    " description TEXT,"
	    " keywords TEXT NOT NULL," /* JSON */
	    " content TEXT NOT NULL," /* JSON */
	    " source TEXT NOT NULL,"
	    " theme_id TEXT,"
	    " words TEXT NOT NULL," /* the keywords, one a line: for the argument `search` */
	    " created_at TEXT NOT NULL,"
	    " updated_at TEXT NOT NULL);"
	    "CREATE UNIQUE INDEX section_slug ON section (slug);"
	    "CREATE INDEX section_title ON section (title, id);"
	    "CREATE INDEX section_source ON section (source, title, id);",
	    NULL },
};

/* ---- shapes ---- */

enum column { ID, SLUG, TITLE, DESCRIPTION, KEYWORDS, CONTENT, SOURCE, THEME, CREATED, UPDATED };
#define COLUMNS                                                                          \
	"id, slug, title, description, keywords, content, source, theme_id, created_at," \
	" updated_at"

#define HAS STET_REQUIRED

static const struct stet_member lost_shape[] = {
	{ "field", STET_STRING, HAS, .about = "content" },
	{ "line", STET_INTEGER, HAS, .about = "Line of the Markdown, from 1" },
	{ "what", STET_STRING, HAS,
	    .about = "What blocks do not express. The text is kept, without that" },
	{ 0 },
};
static const struct stet_member section[] = {
	{ "id", STET_STRING, HAS },
	{ "slug", STET_STRING, HAS },
	{ "title", STET_STRING, HAS },
	{ "description", STET_STRING },
	{ "keywords", STET_ARRAY, HAS | STET_STORED_JSON, .item = STET_STRING },
	{ "content", STET_ARRAY, HAS | STET_STORED_JSON | STET_OR_TEXT, .item = STET_OBJECT,
	    .about = "Portable Text blocks, or Markdown when that was asked for or sent" },
	{ "source", STET_STRING, HAS, STET_CHOICES("theme", "user", "import") },
	{ "themeId", STET_STRING },
	{ "createdAt", STET_TIME, HAS },
	{ "updatedAt", STET_TIME, HAS },
	{ "lost", STET_ARRAY, .of = lost_shape,
	    .about = "What could not be kept of Markdown that was sent. Absent if all of it is "
		     "kept" },
	{ 0 },
};

#define MARKDOWN                                                                     \
	{                                                                            \
		"markdown", STET_BOOLEAN, STET_QUERY, .about = "Content as Markdown" \
	}

static const struct stet_member list_in[] = {
	{ "source", STET_STRING, .about = "Where they come from",
	    STET_CHOICES("theme", "user", "import") },
	{ "search", STET_STRING, .about = "Text that title, description or a keyword holds",
	    STET_RANGE(1, 200) },
	{ "limit", STET_INTEGER, .about = "Sections a page", STET_RANGE(1, 100), .fallback = "50" },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	MARKDOWN,
	{ 0 },
};
static const struct stet_member list_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = section },
	{ "nextCursor", STET_STRING, .about = "Absent on the last page" },
	{ 0 },
};

/* clang-format off */
#define BY_SLUG { "section", STET_STRING, STET_REQUIRED, .about = "Slug of the section" }
#define SLUG_RULE .about = "a-z, 0-9 and hyphens", \
	.pattern = "^[a-z0-9-]+(?![\\s\\S])", STET_RANGE(1, 200)
#define TITLE_RULE .pattern = "\\S", STET_RANGE(1, 200) /* limited, since the title is part of cursors */
#define MEMBERS \
	{ "description", STET_STRING, STET_NULLABLE, STET_RANGE(0, 5000) }, \
	{ "keywords", STET_ARRAY, .item = STET_STRING, .about = "To be found by", \
	    STET_RANGE(0, KEYWORDS_MAX) }
#define BLOCKS(flags_) \
	{ "content", STET_ARRAY, (flags_) | STET_OR_TEXT, .item = STET_OBJECT, \
	    .about = "Portable Text blocks, or Markdown" }
#define CREATE(...) \
	{ "slug", STET_STRING, STET_REQUIRED, SLUG_RULE }, \
	{ "title", STET_STRING, STET_REQUIRED, TITLE_RULE }, \
	MEMBERS, \
	BLOCKS(STET_REQUIRED), \
	{ "source", STET_STRING, STET_CHOICES(__VA_ARGS__), .fallback = "\"user\"" }, \
	{ "themeId", STET_STRING, STET_NULLABLE, .about = "Theme that it comes from", \
	    STET_RANGE(1, 200) }
/* clang-format on */

static const struct stet_member get_in[] = { BY_SLUG, MARKDOWN, { 0 } };
static const struct stet_member delete_in[] = { BY_SLUG, { 0 } };
static const struct stet_member create_in[] = { CREATE("user", "import"), { 0 } };
static const struct stet_member add_in[] = { CREATE("user", "import", "theme"), { 0 } };
static const struct stet_member update_in[] = {
	BY_SLUG,
	{ "slug", STET_STRING, SLUG_RULE },
	{ "title", STET_STRING, TITLE_RULE },
	MEMBERS,
	BLOCKS(0),
	{ 0 },
};
static const struct stet_member deleted_out[] = {
	{ "deleted", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

/* ---- finding ---- */

static enum stet_status
find(struct stet_call *call, const char *slug, struct stet_rows *rows)
{
	STET_TRY(stet_query(
	    call, rows, "SELECT " COLUMNS " FROM section WHERE slug = ?1", STET_ARGS(slug)));
	if (stet_row(rows))
		return STET_OK;
	STET_TRY(stet_rows_end(rows));
	return stet_fail(call, STET_NOT_FOUND, NULL, "Section '%s' not found", slug);
}

static const struct stet_content_1 *
content_of(struct stet_call *call)
{
	return stet_service(call, STET_CONTENT_1);
}

static json_t *
stored_content(struct stet_call *call, struct stet_rows *rows)
{
	size_t len;
	const char *text = stet_col_text(rows, CONTENT, &len);

	return stet_json_stored(call, text, len);
}

/* Writes the current row, with its content as blocks or as Markdown. lost: see struct draft. */
static void
put_section(struct stet_call *call, struct stet_json *out, struct stet_rows *rows, bool markdown,
    const json_t *lost)
{
	stet_object(out, NULL);
	stet_put_columns(out, rows, 0, section, CONTENT);
	if (markdown)
		stet_put_str(
		    out, "content", content_of(call)->markdown(call, stored_content(call, rows)));
	else
		stet_put_columns(out, rows, CONTENT, &section[CONTENT], 1);
	stet_put_columns(out, rows, CONTENT + 1, &section[CONTENT + 1], UPDATED - CONTENT);
	if (json_array_size(lost) > 0)
		stet_put_json(out, "lost", lost);
	stet_close(out);
}

static enum stet_status
show(struct stet_call *call, const char *slug, bool markdown, const json_t *lost)
{
	struct stet_rows rows;

	STET_TRY(find(call, slug, &rows));
	put_section(call, stet_reply(call), &rows, markdown, lost);
	return stet_rows_end(&rows);
}

static enum stet_status
section_get(struct stet_call *call)
{
	return show(call, stet_arg(call, "section"), stet_arg_bool(call, "markdown"), NULL);
}

/* ---- the list ---- */

static void
add_filters(struct stet_call *call, struct stet_sql *sql)
{
	static const char *const columns[] = { "title", "description", "words" };
	const char *source = stet_arg(call, "source"), *search = stet_arg(call, "search");

	if (source != NULL) {
		stet_sql_add(sql, " AND source = ");
		stet_sql_bind(sql, stet_val_str(source));
	}
	if (search == NULL)
		return;
	search = stet_fold(call, search, strlen(search));
	for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++) {
		stet_sql_add(sql, i == 0 ? " AND (" : " OR ");
		stet_sql_has(sql, "", columns[i], search);
	}
	stet_sql_add(sql, ")");
}

static enum stet_status
section_list(struct stet_call *call)
{
	struct stet_page page = { .listing = LISTING,
		.key = "title",
		.key_column = TITLE,
		.id_column = ID,
		.ascending = true };
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT " COLUMNS " FROM section WHERE 1 = 1");
	add_filters(call, sql);
	STET_TRY(stet_page_sql(call, &page, sql));
	STET_TRY(stet_sql_query(sql, &rows));
	stet_object(out, NULL);
	stet_array(out, "items");
	while (stet_page_row(&page, &rows))
		put_section(call, out, &rows, stet_arg_bool(call, "markdown"), NULL);
	stet_close(out);
	stet_page_end(out, &page);
	stet_close(out);
	return stet_rows_end(&rows);
}

/* ---- writing ---- */

/* A section that is to be stored. */
struct draft {
	const char *id, *slug, *title, *description, *keywords, *content, *source, *theme, *words;
	const json_t *stored; /* the present content; NULL: the section is new */
	json_t *lost; /* of Markdown: see struct stet_content_1 */
};

static char *
json_text(struct stet_call *call, const json_t *value)
{
	struct stet_json *json = stet_json_new(call);

	stet_put_json(json, NULL, value);
	return stet_strdup(call, stet_json_text(json, NULL));
}

/* The keywords as JSON, and as text with one a line. */
static void
take_keywords(struct stet_call *call, const json_t *list, struct draft *d)
{
	const char *words = "";

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *word = json_string_value(json_array_get(list, i));
		int64_t length = stet_utf8_length(word);

		if (length < 1 || length > KEYWORD_LENGTH)
			stet_issue(call, stet_printf(call, "keywords[%zu]", i),
			    "must be 1 to %d characters", KEYWORD_LENGTH);
		words = stet_printf(call, "%s%s\n", words, word);
	}
	d->keywords = json_text(call, list);
	d->words = words;
}

/* Replaces the values of *d that the request gives. */
static enum stet_status
take_all(struct stet_call *call, struct draft *d)
{
	const json_t *blocks = stet_arg_json(call, "content");
	const char *markdown = json_string_value(blocks);
	json_t *content = NULL;

	if (stet_has(call, "slug"))
		d->slug = stet_arg(call, "slug");
	if (stet_has(call, "title"))
		d->title = stet_arg(call, "title");
	if (stet_has(call, "description"))
		d->description = stet_arg(call, "description");
	if (stet_has(call, "keywords"))
		take_keywords(call, stet_arg_json(call, "keywords"), d);
	if (markdown != NULL)
		blocks =
		    content_of(call)->blocks_lost(call, "content", markdown, d->stored, d->lost);
	if (blocks != NULL)
		STET_TRY(stet_type_check(call, "portableText", "content", blocks, &content));
	if (content != NULL)
		d->content = json_text(call, content);
	return stet_issues(call);
}

/* If the request had Markdown, the reply has Markdown. */
static enum stet_status
answer(struct stet_call *call, const struct draft *d)
{
	return show(call, d->slug, json_is_string(stet_arg_json(call, "content")), d->lost);
}

static enum stet_status
taken(struct stet_call *call, const struct draft *d, enum stet_status status)
{
	if (status != STET_CONFLICT)
		return status;
	return stet_fail(
	    call, STET_CONFLICT, "slug", "Section with slug '%s' already exists", d->slug);
}

static enum stet_status
media_changed(struct stet_call *call, const char *id)
{
	return stet_run_media_holder_changed(call, stet_write_tx(call), "section", id);
}

static enum stet_status
section_create(struct stet_call *call)
{
	struct draft d = { .id = stet_id(call),
		.lost = stet_json_own(call, json_array()),
		.keywords = "[]",
		.words = "",
		.source = stet_arg(call, "source"),
		.theme = stet_arg(call, "themeId") };

	STET_TRY(take_all(call, &d));
	STET_TRY(taken(call, &d,
	    stet_exec(call, stet_write_tx(call),
		"INSERT INTO section (id, slug, title, description, keywords, content, source,"
		" theme_id, words, created_at, updated_at)"
		" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)",
		STET_ARGS(d.id, d.slug, d.title, d.description, d.keywords, d.content, d.source,
		    d.theme, d.words, stet_time_text(call, stet_now(call))))));
	STET_TRY(media_changed(call, d.id));
	STET_TRY(stet_note(call, stet_write_tx(call), "section", d.slug, "create"));
	return answer(call, &d);
}

static enum stet_status
section_update(struct stet_call *call)
{
	struct draft d = { .lost = stet_json_own(call, json_array()) };
	struct stet_rows rows;

	STET_TRY(find(call, stet_arg(call, "section"), &rows));
	d.id = stet_col_dup(&rows, ID);
	d.slug = stet_col_dup(&rows, SLUG);
	d.title = stet_col_dup(&rows, TITLE);
	d.description = stet_col_dup(&rows, DESCRIPTION);
	d.stored = stored_content(call, &rows);
	STET_TRY(stet_rows_end(&rows));
	STET_TRY(take_all(call, &d));
	STET_TRY(taken(call, &d,
	    stet_exec(call, stet_write_tx(call),
		"UPDATE section SET slug = ?2, title = ?3, description = ?4,"
		" keywords = coalesce(?5, keywords), words = coalesce(?6, words),"
		" content = coalesce(?7, content), updated_at = ?8 WHERE id = ?1",
		STET_ARGS(d.id, d.slug, d.title, d.description, d.keywords, d.words, d.content,
		    stet_time_text(call, stet_now(call))))));
	STET_TRY(media_changed(call, d.id));
	STET_TRY(stet_note_renamed(
	    call, stet_write_tx(call), "section", stet_arg(call, "section"), d.slug));
	return answer(call, &d);
}

static enum stet_status
section_delete(struct stet_call *call)
{
	const char *slug = stet_arg(call, "section");
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;
	const char *id;
	bool of_theme;

	STET_TRY(find(call, slug, &rows));
	id = stet_col_dup(&rows, ID);
	of_theme = strcmp(stet_col_str(&rows, SOURCE), "theme") == 0;
	STET_TRY(stet_rows_end(&rows));
	if (of_theme)
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "Sections of a theme cannot be deleted; they can be edited");
	STET_TRY(stet_exec(
	    call, stet_write_tx(call), "DELETE FROM section WHERE slug = ?1", STET_ARGS(slug)));
	STET_TRY(media_changed(call, id));
	STET_TRY(stet_note(call, stet_write_tx(call), "section", slug, "delete"));
	stet_object(out, NULL);
	stet_put_bool(out, "deleted", true);
	stet_close(out);
	return STET_OK;
}

/* ---- transfer files ---- */

static const struct stet_member row[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING, STET_REQUIRED },
	{ "description", STET_STRING },
	{ "keywords", STET_ARRAY, STET_REQUIRED, .item = STET_STRING },
	{ "content", STET_ARRAY, STET_REQUIRED },
	{ "source", STET_STRING, STET_REQUIRED, STET_CHOICES("theme", "user", "import") },
	{ "themeId", STET_STRING },
	{ "createdAt", STET_STRING, STET_REQUIRED },
	{ "updatedAt", STET_STRING, STET_REQUIRED },
	{ 0 },
};

/* After an import: fills the column of keywords that `search` uses. */
static enum stet_status
settle(struct stet_call *call, struct stet_tx *tx)
{
	json_t *all = stet_json_own(call, json_object()), *keywords, *word;
	struct stet_rows rows;
	const char *id;
	size_t i;

	STET_TRY(stet_query(call, &rows, "SELECT id, keywords FROM section", STET_NO_ARGS));
	while (stet_row(&rows))
		json_object_set_new(
		    all, stet_col_str(&rows, 0), json_loads(stet_col_str(&rows, 1), 0, NULL));
	STET_TRY(stet_rows_end(&rows));
	json_object_foreach(all, id, keywords)
	{
		const char *words = "";

		json_array_foreach(keywords, i, word) words =
		    stet_printf(call, "%s%s\n", words, json_string_value(word));
		STET_TRY(stet_exec(
		    call, tx, "UPDATE section SET words = ?2 WHERE id = ?1", STET_ARGS(id, words)));
	}
	return STET_OK;
}

static const struct stet_transfer transfers[] = {
	{ .kind = "sections",
	    .table = "section",
	    .row = row,
	    .key = "id",
	    .moves = "slug",
	    .name = "t.slug",
	    .derived = "words",
	    .settled = settle,
	    .feed = "section",
	    .feed_id = "slug",
	    .media = "description content",
	    .media_kind = "section",
	    .media_name = "t.title" },
};

/* ---- tables ---- */

/* clang-format off */
#define READS .lane = STET_READ, .cached = true, .permission = "sections:read", \
	.scope = "content:read", .open = stet_public_read
#define WRITES .lane = STET_WRITE, .permission = "sections:manage", .scope = "content:write"
/* clang-format on */

static const struct stet_op ops[] = {
	{ "section_list", "List Sections",
	    .about = "Reusable pieces of content by title, a page at a time.",
	    .route = "GET /sections", .flags = STET_TOOL, READS, .in = list_in, .out = list_out,
	    .run = section_list, .fault = "SECTION_LIST_ERROR",
	    .find = "reusable blocks snippets" },
	{ "section_get", "Get Section", .about = "One section with its content.",
	    .route = "GET /sections/:section", .flags = STET_TOOL, READS, .in = get_in,
	    .out = section, .run = section_get, .fault = "SECTION_GET_ERROR",
	    .find = "reusable block snippet" },
	{ "section_create", "Create Section", .about = "A new reusable piece of content.",
	    .route = "POST /sections", .flags = STET_TOOL | STET_CREATED | STET_ADDITIVE, WRITES,
	    .in = create_in, .out = section, .run = section_create, .fault = "SECTION_CREATE_ERROR",
	    .find = "reusable block snippet call to action newsletter signup" },
	{ "section_add", "Add Section",
	    .about = "The same for those who install a theme: its sections cannot be deleted.",
	    WRITES, .in = add_in, .out = section, .run = section_create,
	    .fault = "SECTION_CREATE_ERROR" },
	{ "section_update", "Update Section",
	    .about = "Change members of a section; those that are omitted stay.",
	    .route = "PUT /sections/:section", .flags = STET_TOOL | STET_IDEMPOTENT, WRITES,
	    .in = update_in, .out = section, .run = section_update, .fault = "SECTION_UPDATE_ERROR",
	    .find = "reusable block snippet edit" },
	{ "section_delete", "Delete Section", .about = "Delete a section; not one of a theme.",
	    .route = "DELETE /sections/:section", .flags = STET_TOOL | STET_DESTRUCTIVE, WRITES,
	    .in = delete_in, .out = deleted_out, .run = section_delete,
	    .fault = "SECTION_DELETE_ERROR", .find = "reusable block snippet remove" },
};

static const char *const needs[] = { "auth", "schema", "content", NULL };

static const struct stet_permission permissions[] = {
	{ "sections:read", 10 },
	{ "sections:manage", 40 },
};

static const struct stet_status_def statuses[] = {
	{ "SECTION_LIST_ERROR", 500, "Failed to list sections" },
	{ "SECTION_GET_ERROR", 500, "Failed to read the section" },
	{ "SECTION_CREATE_ERROR", 500, "Failed to create the section" },
	{ "SECTION_UPDATE_ERROR", 500, "Failed to update the section" },
	{ "SECTION_DELETE_ERROR", 500, "Failed to delete the section" },
};

STET_MODULE(sections) = {
	STET_MODULE_HEAD(sections),
	.version = "1.0",
	.summary = "Sections: reusable pieces of content",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.migrations = STET_TABLE(migrations),
	.transfers = STET_TABLE(transfers),
	.statuses = STET_TABLE(statuses),
};
