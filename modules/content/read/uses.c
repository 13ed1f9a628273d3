/*
 * uses.c - lists the items that refer to some items of a collection, before those are deleted.
 *
 * The id of an item stands in references, and in JSON: texts, repeaters, blocks, lists of
 * references. References that have an index are looked up. All else, and what drafts stage, is
 * scanned in the order of ids: a request examines SCAN_MAX items at most, and answers with a cursor
 * if there are more. So no request takes long, however many items a site has, and a client knows
 * how far it has looked.
 */
#include "read/read.h"
#include <string.h>

#define LISTING "uses"
#define IDS_MAX 20 /* items whose uses are wanted */
#define USES_MAX 50 /* uses in a response */
#define SCAN_MAX 2000 /* items that are examined */
#define COLLECTIONS_MAX 30 /* collections that are scanned */
#define LOOK_UPS_MAX 100 /* fields that are looked up */
#define CONDITIONS_MAX 5000 /* of a statement: ids times fields of JSON */

const struct stet_member uses_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id of the item" },
	{ "also", STET_STRING, .about = "Ids of further items, by commas; at most 19",
	    STET_RANGE(1, 600) },
	{ "cursor", STET_STRING, .about = "nextCursor of the page before", STET_RANGE(1, 2048) },
	{ 0 },
};
static const struct stet_member use_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "slug", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "status", STET_STRING, STET_REQUIRED },
	{ "locale", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING, STET_REQUIRED | STET_NULLABLE },
	{ "collection", STET_STRING, STET_REQUIRED },
	{ 0 },
};
#define USE_COLUMNS 5
const struct stet_member uses_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = use_shape,
	    .about = "Items that refer to one of them; a long list may name an item twice" },
	{ "nextCursor", STET_STRING, .about = "There are items that were not looked at yet" },
	{ "truncated", STET_BOOLEAN,
	    .about = "There are more uses by indexed references, which no page lists" },
	{ 0 },
};

struct use {
	const char *column[USE_COLUMNS];
	const char *draft; /* the revision that refers, if the row does not */
};
struct search {
	struct stet_call *call;
	const char *target; /* collection of the wanted items */
	const char *ids[IDS_MAX];
	size_t count;
	struct stet_json *out;
	const char *told[USES_MAX]; /* ids in the response */
	size_t used;
	int64_t left; /* items that may be examined */
	size_t scanned; /* collections */
	size_t looked_up; /* fields */
	bool truncated;
};

/* ---- fields ---- */

/* How the uses in a field are found. */
enum way { NONE, LOOKED_UP, LOOKED_UP_MANY, SCANNED, SCANNED_JSON };

static bool
holds_media(const struct stet_field *f)
{
	const char *name = f->type->name;

	return strcmp(name, "image") == 0 || strcmp(name, "file") == 0 ||
	       strcmp(name, "multiSelect") == 0;
}

/* *index: of LOOKED_UP_MANY. */
static enum stet_status
way_of(const struct search *s, const struct stet_collection *c, const struct stet_field *f,
    enum way *way, int64_t *index)
{
	const bool json = f->json_text || f->type->storage == STET_STORE_JSON;
	const char *to = json_string_value(json_object_get(f->options, "collection"));
	enum stet_status status;

	*way = json && !holds_media(f) ? SCANNED_JSON : NONE;
	if (strcmp(f->type->name, "reference") != 0)
		return STET_OK;
	if (to != NULL && strcmp(to, s->target) != 0)
		*way = NONE;
	else if (!json)
		*way = f->indexed && f->sortable ? LOOKED_UP : SCANNED;
	else if (many_has(f)) {
		status = many_index(s->call, c->slug, f->slug, index);
		if (status == STET_OK)
			*way = LOOKED_UP_MANY;
		else if (status != STET_UNAVAILABLE)
			return status;
		else
			stet_error_clear(s->call); /* the index is being filled */
	}
	return STET_OK;
}

/* ---- results ---- */

static bool
is_told(const struct search *s, const char *id)
{
	for (size_t i = 0; i < s->used; i++)
		if (strcmp(s->told[i], id) == 0)
			return true;
	return false;
}

static void
tell(struct search *s, const struct stet_collection *c, const struct use *use)
{
	if (is_told(s, use->column[0]))
		return;
	if (s->used == USES_MAX) {
		s->truncated = true;
		return;
	}
	s->told[s->used++] = use->column[0];
	stet_object(s->out, NULL);
	for (size_t i = 0; i < USE_COLUMNS; i++)
		stet_put_str(s->out, use_shape[i].name, use->column[i]);
	stet_put_str(s->out, "collection", c->slug);
	stet_close(s->out);
}

