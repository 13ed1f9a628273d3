/*
 * place.c - the place of a term: its parent, and its position among its siblings. A term has the
 * same place in all its locales. Siblings have different positions, since each new one is put
 * last.
 */
#include "taxonomies.h"
#include <stdlib.h>
#include <stet/changes.h>
#include <string.h>

#define REORDER_MAX 100

const struct stet_member reorder_in[] = {
	{ "taxonomy", STET_STRING, STET_REQUIRED, .about = "Name of the taxonomy" },
	{ "parentId", STET_STRING, STET_NULLABLE, STET_RANGE(1, 64),
	    .about = "Whose children; the terms at the top when omitted" },
	{ "ids", STET_ARRAY, STET_REQUIRED, .item = STET_STRING, STET_RANGE(0, REORDER_MAX),
	    .about = "Ids or translationGroups of terms, in their new order" },
	{ 0 },
};
const struct stet_member reorder_out[] = {
	{ "reordered", STET_BOOLEAN, STET_REQUIRED },
	{ 0 },
};

/* ---- parents ---- */

enum stet_status
place_parent(struct stet_call *call, const char *taxonomy, const char *text, const char **group)
{
	struct term parent;
	bool found;

	STET_TRY(term_by_id(call, text, &parent, &found));
	if (!found)
		stet_issue(call, "parentId", "Parent term '%s' not found", text);
	else if (strcmp(parent.taxonomy, taxonomy) != 0)
		stet_issue(call, "parentId", "Parent term '%s' belongs to taxonomy '%s', not '%s'",
		    text, parent.taxonomy, taxonomy);
	else
		*group = parent.group;
	return STET_OK;
}

/* The recursive queries below start from a group that is read from the table, not from the
 * parameter: PostgreSQL requires both parts of a recursive query to have the column's collation. */

/* Returns true if there are more than `room` levels below the term. */
static enum stet_status
is_high(struct stet_call *call, const char *taxonomy, const char *group, int room, bool *out)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "WITH RECURSIVE down (g, n) AS (SELECT (SELECT t.translation_group FROM term AS t"
	    " WHERE t.translation_group = ?2 LIMIT 1), 0 UNION"
	    " SELECT t.translation_group, down.n + 1 FROM down CROSS JOIN term AS t"
	    " WHERE t.taxonomy = ?1 AND t.parent_group = down.g AND down.n <= ?3)"
	    " SELECT 1 FROM down WHERE n > ?3 LIMIT 1",
	    STET_ARGS(taxonomy, group, room)));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

/* Reads all ancestors of the new parent, or fails if there are more than allowed, so that no
 * cycle is missed. Writes run one after the other, so two of them cannot make a cycle together. */
enum stet_status
place_check(struct stet_call *call, const char *taxonomy, const char *group, const char *parent)
{
	struct stet_rows rows;
	bool cycle = false, high = false;
	int above = -1;

	if (*parent != '\0') {
		STET_TRY(stet_query(call, &rows,
		    "WITH RECURSIVE up (g, n) AS (SELECT (SELECT t.translation_group FROM term AS t"
		    " WHERE t.translation_group = ?1 LIMIT 1), 0 UNION ALL SELECT (SELECT"
		    " t.parent_group FROM term AS t WHERE t.translation_group = up.g LIMIT 1),"
		    " up.n + 1 FROM up WHERE up.g <> '' AND up.n <= ?2)"
		    " SELECT g FROM up WHERE g <> ''",
		    STET_ARGS(parent, ANCESTORS_MAX)));
		for (; stet_row(&rows); above++)
			if (group != NULL && strcmp(stet_col_str(&rows, 0), group) == 0)
				cycle = true;
		STET_TRY(stet_rows_end(&rows));
	}
	if (group != NULL && strcmp(parent, group) == 0)
		stet_issue(call, "parentId", "A term cannot be its own parent");
	else if (cycle)
		stet_issue(call, "parentId", "Cycle detected: cannot make a descendant the parent");
	else if (above > ANCESTORS_MAX)
		high = true;
	else if (group != NULL && *parent != '\0')
		STET_TRY(is_high(call, taxonomy, group, ANCESTORS_MAX - above, &high));
	if (high)
		stet_issue(
		    call, "parentId", "Parent chain exceeds maximum depth of %d", ANCESTORS_MAX);
	return STET_OK;
}

