/* urls.c - replaces addresses of a source in texts and values by those of the copied files. */
#include "files/urls.h"
#include "plan/given.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define URL_MAX 2048 /* bytes; longer ones are no addresses */
#define ENDS_MAX 8 /* places in one word where an address may end */

/* ---- one address ---- */

static const char *
value_of(const struct urls *u, const char *url, size_t len)
{
	return json_string_value(json_object_getn(u->map, url, len));
}

static const char *
with_scheme(const struct urls *u, const char *scheme, const char *rest, size_t len)
{
	char text[URL_MAX + 16];
	int n = snprintf(text, sizeof(text), "%s%.*s", scheme, (int)len, rest);

	return n > 0 && (size_t)n < sizeof(text) ? value_of(u, text, (size_t)n) : NULL;
}

static int
hex(char c)
{
	return isdigit((unsigned char)c)    ? c - '0'
	       : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
					    : -1;
}

/* Appends text to `out`, which holds `n` bytes, with escaped bytes that are not ASCII decoded. */
static size_t
decoded(const char *text, size_t len, char *out, size_t n)
{
	for (size_t i = 0; i < len; i++) {
		int high = len - i > 2 && text[i] == '%' ? hex(text[i + 1]) : -1;
		int low = high >= 8 ? hex(text[i + 2]) : -1;

		out[n++] = low >= 0 ? (char)(high << 4 | low) : text[i];
		i += low >= 0 ? 2 : 0;
	}
	return n;
}

/* The length of "https://", "http://" or "//" at the beginning; 0: there is none. */
static size_t
scheme_length(const char *url, size_t len)
{
	if (len > 8 && strncasecmp(url, "https://", 8) == 0)
		return 8;
	if (len > 7 && strncasecmp(url, "http://", 7) == 0)
		return 7;
	return len > 2 && strncmp(url, "//", 2) == 0 ? 2 : 0;
}

size_t
urls_plain(const char *url, size_t len, char out[URLS_PLAIN])
{
	size_t scheme = scheme_length(url, len);
	size_t n = 8, host;

	if (len > URL_MAX || (scheme == 0 && (len == 0 || *url != '/')))
		return 0;
	if (scheme == 0)
		return decoded(url, len, out, 0);
	memcpy(out, "https://", 8);
	url += scheme;
	len -= scheme;
	if (len > 4 && strncasecmp(url, "www.", 4) == 0) {
		url += 4;
		len -= 4;
	}
	for (host = 0; host < len && strchr("/?#", url[host]) == NULL; host++)
		out[n++] = (char)tolower((unsigned char)url[host]);
	return decoded(url + host, len - host, out, n);
}

static const char *
look_up_plain(const struct urls *u, const char *url, size_t len)
{
	char plain[URLS_PLAIN];
	size_t n;

	/* The page that holds the text may be at any depth: "../" goes up to the root. */
	while (len > 3 && strncmp(url, "../", 3) == 0) {
		url += 3;
		len -= 3;
		if (len <= 3 || strncmp(url, "../", 3) != 0) {
			url--;
			len++;
		}
	}
	n = urls_plain(url, len, plain);
	return n > 0 ? value_of(u, plain, n) : NULL;
}

/* Looks an address up: as it is, with http and https swapped, "//host/" with either scheme, and in
 * the form of urls_plain. */
static const char *
look_up(const struct urls *u, const char *url, size_t len)
{
	const char *found = value_of(u, url, len);

	if (found != NULL)
		return found;
	if (len > 7 && strncasecmp(url, "http://", 7) == 0)
		found = with_scheme(u, "https://", url + 7, len - 7);
	else if (len > 8 && strncasecmp(url, "https://", 8) == 0)
		found = with_scheme(u, "http://", url + 8, len - 8);
	else if (len > 2 && url[0] == '/' && url[1] == '/') {
		found = with_scheme(u, "https:", url, len);
		found = found != NULL ? found : with_scheme(u, "http:", url, len);
	}
	return found != NULL ? found : look_up_plain(u, url, len);
}

/* Returns where "-300x200" before the extension begins; NULL: there is none. */
static const char *
size_suffix(const char *url, const char *dot)
{
	const char *at = dot;

	while (at > url && isdigit((unsigned char)at[-1]))
		at--;
	if (at == dot || at == url || at[-1] != 'x')
		return NULL;
	for (dot = --at; at > url && isdigit((unsigned char)at[-1]);)
		at--;
	return at < dot && at > url && at[-1] == '-' ? at - 1 : NULL;
}