/* Returns true if a text within the value is one of the ids. */
static bool
refers(const struct search *s, json_t *value)
{
	const char *text = json_string_value(value), *key;
	json_t *part;
	size_t i;

	for (i = 0; text != NULL && i < s->count; i++)
		if (strcmp(text, s->ids[i]) == 0)
			return true;
	json_array_foreach(value, i, part) if (refers(s, part)) return true;
	json_object_foreach(value, key, part) if (refers(s, part)) return true;
	return false;
}

/* Reads the rows of a statement of put_columns, and tells them. *count: of rows; *last: the id of
 * the last one. A row of a draft may come from a keyframe whose reference the draft has removed. */
static enum stet_status
take(struct search *s, const struct stet_collection *c, struct stet_sql *sql, size_t *count,
    const char **last)
{
	struct use use[USES_MAX];
	struct stet_rows rows;
	size_t n = 0;

	STET_TRY(stet_sql_query(sql, &rows));
	while (n < USES_MAX && stet_row(&rows)) {
		for (int i = 0; i < USE_COLUMNS; i++)
			use[n].column[i] = stet_col_dup(&rows, i);
		use[n++].draft = stet_col_dup(&rows, USE_COLUMNS);
	}
	s->truncated |= n == USES_MAX && stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	for (size_t i = 0; i < n; i++) {
		struct revision draft;
		bool found = false;

		if (use[i].draft != NULL)
			STET_TRY(revision_read(s->call, use[i].draft, &draft, &found));
		if (use[i].draft == NULL || (found && refers(s, draft.data)))
			tell(s, c, &use[i]);
	}
	*count = n;
	*last = n > 0 ? use[n - 1].column[0] : NULL;
	return STET_OK;
}

/* ---- statements ---- */

/* Returns the field if it holds plain text. */
static const struct stet_field *
text_field(const struct stet_collection *c, const char *slug)
{
	const struct stet_field *f = slug != NULL ? stet_field(c, slug) : NULL;

	return f != NULL && f->type->storage == STET_STORE_TEXT && !f->json_text ? f : NULL;
}

static void
put_field(struct stet_sql *sql, const struct stet_field *f)
{
	stet_sql_add(sql, "i.");
	stet_sql_ident(sql, STET_FIELD_COLUMN, f->slug);
}

static void
put_columns(struct stet_sql *sql, const struct stet_collection *c)
{
	const struct stet_field *title = text_field(c, c->title_field);

	if (title == NULL)
		title = text_field(c, "title");
	if (title == NULL)
		title = text_field(c, "name");
	stet_sql_add(sql, "SELECT i.id, i.slug, i.status, i.locale, ");
	if (title != NULL)
		put_field(sql, title);
	else
		stet_sql_add(sql, "NULL");
}

static void
put_from(struct stet_sql *sql, const struct stet_collection *c)
{
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " AS i");
}

/* Adds the conditions that hold for all: not in the trash, none of the wanted items. */
static void
put_where(const struct search *s, struct stet_sql *sql)
{
	stet_sql_add(sql, " WHERE " STET_UNINDEXED("i.deleted_at") " IS NULL AND i.id NOT IN ");
	stet_sql_texts(sql, s->ids, s->count);
}

static enum stet_status
look_up(struct search *s, const struct stet_collection *c, const struct stet_field *f, enum way way,
    int64_t index)
{
	struct stet_sql *sql = stet_sql_new(s->call);
	const char *last;
	size_t count;

	put_columns(sql, c);
	stet_sql_add(sql, ", NULL");
	put_from(sql, c);
	put_where(s, sql);
	stet_sql_add(sql, " AND ");
	if (way == LOOKED_UP)
		put_field(sql, f);
	else {
		stet_sql_add(
		    sql, "i.id IN (SELECT v.item FROM value_item AS v WHERE v.index_id = ");
		stet_sql_bind(sql, stet_val_int(index));
		stet_sql_add(sql, " AND v.value");
	}
	stet_sql_add(sql, " IN ");
	stet_sql_texts(sql, s->ids, s->count);
	stet_sql_add(sql, way == LOOKED_UP ? " LIMIT " : ") LIMIT ");
	stet_sql_bind(sql, stet_val_int(USES_MAX + 1));
	return take(s, c, sql, &count, &last);
}

