/*
 * sql.c - builds SQL from string literals, checked identifiers and bound values, so that no text of
 * a client becomes SQL.
 */
#include "base/log.h"
#include "call/call.h"
#include "db/driver.h"
#include "db/rows.h"
#include <sodium.h>
#include <stet/derived.h>
#include <string.h>

/* Allocated in the arena of its call. */
struct stet_sql {
	struct stet_call *call;
	char *text;
	size_t len, cap;
	struct stet_val *value;
	size_t count, room;
};

struct stet_sql *
stet_sql_new(struct stet_call *call)
{
	struct stet_sql *sql = stet_alloc(call, sizeof(*sql));

	*sql = (struct stet_sql){ .call = call, .cap = 512, .room = 8 };
	sql->text = stet_alloc(call, sql->cap);
	sql->value = stet_alloc(call, sql->room * sizeof(*sql->value));
	return sql;
}

static void
add(struct stet_sql *sql, const char *text, size_t len)
{
	if (sql->len + len + 1 > sql->cap) {
		char *old = sql->text;

		sql->cap = (sql->len + len + 1) * 2;
		sql->text = stet_alloc(sql->call, sql->cap);
		memcpy(sql->text, old, sql->len);
	}
	memcpy(sql->text + sql->len, text, len);
	sql->len += len;
	sql->text[sql->len] = '\0';
}

void
stet_sql_add(struct stet_sql *sql, const char *literal)
{
	add(sql, literal, strlen(literal));
}

static bool
plain(const char *name, bool first)
{
	for (; *name != '\0'; name++, first = false) {
		bool letter = (*name >= 'a' && *name <= 'z') || *name == '_';

		if (!letter && (first || *name < '0' || *name > '9'))
			return false;
	}
	return true;
}

#define SHORT_HEAD 30 /* bytes of a long name that its short form begins with */
#define SHORT_HASH 16 /* bytes of the hash, 32 hexadecimal digits */

/*
 * The short form of a name over STET_IDENT_MAX bytes. "$" is allowed in names by SQLite and
 * PostgreSQL but not by plain(), so no name that is written as it is can equal a short form; that
 * two short forms are equal takes a collision of BLAKE2b of 128 bits.
 */
static void
add_short(struct stet_sql *sql, const char *prefix, const char *name)
{
	const char *all = stet_printf(sql->call, "%s%s", prefix, name);
	unsigned char hash[SHORT_HASH];
	char hex[2 * SHORT_HASH + 1];

	_Static_assert(
	    SHORT_HEAD + 1 + 2 * SHORT_HASH == STET_IDENT_MAX, "as long as names may be");
	crypto_generichash(hash, sizeof(hash), (const unsigned char *)all, strlen(all), NULL, 0);
	sodium_bin2hex(hex, sizeof(hex), hash, sizeof(hash));
	add(sql, all, SHORT_HEAD);
	add(sql, "$", 1);
	add(sql, hex, 2 * SHORT_HASH);
}

void
stet_sql_ident(struct stet_sql *sql, const char *prefix, const char *name)
{
	stet_assert(*prefix != '\0' || *name != '\0');
	stet_assert(plain(prefix, true) && plain(name, *prefix == '\0'));
	add(sql, "\"", 1);
	if (strlen(prefix) + strlen(name) <= STET_IDENT_MAX) {
		add(sql, prefix, strlen(prefix));
		add(sql, name, strlen(name));
	} else
		add_short(sql, prefix, name);
	add(sql, "\"", 1);
}

void
stet_sql_bind(struct stet_sql *sql, struct stet_val value)
{
	char mark[24], *p = mark + sizeof(mark);

	if (sql->count == sql->room) {
		struct stet_val *old = sql->value;

		sql->room *= 2;
		sql->value = stet_alloc(sql->call, sql->room * sizeof(*sql->value));
		memcpy(sql->value, old, sql->count * sizeof(*old));
	}
	sql->value[sql->count++] = value;
	/* Not snprintf: a statement may have hundreds of values. */
	for (size_t n = sql->count; n > 0; n /= 10)
		*--p = (char)('0' + n % 10);
	*--p = '?';
	add(sql, p, (size_t)(mark + sizeof(mark) - p));
}

size_t
stet_sql_room(size_t count)
{
	size_t room = 1;

	while (room < count)
		room *= 2;
	return room;
}

void
stet_sql_list(struct stet_sql *sql, const struct stet_val *value, size_t count)
{
	const size_t room = count > 0 ? stet_sql_room(count) : 0;

	stet_sql_add(sql, count > 0 ? "(" : "(NULL");
	for (size_t i = 0; i < room; i++) {
		stet_sql_add(sql, i > 0 ? ", " : "");
		stet_sql_bind(sql, value[i < count ? i : count - 1]);
	}
	stet_sql_add(sql, ")");
}

void
stet_sql_texts(struct stet_sql *sql, const char *const *text, size_t count)
{
	struct stet_val *value = stet_alloc(sql->call, (count + 1) * sizeof(*value));

	for (size_t i = 0; i < count; i++)
		value[i] = stet_val_str(text[i]);
	stet_sql_list(sql, value, count);
}

