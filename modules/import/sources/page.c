/*
 * page.c - finds parts of HTML documents. It reads tags alone, in one pass, and forgives all that
 * is not well-formed: an element that is never closed reaches to the end of the document.
 */
#include "sources/page.h"
#include "read/text.h"
#include "sources/markup.h"
#include <string.h>
#include <strings.h>

#define BLANKS " \t\r\n\f"

/* An attribute in a tag. */
struct attribute {
	const char *name, *value; /* value: NULL if it has none */
	size_t name_len, value_len;
	const char *end; /* behind it, with its quote */
};

static bool
is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool
page_is(const struct page_tag *tag, const char *name)
{
	return tag->name_len == strlen(name) && strncasecmp(tag->name, name, tag->name_len) == 0;
}

/* ---- tags ---- */

/* Returns the end of a tag, behind ">". Quotes may contain one. */
static const char *
tag_end(const char *at)
{
	char quote = '\0';

	for (; *at != '\0'; at++) {
		if (quote != '\0')
			quote = *at == quote ? '\0' : quote;
		else if ((*at == '"' || *at == '\'') && at[-1] == '=')
			quote = *at;
		else if (*at == '>')
			return at + 1;
	}
	return at;
}

/* Returns where the text of a script or a style ends; other elements have tags in them. */
static const char *
behind_raw(const struct page_tag *tag)
{
	static const char *const raw[][2] = { { "script", "</script" }, { "style", "</style" } };

	for (size_t i = 0; !tag->closes && i < sizeof(raw) / sizeof(raw[0]); i++)
		if (page_is(tag, raw[i][0])) {
			const char *end = strcasestr(tag->end, raw[i][1]);

			return end != NULL ? end : tag->end + strlen(tag->end);
		}
	return tag->end;
}

static const char *
behind_comment(const char *at)
{
	const char *end = strncmp(at, "<!--", 4) == 0 ? strstr(at + 4, "-->") : NULL;

	return end != NULL ? end + 3 : at + 1;
}

bool
page_next(const char *html, struct page_tag *tag)
{
	const char *at = tag->end == NULL ? html : behind_raw(tag);

	while ((at = strchr(at, '<')) != NULL) {
		bool closes = at[1] == '/';
		const char *name = at + 1 + closes;

		if (is_letter(*name)) {
			*tag = (struct page_tag){ .begin = at,
				.end = tag_end(name),
				.name = name,
				.name_len = strcspn(name, BLANKS "/>"),
				.closes = closes };
			return true;
		}
		at = behind_comment(at);
	}
	return false;
}

/* ---- attributes ---- */

/* Reads the next attribute of a tag; `at`: behind the name of the tag, or the one before. */
static bool
attribute_next(const struct page_tag *tag, const char *at, struct attribute *a)
{
	const char *value;

	at += strspn(at, BLANKS "/");
	if (at >= tag->end || *at == '>' || *at == '\0')
		return false;
	*a = (struct attribute){ .name = at, .name_len = strcspn(at, BLANKS "=/>") };
	a->name_len += a->name_len == 0;
	a->end = at + a->name_len;
	value = a->end + strspn(a->end, BLANKS);
	if (*value != '=')
		return a->end < tag->end;
	value += 1 + strspn(value + 1, BLANKS);
	if (*value == '"' || *value == '\'') {
		const char *end = strchr(value + 1, *value);

		if (end == NULL || end >= tag->end)
			return false;
		a->value = value + 1;
		a->value_len = (size_t)(end - a->value);
		a->end = end + 1;
		return true;
	}
	a->value = value;
	a->value_len = strcspn(value, BLANKS ">");
	a->end = value + a->value_len;
	return a->end < tag->end;
}

static bool
attribute_find(const struct page_tag *tag, const char *name, struct attribute *a)
{
	const char *at = tag->name + tag->name_len;

	for (; attribute_next(tag, at, a); at = a->end)
		if (a->name_len == strlen(name) && strncasecmp(a->name, name, a->name_len) == 0)
			return a->value != NULL;
	return false;
}

const char *
page_attribute(struct stet_call *call, const struct page_tag *tag, const char *attribute)
{
	struct attribute a;

	return attribute_find(tag, attribute, &a)
		   ? text_decode(call, stet_strndup(call, a.value, a.value_len))
		   : NULL;
}

/* ---- elements ---- */

static bool
has_word(const struct page_tag *tag, const char *attribute, const char *word)
{
	struct attribute a;
	size_t len = strlen(word);

	if (tag->closes || !attribute_find(tag, attribute, &a))
		return false;
	for (const char *at = a.value, *end = at + a.value_len; at < end;) {
		size_t n = strcspn(at, BLANKS "\"'");

		if (n == len && at + n <= end && strncmp(at, word, len) == 0)
			return true;
		at += n + 1;
	}
	return false;
}

const char *
page_end(const struct page_tag *start)
{
	struct page_tag tag = *start;
	int depth = 1;

	while (page_next(start->end, &tag)) {
		if (tag.name_len != start->name_len ||
		    strncasecmp(tag.name, start->name, tag.name_len) != 0)
			continue;
		depth += tag.closes ? -1 : 1;
		if (depth == 0)
			return tag.begin;
	}
	return start->end + strlen(start->end);
}

const char *
page_inside(struct stet_call *call, const struct page_tag *start)
{
	return stet_strndup(call, start->end, (size_t)(page_end(start) - start->end));
}

bool
page_find(struct stet_call *call, const char *html, const char *attribute, const char *word,
    struct page_tag *tag, const char **inner)
{
	*tag = (struct page_tag){ .end = NULL };
	while (page_next(html, tag))
		if (has_word(tag, attribute, word)) {
			*inner = page_inside(call, tag);
			return true;
		}
	return false;
}

const char *
page_inner(struct stet_call *call, const char *html, const char *attribute, const char *word)
{
	struct page_tag tag;
	const char *inner;

	return page_find(call, html, attribute, word, &tag, &inner) ? inner : "";
}

/* ---- addresses ---- */

const char *
page_rewrite(struct stet_call *call, const char *html, page_address_fn *fn, void *arg)
{
	struct page_tag tag = { .end = NULL };
	struct attribute a;
	const char *done = html, *url;
	char *text;
	size_t len;
	FILE *out = markup_begin(&text, &len);

	while (page_next(html, &tag)) {
		const char *name = page_is(&tag, "img") ? "src"
				   : page_is(&tag, "a") ? "href"
							: NULL;

		if (tag.closes || name == NULL || !attribute_find(&tag, name, &a))
			continue;
		url = fn(arg, &tag, text_decode(call, stet_strndup(call, a.value, a.value_len)));
		if (url == NULL)
			continue;
		(void)fwrite(done, 1, (size_t)(a.value - done), out);
		if (a.value[-1] != '"' && a.value[-1] != '\'')
			(void)fprintf(out, "\"");
		markup_text(out, url);
		if (a.value[-1] != '"' && a.value[-1] != '\'')
			(void)fprintf(out, "\"");
		done = a.value + a.value_len;
	}
	(void)fputs(done, out);
	return markup_end(call, out, &text);
}