enum stet_status
place_last(struct stet_call *call, const char *taxonomy, const char *parent, int64_t *position)
{
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT position FROM term WHERE taxonomy = ?1 AND parent_group = ?2"
	    " ORDER BY position DESC LIMIT 1",
	    STET_ARGS(taxonomy, parent)));
	*position = stet_row(&rows) ? stet_col_int(&rows, 0) + 1 : 0;
	return stet_rows_end(&rows);
}

enum stet_status
place_move(struct stet_call *call, struct stet_tx *tx, struct term *t, const char *parent)
{
	STET_TRY(place_last(call, t->taxonomy, parent, &t->position));
	t->parent = parent;
	return stet_exec(call, tx,
	    "UPDATE term SET parent_group = ?2, position = ?3 WHERE translation_group = ?1",
	    STET_ARGS(t->group, t->parent, t->position));
}

/* ---- reordering ---- */

struct placed {
	const char *id, *group, *parent;
	int64_t position;
};
struct order {
	const char *taxonomy;
	const char *parent; /* NULL: all terms of a flat taxonomy */
	struct placed *term; /* in the wanted order */
	size_t count;
};

static enum stet_status
mismatch(struct stet_call *call, const char *id, const char *why)
{
	return stet_fail(call, stet_code(call, "REORDER_MISMATCH"), "ids", "Term '%s' %s", id, why);
}

static void
add_scope(struct stet_sql *sql, const struct order *o)
{
	stet_sql_add(sql, " FROM term WHERE taxonomy = ");
	stet_sql_bind(sql, stet_val_str(o->taxonomy));
	if (o->parent == NULL)
		return;
	stet_sql_add(sql, " AND parent_group = ");
	stet_sql_bind(sql, stet_val_str(o->parent));
}

/* Finds the terms with these ids or groups; several rows may be locales of one term. */
static enum stet_status
look_up(struct stet_call *call, const char *taxonomy, const json_t *ids, struct placed **out,
    size_t *count)
{
	static const char columns[] =
	    "SELECT id, translation_group, parent_group, position FROM term"
	    " WHERE " STET_UNINDEXED("taxonomy") " = ";
	struct stet_sql *sql = stet_sql_new(call);
	size_t room = 0;
	struct stet_rows rows;

	stet_sql_add(sql, columns);
	stet_sql_bind(sql, stet_val_str(taxonomy));
	stet_sql_add(sql, " AND id IN ");
	add_texts(call, sql, ids, 0);
	stet_sql_add(sql, " UNION ALL ");
	stet_sql_add(sql, columns);
	stet_sql_bind(sql, stet_val_str(taxonomy));
	stet_sql_add(sql, " AND translation_group IN ");
	add_texts(call, sql, ids, 0);
	STET_TRY(stet_sql_query(sql, &rows));
	*count = 0;
	while (stet_row(&rows)) {
		if (*count == room) {
			struct placed *more =
			    stet_alloc(call, (room = 2 * room + 64) * sizeof(*more));

			memcpy(more, *count > 0 ? *out : more, *count * sizeof(*more));
			*out = more;
		}
		(*out)[(*count)++] = (struct placed){ stet_col_dup(&rows, 0),
			stet_col_dup(&rows, 1), stet_col_dup(&rows, 2), stet_col_int(&rows, 3) };
	}
	return stet_rows_end(&rows);
}

static const struct placed *
find(const struct placed *known, size_t count, const char *id)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(known[i].id, id) == 0)
			return &known[i];
	for (size_t i = 0; i < count; i++)
		if (strcmp(known[i].group, id) == 0)
			return &known[i];
	return NULL;
}

static enum stet_status
read_ids(struct stet_call *call, struct order *o)
{
	const json_t *ids = stet_arg_json(call, "ids"), *v;
	struct placed *known = NULL;
	size_t i, count;

	STET_TRY(look_up(call, o->taxonomy, ids, &known, &count));
	o->term = stet_alloc(call, (json_array_size(ids) + 1) * sizeof(o->term[0]));
	json_array_foreach(ids, i, v)
	{
		const struct placed *p = find(known, count, json_string_value(v));

		if (p == NULL || (o->parent != NULL && strcmp(p->parent, o->parent) != 0))
			return mismatch(call, json_string_value(v), "is not in this group");
		for (size_t k = 0; k < o->count; k++)
			if (strcmp(o->term[k].group, p->group) == 0)
				return mismatch(call, json_string_value(v), "is listed twice");
		o->term[o->count++] = *p;
	}
	return STET_OK;
}