void
stet_sql_select(struct stet_sql *sql, const char *const *text, size_t count)
{
	const struct db_driver *driver = db_driver_of(sql->call->site->db_place);
	struct stet_json *j = stet_json_new(sql->call);
	const char *all;
	size_t len;

	stet_array(j, NULL);
	for (size_t i = 0; i < count; i++)
		stet_put_str(j, NULL, text[i]);
	stet_close(j);
	all = stet_json_text(j, &len);
	stet_sql_add(sql, driver->texts);
	stet_sql_bind(sql, stet_val_strn(all, len));
	stet_sql_add(sql, driver->texts_end);
}

void
stet_sql_has(struct stet_sql *sql, const char *prefix, const char *column, const char *folded)
{
	stet_sql_add(sql, "stet_has(");
	stet_sql_ident(sql, prefix, column);
	stet_sql_add(sql, ", ");
	stet_sql_bind(sql, stet_val_str(folded));
	stet_sql_add(sql, ") = 1");
}

const char *
stet_sql_text(struct stet_sql *sql)
{
	return sql->text;
}

enum stet_status
stet_sql_query(struct stet_sql *sql, struct stet_rows *rows)
{
	return stet_query(sql->call, rows, sql->text, sql->value, sql->count);
}

enum stet_status
stet_sql_one(struct stet_sql *sql, struct stet_rows *rows, enum stet_status none)
{
	return stet_one(sql->call, rows, none, sql->text, sql->value, sql->count);
}

enum stet_status
stet_derived_sql_query(struct stet_sql *sql, struct stet_rows *rows)
{
	return stet_derived_query(sql->call, rows, sql->text, sql->value, sql->count);
}

enum stet_status
stet_sql_exec(struct stet_sql *sql, struct stet_tx *tx)
{
	return stet_exec(sql->call, tx, sql->text, sql->value, sql->count);
}

char *
stet_like(struct stet_call *call, const char *text, size_t len)
{
	char *out = stet_alloc(call, 2 * len + 3), *to = out;

	*to++ = '%';
	for (size_t i = 0; i < len; i++) {
		if (strchr("%_\\", text[i]) != NULL)
			*to++ = '\\';
		*to++ = text[i];
	}
	*to = '%';
	return out;
}

/* ---- names with a number ---- */

#define NUMBER_END (INT64_C(1) << 40) /* 1099511627776 in the statement */

/*
 * `low` is a number that is taken, at first the one before `first`. rise goes up until low + step
 * is free: by ones up to 16, so that the numbers of a few rows leave no gap, then doubling. halve
 * closes in on a taken number that is followed by a free one: low + 2 * step is free at each step.
 * Only a client that takes a name for each doubling on purpose ends rise at NUMBER_END.
 */
static const char *
number_sql(struct stet_call *call, const char *rows, int first)
{
	const char *taken = stet_printf(call,
	    "EXISTS (SELECT 1 FROM %sCAST(?1 AS TEXT) || '-' || CAST(low + step AS TEXT))", rows);

	return stet_printf(call,
	    "WITH RECURSIVE rise (low, step) AS ("
	    "SELECT CAST(%d AS BIGINT), CAST(1 AS BIGINT) UNION ALL "
	    "SELECT low + step, CASE WHEN low + step < 16 THEN 1 ELSE low + step END FROM rise "
	    "WHERE low < 1099511627776 AND %s), "
	    "halve (low, step) AS (SELECT MAX(low), MAX(step) / 2 FROM rise UNION ALL "
	    "SELECT low + CASE WHEN %s THEN step ELSE 0 END, step / 2 FROM halve WHERE step > 0) "
	    "SELECT MAX(low) + 1 FROM halve",
	    first - 1, taken, taken);
}

/* Returns sixteen random characters, so that the name is certainly free. */
static const char *
unguessable(struct stet_call *call)
{
	char *id = stet_id(call) + 10; /* skip the time */

	for (char *p = id; *p != '\0'; p++)
		if (*p >= 'A' && *p <= 'Z')
			*p = (char)(*p + 32);
	return id;
}

enum stet_status
stet_free_name(struct stet_call *call, const char *base, int first, const char *rows,
    const struct stet_val *values, size_t count, const char **out)
{
	struct stet_val *v = stet_alloc(call, (count + 1) * sizeof(*v));
	struct stet_rows found;
	bool taken;
	int64_t n;

	v[0] = stet_val_str(base);
	if (count > 0)
		memcpy(v + 1, values, count * sizeof(*v));
	*out = base;
	if (rows_hopeful(call))
		return STET_OK;
	STET_TRY(
	    stet_query(call, &found, stet_printf(call, "SELECT 1 FROM %s?1", rows), v, count + 1));
	taken = stet_row(&found);
	STET_TRY(stet_rows_end(&found));
	if (!taken)
		return STET_OK;
	STET_TRY(stet_one(call, &found, STET_FAULT, number_sql(call, rows, first), v, count + 1));
	n = stet_col_int(&found, 0);
	*out = n < NUMBER_END ? stet_printf(call, "%s-%lld", base, (long long)n)
			      : stet_printf(call, "%s-%s", base, unguessable(call));
	return stet_rows_end(&found);
}