static enum stet_status
look_up_all(struct search *s, const struct stet_collection *c)
{
	for (size_t i = 0; i < c->field_count; i++) {
		enum way way;
		int64_t index = 0;

		STET_TRY(way_of(s, c, c->fields[i], &way, &index));
		if (way != LOOKED_UP && way != LOOKED_UP_MANY)
			continue;
		if (s->looked_up++ == LOOK_UPS_MAX) {
			s->truncated = true;
			return STET_OK;
		}
		STET_TRY(look_up(s, c, c->fields[i], way, index));
	}
	return STET_OK;
}

/* ---- the scan ---- */

/* Appends " OR column LIKE ..." for an id within JSON text. */
static void
put_within(struct search *s, struct stet_sql *sql, const char *column, const struct stet_field *f,
    const char *id)
{
	stet_sql_add(sql, " OR ");
	if (f != NULL)
		put_field(sql, f);
	else
		stet_sql_add(sql, column);
	stet_sql_add(sql, " LIKE ");
	stet_sql_bind(sql, stet_val_str(stet_printf(s->call, "%%\"%s\"%%", id)));
}

/* Appends a condition in parentheses: the row refers to one of the items. */
static enum stet_status
put_live(struct search *s, struct stet_sql *sql, const struct stet_collection *c)
{
	stet_sql_add(sql, "(1 = 0");
	for (size_t i = 0; i < c->field_count; i++) {
		enum way way;
		int64_t index;

		STET_TRY(way_of(s, c, c->fields[i], &way, &index));
		if (way == SCANNED) {
			stet_sql_add(sql, " OR ");
			put_field(sql, c->fields[i]);
			stet_sql_add(sql, " IN ");
			stet_sql_texts(sql, s->ids, s->count);
		}
		if (way != SCANNED_JSON)
			continue;
		/* In parentheses: SQLite bounds the depth of an expression, which grows with each
		 * OR. */
		stet_sql_add(sql, " OR (1 = 0");
		for (size_t k = 0; k < s->count; k++)
			put_within(s, sql, NULL, c->fields[i], s->ids[k]);
		stet_sql_add(sql, ")");
	}
	stet_sql_add(sql, ")");
	return STET_OK;
}

static void
put_staged(struct search *s, struct stet_sql *sql)
{
	stet_sql_add(sql, "(1 = 0");
	for (size_t k = 0; k < s->count; k++) {
		put_within(s, sql, "r.data", NULL, s->ids[k]);
		put_within(s, sql, "k.data", NULL, s->ids[k]);
	}
	stet_sql_add(sql, ")");
}

/* Returns true if a field of the collection can hold an id. */
static enum stet_status
can_refer(const struct search *s, const struct stet_collection *c, bool *can)
{
	size_t json = 0;

	*can = false;
	for (size_t i = 0; i < c->field_count; i++) {
		enum way way;
		int64_t index;

		STET_TRY(way_of(s, c, c->fields[i], &way, &index));
		*can |= way == SCANNED || way == SCANNED_JSON || (way != NONE && c->revisions);
		json += way == SCANNED_JSON;
	}
	if (json * s->count > CONDITIONS_MAX)
		return stet_fail(s->call, STET_VALIDATION_ERROR, "also",
		    "\"%s\" has %zu fields of JSON: at most %zu ids at once", c->slug, json,
		    CONDITIONS_MAX / json);
	return STET_OK;
}

