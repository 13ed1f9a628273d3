/*
 * indexes.c - the indexes that a collection declares, so that lists can be ordered by several keys,
 * like "kind:asc,year:desc". An index serves its order and the reverse.
 */
#include "schema.h"
#include <string.h>

#define INDEXES_MAX 8
#define KEYS_MIN 2
#define KEYS_MAX 3
/* PostgreSQL makes an index of as many items in less than a second: a change may take as long, and
 * what it promises holds at once. */
#define LARGE 100000

/* ---- one index ---- */

struct key {
	const char *name, *prefix, *column;
	bool desc;
};

static bool
find_column(const struct stet_collection *c, struct key *k)
{
	static const char *const dates[][2] = { { "createdAt", "created_at" },
		{ "updatedAt", "updated_at" }, { "publishedAt", "published_at" } };
	const struct stet_field *f = stet_field(c, k->name);

	for (size_t i = 0; i < sizeof(dates) / sizeof(dates[0]); i++)
		if (strcmp(dates[i][0], k->name) == 0) {
			k->prefix = "";
			k->column = dates[i][1];
			return true;
		}
	k->prefix = STET_FIELD_COLUMN;
	k->column = k->name;
	return f != NULL && (f->type->flags & STET_INDEXABLE) != 0 && !f->json_text;
}

/* Reads "kind:asc,year": up to KEYS_MAX keys. Returns their number; 0 if the text is invalid, or
 * has a key that cannot order the collection. */
static size_t
read_keys(struct stet_call *call, const struct stet_collection *c, const char *text,
    struct key out[KEYS_MAX])
{
	size_t n = 0;

	for (;;) {
		size_t len = strcspn(text, ","), name = strcspn(text, ":,");
		struct key *k = &out[n];

		if (n++ == KEYS_MAX)
			return 0;
		*k = (struct key){ .name = stet_strndup(call, text, name) };
		k->desc = len == name + 5 && strncmp(text + name, ":desc", 5) == 0;
		if (!k->desc && len != name &&
		    !(len == name + 4 && strncmp(text + name, ":asc", 4) == 0))
			return 0;
		for (size_t i = 0; i + 1 < n; i++)
			if (strcmp(out[i].name, k->name) == 0)
				return 0;
		if (!find_column(c, k))
			return 0;
		text += len;
		if (*text++ == '\0')
			return n >= KEYS_MIN ? n : 0;
	}
}

static char *
write_keys(struct stet_call *call, const struct key *k, size_t count)
{
	char *out = stet_strdup(call, "");

	for (size_t i = 0; i < count; i++)
		out = stet_printf(call, "%s%s%s:%s", out, i > 0 ? "," : "", k[i].name,
		    k[i].desc ? "desc" : "asc");
	return out;
}

/* ---- the member `indexes` ---- */

const char *
indexes_text(struct stet_call *call, const struct stet_collection *c)
{
	const json_t *given = stet_arg_json(call, "indexes");
	json_t *list = stet_json_own(call, json_array()), *v;
	struct key k[KEYS_MAX];
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)given, i, v)
	{
		size_t n = read_keys(call, c, json_string_value(v), k);
		bool known = false;
		json_t *text;

		if (n == 0) {
			stet_issue(call, stet_printf(call, "indexes[%zu]", i),
			    "must be %d to %d different keys such as kind:asc,year:desc: fields that "
			    "can be indexed, createdAt, updatedAt or publishedAt",
			    KEYS_MIN, KEYS_MAX);
			continue;
		}
		text = stet_json_own(call, json_string(write_keys(call, k, n)));
		for (size_t x = 0; x < json_array_size(list); x++)
			known |= json_equal(json_array_get(list, x), text) != 0;
		if (!known)
			json_array_append(list, text);
	}
	if (json_array_size(list) > INDEXES_MAX)
		stet_issue(call, "indexes", "must be at most %d", INDEXES_MAX);
	return json_array_size(list) > 0 ? json_text(call, list) : NULL;
}

enum stet_status
indexes_forget(
    struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c, const char *field)
{
	json_t *list = stet_json_own(call, json_array()), *v;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)c->indexes, i, v)
	{
		struct key k[KEYS_MAX];
		size_t n = read_keys(call, c, json_string_value(v), k);
		bool has = n == 0;

		while (n > 0 && !has)
			has = strcmp(k[--n].name, field) == 0;
		if (!has)
			json_array_append(list, v);
	}
	if (json_array_size(list) == json_array_size(c->indexes))
		return STET_OK;
	return stet_exec(call, tx, "UPDATE collection SET indexes = ?2 WHERE id = ?1",
	    STET_ARGS(c->id, json_array_size(list) > 0 ? json_text(call, list) : NULL));
}

