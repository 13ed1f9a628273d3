/*
 * object.c - an item as an object of an importer (stet/importer.h). What the members of such an
 * object cannot say is in its field `_stet`, as in exports for WordPress: {fields, credits, terms,
 * seo, draft, scheduledAt, unpublishAt, emptyAlt, body, files}. The module import reads that.
 */
#include "outgoing.h"
#include <string.h>

#define NAME_MOST 200 /* bytes of a slug that names a file */

struct making {
	struct leaving *l;
	struct outgoing *o;
	json_t *item, *fields, *exact; /* the object; values; values that are stored unchanged */
	const char *body;
};

void
outgoing_lost(struct leaving *l, const char *name, const char *what)
{
	struct outgoing *o = l->x->arg;
	char key[256];

	(void)snprintf(key, sizeof(key), "%.63s.%.63s: %.100s", l->collection->slug, name, what);
	(void)json_object_set_new(
	    o->lost, key, json_integer(json_integer_value(json_object_get(o->lost, key)) + 1));
}

static void
set(json_t *object, const char *member, const char *text)
{
	if (text != NULL && *text != '\0')
		(void)json_object_set_new(object, member, json_string(text));
}

/* ---- names of items ---- */

/* May a file have the slug as its name? Programs give "index" another meaning, and a date at the
 * beginning. */
static bool
names_file(struct stet_call *call, const char *slug)
{
	return slug != NULL && *slug != '\0' && strlen(slug) <= NAME_MOST &&
	       strchr(slug, '/') == NULL && strchr(slug, '.') == NULL && *slug != '_' &&
	       strspn(slug, "0123456789") != 4 && strcmp(slug, "index") != 0 &&
	       strcmp(stet_slugify(call, slug), slug) == 0;
}

const char *
object_path(struct stet_call *call, const struct export *x, const char *collection, const char *id,
    const char *slug, const char *locale)
{
	const char *name = names_file(call, slug) ? slug : id;

	if (strcmp(locale, x->locale) == 0)
		return stet_printf(call, "%s/%s", collection, name);
	return stet_printf(call, "%s/%s.%s", collection, name, locale);
}

/* Is an item with this status part of the export? */
static bool
is_written(const struct export *x, const char *collection, const char *status, const char *locale)
{
	if (json_object_size(x->collections) > 0 &&
	    json_object_get(x->collections, collection) == NULL)
		return false;
	return json_object_get(x->statuses, status) != NULL &&
	       (x->only == NULL || strcmp(x->only, locale) == 0);
}

/* *key: the id that an item has in the export; NULL: it is not there. */
static enum stet_status
find_key(struct stet_call *call, const struct outgoing *o, const char *collection, const char *id,
    const char **key)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*key = NULL;
	stet_sql_add(sql, "SELECT slug, status, locale FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE deleted_at IS NULL AND id = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows) &&
	    is_written(&o->x, collection, stet_col_str(&rows, 1), stet_col_str(&rows, 2)))
		*key = o->folders ? object_path(call, &o->x, collection, id,
					stet_col_null(&rows, 0) ? NULL : stet_col_dup(&rows, 0),
					stet_col_dup(&rows, 2))
				  : id;
	return stet_rows_end(&rows);
}

/* ---- values ---- */

/* *out: a reference as ids of the export, a new reference; NULL: none of its items is there. */
static enum stet_status
references_of(struct stet_call *call, const struct making *m, const struct stet_field *f,
    const json_t *value, json_t **out)
{
	const char *collection = export_text(f->options, "collection"), *key;
	json_t *list = stet_json_own(call, json_array());
	size_t count = json_is_array(value) ? json_array_size(value) : 1;

	*out = NULL;
	for (size_t i = 0; i < count; i++) {
		const json_t *id = json_is_array(value) ? json_array_get(value, i) : value;

		key = NULL;
		if (json_is_string(id) && *collection != '\0')
			STET_TRY(find_key(call, m->o, collection, json_string_value(id), &key));
		if (key != NULL)
			(void)json_array_append_new(list, json_string(key));
		else
			outgoing_lost(m->l, f->slug, "refers to what is not in the export");
	}
	if (json_array_size(list) > 0)
		*out = json_incref(json_is_array(value) ? list : json_array_get(list, 0));
	return STET_OK;
}

static enum stet_status
file_of(struct stet_call *call, const struct making *m, const json_t *value, json_t **out)
{
	const char *address = "";

	if (*export_text(value, "url") != '\0')
		STET_TRY(library_address(call, m->o, export_text(value, "url"), &address));
	*out = json_incref(value_outside(call, value, address));
	return STET_OK;
}