/* Looks up the original of a smaller copy of a picture. */
static const char *
look_up_sized(const struct urls *u, const char *url, size_t len)
{
	const char *dot = memrchr(url, '.', len), *cut;
	char text[URL_MAX + 16];
	const char *found;
	int n;

	if (dot == NULL || len > URL_MAX || (cut = size_suffix(url, dot)) == NULL)
		return NULL;
	n = snprintf(text, sizeof(text), "%.*s%.*s", (int)(cut - url), url,
	    (int)(len - (size_t)(dot - url)), dot);
	if ((found = look_up(u, text, (size_t)n)) != NULL)
		return found;
	n = snprintf(text, sizeof(text), "%.*s-scaled%.*s", (int)(cut - url), url,
	    (int)(len - (size_t)(dot - url)), dot);
	return look_up(u, text, (size_t)n);
}

/* Looks up an address of this length, also without its query or fragment. *used: the length that
 * the new address replaces, which includes the query, not the fragment. */
static const char *
match_to(const struct urls *u, const char *url, size_t len, size_t *used)
{
	const char *query = memchr(url, '?', len), *found = look_up(u, url, len);
	size_t path;

	*used = len;
	if (found != NULL)
		return found;
	if (query == NULL && (query = memchr(url, '#', len)) != NULL)
		*used = (size_t)(query - url);
	path = query != NULL ? (size_t)(query - url) : len;
	if (path < len && (found = look_up(u, url, path)) != NULL)
		return found;
	return look_up_sized(u, url, path);
}

/* Returns the path "/" for the beginning of an address that no site has: its file is not here, and
 * what follows is its path in the source. NULL: it is another address. */
static const char *
match_bare(const struct urls *u, const char *url, size_t len, size_t *used)
{
	size_t host = strlen(GIVEN_FILE) - 1;

	if (!u->bare || len < host || strncmp(url, GIVEN_FILE, host) != 0 ||
	    (len > host && strchr("/?#", url[host]) == NULL))
		return NULL;
	*used = host + (len > host && url[host] == '/');
	/* Two slashes would be the address of a host. */
	while (*used < len && url[*used] == '/')
		++*used;
	return "/";
}

/* ---- addresses in a text ---- */

static bool
ends_word(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f || strchr("\"'`<>()[]{}|\\", c) != NULL;
}

/* Does an address begin at this place of a text? */
static bool
begins(const char *text, size_t at, size_t len)
{
	bool scheme = len - at > 7 && strncasecmp(text + at, "http", 4) == 0;

	if (at > 0 && !ends_word(text[at - 1]) &&
	    strchr(scheme ? "=,;:" : "=,;", text[at - 1]) == NULL)
		return false;
	return scheme || text[at] == '/' || (len - at > 3 && strncmp(text + at, "../", 3) == 0);
}

/* Does another address begin after this comma or semicolon? */
static bool
parts(const char *text, size_t at, size_t len)
{
	return (text[at] == ',' || text[at] == ';') && at + 2 < len &&
	       (strncasecmp(text + at + 1, "http", len - at - 1 < 4 ? len - at - 1 : 4) == 0 ||
		   (text[at + 1] == '/' && text[at + 2] == '/'));
}

/* Returns the length of the word from here to a blank, a quote or the like. */
static size_t
word_length(const char *text, size_t len)
{
	size_t n = 0;

	while (n < len && !ends_word(text[n]) && !parts(text, n, len))
		n++;
	return n;
}

/* Returns the end of the word without the marks of punctuation there. */
static size_t
trimmed(const char *word, size_t end, const char *marks)
{
	while (end > 0 && strchr(marks, word[end - 1]) != NULL)
		end--;
	return end;
}

/* Looks up the address that a word begins with: first the whole word, then shorter beginnings that
 * end before punctuation. A full stop is punctuation only at the end of the word. */
static const char *
match(const struct urls *u, const char *word, size_t len, size_t *used)
{
	const char *found = len <= URL_MAX ? match_to(u, word, len, used) : NULL;
	size_t end = trimmed(word, len, ",;:!?.");

	for (int i = 0; found == NULL && end > 0 && i < ENDS_MAX; i++) {
		if (end < len && end <= URL_MAX)
			found = match_to(u, word, end, used);
		while (end > 0 && strchr(",;:!?", word[end - 1]) == NULL)
			end--;
		end = trimmed(word, end, ",;:!?");
	}
	return found;
}