/* ---- the indexes in the database ---- */

/* Writes the name of an index. It contains the lengths of the parts, so that no two indexes share a
 * name. */
static void
put_name(struct stet_sql *sql, struct stet_call *call, const struct stet_collection *c,
    const struct key *k, size_t count)
{
	char *name = stet_strdup(call, "");

	for (size_t i = 0; i < count; i++)
		name = stet_printf(call, "%s_%c%zu%s", name, k[i].desc ? 'd' : 'a',
		    strlen(k[i].column), k[i].column);
	stet_sql_ident(sql, stet_printf(call, "m%zu_%s", strlen(c->slug), c->slug), name);
}

struct stet_sql *
indexes_create(
    struct stet_call *call, const struct stet_collection *c, const json_t *order, const char *how)
{
	struct key k[KEYS_MAX];
	size_t count = read_keys(call, c, json_string_value(order), k);
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "CREATE ");
	stet_sql_add(sql, how);
	put_name(sql, call, c, k, count);
	stet_sql_add(sql, " ON ");
	stet_sql_ident(sql, STET_ITEM_TABLE, c->slug);
	stet_sql_add(sql, " (");
	for (size_t i = 0; i < count; i++) {
		stet_sql_ident(sql, k[i].prefix, k[i].column);
		stet_sql_add(sql, k[i].desc ? " DESC, " : ", ");
	}
	stet_sql_add(sql, k[count - 1].desc ? "id DESC)" : "id)");
	stet_sql_add(sql, " WHERE deleted_at IS NULL");
	return sql;
}

const char *
indexes_name(struct stet_call *call, const struct stet_collection *c, const json_t *order)
{
	struct key k[KEYS_MAX];
	size_t count = read_keys(call, c, json_string_value(order), k);
	struct stet_sql *sql = stet_sql_new(call);

	put_name(sql, call, c, k, count);
	return stet_sql_text(sql);
}

enum stet_status
indexes_put_off(struct stet_call *call, const char *collection, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*out = false;
	if (!stet_index_apart(call))
		return STET_OK;
	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " LIMIT 1 OFFSET ");
	stet_sql_bind(sql, stet_val_int(LARGE));
	STET_TRY(stet_sql_query(sql, &rows));
	*out = stet_row(&rows);
	return stet_rows_end(&rows);
}

static enum stet_status
create(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const json_t *order, json_t *building)
{
	bool off;

	STET_TRY(indexes_put_off(call, c->slug, &off));
	if (off) {
		json_array_append(building, (json_t *)(uintptr_t)order);
		return STET_OK;
	}
	return stet_sql_exec(indexes_create(call, c, order, FIELDINDEX_NEW), tx);
}

static enum stet_status
drop(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *c,
    const struct key *k, size_t count)
{
	struct stet_sql *sql = stet_sql_new(call);

	stet_sql_add(sql, "DROP INDEX IF EXISTS ");
	put_name(sql, call, c, k, count);
	return stet_sql_exec(sql, tx);
}

static bool
has(const json_t *list, const json_t *text)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (json_equal(json_array_get(list, i), text))
			return true;
	return false;
}

enum stet_status
indexes_store_building(
    struct stet_call *call, struct stet_tx *tx, const char *id, const json_t *list)
{
	return stet_exec(call, tx, "UPDATE collection SET building = ?2 WHERE id = ?1",
	    STET_ARGS(id, json_array_size(list) > 0 ? json_text(call, list) : NULL));
}

enum stet_status
indexes_follow(struct stet_call *call, struct stet_tx *tx, const struct stet_collection *before,
    const struct stet_collection *after, bool *changed)
{
	json_t *building = stet_json_own(call, json_array());
	struct key k[KEYS_MAX];
	size_t n, i;
	json_t *v;

	json_array_foreach((json_t *)(uintptr_t)before->building, i, v) if (has(after->indexes, v))
	    json_array_append(building, v);

	json_array_foreach((json_t *)(uintptr_t)before->indexes, i, v)
	{
		n = read_keys(call, before, json_string_value(v), k);
		if (n > 0 && !has(after->indexes, v))
			STET_TRY(drop(call, tx, before, k, n));
	}
	json_array_foreach((json_t *)(uintptr_t)after->indexes, i, v)
	{
		n = read_keys(call, after, json_string_value(v), k);
		if (n > 0 && !has(before->indexes, v))
			STET_TRY(create(call, tx, after, v, building));
	}
	if (json_array_size(building) == json_array_size(before->building) &&
	    json_equal(building, (json_t *)(uintptr_t)before->building))
		return STET_OK;
	if (json_array_size(building) == 0 && before->building == NULL)
		return STET_OK;
	*changed = true;
	return indexes_store_building(call, tx, after->id, building);
}