/* Would an import change the text? It trims titles, and reads texts as values of other types. */
static bool
is_changed(const struct stet_field *f, const json_t *value)
{
	const char *text = json_string_value(value);
	size_t len = json_string_length(value);

	if (text == NULL)
		return false;
	return len == 0 || f->json_text || f->type->storage != STET_STORE_TEXT ||
	       strchr(" \t\n", text[0]) != NULL || strchr(" \t\n", text[len - 1]) != NULL ||
	       !export_keeps(text);
}

static enum stet_status
put_picture(struct stet_call *call, struct making *m, const json_t *value)
{
	const char *url = export_text(value, "url"), *alt = export_text(value, "alt");

	if (*url == '\0' || strcmp(export_text(value, "provider"), "external") == 0)
		url = export_text(value, "src");
	if (*url != '\0')
		STET_TRY(library_address(call, m->o, url, &url));
	(void)json_object_set_new(m->item, "picture", json_pack("{ss ss}", "url", url, "alt", alt));
	/* For importers "" is no text, and not the text of a picture that needs none. */
	if (*alt == '\0' && json_object_get(value, "alt") != NULL)
		(void)json_object_set_new(m->l->own, "emptyAlt", json_true());
	return STET_OK;
}

static enum stet_status
put_references(
    struct stet_call *call, struct making *m, const struct stet_field *f, const json_t *value)
{
	json_t *ids;

	STET_TRY(references_of(call, m, f, value, &ids));
	if (ids == NULL)
		return STET_OK;
	if (strcmp(f->slug, "parent") == 0 && json_is_string(ids))
		(void)json_object_set_new(m->item, "parent", ids);
	else
		(void)json_object_set_new(m->fields, f->slug, ids);
	return STET_OK;
}

static bool
is_member(const char *slug)
{
	return strcmp(slug, "title") == 0 || strcmp(slug, "excerpt") == 0;
}

static enum stet_status
put_value(struct stet_call *call, struct making *m, const struct stet_field *f, const json_t *value)
{
	const enum stet_holds holds = f->type->holds;
	json_t *out;

	if (holds == STET_HOLDS_ITEMS)
		return put_references(call, m, f, value);
	if (holds == STET_HOLDS_IMAGE && strcmp(f->slug, "featured_image") == 0 &&
	    json_is_object(value))
		return put_picture(call, m, value);
	if (holds == STET_HOLDS_IMAGE || holds == STET_HOLDS_FILE) {
		STET_TRY(file_of(call, m, value, &out));
		(void)json_object_set_new(m->fields, f->slug, out);
		return STET_OK;
	}
	STET_TRY(library_value(call, m->o, value, &out));
	if (m->body != NULL && strcmp(m->body, f->slug) == 0)
		return json_object_set_new(m->item, "blocks", out) == 0 ? STET_OK : STET_FAULT;
	if (is_member(f->slug) && json_string_length(out) > 0)
		(void)json_object_set(m->item, f->slug, out);
	if (is_changed(f, out))
		(void)json_object_set(m->exact, f->slug, out);
	else if (!is_member(f->slug) || !json_is_string(out))
		(void)json_object_set(m->fields, f->slug, out);
	json_decref(out);
	return STET_OK;
}

/* The field that is the text of the items: `content`, or the first of Portable Text. */
static const char *
body_of(const struct stet_collection *c)
{
	const struct stet_field *f = stet_field(c, "content");

	if (f != NULL && f->type->holds == STET_HOLDS_BLOCKS)
		return f->slug;
	for (size_t i = 0; i < c->field_count; i++)
		if (c->fields[i]->type->holds == STET_HOLDS_BLOCKS)
			return c->fields[i]->slug;
	return NULL;
}

static enum stet_status
put_values(struct stet_call *call, struct making *m)
{
	const struct stet_collection *c = m->l->collection;

	/* Importers give a document without a title the name of its file. */
	if (stet_field(c, "title") == NULL)
		(void)json_object_set_new(m->exact, "title", json_null());
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];
		const json_t *value = json_object_get(m->l->data, f->slug);

		if (value != NULL && !json_is_null(value))
			STET_TRY(put_value(call, m, f, value));
		else if (strcmp(f->slug, "menu_order") == 0 ||
			 (strcmp(f->slug, "title") == 0 && !stet_required_in_drafts(c, f)))
			/* An import sets these without a value, too. */
			(void)json_object_set_new(m->exact, f->slug, json_null());
	}
	return STET_OK;
}

/* ---- relations ---- */

