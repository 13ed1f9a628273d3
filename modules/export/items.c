/*
 * items.c - writes the items of the collections in the order of their ids, each in a scope of its
 * own: the live version, or the draft of an item that is not published.
 */
#include "leaving.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS                                                                               \
	"SELECT slug, status, author_id, created_at, updated_at, published_at, scheduled_at," \
	" deleted_at, draft_revision_id, locale, translation_group, unpublish_at"

/* ---- reading ---- */

static json_t *
column_value(struct stet_rows *rows, int column, const struct stet_field *f)
{
	size_t len;
	const char *text;

	if (stet_col_null(rows, column))
		return NULL;
	switch (f->type->storage) {
	case STET_STORE_REAL:
		return json_real(stet_col_real(rows, column));
	case STET_STORE_INTEGER:
		return json_integer(stet_col_int(rows, column));
	case STET_STORE_BOOLEAN:
		return json_boolean(stet_col_int(rows, column) != 0);
	default:
		break;
	}
	text = stet_col_text(rows, column, &len);
	if (f->json_text || f->type->storage == STET_STORE_JSON)
		return json_loadb(text, len, JSON_DECODE_ANY, NULL);
	return json_stringn(text, len);
}

static void
select_item(struct stet_sql *sql, const struct leaving *l)
{
	const struct stet_collection *c = l->collection;

	stet_sql_add(sql, COLUMNS);
	for (size_t i = 0; i < c->field_count; i++) {
		stet_sql_add(sql, ", ");
		stet_sql_ident(sql, STET_FIELD_COLUMN, c->fields[i]->slug);
	}
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(l->id));
}

static enum stet_status
read_row(struct stet_call *call, struct leaving *l, bool *there)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	select_item(sql, l);
	STET_TRY(stet_sql_query(sql, &rows));
	*there = stet_row(&rows);
	for (int i = 0; *there && i < C_FIELDS; i++)
		l->text[i] = stet_col_dup(&rows, i);
	for (size_t i = 0; *there && i < l->collection->field_count; i++) {
		const struct stet_field *f = l->collection->fields[i];
		json_t *value = column_value(&rows, C_FIELDS + (int)i, f);

		if (value != NULL)
			(void)json_object_set_new(l->data, f->slug, value);
	}
	return stet_rows_end(&rows);
}

static bool
is_published(const struct leaving *l)
{
	return strcmp(l->text[C_STATUS], "published") == 0;
}

/* Adds what the draft of a published item changes to l->own: {slug?, content?, fields}. Leaves out
 * fields that refer to items or files, since their ids are valid on this site only. */
static void
note_draft(struct stet_call *call, struct leaving *l, const json_t *data, const char *slug)
{
	json_t *draft = stet_json_own(call, json_object()), *fields = json_object();
	bool markup = l->x->put == NULL; /* content is written as HTML */

	(void)json_object_set_new(draft, "fields", fields);
	for (size_t i = 0; i < l->collection->field_count; i++) {
		const struct stet_field *f = l->collection->fields[i];
		json_t *value = json_object_get(data, f->slug);

		if (value == NULL)
			value = json_null();
		if (value_refers(f) || json_equal(value, json_object_get(l->data, f->slug)) ||
		    (json_is_null(value) && json_object_get(l->data, f->slug) == NULL))
			continue;
		if (markup && strcmp(f->slug, "content") == 0 && json_is_array(value))
			(void)json_object_set_new(
			    draft, "content", json_string(export_markup(call, l->x, value)));
		else
			(void)json_object_set(fields, f->slug, value);
	}
	if (slug != NULL && (l->text[C_SLUG] == NULL || strcmp(slug, l->text[C_SLUG]) != 0))
		(void)json_object_set_new(draft, "slug", json_string(slug));
	(void)json_object_set(l->own, "draft", draft);
}

