/*
 * dialect.c - the lines of a text: blocks that Markdown does not have become what Portable Text
 * has, or named blocks that keep them.
 */
#include "sources/dialect.h"
#include "sources/sources.h"
#include <ctype.h>
#include <stdlib.h>
#include <stet/content.h>
#include <stet/portabletext.h>
#include <string.h>
#include <strings.h>

#define WHOLE_MAX 65536 /* bytes of an element or callout */

struct lines {
	struct dialect *dialect;
	const char *at; /* the line */
	char fence; /* the sign of the code that is open, or NUL */
	size_t fence_len;
	int depth; /* of callouts in each other */
};

static const char *
line_end(const char *s)
{
	s = strchrnul(s, '\n');
	return *s == '\n' ? s + 1 : s;
}

static bool
is_empty(const char *line)
{
	line += strspn(line, " \t\r");
	return *line == '\n' || *line == '\0';
}

/* The end of the lines up to an empty one. */
static const char *
chunk_end(const char *s)
{
	while (*s != '\0' && !is_empty(s))
		s = line_end(s);
	return s;
}

static void
put(const struct lines *l, const char *from, const char *to)
{
	(void)fwrite(from, 1, (size_t)(to - from), l->dialect->out);
}

static char *
copy(const struct lines *l, const char *from, const char *to)
{
	return stet_strndup(l->dialect->call, from, (size_t)(to - from));
}

/* ---- code ---- */

static bool
turn_fence(struct lines *l)
{
	const char *line = l->at + strspn(l->at, " ");
	const char sign = *line;
	const bool was_open = l->fence != '\0';
	size_t len = 0;

	if (sign == '`' || sign == '~')
		while (line[len] == sign)
			len++;
	if (!was_open && len >= 3) {
		l->fence = sign;
		l->fence_len = len;
	} else if (was_open && sign == l->fence && len >= l->fence_len && is_empty(line + len))
		l->fence = '\0';
	return was_open || l->fence != '\0';
}

/* ---- texts within blocks ---- */

static void read_lines(struct lines *);

/* The blocks of a text that stands in a block; a new reference. */
static json_t *
blocks_of(const struct lines *l, const char *text)
{
	struct stet_call *call = l->dialect->call;
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct dialect inner = *l->dialect;
	char *marked;
	size_t size;
	json_t *blocks, *lost = stet_json_own(call, json_array()), *one;
	size_t i;

	inner.out = open_memstream(&marked, &size);
	if (inner.out == NULL)
		stet_out_of_memory();
	read_lines(&(struct lines){ .dialect = &inner, .at = text, .depth = l->depth + 1 });
	(void)fclose(inner.out);
	blocks = content->blocks_foreign(call, "markdown", marked, lost);
	free(marked);
	/* Its lines are not those of the whole text. */
	json_array_foreach(lost, i, one)(void) json_object_del(one, "line");
	(void)json_array_extend(l->dialect->lost, lost);
	return blocks != NULL ? json_deep_copy(blocks) : json_array();
}

/* ---- callouts ---- */

#define CALLOUT_DEPTH 8