/* Sets l->translated, and the group of an item that has translations. */
static enum stet_status
put_group(struct stet_call *call, const struct making *m)
{
	struct leaving *l = m->l;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	if (!l->x->locales)
		return STET_OK;
	set(m->item, "locale", l->text[C_LOCALE]);
	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, l->collection->slug);
	stet_sql_add(sql, " WHERE translation_group = ");
	stet_sql_bind(sql, stet_val_str(l->text[C_GROUP]));
	stet_sql_add(sql, " AND id <> ");
	stet_sql_bind(sql, stet_val_str(l->id));
	stet_sql_add(sql, " LIMIT 1");
	STET_TRY(stet_sql_query(sql, &rows));
	l->translated = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	set(m->item, "group", l->text[C_GROUP]);
	return STET_OK;
}

static enum stet_status
put_terms(struct stet_call *call, const struct making *m)
{
	json_t *all = json_object(), *terms, *term;
	const json_t *taxonomy;
	size_t i, n;

	(void)json_object_set_new(m->item, "terms", all);
	json_array_foreach(m->l->x->taxonomies, i, taxonomy)
	{
		const char *name = export_text(taxonomy, "name");
		json_t *list = stet_json_own(call, json_array());

		if (!taxonomy_is_for(taxonomy, m->l->collection->slug))
			continue;
		STET_TRY(leaving_terms(call, m->l, name, &terms));
		json_array_foreach(terms, n, term)(void) json_array_append_new(
		    list, json_pack("{ss ss}", "slug", export_text(term, "slug"), "name",
			      export_text(term, "label")));
		if (json_array_size(list) > 0)
			(void)json_object_set(all, name, list);
	}
	return STET_OK;
}

static enum stet_status
put_seo(struct stet_call *call, const struct making *m)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	json_t *seo = NULL;

	stet_sql_add(sql, "SELECT ");
	stet_sql_ident(sql, STET_FIELD_COLUMN, "_seo");
	stet_sql_add(sql, " FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, m->l->collection->slug);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(m->l->id));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows) && !stet_col_null(&rows, 0))
		seo = json_loads(stet_col_str(&rows, 0), 0, NULL);
	STET_TRY(stet_rows_end(&rows));
	if (json_object_size(seo) > 0)
		(void)json_object_set(m->l->own, "seo", seo);
	json_decref(seo);
	return STET_OK;
}

/* ---- an item ---- */

static void
put_columns(struct stet_call *call, const struct making *m)
{
	struct leaving *l = m->l;

	set(m->item, "id",
	    m->o->folders ? object_path(call, l->x, l->collection->slug, l->id, l->text[C_SLUG],
				l->text[C_LOCALE])
			  : l->id);
	set(m->item, "type", l->rank->type);
	set(m->item, "slug", l->text[C_SLUG]);
	set(m->item, "status", l->text[C_STATUS]);
	set(m->item, "published", l->text[C_PUBLISHED]);
	set(m->item, "created", l->text[C_CREATED]);
	set(m->item, "updated", l->text[C_UPDATED]);
	set(l->own, "scheduledAt", l->text[C_SCHEDULED]);
	set(l->own, "unpublishAt", l->text[C_UNPUBLISH]);
	(void)json_object_set(l->own, "credits", l->credits);
}

/* References and files that a draft changes are not in the export. */
static void
note_draft(struct leaving *l)
{
	json_t *draft = json_object_get(l->own, "draft");

	if (draft != NULL && json_object_size(json_object_get(draft, "fields")) == 0 &&
	    json_object_size(draft) == 1)
		(void)json_object_del(l->own, "draft");
}

enum stet_status
object_of(struct stet_call *call, struct leaving *l, json_t **object, const char **body)
{
	struct making m = { .l = l, .o = l->x->arg, .body = body_of(l->collection) };

	*object = m.item = stet_json_own(call, json_object());
	*body = m.body;
	m.fields = json_object();
	m.exact = json_object();
	put_columns(call, &m);
	(void)json_object_set_new(m.item, "fields", m.fields);
	(void)json_object_set_new(l->own, "fields", m.exact);
	STET_TRY(put_values(call, &m));
	STET_TRY(put_group(call, &m));
	STET_TRY(put_terms(call, &m));
	STET_TRY(put_seo(call, &m));
	note_draft(l);
	if (json_object_size(m.exact) == 0)
		(void)json_object_del(l->own, "fields");
	if (m.body != NULL && strcmp(m.body, "content") != 0)
		set(l->own, "body", m.body);
	if (m.o->folders && m.o->media)
		(void)json_object_set_new(l->own, "files", json_true());
	return STET_OK;
}