/* Reads the draft. It replaces the values of an item that is not published. */
static enum stet_status
read_draft(struct stet_call *call, struct leaving *l)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const json_t *data = NULL;
	const char *slug = NULL;

	if (l->text[C_DRAFT] == NULL)
		return STET_OK;
	STET_TRY(content->draft(call, l->collection, l->id, &data, &slug));
	if (is_published(l)) {
		if (data != NULL)
			note_draft(call, l, data, slug);
		return STET_OK;
	}
	if (data != NULL)
		l->data = stet_json_own(call, json_copy((json_t *)(uintptr_t)data));
	if (slug != NULL)
		l->text[C_SLUG] = slug;
	return STET_OK;
}

static bool
is_wanted(const struct leaving *l)
{
	const json_t *wanted = l->x->statuses;
	const char *status = l->text[C_DELETED] != NULL ? "trash" : l->text[C_STATUS];

	if (l->x->only != NULL && strcmp(l->x->only, l->text[C_LOCALE]) != 0)
		return false;
	if (json_object_size(wanted) == 0)
		return l->text[C_DELETED] == NULL;
	return json_object_get(wanted, status) != NULL;
}

/* ---- values ---- */

/* Returns true if the value has an element of its own. An empty element does not count. */
static bool
has_element(const struct leaving *l, const struct stet_field *f, const json_t *value)
{
	static const char *const texts[] = { "title", "excerpt" };

	for (size_t i = 0; i < 2; i++)
		if (strcmp(f->slug, texts[i]) == 0)
			return json_string_length(value) > 0 &&
			       export_keeps(json_string_value(value));
	if (strcmp(f->slug, "content") == 0)
		return json_string_length(value) > 0 || json_array_size(value) > 0;
	if (strcmp(f->slug, "parent") == 0)
		return f->type->holds == STET_HOLDS_ITEMS;
	if (strcmp(f->slug, "menu_order") == 0)
		return json_is_number(value);
	return strcmp(f->slug, "featured_image") == 0 && l->number != 0 && json_is_object(value);
}

static const char *
key_of(const char *slug)
{
	if (strcmp(slug, "seo_title") == 0)
		return "_yoast_wpseo_title";
	return strcmp(slug, "seo_description") == 0 ? "_yoast_wpseo_metadesc" : slug;
}

/* Returns true for names that import does not accept for custom fields. */
static bool
is_of_element(const char *slug)
{
	static const char names[] = " title content excerpt featured_image parent menu_order ";
	const char *found = strstr(names, slug);

	return found != NULL && found[-1] == ' ' && found[strlen(slug)] == ' ';
}

static void
note_field(struct leaving *l, const char *slug, const json_t *value)
{
	json_t *fields = json_object_get(l->own, "fields");

	if (fields == NULL) {
		fields = json_object();
		(void)json_object_set_new(l->own, "fields", fields);
	}
	(void)json_object_set(fields, slug, (json_t *)(uintptr_t)value);
}

/* Adds a value as a custom field. If the text does not read back to the value, also adds the value
 * to l->own, except references to items and files. */
static enum stet_status
read_value(
    struct stet_call *call, struct leaving *l, const struct stet_field *f, const json_t *value)
{
	const char *text = "";

	if (is_of_element(f->slug)) {
		note_field(l, f->slug, value);
		return STET_OK;
	}
	STET_TRY(value_text(call, l->x, f, value, &text));
	if (*text != '\0')
		leaving_meta(l, key_of(f->slug), text);
	if (value_refers(f))
		return STET_OK;
	if (!value_is_told(call, f, value, text))
		note_field(l, f->slug, value);
	return STET_OK;
}

/* Adds null to l->own for a field without a value if import would set one from its element. */
static void
note_unset(struct leaving *l, const struct stet_field *f)
{
	if (strcmp(f->slug, "menu_order") == 0 ||
	    (strcmp(f->slug, "title") == 0 && !stet_required_in_drafts(l->collection, f)))
		note_field(l, f->slug, json_null());
}