/* Finds the end of the next part, `left` items after the id. *end NULL: there are fewer. */
static enum stet_status
find_end(struct search *s, const struct stet_collection *c, const char *after, int64_t *count,
    const char **end)
{
	struct stet_sql *sql = stet_sql_new(s->call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT i.id");
	put_from(sql, c);
	stet_sql_add(sql, " WHERE i.id > ");
	stet_sql_bind(sql, stet_val_str(after));
	stet_sql_add(sql, " ORDER BY i.id LIMIT ");
	stet_sql_bind(sql, stet_val_int(s->left));
	*end = NULL;
	STET_TRY(stet_sql_query(sql, &rows));
	for (*count = 0; stet_row(&rows); ++*count)
		if (*count == s->left - 1)
			*end = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

/* Scans the collection after an id. *reached: the last id that was examined; NULL: all were. */
static enum stet_status
scan(struct search *s, const struct stet_collection *c, const char *after, const char **reached)
{
	const size_t room = USES_MAX - s->used;
	struct stet_sql *sql = stet_sql_new(s->call);
	const char *end, *last;
	int64_t examined;
	size_t count;

	STET_TRY(find_end(s, c, after, &examined, &end));
	*reached = end;
	s->left -= examined;
	s->scanned++;
	if (examined == 0)
		return STET_OK;
	put_columns(sql, c);
	if (c->revisions) {
		stet_sql_add(sql, ", CASE WHEN ");
		STET_TRY(put_live(s, sql, c));
		stet_sql_add(sql, " THEN NULL ELSE i.draft_revision_id END");
	} else
		stet_sql_add(sql, ", NULL");
	put_from(sql, c);
	if (c->revisions)
		stet_sql_add(sql, " LEFT JOIN revision AS r ON r.id = i.draft_revision_id"
				  " LEFT JOIN revision AS k ON k.id = r.base");
	put_where(s, sql);
	stet_sql_add(sql, " AND i.id > ");
	stet_sql_bind(sql, stet_val_str(after));
	if (end != NULL) {
		stet_sql_add(sql, " AND i.id <= ");
		stet_sql_bind(sql, stet_val_str(end));
	}
	stet_sql_add(sql, " AND (");
	STET_TRY(put_live(s, sql, c));
	if (c->revisions) {
		stet_sql_add(sql, " OR ");
		put_staged(s, sql);
	}
	stet_sql_add(sql, ") ORDER BY i.id LIMIT ");
	stet_sql_bind(sql, stet_val_int((int64_t)room));
	STET_TRY(take(s, c, sql, &count, &last));
	if (count == room)
		*reached = last;
	return STET_OK;
}

/* ---- the op ---- */

static bool
is_full(const struct search *s)
{
	return s->used == USES_MAX || s->left == 0 || s->scanned == COLLECTIONS_MAX;
}

/* Reads the ids of the items. */
static enum stet_status
read_ids(struct search *s)
{
	const char *also = stet_arg(s->call, "also");

	s->ids[s->count++] = stet_arg(s->call, "id");
	while (also != NULL && *also != '\0') {
		const size_t len = strcspn(also, ",");

		if (s->count == IDS_MAX) {
			stet_issue(s->call, "also", "has more than %d ids", IDS_MAX - 1);
			break;
		}
		s->ids[s->count++] = stet_strndup(s->call, also, len);
		also += len + (also[len] == ',');
	}
	for (size_t i = 0; i < s->count; i++)
		if (!stet_is_id(s->ids[i]))
			stet_issue(s->call, i == 0 ? "id" : "also", "must be ids of items");
	return stet_issues(s->call);
}

/* Finds the place of a cursor: the number of a collection, and the last id that was examined. */
static enum stet_status
read_place(struct stet_call *call, const struct stet_collection *const *all, size_t count,
    size_t *at, const char **after)
{
	const char *text = stet_arg(call, "cursor");
	const json_t *key;

	*at = 0;
	*after = "";
	if (text == NULL)
		return STET_OK;
	STET_TRY(stet_cursor_read(call, text, LISTING, &key, after));
	for (; *at < count; ++*at)
		if (json_is_string(key) && strcmp(all[*at]->slug, json_string_value(key)) == 0)
			return STET_OK;
	return stet_fail(call, STET_INVALID_CURSOR, "cursor", "Its collection is gone");
}

enum stet_status
content_uses(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct search s = { .call = call, .out = stet_reply(call), .left = SCAN_MAX };
	const struct stet_collection *const *all, *target;
	const char *after, *reached = NULL;
	size_t count, at;

	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &target));
	s.target = target->slug;
	STET_TRY(read_ids(&s));
	STET_TRY(schema->collections(call, &all, &count));
	STET_TRY(read_place(call, all, count, &at, &after));
	stet_object(s.out, NULL);
	stet_array(s.out, "items");
	for (size_t i = 0; stet_arg(call, "cursor") == NULL && i < count && !s.truncated; i++)
		if (stet_covers(call, all[i]->slug))
			STET_TRY(look_up_all(&s, all[i]));
	for (; at < count && !is_full(&s); at++, after = "") {
		bool can;

		if (!stet_covers(call, all[at]->slug))
			continue;
		STET_TRY(can_refer(&s, all[at], &can));
		if (can)
			STET_TRY(scan(&s, all[at], after, &reached));
		if (reached != NULL)
			break;
	}
	stet_close(s.out);
	if (s.truncated)
		stet_put_bool(s.out, "truncated", true);
	if (at < count)
		stet_put_str(s.out, "nextCursor",
		    stet_cursor_make(call, LISTING, stet_json_own(call, json_string(all[at]->slug)),
			reached != NULL ? reached : ""));
	stet_close(s.out);
	return STET_OK;
}