char *
urls_text(struct stet_call *call, struct urls *u, const char *text, size_t len)
{
	const char *found = len <= URL_MAX ? value_of(u, text, len) : NULL;
	char *out = NULL, *copy;
	size_t out_len = 0, done = 0, used;
	FILE *to = NULL; /* opened at the first address: most texts have none */

	if (found != NULL) {
		u->replaced++;
		return stet_strdup(call, found);
	}
	for (size_t at = 0; at < len;) {
		size_t word;

		if (!begins(text, at, len)) {
			at++;
			continue;
		}
		word = word_length(text + at, len - at);
		if ((found = match(u, text + at, word, &used)) == NULL)
			found = match_bare(u, text + at, word, &used);
		if (found == NULL) {
			at += word > 0 ? word : 1;
			continue;
		}
		if (to == NULL && (to = open_memstream(&out, &out_len)) == NULL)
			stet_out_of_memory();
		(void)fwrite(text + done, 1, at - done, to);
		(void)fputs(found, to);
		u->replaced++;
		done = at += used;
	}
	if (to == NULL)
		return NULL;
	(void)fwrite(text + done, 1, len - done, to);
	if (fclose(to) != 0)
		stet_out_of_memory();
	copy = stet_strndup(call, out, out_len);
	free(out);
	return copy;
}

/* ---- values ---- */

static json_t *
text_value(struct stet_call *call, struct urls *u, const json_t *value)
{
	char *text = urls_text(call, u, json_string_value(value), json_string_length(value));

	return text != NULL ? json_string(text) : NULL;
}

/* Returns the media item that has this new address, or NULL. */
static const char *
item_of(const struct urls *u, const json_t *url)
{
	return json_string_value(
	    json_object_getn(u->items, json_string_value(url), json_string_length(url)));
}

static bool
is_external(const json_t *object)
{
	const char *provider = json_string_value(json_object_get(object, "provider"));

	return provider != NULL && strcmp(provider, "external") == 0;
}

/* Makes an external file an item of the library, which knows the properties of the file. */
static void
become_local(json_t *object, const char *id)
{
	static const char *const gone[] = { "src", "url", "provider", "previewUrl", "filename",
		"mimeType", "width", "height", "size", "blurhash", "dominantColor", "meta" };

	for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++)
		(void)json_object_del(object, gone[i]);
	(void)json_object_set_new(object, "id", json_string(id));
}

/* Lets an object whose addresses were replaced refer to the media item. */
static void
settle(const struct urls *u, const json_t *was, json_t *object)
{
	const json_t *url = json_object_get(object, "src");
	const char *id;

	if (!json_is_string(url))
		url = json_object_get(object, "url");
	if (url == NULL || (id = item_of(u, url)) == NULL)
		return;
	if (is_external(was))
		become_local(object, id);
	else if (json_object_get(object, "_ref") != NULL)
		(void)json_object_set_new(object, "_ref", json_string(id));
}

static json_t *
object_value(struct stet_call *call, struct urls *u, const json_t *value)
{
	json_t *mutable = (json_t *)(uintptr_t)value, *out = NULL, *member;
	const char *name;

	json_object_foreach(mutable, name, member)
	{
		json_t *changed;

		if (strcmp(name, "_key") == 0 || strcmp(name, "_type") == 0 ||
		    (changed = urls_value(call, u, member)) == NULL)
			continue;
		if (out == NULL)
			out = json_copy(mutable);
		(void)json_object_set_new(out, name, changed);
	}
	if (out != NULL)
		settle(u, value, out);
	return out;
}

static json_t *
array_value(struct stet_call *call, struct urls *u, const json_t *value)
{
	json_t *out = NULL;

	for (size_t i = 0; i < json_array_size(value); i++) {
		json_t *changed = urls_value(call, u, json_array_get(value, i));

		if (changed == NULL)
			continue;
		if (out == NULL)
			out = json_copy((json_t *)(uintptr_t)value);
		(void)json_array_set_new(out, i, changed);
	}
	return out;
}

json_t *
urls_value(struct stet_call *call, struct urls *u, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_STRING:
		return text_value(call, u, value);
	case JSON_OBJECT:
		return object_value(call, u, value);
	case JSON_ARRAY:
		return array_value(call, u, value);
	default:
		return NULL;
	}
}

/* ---- the map ---- */

static bool
is_address(const char *url)
{
	if (strlen(url) > URL_MAX)
		return false;
	for (const char *c = url; *c != '\0'; c++)
		if (ends_word(*c) && strchr("()", *c) == NULL)
			return false;
	return (url[0] == '/' && url[1] != '/' && url[1] != '\0') ||
	       strncasecmp(url, "http://", 7) == 0 || strncasecmp(url, "https://", 8) == 0;
}

enum stet_status
urls_check(struct stet_call *call, const char *path, const json_t *map)
{
	json_t *mutable = (json_t *)(uintptr_t)map, *to;
	const char *from;

	json_object_foreach(mutable, from, to)
	{
		if (!json_is_string(to) || !is_address(json_string_value(to)))
			stet_issue(call, stet_printf(call, "%s.%.200s", path, from),
			    "must be an http or https address, or a path of this site");
		else if (*from == '\0' || strlen(from) > URL_MAX)
			stet_issue(call, path, "has an old address of more than %d bytes, or none",
			    URL_MAX);
	}
	return stet_issues(call);
}