static enum stet_status
read_values(struct stet_call *call, struct leaving *l)
{
	for (size_t i = 0; i < l->collection->field_count; i++) {
		const struct stet_field *f = l->collection->fields[i];
		const json_t *value = json_object_get(l->data, f->slug);

		if (value == NULL || json_is_null(value))
			note_unset(l, f);
		else if (!has_element(l, f, value))
			STET_TRY(read_value(call, l, f, value));
	}
	return STET_OK;
}

static enum stet_status
read_picture(struct stet_call *call, struct leaving *l)
{
	const json_t *value = json_object_get(l->data, "featured_image");
	int64_t number = 0;

	if (!json_is_object(value))
		return STET_OK;
	STET_TRY(attachment_of(call, l->x, value, &number));
	if (number != 0)
		leaving_meta(l, "_thumbnail_id", export_id(call, number));
	return STET_OK;
}

static const char *
content_of(struct stet_call *call, struct leaving *l)
{
	const json_t *value = json_object_get(l->data, "content"),
		     *error = json_object_get(l->data, "_importError");

	if (json_is_array(value))
		return export_markup(call, l->x, value);
	if (json_is_string(value))
		return json_string_value(value);
	/* An item that the import refused has its markup in _importError. */
	return export_text(error, "markup");
}

/* ---- an item ---- */

static const char *
status_of(const struct leaving *l)
{
	const char *status = l->text[C_STATUS];

	if (l->text[C_DELETED] != NULL)
		return "trash";
	return is_published(l) ? "publish" : strcmp(status, "scheduled") == 0 ? "future" : "draft";
}

/* Returns the date that readers see. */
static const char *
day_of(const struct leaving *l)
{
	if (is_published(l) && l->text[C_PUBLISHED] != NULL)
		return l->text[C_PUBLISHED];
	if (strcmp(l->text[C_STATUS], "scheduled") == 0 && l->text[C_SCHEDULED] != NULL)
		return l->text[C_SCHEDULED];
	return l->text[C_CREATED];
}

/* Adds a time to l->own if its element cannot express it: it has another time, or no
 * milliseconds. */
static void
note_time(
    struct stet_call *call, struct leaving *l, const char *name, const char *time, const char *told)
{
	const char *read = export_time(call, told);
	char *iso = stet_strdup(call, read);
	int64_t a, b;

	if (*iso != '\0')
		iso[10] = 'T';
	if (time != NULL && (strncmp(iso, "0000", 4) == 0 || !stet_time_parse(time, &a) ||
				!stet_time_parse(iso, &b) || a != b))
		(void)json_object_set_new(l->own, name, json_string(time));
}

static enum stet_status
find_parent(struct stet_call *call, struct leaving *l, int64_t *parent)
{
	const struct stet_field *f = stet_field(l->collection, "parent");
	const char *id = export_text(l->data, "parent"), *type;

	*parent = 0;
	if (*id == '\0' || f == NULL || f->type->holds != STET_HOLDS_ITEMS)
		return STET_OK;
	return number_of_item(call, l->x, l->collection->slug, id, parent, &type);
}

