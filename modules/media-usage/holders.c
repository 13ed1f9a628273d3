/*
 * holders.c - tables other than those of items whose rows may refer to media items: widgets,
 * sections, menus, bylines, terms, settings, fields, and tables of plugins. Modules declare them in
 * their transfers (member `media`), and run the hook point media_holder_changed when they write a
 * row.
 *
 * In the index such a table is a collection whose id is "=" and the name of the table. Its uses are
 * not counted as uses by content, but a media item with such a use is not unused.
 */
#include "media-usage.h"
#include <stdlib.h>
#include <string.h>

#define MARK '='
#define COLUMNS_MAX 8

struct holder {
	struct stet_collection as; /* first member: a holder is passed as a collection */
	const char *table, *key, *kind, *name;
	const char *column[COLUMNS_MAX];
	size_t columns;
};

/* Tables without a transfer: settings of modules, which the core stores, and definitions of fields,
 * whose default values new items get. */
static const struct stet_transfer unnamed[] = {
	{ .table = "module_setting",
	    .key = "module || '.' || t.name",
	    .media = "value",
	    .media_kind = "module_setting",
	    .media_name = "t.module || '.' || t.name" },
	{ .table = "field",
	    .key = "id",
	    .media = "default_value",
	    .media_kind = "field",
	    .media_name =
		"(SELECT c.slug FROM collection AS c WHERE c.id = t.collection_id) || '.' || t.slug" },
};
#define UNNAMED (sizeof(unnamed) / sizeof(unnamed[0]))

/* ---- the tables ---- */

static const struct holder *
make(struct stet_call *call, const struct stet_transfer *t)
{
	struct holder *h = stet_alloc(call, sizeof(*h));
	const char *p = t->media;

	*h = (struct holder){ .table = t->table,
		.key = stet_printf(call, "(t.%s)", t->key),
		.kind = t->media_kind,
		.name = t->media_name };
	h->as.id = h->as.slug = stet_printf(call, "%c%s", MARK, t->table);
	for (p += strspn(p, " "); *p != '\0' && h->columns < COLUMNS_MAX; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");

		h->column[h->columns++] = stet_strndup(call, p, len);
		p += len;
	}
	return h;
}

/* Returns the next table from *i on, or the next of this name; NULL: there are no more. */
static const struct holder *
next_holder(struct stet_call *call, size_t *i, const char *table)
{
	struct stet_transfer t;

	do {
		if (*i < UNNAMED)
			t = unnamed[*i];
		else if (!stet_transfer_at(call, *i - UNNAMED, &t))
			return NULL;
		(*i)++;
	} while (t.media == NULL || (table != NULL && strcmp(t.table, table) != 0));
	return make(call, &t);
}

static const struct holder *
find(struct stet_call *call, const char *table)
{
	size_t i = 0;

	return next_holder(call, &i, table);
}

const struct stet_collection *
holder_next(struct stet_call *call, size_t *i)
{
	const struct holder *h = next_holder(call, i, NULL);

	return h != NULL ? &h->as : NULL;
}

const struct stet_collection *
holder_of_table(struct stet_call *call, const char *table)
{
	const struct holder *h = find(call, table);

	return h != NULL ? &h->as : NULL;
}

bool
holder_is_id(const char *collection_id)
{
	return *collection_id == MARK;
}

const struct stet_collection *
holder_by_id(struct stet_call *call, const char *id)
{
	return holder_of_table(call, id + 1);
}

const struct holder *
holder_of(const struct stet_collection *c)
{
	return holder_is_id(c->id) ? (const struct holder *)(const void *)c : NULL;
}

const char *
holder_shape(struct stet_call *call, const struct holder *h)
{
	const char *text = h->key;

	for (size_t i = 0; i < h->columns; i++)
		text = stet_printf(call, "%s %s", text, h->column[i]);
	return text;
}

/* ---- rows ---- */

void
holder_select_keys(const struct holder *h, struct stet_sql *sql, const char *after)
{
	stet_sql_add(sql, "SELECT ");
	stet_sql_add(sql, h->key);
	stet_sql_add(sql, " AS id FROM ");
	stet_sql_add(sql, h->table);
	stet_sql_add(sql, " AS t WHERE ");
	stet_sql_add(sql, h->key);
	stet_sql_add(sql, " > ");
	stet_sql_bind(sql, stet_val_str(after));
}

