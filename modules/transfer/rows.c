/* rows.c - converts rows of moved tables to JSON and back. */
#include "transfer.h"
#include <ctype.h>
#include <string.h>

/* ---- columns ---- */

/* A statement that is being built. */
struct making {
	struct stet_call *call;
	struct stet_sql *sql;
	const struct stet_transfer *t;
	const json_t *row; /* the row whose values are bound */
	int count; /* columns appended so far */
};

typedef void column_fn(
    struct making *, const struct stet_member *, const char *prefix, const char *column);

/* Calls fn for each column in the order of the row. The members of an object with `of` have a
 * column each. */
static void
each(struct making *m, column_fn *fn)
{
	m->count = 0;
	for (const struct stet_member *r = m->t->row; r->name != NULL; r++) {
		char *column = stet_alloc(m->call, 2 * strlen(r->name) + 1), *to = column;

		if (r->type == STET_OBJECT && r->of != NULL) {
			for (const struct stet_member *f = r->of; f->name != NULL; f++)
				fn(m, f, STET_FIELD_COLUMN, f->name);
			continue;
		}
		for (const char *c = r->name; *c != '\0'; c++) {
			if (isupper((unsigned char)*c))
				*to++ = '_';
			*to++ = (char)tolower((unsigned char)*c);
		}
		fn(m, r, "", column);
	}
}

static void
begin(struct making *m, struct stet_call *call, const struct stet_transfer *t, const json_t *row)
{
	*m = (struct making){ call, stet_sql_new(call), t, row, 0 };
}

static void
add_name(struct making *m, const struct stet_member *r, const char *prefix, const char *column)
{
	(void)r;
	stet_sql_add(m->sql, m->count++ > 0 ? ", " : "");
	stet_sql_ident(m->sql, prefix, column);
}

static void
add_selected(struct making *m, const struct stet_member *r, const char *prefix, const char *column)
{
	(void)r;
	stet_sql_add(m->sql, ", t.");
	stet_sql_ident(m->sql, prefix, column);
}

static void
add_update(struct making *m, const struct stet_member *r, const char *prefix, const char *column)
{
	add_name(m, r, prefix, column);
	stet_sql_add(m->sql, " = excluded.");
	stet_sql_ident(m->sql, prefix, column);
}

/* Returns true if `words`, separated by blanks, contains `word`. */
static bool
is_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *p = words; (p = strstr(p, word)) != NULL; p += len)
		if ((p == words || p[-1] == ' ') && (p[len] == ' ' || p[len] == '\0'))
			return true;
	return false;
}

/* ---- reading ---- */

static json_t *
value_of(struct stet_rows *rows, const struct stet_member *m, int column)
{
	size_t len;
	const char *text;

	switch (m->type) {
	case STET_INTEGER:
		return json_integer(stet_col_int(rows, column));
	case STET_BOOLEAN:
		return json_boolean(stet_col_int(rows, column) != 0);
	case STET_NUMBER:
		return json_real(stet_col_real(rows, column));
	default:
		break;
	}
	text = stet_col_text(rows, column, &len);
	if (m->type != STET_STRING && m->type != STET_TIME)
		return json_loadb(text, len, JSON_DECODE_ANY, NULL);
	return json_stringn(text, len);
}

json_t *
rows_value(struct stet_rows *rows, const struct stet_transfer *t)
{
	json_t *row = json_object();
	int column = 1;

	for (const struct stet_member *m = t->row; m->name != NULL; m++) {
		json_t *object = m->type == STET_OBJECT && m->of != NULL ? json_object() : NULL;
		const struct stet_member *first = object != NULL ? m->of : m;

		for (const struct stet_member *f = first; f->name != NULL; f++) {
			if (!stet_col_null(rows, column))
				json_object_set_new(object != NULL ? object : row, f->name,
				    value_of(rows, f, column));
			column++;
			if (object == NULL)
				break;
		}
		if (object != NULL)
			json_object_set_new(row, m->name, object);
	}
	return row;
}

static void
add_key_too(struct making *m, const struct stet_member *r, const char *prefix, const char *column)
{
	if (*prefix == '\0' && is_word(m->t->key, r->name))
		add_selected(m, r, prefix, column);
}

