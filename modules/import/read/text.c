/* text.c - texts of a source: entities, percent-encoding, times, serialized lists of PHP. */
#include "read/text.h"
#include "read/php.h"
#include <curl/curl.h>
#include <libxml/HTMLparser.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define YEAR_10000 253402300800 /* seconds since 1970 */
#define ENTITY_MAX 32 /* bytes of the name of an entity */

/* ---- entities ---- */

static size_t
put_utf8(char *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (char)(0xc0 | c >> 6);
		to[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (char)(0xe0 | c >> 12);
		to[1] = (char)(0x80 | (c >> 6 & 0x3f));
		to[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (char)(0xf0 | c >> 18);
	to[1] = (char)(0x80 | (c >> 12 & 0x3f));
	to[2] = (char)(0x80 | (c >> 6 & 0x3f));
	to[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* The character of an entity, "amp" or "#38"; 0: it is none. */
static uint32_t
character_of(const char *name)
{
	const htmlEntityDesc *known;
	unsigned long c;
	char *end;

	if (*name != '#') {
		known = htmlEntityLookup((const xmlChar *)name);
		return known != NULL ? known->value : 0;
	}
	name++;
	if (*name == 'x' || *name == 'X')
		c = strtoul(name + 1, &end, 16);
	else
		c = strtoul(name, &end, 10);
	if (*end != '\0' || (c < 0x20 && c != '\n' && c != '\t') || c > 0x10ffff ||
	    (c >= 0xd800 && c < 0xe000) || (c >= 0x7f && c < 0xa0))
		return 0;
	return (uint32_t)c;
}

/* Reads an entity at "&"; returns how many bytes it has, 0: it is none. */
static size_t
read_entity(const char *text, uint32_t *c)
{
	char name[ENTITY_MAX];
	size_t len = strcspn(text + 1, "; &<\n");

	if (len == 0 || len >= sizeof(name) || text[len + 1] != ';')
		return 0;
	memcpy(name, text + 1, len);
	name[len] = '\0';
	*c = character_of(name);
	return *c != 0 ? len + 2 : 0;
}

char *
text_decode(struct stet_call *call, const char *text)
{
	char *out = stet_strdup(call, text), *to = out;
	uint32_t c;

	/* An entity is never shorter than its character. */
	while (*text != '\0') {
		size_t len = *text == '&' ? read_entity(text, &c) : 0;

		if (len == 0) {
			*to++ = *text++;
			continue;
		}
		to += put_utf8(to, c);
		text += len;
	}
	*to = '\0';
	return out;
}

char *
text_plain(struct stet_call *call, const char *text)
{
	char *out = stet_strdup(call, text), *to = out;

	while (*text != '\0') {
		const char *end =
		    *text == '<' && (strchr("/!?", text[1]) != NULL || (text[1] | 0x20) >= 'a') &&
			    text[1] != '\0'
			? strchr(text, '>')
			: NULL;

		if (end != NULL)
			text = end + 1;
		else
			*to++ = *text++;
	}
	*to = '\0';
	return text_decode(call, out);
}

/* ---- slugs ---- */

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

const char *
text_unescape(struct stet_call *call, const char *text)
{
	char *out = stet_strdup(call, text), *to = out;

	for (const char *p = text; *p != '\0'; p++) {
		int high = *p == '%' ? digit(p[1]) : -1, low = high >= 0 ? digit(p[2]) : -1;

		if (low < 0) {
			*to++ = *p;
			continue;
		}
		*to++ = (char)(high << 4 | low);
		p += 2;
		if (to[-1] == '\0')
			return text;
	}
	*to = '\0';
	return stet_utf8_length(out) >= 0 ? out : text;
}

char *
text_cut(struct stet_call *call, const char *text, size_t characters)
{
	return stet_strndup(call, text, stet_utf8_first(text, characters));
}

/* ---- times ---- */

const char *
text_time(struct stet_call *call, const char *text)
{
	char *iso;
	int64_t ms;

	if (strlen(text) < 10 || strlen(text) > 40 || strncmp(text, "0000", 4) == 0)
		return NULL;
	iso = stet_strdup(call, text);
	if (iso[10] == ' ')
		iso[10] = 'T';
	return stet_time_parse(iso, &ms) ? stet_time_text(call, ms) : NULL;
}

const char *
text_mail_time(struct stet_call *call, const char *text)
{
	time_t seconds = strchr(text, ':') != NULL ? curl_getdate(text, NULL) : -1;

	/* -1 is also the last second of 1969, which no site has published anything in. */
	return seconds != -1 && seconds < YEAR_10000 ? stet_time_text(call, (int64_t)seconds * 1000)
						     : NULL;
}

/* ---- serialized PHP ---- */

/* Appends the value if it is a text, or with `numbers` a number. */
static void
take_simple(json_t *out, const json_t *v, bool numbers)
{
	if (numbers ? json_is_integer(v) : json_is_string(v))
		(void)json_array_append(out, (json_t *)(uintptr_t)v);
}

json_t *
text_serialized(struct stet_call *call, const char *text, bool numbers)
{
	json_t *out = stet_json_own(call, json_array()), *member;
	const json_t *read =
	    php_is(text) ? stet_json_own(call, php_read(text, strlen(text))) : NULL;
	const char *key;

	for (size_t i = 0; i < json_array_size(read); i++)
		take_simple(out, json_array_get(read, i), numbers);
	json_object_foreach((json_t *)(uintptr_t)read, key, member)
	    take_simple(out, member, numbers);
	return out;
}

const char *
text_member(struct stet_call *call, const json_t *object, const char *member)
{
	const json_t *v = json_object_get(object, member);

	if (json_is_string(v))
		return json_string_value(v);
	if (json_is_integer(v))
		return stet_printf(call, "%lld", (long long)json_integer_value(v));
	return "";
}

/* ---- names of files ---- */

const char *
text_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

bool
text_begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}