enum stet_status
holder_read(struct stet_call *call, const struct holder *h, const char *id, struct refs *refs,
    bool *there, bool *indexed)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT EXISTS (SELECT 1 FROM media_use WHERE collection_id = ");
	stet_sql_bind(sql, stet_val_str(h->as.id));
	stet_sql_add(sql, " AND content_id = ");
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, ")");
	for (size_t i = 0; i < h->columns; i++) {
		stet_sql_add(sql, ", t.");
		stet_sql_add(sql, h->column[i]);
	}
	stet_sql_add(sql, " FROM ");
	stet_sql_add(sql, h->table);
	stet_sql_add(sql, " AS t WHERE ");
	stet_sql_add(sql, h->key);
	stet_sql_add(sql, " = ");
	stet_sql_bind(sql, stet_val_str(id));
	STET_TRY(stet_sql_query(sql, &rows));
	*there = stet_row(&rows);
	*indexed = *there && stet_col_int(&rows, 0) != 0;
	for (size_t i = 0; *there && i < h->columns; i++) {
		size_t len = 0;
		const char *text = stet_col_text(&rows, (int)i + 1, &len);

		extract_any(refs, h->column[i], text, len);
	}
	return stet_rows_end(&rows);
}

/* ---- uses, as {kind, id, name} and with `sources` ---- */

struct holder_ids {
	const char **list;
	size_t count;
};
struct telling {
	struct stet_json *out;
	const char *media;
	size_t most;
	bool sources;
};

/* Finds the tables whose rows use the media item. */
static enum stet_status
read_ids(struct stet_call *call, const char *media, size_t most, struct holder_ids *out)
{
	struct stet_rows rows;

	out->list = stet_alloc(call, (most + 1) * sizeof(*out->list));
	STET_TRY(stet_query(call, &rows,
	    "SELECT collection_id FROM media_use_count WHERE media_id = ?1 AND collection_id >= '=' "
	    "AND collection_id < '>' ORDER BY collection_id LIMIT ?2",
	    STET_ARGS(media, (long)most)));
	while (out->count < most && stet_row(&rows))
		out->list[out->count++] = stet_col_dup(&rows, 0);
	return stet_rows_end(&rows);
}

static enum stet_status
put_rows(struct stet_call *call, const struct holder *h, struct telling *t)
{
	struct stet_json *out = t->out;
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT u.content_id, u.sources, ");
	stet_sql_add(sql, h->name);
	stet_sql_add(sql, " FROM media_use AS u JOIN ");
	stet_sql_add(sql, h->table);
	stet_sql_add(sql, " AS t ON u.content_id = ");
	stet_sql_add(sql, h->key);
	stet_sql_add(sql, " WHERE u.media_id = ");
	stet_sql_bind(sql, stet_val_str(t->media));
	stet_sql_add(sql, " AND u.collection_id = ");
	stet_sql_bind(sql, stet_val_str(h->as.id));
	stet_sql_add(sql, " ORDER BY u.content_id LIMIT ");
	stet_sql_bind(sql, stet_val_int((int64_t)t->most));
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		size_t len = 0;
		const char *sources = stet_col_text(&rows, 1, &len);

		stet_object(out, NULL);
		stet_put_str(out, "kind", h->kind);
		stet_put_str(out, "id", stet_col_str(&rows, 0));
		stet_put_str(out, "name", stet_col_str(&rows, 2));
		if (t->sources)
			stet_put_raw(out, "sources", sources, len);
		stet_close(out);
		t->most--;
	}
	return stet_rows_end(&rows);
}

enum stet_status
holders_put(
    struct stet_call *call, struct stet_json *out, const char *media, size_t most, bool sources)
{
	struct telling t = { out, media, most, sources };
	struct holder_ids ids = { 0 };

	STET_TRY(read_ids(call, media, most, &ids));
	for (size_t i = 0; i < ids.count && t.most > 0; i++) {
		const struct holder *h = find(call, ids.list[i] + 1);

		if (h != NULL) /* its module is enabled */
			STET_TRY(put_rows(call, h, &t));
	}
	return STET_OK;
}