static enum stet_status
put_item(struct stet_call *call, struct leaving *l, struct post *p)
{
	const json_t *order = json_object_get(l->data, "menu_order");

	p->number = l->number;
	p->type = l->rank->type;
	p->status = status_of(l);
	p->slug = l->text[C_SLUG];
	p->title = escape_entities(call, export_text(l->data, "title"));
	p->excerpt = escape_entities(call, export_text(l->data, "excerpt"));
	p->content = content_of(call, l);
	p->order = json_is_number(order) ? (int64_t)json_number_value(order) : 0;
	p->comments = l->collection->comments_enabled;
	p->created = day_of(l);
	p->modified = l->text[C_UPDATED];
	note_time(call, l, "createdAt", l->text[C_CREATED], p->created);
	note_time(call, l, "publishedAt", l->text[C_PUBLISHED], p->created);
	note_time(call, l, "updatedAt", l->text[C_UPDATED], p->modified);
	if (l->text[C_SCHEDULED] != NULL && l->text[C_DELETED] == NULL)
		(void)json_object_set_new(l->own, "scheduledAt", json_string(l->text[C_SCHEDULED]));
	if (l->text[C_UNPUBLISH] != NULL && l->text[C_DELETED] == NULL)
		(void)json_object_set_new(l->own, "unpublishAt", json_string(l->text[C_UNPUBLISH]));
	post_open(call, l->x, p);
	STET_TRY(leaving_labels(call, l));
	for (size_t i = 0; i + 1 < json_array_size(l->meta); i += 2)
		export_meta(l->x, json_string_value(json_array_get(l->meta, i)),
		    json_string_value(json_array_get(l->meta, i + 1)));
	if (json_object_size(l->own) > 0)
		export_meta(l->x, "_stet", export_json(call, l->own));
	STET_TRY(export_comments(call, l->x, l->collection->slug, l->id));
	post_close(l->x);
	l->x->done.items++;
	return STET_OK;
}

static enum stet_status
leave(struct stet_call *call, void *arg)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	struct leaving *l = arg;
	struct post p = { 0 };
	bool there;

	STET_TRY(schema->collection(call, l->rank->slug, &l->collection));
	l->data = stet_json_own(call, json_object());
	l->own = stet_json_own(call, json_object());
	l->meta = stet_json_own(call, json_array());
	STET_TRY(read_row(call, l, &there));
	if (!there || !is_wanted(l))
		return STET_OK;
	STET_TRY(read_draft(call, l));
	STET_TRY(leaving_credits(call, l));
	if (l->x->put != NULL)
		return l->x->put(call, l);
	STET_TRY(leaving_creator(call, l, &p.creator));
	STET_TRY(find_parent(call, l, &p.parent));
	STET_TRY(read_values(call, l));
	STET_TRY(read_picture(call, l));
	STET_TRY(leaving_variants(call, l));
	return put_item(call, l, &p);
}

/* ---- pages ---- */

struct reading_page {
	struct export *x;
	const struct rank *rank;
	size_t page, count;
	char id[RANK_PAGE][ID_LENGTH + 1];
};

static enum stet_status
read_ids(struct stet_call *call, void *arg)
{
	struct reading_page *r = arg;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, r->rank->slug);
	stet_sql_add(sql, " WHERE id > ");
	stet_sql_bind(sql, stet_val_str(r->page > 0 ? r->rank->marks[r->page - 1] : ""));
	stet_sql_add(sql, " AND id <= ");
	stet_sql_bind(sql, stet_val_str(r->rank->marks[r->page]));
	stet_sql_add(sql, " ORDER BY id");
	STET_TRY(stet_sql_query(sql, &rows));
	for (r->count = 0; r->count < RANK_PAGE && stet_row(&rows); r->count++)
		(void)snprintf(r->id[r->count], sizeof(r->id[0]), "%s", stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

static enum stet_status
export_page(struct reading_page *r)
{
	STET_TRY(stet_scope(r->x->call, read_ids, r));
	for (size_t i = 0; i < r->count; i++) {
		struct leaving l = { .x = r->x,
			.rank = r->rank,
			.id = r->id[i],
			.number = r->rank->base + (int64_t)(r->page * RANK_PAGE + i) + 1 };

		STET_TRY(stet_scope(r->x->call, leave, &l));
	}
	return STET_OK;
}

enum stet_status
export_items(struct export *x)
{
	struct reading_page *r = calloc(1, sizeof(*r));
	enum stet_status status = STET_OK;

	if (r == NULL)
		stet_out_of_memory();
	r->x = x;
	for (size_t i = 0; i < x->rank_count && status == STET_OK; i++) {
		r->rank = &x->ranks[i];
		for (r->page = 0; r->page < r->rank->count && status == STET_OK; r->page++)
			status = export_page(r);
	}
	free(r);
	return status;
}