static enum stet_status
set_position(struct stet_call *call, const char *group, int64_t position)
{
	return stet_exec(call, stet_write_tx(call),
	    "UPDATE term SET position = ?2 WHERE translation_group = ?1",
	    STET_ARGS(group, position));
}

static int
by_position(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return x->position < y->position ? -1 : x->position > y->position;
}

/* Returns the positions of these terms, in ascending order. */
static struct placed *
slots(struct stet_call *call, const struct order *o)
{
	struct placed *slot = stet_alloc(call, (o->count + 1) * sizeof(*slot));

	memcpy(slot, o->term, o->count * sizeof(*slot));
	qsort(slot, o->count, sizeof(*slot), by_position);
	return slot;
}

/* Sets *out if another term of the group has one of these positions. That happens if the
 * taxonomy was made flat: children of several parents are siblings then. */
static enum stet_status
is_tied(struct stet_call *call, const struct order *o, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_val *v = stet_alloc(call, (o->count + 1) * sizeof(*v));
	struct stet_rows rows;

	for (size_t i = 0; i < o->count; i++)
		v[i] = stet_val_int(o->term[i].position);
	stet_sql_add(sql, "SELECT COUNT(DISTINCT translation_group)");
	add_scope(sql, o);
	stet_sql_add(sql, " AND position IN ");
	stet_sql_list(sql, v, o->count);
	STET_TRY(stet_sql_one(sql, &rows, STET_FAULT));
	*out = stet_col_int(&rows, 0) > (int64_t)o->count;
	for (size_t i = 0; i < o->count; i++)
		for (size_t k = 0; k < i; k++)
			if (o->term[i].position == o->term[k].position)
				*out = true;
	return stet_rows_end(&rows);
}

/* Numbers all siblings from 0 on in the listed order. */
static enum stet_status
renumber(struct stet_call *call, struct order *o)
{
	struct stet_sql *sql = stet_sql_new(call);
	int64_t position = 0;
	struct stet_rows rows;
	json_t *all = stet_json_own(call, json_object()), *v;
	const char *group;

	stet_sql_add(sql, "SELECT translation_group");
	add_scope(sql, o);
	stet_sql_add(sql, " ORDER BY position, label, id");
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		group = stet_col_str(&rows, 0);
		if (json_object_get(all, group) == NULL)
			json_object_set_new(all, group, json_integer(position++));
	}
	STET_TRY(stet_rows_end(&rows));
	json_object_foreach(all, group, v)
	{
		STET_TRY(set_position(call, group, json_integer_value(v)));
	}
	for (size_t i = 0; i < o->count; i++)
		o->term[i].position = json_integer_value(json_object_get(all, o->term[i].group));
	return STET_OK;
}

/* Distributes the listed terms over the positions that they have. */
static enum stet_status
permute(struct stet_call *call, struct order *o)
{
	struct placed *slot;
	bool tied;

	if (o->count == 0)
		return STET_OK;
	STET_TRY(is_tied(call, o, &tied));
	if (tied)
		STET_TRY(renumber(call, o));
	slot = slots(call, o);
	for (size_t i = 0; i < o->count; i++)
		if (slot[i].position != o->term[i].position)
			STET_TRY(set_position(call, o->term[i].group, slot[i].position));
	return STET_OK;
}

enum stet_status
term_reorder(struct stet_call *call)
{
	const char *parent = stet_arg(call, "parentId");
	struct stet_json *out = stet_reply(call);
	struct taxonomy taxonomy;
	struct order o = { 0 };

	STET_TRY(taxonomy_find(call, stet_arg(call, "taxonomy"), NULL, &taxonomy));
	o.taxonomy = taxonomy.name;
	if (parent != NULL)
		STET_TRY(place_parent(call, o.taxonomy, parent, &o.parent));
	else if (taxonomy.hierarchical)
		o.parent = "";
	STET_TRY(stet_issues(call));
	STET_TRY(read_ids(call, &o));
	STET_TRY(permute(call, &o));
	STET_TRY(stet_note(call, stet_write_tx(call), "taxonomy", o.taxonomy, "update"));
	stet_object(out, NULL);
	stet_put_bool(out, "reordered", true);
	stet_close(out);
	return STET_OK;
}
