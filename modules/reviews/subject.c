/* subject.c - the item that notes and requests for review are about, and who writes them. */
#include "reviews.h"
#include <string.h>

enum column { S_ID, S_AUTHOR, S_SLUG, S_STATUS, S_LOCALE, S_VERSION, S_DRAFT, S_TITLE };

void
subject_title_column(struct stet_sql *sql, const struct stet_collection *c)
{
	static const char *const names[] = { "title", "name" };
	const char *title = c->title_field;

	for (size_t i = 0; title == NULL && i < sizeof(names) / sizeof(names[0]); i++)
		if (stet_field(c, names[i]) != NULL)
			title = names[i];
	if (title != NULL && stet_field(c, title) != NULL)
		stet_sql_ident(sql, STET_FIELD_COLUMN, title);
	else
		stet_sql_add(sql, "NULL");
}

static struct stet_sql *
begin(struct stet_call *call, const struct subject *s)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(
	    sql, "SELECT id, author_id, slug, status, locale, version, draft_revision_id, ");
	subject_title_column(sql, s->collection);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, s->collection->slug);
	stet_sql_add(sql, " WHERE ");
	return sql;
}

/* Reads the row of a statement; s->id stays NULL if there is none. */
static enum stet_status
take(struct stet_sql *sql, struct subject *s)
{
	struct stet_rows rows;

	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows)) {
		s->id = stet_col_dup(&rows, S_ID);
		s->author = stet_col_dup(&rows, S_AUTHOR);
		s->slug = stet_col_dup(&rows, S_SLUG);
		s->status = stet_col_dup(&rows, S_STATUS);
		s->locale = stet_col_dup(&rows, S_LOCALE);
		s->version = stet_col_int(&rows, S_VERSION);
		s->draft = stet_col_dup(&rows, S_DRAFT);
		s->title = stet_col_dup(&rows, S_TITLE);
	}
	return stet_rows_end(&rows);
}

enum stet_status
subject_read(struct stet_call *call, struct subject *s)
{
	struct stet_sql *sql = begin(call, s);

	stet_sql_add(sql, STET_UNINDEXED("deleted_at") " IS NULL AND id = ");
	stet_sql_bind(sql, stet_val_str(s->id));
	return take(sql, s);
}

enum stet_status
subject_collection(struct stet_call *call, const char *slug, const struct stet_collection **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *const *all;
	size_t count;

	*out = NULL;
	STET_TRY(schema->collections(call, &all, &count));
	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i]->slug, slug) == 0)
			*out = all[i];
	return STET_OK;
}

enum stet_status
subject_revision(struct stet_call *call, struct subject *s)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id FROM revision WHERE entry_id = ?1 ORDER BY id DESC LIMIT 1",
	    STET_ARGS(s->id)));
	s->revision = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

/* Finds an item by its id or slug; s->id stays NULL if there is none. `trash`: by its id also in the
 * trash. */
static enum stet_status
find(struct stet_call *call, struct subject *s, const char *name, bool trash)
{
	struct stet_sql *sql;

	if (stet_is_id(name)) {
		sql = begin(call, s);
		stet_sql_add(
		    sql, trash ? "id = " : STET_UNINDEXED("deleted_at") " IS NULL AND id = ");
		stet_sql_bind(sql, stet_val_str(name));
		STET_TRY(take(sql, s));
	}
	if (s->id == NULL) {
		sql = begin(call, s);
		stet_sql_add(sql, STET_UNINDEXED("deleted_at") " IS NULL AND slug = ");
		stet_sql_bind(sql, stet_val_str(name));
		stet_sql_add(sql, " ORDER BY locale LIMIT 1");
		STET_TRY(take(sql, s));
	}
	return STET_OK;
}

enum stet_status
subject_find(struct stet_call *call, struct subject *s)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *name = stet_arg(call, "id");

	*s = (struct subject){ 0 };
	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &s->collection));
	STET_TRY(find(call, s, name, false));
	if (s->id == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Content item not found: %s", name);
	return STET_OK;
}

enum stet_status
subject_named(struct stet_call *call, const char *collection, const char *name, struct subject *s)
{
	*s = (struct subject){ 0 };
	STET_TRY(subject_collection(call, collection, &s->collection));
	return s->collection != NULL ? find(call, s, name, true) : STET_OK;
}

enum stet_status
subject_value(struct stet_call *call, const struct subject *s, const struct stet_field *field,
    const json_t **out)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const json_t *data = NULL;
	struct stet_sql *sql;
	struct stet_rows rows;
	const char *slug, *text;
	size_t len;

	if (s->draft != NULL)
		STET_TRY(content->draft(call, s->collection, s->id, &data, &slug));
	if (data != NULL) {
		*out = json_object_get(data, field->slug);
		return STET_OK;
	}
	sql = stet_sql_new(call);
	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, field->slug);
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, s->collection->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(s->id));
	STET_TRY(stet_sql_one(sql, &rows, STET_NOT_FOUND));
	text = stet_col_null(&rows, 0) ? NULL : stet_col_text(&rows, 0, &len);
	*out = text != NULL ? stet_json_stored(call, text, len) : NULL;
	return stet_rows_end(&rows);
}

bool
subject_has_block(const json_t *value, const char *key)
{
	const char *name;

	for (size_t i = 0; i < json_array_size(value); i++) {
		name = json_string_value(json_object_get(json_array_get(value, i), "_key"));
		if (name != NULL && strcmp(name, key) == 0)
			return true;
	}
	return false;
}

/* ---- the caller ---- */

struct writer
writer_of(struct stet_call *call)
{
	const struct stet_principal *p = stet_principal(call);
	struct writer w = { NULL, "stet" };

	if (p == NULL || *p->id == '\0')
		return w;
	w.id = p->id;
	if (p->name != NULL && *p->name != '\0')
		w.name = p->name;
	else if (p->email != NULL && *p->email != '\0')
		w.name = stet_strndup(call, p->email, strcspn(p->email, "@"));
	return w;
}

bool
writer_is(const struct writer *w, const char *id)
{
	return w->id != NULL && id != NULL && strcmp(w->id, id) == 0;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

const char *
text_clean(struct stet_call *call, const char *path, const char *text)
{
	char *out = stet_strdup(call, text), *to = out;

	for (const char *p = out; *p != '\0'; p++)
		if (is_blank(*p) || ((unsigned char)*p >= 0x20 && *p != 0x7f))
			*to++ = *p;
	*to = '\0';
	while (is_blank(*out))
		out++;
	while (to > out && is_blank(to[-1]))
		*--to = '\0';
	if (*out == '\0')
		stet_issue(call, path, "is required");
	return out;
}
