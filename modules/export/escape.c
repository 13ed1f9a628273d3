/* escape.c - texts, times, lists and addresses in the form that an export has. */
#include "export.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

char *
export_id(struct stet_call *call, int64_t number)
{
	return stet_printf(call, "%lld", (long long)number);
}

/* Escapes & and, with `tags`, < and >. Blanks at both ends become character references, since a
 * reader trims them. */
static char *
escape(struct stet_call *call, const char *text, bool tags)
{
	size_t len = strlen(text), first = strspn(text, " \t\n"), last = len, at = 0;
	char *out = stet_alloc(call, 6 * len + 1);

	while (last > first && strchr(" \t\n", text[last - 1]) != NULL)
		last--;
	for (size_t i = 0; i < len; i++) {
		const char *as = text[i] == '&'           ? "&amp;"
				 : tags && text[i] == '<' ? "&lt;"
				 : tags && text[i] == '>' ? "&gt;"
							  : NULL;

		if (as != NULL)
			at += (size_t)snprintf(out + at, 6, "%s", as);
		else if (i < first || i >= last)
			at += (size_t)snprintf(out + at, 7, "&#%d;", text[i]);
		else
			out[at++] = text[i];
	}
	out[at] = '\0';
	return out;
}

char *
escape_entities(struct stet_call *call, const char *text)
{
	return escape(call, text, false);
}

char *
escape_plain(struct stet_call *call, const char *text)
{
	return escape(call, text, true);
}

const char *
export_text(const json_t *object, const char *member)
{
	const char *text = json_string_value(json_object_get(object, member));

	return text != NULL ? text : "";
}

/* ---- times ---- */

/* Returns false if the text is not a time. */
static bool
time_of(const char *iso, struct tm *tm)
{
	int64_t ms;
	time_t seconds;

	if (iso == NULL || !stet_time_parse(iso, &ms))
		return false;
	seconds = (time_t)(ms >= 0 ? ms / 1000 : -((999 - ms) / 1000));
	return gmtime_r(&seconds, tm) != NULL;
}

const char *
export_time(struct stet_call *call, const char *iso)
{
	char text[64];
	struct tm tm;

	if (!time_of(iso, &tm) || strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &tm) == 0)
		return "";
	return stet_strdup(call, text);
}

const char *
export_mail_time(struct stet_call *call, const char *iso)
{
	char text[64];
	struct tm tm;

	if (!time_of(iso, &tm) ||
	    strftime(text, sizeof(text), "%a, %d %b %Y %H:%M:%S +0000", &tm) == 0)
		return "";
	return stet_strdup(call, text);
}

/* ---- lists, addresses, meta ---- */

/* Returns true for U+FFFE and U+FFFF. */
static bool
is_odd(const char *s)
{
	return s[0] == '\xef' && s[1] == '\xbf' && (s[2] == '\xbe' || s[2] == '\xbf');
}

bool
export_keeps(const char *text)
{
	for (; *text != '\0'; text++)
		if (((unsigned char)*text < 0x20 && *text != '\n' && *text != '\t') || is_odd(text))
			return false;
	return true;
}

const char *
export_json(struct stet_call *call, const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY), *out, *to;

	if (text == NULL)
		return "";
	out = to = stet_alloc(call, 2 * strlen(text) + 1);
	for (const char *s = text; *s != '\0';) {
		if (!is_odd(s)) {
			*to++ = *s++;
			continue;
		}
		memcpy(to, s[2] == '\xbe' ? "\\ufffe" : "\\uffff", 6);
		to += 6;
		s += 3;
	}
	*to = '\0';
	free(text);
	return out;
}

char *
export_list(struct stet_call *call, const json_t *texts)
{
	size_t count = json_array_size(texts), room = 32, len;
	char *out;

	for (size_t i = 0; i < count; i++)
		room += 64 + json_string_length(json_array_get(texts, i));
	out = stet_alloc(call, room);
	len = (size_t)snprintf(out, room, "a:%zu:{", count);
	for (size_t i = 0; i < count; i++) {
		const json_t *text = json_array_get(texts, i);

		len += (size_t)snprintf(out + len, room - len, "i:%zu;s:%zu:\"%s\";", i,
		    json_string_length(text), json_string_value(text));
	}
	(void)snprintf(out + len, room - len, "}");
	return out;
}

const char *
export_address(struct stet_call *call, const struct export *x, const char *url)
{
	if (url[0] != '/' || url[1] == '/')
		return url;
	return stet_printf(call, "%s%s", x->base, url);
}

void
export_meta(struct export *x, const char *key, const char *value)
{
	xml_open(x->xml, "wp:postmeta");
	xml_cdata(x->xml, "wp:meta_key", key);
	xml_cdata(x->xml, "wp:meta_value", value);
	xml_close(x->xml);
}
