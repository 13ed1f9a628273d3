/* dialect_put.c - objects as comments in Markdown, and the parameters of tags and shortcodes. */
#include "sources/dialect.h"
#include <stdlib.h>
#include <string.h>

/* ---- objects ---- */

static void
put_comment(struct dialect *d, const char *kind, json_t *object)
{
	char *json = json_dumps(stet_json_own(d->call, object), JSON_COMPACT);

	(void)fprintf(d->out, "<!--%s ", kind);
	/* A comment holds no "--". */
	for (const char *p = json; *p != '\0'; p++)
		if (*p == '-' && p[1] == '-')
			(void)fputs("\\u002d", d->out);
		else
			(void)fputc(*p, d->out);
	(void)fputs("-->", d->out);
	free(json);
}

void
dialect_block(struct dialect *d, json_t *object)
{
	(void)fputc('\n', d->out);
	put_comment(d, "block", object);
	(void)fputs("\n\n", d->out);
}

void
dialect_inline(struct dialect *d, json_t *object)
{
	put_comment(d, "inline", object);
}

/* ---- parameters ---- */

/* A parameter: its name, which may be empty, and its value. */
struct pair {
	const char *name, *value;
	size_t name_len, len;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Reads a word, with quotes or without them. */
static const char *
word(const char *s, const char *end, struct pair *p)
{
	char quote = *s == '"' || *s == '\'' || *s == '`' ? *s : '\0';
	const char *from = quote != '\0' ? s + 1 : s, *to = from;

	while (to < end && (quote != '\0' ? *to != quote : !is_blank(*to)))
		to++;
	p->value = from;
	p->len = (size_t)(to - from);
	return to < end && quote != '\0' ? to + 1 : to;
}

/* Returns where the next parameter ends; NULL: there is none. */
static const char *
next(const char *s, const char *end, struct pair *p)
{
	const char *name;

	while (s < end && is_blank(*s))
		s++;
	if (s == end)
		return NULL;
	for (name = s; s < end && !is_blank(*s) && strchr("=\"'`", *s) == NULL;)
		s++;
	*p = (struct pair){ .name = name };
	if (s == end || *s != '=' || s == name)
		return word(name, end, p);
	p->name_len = (size_t)(s - name);
	if (++s == end) {
		p->value = s;
		return s;
	}
	return word(s, end, p);
}

const char *
dialect_value(struct stet_call *call, const char *text, size_t len, const char *name)
{
	const char *end = text + len;
	struct pair p;

	while ((text = next(text, end, &p)) != NULL)
		if (p.name_len == strlen(name) && memcmp(p.name, name, p.name_len) == 0)
			return stet_strndup(call, p.value, p.len);
	return NULL;
}

const char *
dialect_first(struct stet_call *call, const char *text, size_t len)
{
	const char *end = text + len;
	struct pair p;

	while ((text = next(text, end, &p)) != NULL)
		if (p.name_len == 0)
			return stet_strndup(call, p.value, p.len);
	return NULL;
}
