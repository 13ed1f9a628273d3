/* pgtext.c - reads SQL word by word. */
#include "pgtext.h"
#include "db/own.h"
#include "db/txslot.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A word, a literal, a parameter, or another character. Blanks and comments belong to none. */
struct token {
	const char *at;
	size_t len;
};

static const char *
past_blanks(const char *s)
{
	for (;;) {
		const char *end = s + strspn(s, " \t\r\n");

		if (strncmp(end, "--", 2) == 0)
			end += strcspn(end, "\n");
		else if (strncmp(end, "/*", 2) == 0)
			end = strstr(end + 2, "*/") != NULL ? strstr(end + 2, "*/") + 2
							    : end + strlen(end);
		if (end == s)
			return s;
		s = end;
	}
}

static bool
in_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* Reads the token at `s`, which is not blank. Its length is 0 at the end. */
static struct token
token(const char *s)
{
	const char *end = s;

	if (*s == '\'' || *s == '"') {
		/* A doubled quotation mark is one of the text: it ends one literal and begins
		 * another. */
		do {
			end++;
			end += strcspn(end, *s == '\'' ? "'" : "\"");
			end += *end != '\0';
		} while (*end == *s);
	} else if (*s == '?') {
		end += 1 + strspn(s + 1, "0123456789");
	} else if (in_word(*s)) {
		while (in_word(*end))
			end++;
	} else if (*s != '\0') {
		end++;
	}
	return (struct token){ s, (size_t)(end - s) };
}

static struct token
next(struct token t)
{
	return token(past_blanks(t.at + t.len));
}

static bool
is(struct token t, const char *word)
{
	return t.len == strlen(word) && strncasecmp(t.at, word, t.len) == 0;
}

/* Keywords that name a type are written in capitals. */
static bool
is_type(struct token t, const char *word)
{
	return t.len == strlen(word) && memcmp(t.at, word, t.len) == 0;
}

/* Skips these words if all of them stand here. */
static struct token
past(struct token t, const char *a, const char *b, const char *c)
{
	const char *const words[] = { a, b, c };
	struct token at = t;

	for (size_t i = 0; i < 3 && words[i] != NULL; i++, at = next(at))
		if (!is(at, words[i]))
			return t;
	return at;
}

/* The name in a token, without quotation marks. */
static struct token
bare(struct token t)
{
	return t.len >= 2 && *t.at == '"' ? (struct token){ t.at + 1, t.len - 2 } : t;
}

/* ---- what a statement does ---- */

static bool
is_change(struct token t)
{
	return is(t, "INSERT") || is(t, "UPDATE") || is(t, "DELETE");
}

/* Migrations that rebuild a table begin with this one (core/db/sqlite/liteconn.c). */
static bool
is_deferral(struct token t)
{
	return is(t, "PRAGMA") && is(next(t), "defer_foreign_keys");
}

/* Notes the table that a change is about. */
static void
note_change(struct pg_text *text, struct token t)
{
	struct token name = next(t);

	if (!is(t, "UPDATE"))
		name = next(name); /* INTO, FROM */
	if (is(t, "DELETE") && text->from == NULL) {
		text->from = name.at;
		text->from_length = name.len;
	} else if (is(t, "DELETE"))
		text->writes = TXSLOT_ALL;
	name = bare(name);
	text->writes |= txslot_bit(name.at, name.len);
}

/* WITH: a query, unless a part of it changes rows. */
static void
classify_with(struct pg_text *text, struct token t)
{
	int depth = 0;

	text->kind = PG_QUERY;
	for (; t.len > 0 && *t.at != ';'; t = next(t)) {
		depth += *t.at == '(' ? 1 : *t.at == ')' ? -1 : 0;
		if (!is_change(t) || (depth > 0 && t.at[-1] != '('))
			continue;
		text->kind = PG_CHANGE;
		note_change(text, t);
	}
}

static void
classify(struct pg_text *text, struct token first)
{
	text->kind = PG_OTHER;
	if (is(first, "CREATE") || is(first, "ALTER") || is(first, "DROP") || is_deferral(first)) {
		text->kind = PG_DEFINE;
		text->writes = TXSLOT_ALL;
		text->renames = is(first, "ALTER") && is(next(next(next(first))), "RENAME");
	} else if (is_change(first)) {
		text->kind = PG_CHANGE;
		note_change(text, first);
	} else if (is(first, "SELECT") || is(first, "VALUES")) {
		text->kind = PG_QUERY;
	} else if (is(first, "WITH")) {
		classify_with(text, first);
	}
}