static const char *
lower(const struct lines *l, const char *from, const char *to)
{
	char *name = copy(l, from, to);

	for (char *p = name; *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
	return name;
}

static void
put_callout(struct lines *l, const char *kind, const char *title, const char *text)
{
	json_t *callout = json_pack("{ss ss}", "_type", "callout", "kind", kind);

	title += strspn(title, " \t[");
	if (title[strcspn(title, "]\r\n")] != '\0')
		title = copy(l, title, title + strcspn(title, "]\r\n"));
	if (*title != '\0')
		(void)json_object_set_new(callout, "title", json_string(title));
	(void)json_object_set_new(callout, "content", blocks_of(l, text));
	dialect_block(l->dialect, callout);
}

/* > [!NOTE] and the lines of the quotation. */
static bool
quoted_callout(struct lines *l)
{
	const char *s = l->at, *kind, *end, *title, *last;
	char *text, *to;

	if (*s++ != '>')
		return false;
	s += strspn(s, " ");
	kind = s + 2;
	end = strncmp(s, "[!", 2) == 0 ? kind + strspn(kind, "abcdefghijklmnopqrstuvwxyz"
							     "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
				       : kind;
	if (end == kind || *end != ']' || l->depth >= CALLOUT_DEPTH)
		return false;
	title = copy(l, end + 1, strchrnul(end, '\n'));
	s = line_end(end);
	for (last = s; *last == '>';)
		last = line_end(last);
	to = text = stet_alloc(l->dialect->call, (size_t)(last - s) + 1);
	while (s < last) {
		const char *line = s + 1 + (s[1] == ' ');

		s = line_end(s);
		memcpy(to, line, (size_t)(s - line));
		to += s - line;
	}
	*to = '\0';
	put_callout(l, lower(l, kind, end), title, text);
	l->at = last;
	return true;
}

/* :::note Title, up to ::: */
static bool
fenced_callout(struct lines *l)
{
	const char *s = l->at, *kind, *end, *text, *line;
	size_t colons = strspn(s, ":");
	int open = 1;

	kind = s + colons + strspn(s + colons, " {.");
	end =
	    kind + strspn(kind, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123456789");
	if (colons < 3 || end == kind || l->depth >= CALLOUT_DEPTH)
		return false;
	text = line_end(end);
	for (line = text; *line != '\0' && line - text < WHOLE_MAX; line = line_end(line)) {
		size_t n = strspn(line, ":");

		if (n < 3)
			continue;
		open += is_empty(line + n) ? -1 : 1;
		if (open == 0)
			break;
	}
	if (open > 0)
		return false;
	end += *end == '}';
	put_callout(l, lower(l, kind, end - (end[-1] == '}')), copy(l, end, strchrnul(end, '\n')),
	    copy(l, text, line));
	l->at = line_end(line);
	return true;
}

/* ---- formulas ---- */

static bool
formula(struct lines *l)
{
	const char *from = l->at + 2, *to;

	if (strncmp(l->at, "$$", 2) != 0 || (to = strstr(from, "$$")) == NULL || to == from ||
	    !is_empty(to + 2))
		return false;
	l->at = line_end(to);
	from += strspn(from, " \t\r\n");
	while (to > from && strchr(" \t\r\n", to[-1]) != NULL)
		to--;
	dialect_block(l->dialect,
	    json_pack("{ss so}", "_type", "math", "tex", json_stringn(from, (size_t)(to - from))));
	return true;
}

/* ---- definition lists ---- */

static bool
is_definition(const char *line)
{
	return line[0] == ':' && (line[1] == ' ' || line[1] == '\t') && !is_empty(line + 1);
}

/* Puts the definitions below a term, each with the lines that are indented below it. */
static const char *
put_definitions(FILE *out, const char *s)
{
	while (*s != '\0') {
		const bool begins = is_definition(s);
		const char *next = s;

		while (is_empty(next) && *next != '\0')
			next = line_end(next);
		if (!begins && strncmp(next, "  ", 2) != 0 && *next != '\t')
			break;
		if (begins)
			(void)fputc('\n', out);
		next = s + begins;
		next += strspn(next, " \t");
		s = line_end(s);
		(void)fwrite(next, 1, (size_t)(s - next), out);
	}
	return s;
}

/* A term with its definitions. */
static json_t *
definition(struct lines *l)
{
	const char *s = line_end(l->at);
	json_t *item =
	    json_pack("{ss so}", "_type", "definition", "term", blocks_of(l, copy(l, l->at, s)));
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out == NULL)
		stet_out_of_memory();
	s = is_empty(s) ? line_end(s) : s;
	l->at = put_definitions(out, s);
	(void)fclose(out);
	(void)json_object_set_new(item, "content", blocks_of(l, text));
	free(text);
	return item;
}

static bool
begins_definition(const struct lines *l)
{
	const char *next = line_end(l->at);

	if (is_empty(l->at) || strchr("#>-*+|`:<", *l->at) != NULL ||
	    isdigit((unsigned char)*l->at))
		return false;
	return is_definition(next) || (is_empty(next) && is_definition(line_end(next)));
}

static bool
definitions(struct lines *l)
{
	json_t *items;

	if (!begins_definition(l) || l->depth >= CALLOUT_DEPTH)
		return false;
	items = json_array();
	while (*l->at != '\0') {
		const char *next = l->at;

		while (is_empty(next) && *next != '\0')
			next = line_end(next);
		l->at = next;
		if (*next == '\0' || !begins_definition(l))
			break;
		(void)json_array_append_new(items, definition(l));
		(void)json_object_set_new(json_array_get(items, json_array_size(items) - 1), "_key",
		    json_sprintf("d%zu", json_array_size(items)));
	}
	dialect_block(l->dialect, json_pack("{ss so}", "_type", "definitionList", "items", items));
	return true;
}

/* ---- HTML ---- */

/* The end of an element that stays together, empty lines or not; NULL: it has none. */
static const char *
element_end(const struct lines *l, const char *name, size_t len)
{
	int depth = 0;

	for (const char *s = l->at; (s = strchr(s, '<')) != NULL && s - l->at < WHOLE_MAX; s++) {
		const bool closing = s[1] == '/';

		if (strncasecmp(s + 1 + closing, name, len) != 0 ||
		    isalnum((unsigned char)s[1 + closing + len]))
			continue;
		depth += closing ? -1 : 1;
		if (depth == 0)
			return line_end(s);
	}
	return NULL;
}

static bool
is_one_of(const char *names, const char *name, size_t len)
{
	for (const char *at = names; (at = strchr(at, ' ')) != NULL && *++at != '\0';)
		if (strncasecmp(at, name, len) == 0 && at[len] == ' ')
			return true;
	return false;
}

static void
put_html(struct lines *l, const char *from, const char *to)
{
	const struct stet_html_1 *html = stet_service(l->dialect->call, STET_HTML_1);
	json_t *blocks = NULL, *one;
	size_t i;

	if (html != NULL)
		blocks =
		    source_blocks(l->dialect->call, from, (size_t)(to - from), l->dialect->lost);

	/* What has no text, such as a comment, stays. */
	if (json_array_size(blocks) == 0 && strncasecmp(from, "<details", 8) != 0 &&
	    strncmp(from, "</", 2) != 0)
		dialect_block(l->dialect, json_pack("{ss so}", "_type", "htmlBlock", "html",
					      json_stringn(from, (size_t)(to - from))));
	json_array_foreach(blocks, i, one) dialect_block(l->dialect, json_incref(one));
	json_decref(blocks);
}

/* Puts lines as they stand. */
static void
put_raw(struct lines *l, const char *end)
{
	const size_t len = (size_t)(end - l->at) - (end[-1] == '\n');

	dialect_block(l->dialect,
	    json_pack("{ss so}", "_type", "htmlBlock", "html", json_stringn(l->at, len)));
	l->at = end;
}

/* A comment, unless it is one of ours. */
static bool
comment(struct lines *l)
{
	const char *end = strstr(l->at, "-->");

	if (strncmp(l->at, "<!--", 4) != 0 || strncmp(l->at, "<!--block ", 10) == 0 ||
	    strncmp(l->at, "<!--inline ", 11) == 0 || end == NULL)
		return false;
	end = line_end(end);
	put_html(l, l->at, end);
	l->at = end;
	return true;
}

/* A block of HTML: up to an empty line, or to the end of an element that is a whole. */
static bool
html_block(struct lines *l)
{
	static const char wholes[] =
	    " figure iframe table ul ol dl video audio picture object form "
	    "script style svg pre ";
	static const char blocks[] =
	    " details summary div section article aside center header footer main nav p blockquote "
	    "address fieldset h1 h2 h3 h4 h5 h6 hr embed ";
	const char *name = l->at + 1 + (l->at[1] == '/'), *end = NULL;
	size_t len = 0;
	bool component;

	if (*l->at != '<')
		return false;
	while (isalnum((unsigned char)name[len]) || (len > 0 && name[len] == '.'))
		len++;
	if (len == 0)
		return comment(l);
	component = l->dialect->components && isupper((unsigned char)*name);
	if (component || is_one_of(wholes, name, len))
		end = element_end(l, name, len);
	else if (!is_one_of(blocks, name, len))
		return false;
	end = end != NULL ? end : chunk_end(l->at);
	if (component)
		put_raw(l, end);
	else {
		put_html(l, l->at, end);
		l->at = end;
	}
	return true;
}

/* import and export at the beginning of MDX. */
static bool
statement(struct lines *l)
{
	if (!l->dialect->components ||
	    (strncmp(l->at, "import ", 7) != 0 && strncmp(l->at, "export ", 7) != 0))
		return false;
	put_raw(l, chunk_end(l->at));
	return true;
}

/* ---- all of it ---- */

static bool
shortcode(struct lines *l)
{
	size_t len = dialect_code(l->dialect, l->at, true);

	l->at += len;
	return len > 0;
}

static void
read_lines(struct lines *l)
{
	while (*l->at != '\0') {
		const char *end = line_end(l->at);

		if (turn_fence(l) || is_empty(l->at) || *l->at == '\t' ||
		    strncmp(l->at, "    ", 4) == 0) {
			put(l, l->at, end);
			l->at = end;
		} else if (!quoted_callout(l) && !fenced_callout(l) && !formula(l) &&
			   !html_block(l) && !statement(l) && !shortcode(l) && !definitions(l)) {
			dialect_line(l->dialect, l->at, (size_t)(end - l->at));
			l->at = end;
		}
	}
}

const char *
dialect_read(struct dialect *d, const char *text)
{
	char *marked;
	size_t size;
	const char *out;

	d->out = open_memstream(&marked, &size);
	if (d->out == NULL)
		stet_out_of_memory();
	read_lines(&(struct lines){ .dialect = d, .at = text });
	(void)fclose(d->out);
	out = stet_strdup(d->call, marked);
	free(marked);
	return out;
}