static void
add_greater(struct making *m, const struct stet_member *r, const char *prefix, const char *column)
{
	if (*prefix != '\0' || !is_word(m->t->key, r->name))
		return;
	stet_sql_add(m->sql, "t.");
	stet_sql_ident(m->sql, prefix, column);
	stet_sql_add(m->sql, " > ");
	stet_sql_bind(m->sql, stet_val_str(json_string_value(json_object_get(m->row, r->name))));
}

static void
add_selection(struct making *m)
{
	stet_sql_add(m->sql, "SELECT ");
	stet_sql_add(m->sql, m->t->name);
	each(m, add_selected);
	stet_sql_add(m->sql, " FROM ");
	stet_sql_ident(m->sql, "", m->t->table);
	stet_sql_add(m->sql, " AS t ");
	stet_sql_add(m->sql, m->t->join != NULL ? m->t->join : "");
}

enum stet_status
rows_select(struct stet_call *call, const struct stet_transfer *t, struct stet_rows *rows)
{
	struct making m;

	begin(&m, call, t, NULL);
	add_selection(&m);
	if (t->where != NULL) {
		stet_sql_add(m.sql, " WHERE ");
		stet_sql_add(m.sql, t->where);
	}
	stet_sql_add(m.sql, " ORDER BY 1");
	if (t->order != NULL) {
		stet_sql_add(m.sql, ", ");
		stet_sql_add(m.sql, t->order);
	}
	each(&m, add_key_too); /* rows may have the same name */
	return stet_sql_query(m.sql, rows);
}

enum stet_status
rows_select_after(struct stet_call *call, const struct stet_transfer *t, const json_t *after,
    int64_t most, struct stet_rows *rows)
{
	struct making m;

	begin(&m, call, t, after);
	stet_sql_add(m.sql, "SELECT ");
	stet_sql_add(m.sql, t->name);
	each(&m, add_key_too);
	stet_sql_add(m.sql, " FROM ");
	stet_sql_ident(m.sql, "", t->table);
	stet_sql_add(m.sql, " AS t ");
	if (t->join != NULL)
		stet_sql_add(m.sql, t->join);
	stet_sql_add(m.sql, " WHERE ");
	if (t->where != NULL)
		stet_sql_add(m.sql, stet_printf(call, "(%s) AND ", t->where));
	each(&m, add_greater);
	stet_sql_add(m.sql, " ORDER BY 2 LIMIT ");
	stet_sql_bind(m.sql, stet_val_int(most));
	return stet_sql_query(m.sql, rows);
}

json_t *
rows_key(const struct stet_transfer *t, const json_t *row)
{
	json_t *key = json_object();

	for (const struct stet_member *m = t->row; m->name != NULL; m++)
		if (is_word(t->key, m->name))
			json_object_set(key, m->name, json_object_get(row, m->name));
	return key;
}

/* ---- by key ---- */

static struct stet_val
bound(struct stet_call *call, const struct stet_member *m, const json_t *value)
{
	struct stet_json *json;
	const char *text;
	size_t len;

	if (value == NULL)
		return stet_val_null();
	switch (m->type) {
	case STET_INTEGER:
		return stet_val_int(json_is_real(value) ? (int64_t)json_real_value(value)
							: json_integer_value(value));
	case STET_BOOLEAN:
		return stet_val_int(
		    json_is_boolean(value) ? json_is_true(value) : json_integer_value(value) != 0);
	case STET_NUMBER:
		return stet_val_real(json_number_value(value));
	case STET_STRING:
	case STET_TIME:
		return stet_val_strn(json_string_value(value), json_string_length(value));
	default:
		break;
	}
	json = stet_json_new(call);
	stet_put_json(json, NULL, value);
	text = stet_json_text(json, &len);
	return stet_val_strn(text, len);
}

static void
add_value(struct making *m, const struct stet_member *r, const char *prefix, const char *column)
{
	const json_t *from = *prefix != '\0' ? json_object_get(m->row, "data") : m->row;

	(void)column;
	stet_sql_add(m->sql, m->count++ > 0 ? ", " : "");
	stet_sql_bind(m->sql, bound(m->call, r, json_object_get(from, r->name)));
}