/* ---- writing ---- */

struct writing {
	struct buf *out;
	const struct pg_text *text;
	struct token table; /* CREATE TABLE: its name */
	struct token last; /* the token before this one */
	int number; /* of the parameter that this token is */
};

static void
put_literal(struct buf *out, struct token name)
{
	name = bare(name);
	buf_char(out, '\'');
	buf_add(out, name.at, name.len);
	buf_char(out, '\'');
}

/* INTEGER PRIMARY KEY: a row without a value gets the next number. */
static void
put_integer(struct writing *w, struct token t)
{
	struct token after = past(next(t), "NOT", "NULL", NULL);

	buf_str(w->out, "bigint");
	if (w->table.len == 0 || past(after, "PRIMARY", "KEY", NULL).at == after.at)
		return;
	buf_str(w->out, " DEFAULT stet_next(");
	put_literal(w->out, w->table);
	buf_str(w->out, ", ");
	put_literal(w->out, w->last);
	buf_char(w->out, ')');
}

static void
put_token(struct writing *w, struct token t)
{
	if (*t.at == '?')
		buf_printf(w->out, "$%d", w->number);
	else if (is_type(t, "INTEGER"))
		put_integer(w, t);
	else if (is_type(t, "REAL"))
		buf_str(w->out, "double precision");
	else if (is_type(t, "BLOB"))
		buf_str(w->out, "bytea");
	else if (is_type(t, "TEXT") && w->text->kind == PG_DEFINE && !is(w->last, "AS"))
		buf_str(w->out, "text COLLATE \"C\"");
	else
		buf_add(w->out, t.at, t.len);
}

/* A parameter without a number has that behind the greatest one so far, as in SQLite. */
static int
number_of(const struct pg_text *text, struct token t)
{
	return t.len > 1 ? (int)strtol(t.at + 1, NULL, 10) : text->parameters + 1;
}

struct pg_text
pgtext_read(const char *sql, struct buf *out)
{
	struct token t = token(past_blanks(sql)), name;
	struct pg_text text = { .begins = (size_t)(t.at - sql) };
	struct writing w = { .out = out, .text = &text };

	classify(&text, t);
	if (is(t, "CREATE") && is(name = next(t), "TABLE"))
		w.table = past(next(name), "IF", "NOT", "EXISTS");
	if (is_deferral(t)) {
		buf_str(out, "SET CONSTRAINTS ALL DEFERRED");
		while (t.len > 0 && *t.at != ';')
			t = next(t);
	}
	while (t.len > 0 && *t.at != ';') {
		const char *end = t.at + t.len;
		int number = *t.at == '?' ? number_of(&text, t) : 0;

		w.number = number;
		text.limit = number > text.parameters && is(w.last, "LIMIT") ? out->len : 0;
		text.parameters = number > text.parameters ? number : text.parameters;
		put_token(&w, t);
		w.last = t;
		t = next(t);
		buf_add(out, end, (size_t)(t.at - end)); /* blanks and comments */
	}
	if (text.kind != PG_QUERY)
		text.limit = 0;
	text.used = (size_t)(t.at + t.len - sql);
	return text;
}

/* ---- plugins ---- */

static bool
is_own(const char *plugin, struct token name)
{
	char text[256];

	name = bare(name);
	if (name.len == 0 || name.len >= sizeof(text))
		return false;
	memcpy(text, name.at, name.len);
	text[name.len] = '\0';
	return own_name(plugin, text);
}

static bool
is_end(struct token t)
{
	return t.len == 0 || *t.at == ';';
}

bool
pgtext_own(const char *plugin, const char *sql)
{
	struct token verb = token(past_blanks(sql)), what = next(verb), name;

	if (is(what, "UNIQUE"))
		what = next(what);
	if (!is(what, "TABLE") && !is(what, "INDEX"))
		return false;
	name = past(past(next(what), "IF", "NOT", "EXISTS"), "IF", "EXISTS", NULL);
	if (!is_own(plugin, name))
		return false;
	if (is(verb, "DROP"))
		return is_end(next(name));
	if (*next(name).at == '.') /* of another schema */
		return false;
	if (is(what, "INDEX"))
		return is(verb, "CREATE") && is(next(name), "ON") &&
		       is_own(plugin, next(next(name))) && *next(next(next(name))).at != '.';
	if (is(verb, "ALTER") && is(next(name), "RENAME") && is(next(next(name)), "TO"))
		return own_rename(plugin, sql);
	return is(verb, "CREATE") || is(verb, "ALTER");
}
