/* shown.c - counts what Portable Text shows. Both sides of a comparison are counted by it: what the
 * source has and what is stored, or what was to be stored and what the database holds. */
#include "item/shown.h"
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 100 /* levels of blocks that are counted */

int64_t
shown_characters(const char *text, bool html)
{
	int64_t count = 0;
	bool tag = false;

	for (const char *c = text; *c != '\0'; c++) {
		tag = html && (*c == '<' || (tag && *c != '>'));
		count += !tag && !(html && *c == '>') && strchr(" \t\r\n", *c) == NULL &&
			 ((unsigned char)*c & 0xc0) != 0x80;
	}
	return count;
}

/* What the member of this name is in Portable Text. */
enum part { PART_OTHER, PART_TYPE, PART_HREF, PART_LINK, PART_TEXT, PART_HTML };

static enum part
part_of(const char *name, size_t len)
{
	static const struct {
		const char *name;
		enum part part;
	} parts[] = { { "text", PART_TEXT }, { "_type", PART_TYPE }, { "href", PART_HREF },
		{ "link", PART_LINK }, { "caption", PART_TEXT }, { "citation", PART_TEXT },
		{ "code", PART_TEXT }, { "tex", PART_TEXT }, { "html", PART_HTML } };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strncmp(parts[i].name, name, len) == 0 && parts[i].name[len] == '\0')
			return parts[i].part;
	return PART_OTHER;
}

static void
count_type(struct stet_html_counts *counts, const char *type, size_t len)
{
	static const char *const players[] = { "embed", "video", "audio" };

	if (len != 5)
		return;
	counts->pictures += memcmp(type, "image", 5) == 0;
	for (size_t i = 0; i < sizeof(players) / sizeof(players[0]); i++)
		counts->players += memcmp(type, players[i], 5) == 0;
}

static void
count_text(struct stet_html_counts *counts, const char *name, const char *text)
{
	enum part part = part_of(name, strlen(name));

	if (part == PART_HREF || (part == PART_LINK && *text != '\0'))
		counts->links++;
	else if (part == PART_TYPE)
		count_type(counts, text, strlen(text));
	else if (part == PART_TEXT || part == PART_HTML)
		counts->characters += shown_characters(text, part == PART_HTML);
}

static void
count_part(struct stet_html_counts *counts, const char *name, const json_t *part, int depth)
{
	const char *member;
	json_t *one;
	size_t i;

	if (json_is_string(part))
		count_text(counts, name, json_string_value(part));
	if (depth == DEPTH_MAX)
		return;
	json_array_foreach((json_t *)(uintptr_t)part, i, one)
	    count_part(counts, name, one, depth + 1);
	json_object_foreach((json_t *)(uintptr_t)part, member, one)
	    count_part(counts, member, one, depth + 1);
}

void
shown_add(struct stet_html_counts *counts, const json_t *value)
{
	count_part(counts, json_is_string(value) ? "text" : "", value, 0);
}

/* ---- JSON text ---- */

/* A container that is open: the name of the member that comes in it; an array has that of its own.
 */
struct open {
	enum part part;
	bool object, key; /* key: a name comes next */
};

/* Returns the end of a string that begins at `text`, behind its quote. */
static const char *
string_end(const char *text)
{
	while (*(text += strcspn(text, "\"\\")) == '\\')
		text += text[1] != '\0' ? 2 : 1;
	return text;
}

/* Reads a character of a string: its code, or 'x' for one beyond ASCII; 0: the rest of one. */
static int
character(const char **text)
{
	static const char plain[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
	unsigned char c = (unsigned char)*(*text)++;
	const char *at;
	unsigned code;

	if (c != '\\')
		return c < 0x80 ? c : (c & 0xc0) == 0x80 ? 0 : 'x';
	c = (unsigned char)*(*text)++;
	if (c != 'u')
		return (at = strchr(plain, c)) != NULL ? means[at - plain] : 'x';
	code = (unsigned)strtoul(
	    (char[]){ (*text)[0], (*text)[1], (*text)[2], (*text)[3], '\0' }, NULL, 16);
	*text += 4;
	return code < 0x80 ? (int)code : code >= 0xdc00 && code < 0xe000 ? 0 : 'x';
}

/* shown_characters of a string of JSON. */
static int64_t
characters_in(const char *text, const char *end, bool html)
{
	int64_t count = 0;
	bool tag = false;

	while (text < end) {
		int c = character(&text);

		tag = html && (c == '<' || (tag && c != '>'));
		count += !tag && c != 0 && !(html && c == '>') &&
			 !(c == ' ' || c == '\t' || c == '\r' || c == '\n');
	}
	return count;
}

static void
count_string(struct stet_html_counts *counts, enum part part, const char *text, const char *end)
{
	if (part == PART_HREF || (part == PART_LINK && end > text))
		counts->links++;
	else if (part == PART_TYPE)
		count_type(counts, text, (size_t)(end - text));
	else if (part == PART_TEXT || part == PART_HTML)
		counts->characters += characters_in(text, end, part == PART_HTML);
}

/* Takes a string of a container that is open: a name, or a value. */
static void
take_string(struct stet_html_counts *counts, struct open *in, const char *text, const char *end)
{
	if (in->object && in->key)
		in->part = part_of(text, (size_t)(end - text));
	else
		count_string(counts, in->part, text, end);
}

void
shown_add_json(struct stet_html_counts *counts, const char *text)
{
	/* A value that is a string alone counts by its characters. */
	struct open open[DEPTH_MAX + 1] = { { PART_TEXT, false, false } };
	int level = 0;

	for (text += strcspn(text, "{}[],:\""); *text != '\0';
	     text += 1 + strcspn(text + 1, "{}[],:\"")) {
		struct open *in = &open[level <= DEPTH_MAX ? level : DEPTH_MAX];
		const char *end;

		switch (*text) {
		case '{':
		case '[':
			if (++level <= DEPTH_MAX)
				open[level] = (struct open){ *text == '[' && level > 1 ? in->part
										       : PART_OTHER,
					*text == '{', *text == '{' };
			break;
		case '}':
		case ']':
			level -= level > 0;
			break;
		case '"':
			end = string_end(text + 1);
			if (level <= DEPTH_MAX)
				take_string(counts, in, text + 1, end);
			text = *end != '\0' ? end : end - 1;
			break;
		default: /* a name follows a comma, a value a colon */
			if (level <= DEPTH_MAX)
				in->key = *text == ',';
		}
	}
}
