/* put.c - writes characters, attributes and comments of markup. */
#include "markup/part.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ---- */

#define CONTROLS                                                                       \
	"\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15" \
	"\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"

/* Returns 0xfffe or 0xffff for these characters, which XML does not have; 0 for others. */
static unsigned
odd_character(const char *s)
{
	if (s[1] != '\xbf' || (s[2] != '\xbe' && s[2] != '\xbf'))
		return 0;
	return s[2] == '\xbe' ? 0xfffe : 0xffff;
}

static size_t
put_special(struct text *out, const char *s)
{
	unsigned c = *s == '\xef' ? odd_character(s) : (unsigned char)*s;
	char reference[16];

	if (c == 0) {
		text_add(out, s, 1);
		return 1;
	}
	if (c == '&')
		text_str(out, "&amp;");
	else if (c == '<')
		text_str(out, "&lt;");
	else if (c == '>')
		text_str(out, "&gt;");
	else if (c == '"')
		text_str(out, "&quot;");
	else {
		(void)snprintf(reference, sizeof(reference), "&#%u;", c);
		text_str(out, reference);
	}
	return c > 0xff ? 3 : 1;
}

void
mk_text(struct text *out, const char *s)
{
	while (*s != '\0') {
		size_t plain = strcspn(s, "&<>\"\xef" CONTROLS);

		text_add(out, s, plain);
		s += plain;
		if (*s != '\0')
			s += put_special(out, s);
	}
}

void
mk_attribute(struct text *out, const char *name, const char *value)
{
	text_str(out, " ");
	text_str(out, name);
	text_str(out, "=\"");
	mk_text(out, value);
	text_str(out, "\"");
}

/* ---- comments ---- */

/* Writes the next bytes, as \uXXXX if they could end the comment, as WordPress does. Returns their
 * number. */
static size_t
put_json(struct text *out, const char *s)
{
	static const char *const numbers[][2] = { { "--", "\\u002d\\u002d" }, { "<", "\\u003c" },
		{ ">", "\\u003e" }, { "&", "\\u0026" }, { "\\\"", "\\u0022" },
		{ "\xef\xbf\xbe", "\\ufffe" }, { "\xef\xbf\xbf", "\\uffff" } };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		size_t len = strlen(numbers[i][0]);

		if (strncmp(s, numbers[i][0], len) != 0)
			continue;
		text_str(out, numbers[i][1]);
		return len;
	}
	/* Keep a backslash and the character after it together. */
	text_add(out, s, *s == '\\' ? 2 : 1);
	return *s == '\\' ? 2 : 1;
}

static void
put_attributes(struct text *out, const json_t *attributes)
{
	char *text = json_dumps(attributes, JSON_COMPACT);
	const char *s = text;

	if (text == NULL)
		return;
	text_str(out, " ");
	while (*s != '\0') {
		size_t plain = strcspn(s, "-<>&\\\xef");

		text_add(out, s, plain);
		s += plain;
		if (*s != '\0')
			s += put_json(out, s);
	}
	free(text);
}

void
mk_open(struct text *out, const char *name, json_t *attributes)
{
	text_str(out, "<!-- wp:");
	text_str(out, name);
	if (json_object_size(attributes) > 0)
		put_attributes(out, attributes);
	text_str(out, " -->");
	json_decref(attributes);
}

void
mk_close(struct text *out, const char *name)
{
	text_str(out, "<!-- /wp:");
	text_str(out, name);
	text_str(out, " -->");
}

/* ---- files and links ---- */

const char *
mk_address(const struct mk *m, const char *url, struct text *buffer)
{
	if (m->rules == NULL || m->rules->base == NULL || url[0] != '/' || url[1] == '/')
		return url;
	buffer->len = 0;
	text_str(buffer, m->rules->base);
	text_str(buffer, url);
	return buffer->s;
}

int64_t
mk_number(const struct mk *m, const json_t *asset)
{
	const char *id = member_text(asset, "_ref");
	size_t len = strlen(id);

	if (len > 0 && len < 19 && strspn(id, "0123456789") == len && *id != '0')
		return strtoll(id, NULL, 10);
	if (len == 0 || m->rules == NULL || m->rules->number == NULL)
		return 0;
	return m->rules->number(m->rules->arg, id);
}

void
mk_linked(struct text *out, const char *text, const json_t *links)
{
	const json_t *link;
	size_t i;

	if (json_array_size(links) == 0)
		mk_text(out, text);
	json_array_foreach(links, i, link)
	{
		text_str(out, "<a");
		mk_attribute(out, "href", member_text(link, "href"));
		text_str(out, ">");
		mk_text(out, i == 0 ? text : "");
		text_str(out, "</a>");
	}
}

void
mk_caption(struct mk *m, const json_t *block, const char *classes)
{
	const char *caption = member_text(block, "caption");

	if (*caption == '\0')
		return;
	text_str(m->out, "<figcaption");
	mk_attribute(m->out, "class", classes);
	text_str(m->out, ">");
	mk_linked(m->out, caption, json_object_get(block, "links"));
	text_str(m->out, "</figcaption>");
}