static void
add_equal(struct making *m, const struct stet_member *r, const char *prefix, const char *column)
{
	if (*prefix != '\0' || !is_word(m->t->key, r->name))
		return;
	stet_sql_add(m->sql, m->count++ > 0 ? " AND " : " WHERE ");
	stet_sql_ident(m->sql, prefix, column);
	stet_sql_add(m->sql, " = ");
	stet_sql_bind(m->sql, bound(m->call, r, json_object_get(m->row, r->name)));
}

static void
add_key(struct making *m, const struct stet_member *r, const char *prefix, const char *column)
{
	if (*prefix == '\0' && is_word(m->t->key, r->name))
		add_name(m, r, prefix, column);
}

enum stet_status
rows_select_media(struct stet_call *call, const struct stet_transfer *t, const json_t *key,
    const char *column[ROWS_MEDIA_MAX], size_t *count, struct stet_rows *rows)
{
	const char *p = t->media;
	struct making m;

	begin(&m, call, t, key);
	stet_sql_add(m.sql, "SELECT ");
	stet_sql_add(m.sql, key == NULL ? t->name : "''");
	*count = 0;
	for (p += strspn(p, " "); *p != '\0' && *count < ROWS_MEDIA_MAX; p += strspn(p, " ")) {
		const size_t len = strcspn(p, " ");

		column[*count] = stet_strndup(call, p, len);
		stet_sql_add(m.sql, ", t.");
		stet_sql_ident(m.sql, "", column[(*count)++]);
		p += len;
	}
	stet_sql_add(m.sql, " FROM ");
	stet_sql_ident(m.sql, "", t->table);
	stet_sql_add(m.sql, " AS t ");
	if (key != NULL)
		each(&m, add_equal);
	else
		stet_sql_add(m.sql, t->join != NULL ? t->join : "");
	return stet_sql_query(m.sql, rows);
}

enum stet_status
rows_find(struct stet_call *call, const struct stet_transfer *t, const json_t *key, json_t **out)
{
	const struct stet_transfer bare = {
		.table = t->table, .row = t->row, .key = t->key, .name = "''"
	};
	struct stet_rows rows;
	struct making m;

	begin(&m, call, &bare, key);
	add_selection(&m);
	each(&m, add_equal);
	STET_TRY(stet_sql_query(m.sql, &rows));
	*out = stet_row(&rows) ? rows_value(&rows, t) : NULL;
	return stet_rows_end(&rows);
}

enum stet_status
rows_store(
    struct stet_call *call, struct stet_tx *tx, const struct stet_transfer *t, const json_t *row)
{
	struct making m;

	begin(&m, call, t, row);
	stet_sql_add(m.sql, "INSERT INTO ");
	stet_sql_ident(m.sql, "", t->table);
	stet_sql_add(m.sql, " (");
	each(&m, add_name);
	if (t->derived != NULL) {
		stet_sql_add(m.sql, ", ");
		stet_sql_ident(m.sql, "", t->derived);
	}
	stet_sql_add(m.sql, ") VALUES (");
	each(&m, add_value);
	stet_sql_add(m.sql, t->derived != NULL ? ", '') ON CONFLICT (" : ") ON CONFLICT (");
	each(&m, add_key);
	stet_sql_add(m.sql, ") DO UPDATE SET ");
	each(&m, add_update);
	return stet_sql_exec(m.sql, tx);
}

enum stet_status
rows_delete(
    struct stet_call *call, struct stet_tx *tx, const struct stet_transfer *t, const json_t *key)
{
	struct making m;

	begin(&m, call, t, key);
	stet_sql_add(m.sql, "DELETE FROM ");
	stet_sql_ident(m.sql, "", t->table);
	each(&m, add_equal);
	return stet_sql_exec(m.sql, tx);
}

enum stet_status
rows_park(
    struct stet_call *call, struct stet_tx *tx, const struct stet_transfer *t, const json_t *key)
{
	struct making m;

	begin(&m, call, t, key);
	stet_sql_add(m.sql, "UPDATE ");
	stet_sql_ident(m.sql, "", t->table);
	stet_sql_add(m.sql, " SET ");
	stet_sql_ident(m.sql, "", t->moves);
	stet_sql_add(m.sql, " = ");
	stet_sql_ident(m.sql, "", t->key);
	each(&m, add_equal);
	return stet_sql_exec(m.sql, tx);
}
