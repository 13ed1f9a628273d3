/*
 * usedby.c - the kind usedBy of included rows: published items that refer to the items of the
 * answer, by fields that the request names: usedBy(posts.author:5,notes.subject).
 *
 * Each field takes two statements, however many items there are. The first one has a part for each
 * item, which walks an index from its newest end and stops after so many.
 */
#include "read/include.h"
#include <string.h>

#define FIELDS_MAX 8
#define EACH_USUAL 10 /* items that refer to one item */
#define EACH_MAX 50

/* A reference that is followed backwards. */
struct back {
	const char *collection, *field;
	const struct stet_collection *c; /* once it is checked */
	const struct plan *plan;
	int each;
	int64_t index; /* of a field of many values (many_index) */
	bool many;
};
struct use {
	size_t place; /* of the item that is referred to */
	const char *id;
};
struct uses {
	struct use *use;
	size_t count;
};

/* ---- the request ---- */

/* Reads "collection.field:5". Returns false if it is malformed. */
static bool
read_one(struct stet_call *call, const char *text, struct back *b)
{
	const char *dot = strchr(text, '.'), *colon = strchr(text, ':');
	size_t end = colon != NULL ? (size_t)(colon - text) : strlen(text);

	if (dot == NULL || (size_t)(dot - text) >= end)
		return false;
	*b = (struct back){ .collection = stet_strndup(call, text, (size_t)(dot - text)),
		.field = stet_strndup(call, dot + 1, end - (size_t)(dot + 1 - text)),
		.each = EACH_USUAL };
	if (colon == NULL)
		return true;
	b->each = 0;
	for (const char *p = colon + 1; *p != '\0' && b->each <= EACH_MAX; p++) {
		if (*p < '0' || *p > '9')
			return false;
		b->each = b->each * 10 + (*p - '0');
	}
	return b->each >= 1 && b->each <= EACH_MAX;
}

/* Is this a reference to the collection, with an index that finds its items? What is not, is an
 * issue. */
static enum stet_status
check_one(struct stet_call *call, const struct stet_collection *target, struct back *b)
{
	const struct stet_field *f;
	const char *to;

	if (stet_covers(call, b->collection)) {
		enum stet_status status = plan_get(call, b->collection, &b->c, &b->plan);

		if (status != STET_OK && status != STET_COLLECTION_NOT_FOUND)
			return status;
		stet_error_clear(call);
	}
	f = b->c != NULL ? stet_field(b->c, b->field) : NULL;
	to = f != NULL ? json_string_value(json_object_get(f->options, "collection")) : NULL;
	if (f == NULL || f->type->holds != STET_HOLDS_ITEMS || to == NULL ||
	    strcmp(to, target->slug) != 0) {
		stet_issue(call, "include", "\"%.64s.%.64s\" is no reference to %s", b->collection,
		    b->field, target->slug);
		return STET_OK;
	}
	b->many = many_has(f);
	if (b->many)
		return many_index(call, b->collection, f->slug, &b->index);
	if (!f->indexed || !f->sortable)
		stet_issue(call, "include", "\"%.64s.%.64s\" is not indexed: usedBy reads an index",
		    b->collection, b->field);
	return STET_OK;
}

static enum stet_status
read_wanted(struct stet_include_page *page, struct back *list, size_t *count)
{
	char *rest = stet_strdup(page->call, page->args != NULL ? page->args : ""), *part;

	*count = 0;
	while ((part = strtok_r(rest, ", ", &rest)) != NULL) {
		if (*count == FIELDS_MAX || !read_one(page->call, part, &list[*count])) {
			*count = 0;
			break;
		}
		STET_TRY(check_one(page->call, page->collection, &list[(*count)++]));
	}
	if (*count == 0)
		stet_issue(page->call, "include",
		    "usedBy takes up to %d references, each with a number of items, 1 to %d: "
		    "usedBy(posts.author:5)",
		    FIELDS_MAX, EACH_MAX);
	return stet_issues(page->call);
}

/* ---- who refers ---- */

/* Appends the part for one item. */
static void
put_part(struct stet_sql *sql, struct stet_call *call, const struct back *b, const char *id,
    size_t place)
{
	stet_sql_add(
	    sql, place > 0 ? " UNION ALL SELECT p.* FROM (SELECT " : "SELECT p.* FROM (SELECT ");
	stet_sql_add(sql, stet_printf(call, "%zu AS place, ", place));
	if (b->many) {
		stet_sql_add(sql, "v.published AS at, v.item AS id FROM value_item AS v"
				  " WHERE v.index_id = ");
		stet_sql_bind(sql, stet_val_int(b->index));
		stet_sql_add(sql, " AND v.item_status = 'published' AND v.value = ");
	} else {
		stet_sql_add(sql, "i.published_at AS at, i.id AS id FROM ");
		stet_sql_ident(sql, STET_ITEM_TABLE, b->collection);
		stet_sql_add(
		    sql, " AS i WHERE i.deleted_at IS NULL AND i.status = 'published' AND i.");
		stet_sql_ident(sql, STET_FIELD_COLUMN, b->field);
		stet_sql_add(sql, " = ");
	}
	stet_sql_bind(sql, stet_val_str(id));
	stet_sql_add(sql, " ORDER BY at DESC, id DESC LIMIT ");
	stet_sql_bind(sql, stet_val_int(b->each));
	stet_sql_add(sql, ") AS p");
}

static enum stet_status
find(struct stet_include_page *page, const struct back *b, struct uses *out)
{
	const size_t room = stet_include_room(page);
	struct stet_sql *sql = stet_sql_new(page->call);
	struct stet_rows rows;

	*out = (struct uses){ .use = stet_alloc(page->call, (room + 1) * sizeof(*out->use)) };
	for (size_t i = 0; i < page->count; i++)
		put_part(sql, page->call, b, page->item[i]->id, i);
	stet_sql_add(sql, " ORDER BY place, at DESC, id DESC");
	STET_TRY(stet_sql_query(sql, &rows));
	while (out->count < room && stet_row(&rows))
		out->use[out->count++] =
		    (struct use){ (size_t)stet_col_int(&rows, 0), stet_col_dup(&rows, 2) };
	if (stet_row(&rows))
		include_cut(page);
	return stet_rows_end(&rows);
}

static enum stet_status
put(struct stet_include_page *page, const struct back *b, const struct uses *uses)
{
	const char **ids = stet_alloc(page->call, (uses->count + 1) * sizeof(*ids));
	const char *group = stet_printf(page->call, "%s.%s", b->collection, b->field);

	for (size_t i = 0; i < uses->count; i++)
		ids[i] = uses->use[i].id;
	STET_TRY(refer_put(page, b->c, b->plan, ids, uses->count));
	for (size_t i = 0; i < uses->count; i++)
		stet_include_link(page, uses->use[i].place, group, uses->use[i].id);
	return STET_OK;
}

enum stet_status
usedby_read(struct stet_call *call, struct stet_include_page *page)
{
	struct back list[FIELDS_MAX];
	size_t count;

	(void)call;
	STET_TRY(read_wanted(page, list, &count));
	for (size_t i = 0; i < count && page->count > 0; i++) {
		struct uses uses;

		STET_TRY(find(page, &list[i], &uses));
		if (uses.count > 0)
			STET_TRY(put(page, &list[i], &uses));
	}
	return STET_OK;
}
