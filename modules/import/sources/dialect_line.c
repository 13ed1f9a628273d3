/*
 * dialect_line.c - what stands within a text: links and pictures of HTML become those of Markdown,
 * formulas and shortcodes become objects. Code stays as it is.
 */
#include "sources/dialect.h"
#include <string.h>
#include <strings.h>

static void
put(const struct dialect *d, const char *s, size_t len)
{
	(void)fwrite(s, 1, len, d->out);
}

static void
put_escaped(const struct dialect *d, const char *s, const char *signs)
{
	for (; *s != '\0'; s++) {
		if (strchr(signs, *s) != NULL)
			(void)fputc('\\', d->out);
		(void)fputc(*s == '\n' ? ' ' : *s, d->out);
	}
}

/* The length of code between backticks, or of the ticks alone. */
static size_t
code_len(const char *s, const char *end)
{
	size_t ticks = 0, n = 0;

	end = end - s > NEAR_MAX ? s + NEAR_MAX : end;
	while (s + ticks < end && s[ticks] == '`')
		ticks++;
	for (const char *p = s + ticks; p < end; p++) {
		n = *p == '`' ? n + 1 : 0;
		if (n == ticks && (p + 1 == end || p[1] != '`'))
			return (size_t)(p + 1 - s);
	}
	return ticks;
}

/* ---- formulas ---- */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The end of a formula that begins here, before its signs; NULL: it has none in this paragraph. */
static const char *
formula_end(const char *s, const char *end)
{
	while (s < end && *s != '$' && *s != '`')
		s += *s == '\\' && s + 1 < end ? 2 : 1;
	return s < end && *s == '$' ? s : NULL;
}

/* $x$, but not $5 and $6: no blank within the signs, no digit behind them. */
static size_t
put_formula(struct dialect *d, const char *s, const char *end)
{
	size_t signs = s + 1 < end && s[1] == '$' ? 2 : 1;
	const char *from = s + signs, *to = formula_end(from, end);

	if (to == NULL || to == from || strchr(" \t\n", *from) != NULL ||
	    strchr(" \t\n", to[-1]) != NULL)
		return 0;
	if ((signs == 2 && (to + 1 == end || to[1] != '$')) ||
	    (to + signs < end && is_digit(to[signs])))
		return 0;
	dialect_inline(d,
	    json_pack("{ss so}", "_type", "math", "tex", json_stringn(from, (size_t)(to - from))));
	return (size_t)(to - s) + signs;
}

/* ---- links and pictures of HTML ---- */

/* Puts "(<address> "title")" of a tag's attributes. */
static void
put_target(const struct dialect *d, const char *address, const char *title)
{
	(void)fputs("](<", d->out);
	put_escaped(d, address, "\\<>");
	(void)fputc('>', d->out);
	if (title != NULL && *title != '\0') {
		(void)fputs(" \"", d->out);
		put_escaped(d, title, "\\\"");
		(void)fputc('"', d->out);
	}
	(void)fputc(')', d->out);
}

static size_t
put_picture(struct dialect *d, const char *s, const char *end)
{
	const char *to = memchr(s, '>', (size_t)(end - s)), *src, *alt;
	size_t len;

	if (to == NULL)
		return 0;
	len = (size_t)(to - s) - 4 - (to[-1] == '/');
	src = dialect_value(d->call, s + 4, len, "src");
	alt = dialect_value(d->call, s + 4, len, "alt");
	if (src == NULL || *src == '\0')
		return 0;
	(void)fputs("![", d->out);
	put_escaped(d, alt != NULL ? alt : "", "\\[]*_`<");
	put_target(d, src, dialect_value(d->call, s + 4, len, "title"));
	return (size_t)(to + 1 - s);
}

static size_t
put_link(struct dialect *d, const char *s, const char *end)
{
	const char *to = memchr(s, '>', (size_t)(end - s)), *href, *close = to;
	size_t len;

	while (close != NULL && close < end && strncasecmp(close, "</a>", 4) != 0)
		close++;
	if (to == NULL || close == end)
		return 0;
	len = (size_t)(to - s) - 3;
	href = dialect_value(d->call, s + 3, len, "href");
	if (href == NULL || *href == '\0')
		return 0;
	(void)fputc('[', d->out);
	dialect_line(d, to + 1, (size_t)(close - to) - 1);
	put_target(d, href, dialect_value(d->call, s + 3, len, "title"));
	return (size_t)(close + 4 - s);
}

/* ---- all of it ---- */

/* Puts what begins here, and returns its length; 0: it is a letter as others. */
static size_t
put_special(struct dialect *d, const char *s, const char *end)
{
	size_t len;

	end = end - s > NEAR_MAX ? s + NEAR_MAX : end;
	switch (*s) {
	case '$':
		return put_formula(d, s, end);
	case '{':
		len = dialect_site(d, s);
		return len > 0 ? len : dialect_code(d, s, false);
	case '<':
		if (end - s > 5 && strncasecmp(s, "<img", 4) == 0 && strchr(" \t\n", s[4]) != NULL)
			return put_picture(d, s, end);
		if (end - s > 3 && strncasecmp(s, "<a", 2) == 0 && strchr(" \t\n", s[2]) != NULL)
			return put_link(d, s, end);
		return 0;
	default:
		return 0;
	}
}

void
dialect_line(struct dialect *d, const char *s, size_t length)
{
	const char *end = s + length;
	size_t len;

	while (s < end) {
		if (*s == '`' || (*s == '\\' && s + 1 < end)) {
			len = *s == '`' ? code_len(s, end) : 2;
			put(d, s, len);
			s += len;
			continue;
		}
		len = put_special(d, s, end);
		if (len == 0)
			put(d, s, 1);
		s += len > 0 ? len : 1;
	}
}
