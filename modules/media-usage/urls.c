/*
 * urls.c - the files of the library to which texts link.
 *
 * The name of a file is unique and never used twice. So a text links to a file if it contains the
 * path of files, followed by this name: the host, the query and the text around the URL do not
 * matter. That holds for links, HTML, srcset, CSS and plain text alike. The path may be encoded
 * with percent signs, with character references, or with the escapes of JSON and CSS.
 *
 * Most texts have no such path: one scan of the stored text finds that, before anything is parsed.
 */
#include "media-usage.h"
#include <stdlib.h>
#include <string.h>

#define PLACE "/media/file/"
#define NAME_BYTES "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
#define NAME_MAX 255 /* bytes of the name of a file */
#define NAMES_MAX 4 /* names that one place may mean: "a.jpg.Then" is "a.jpg.Then" or "a.jpg" */
#define AT_ONCE 100 /* names in a statement */

/* ---- encodings ---- */

static int
digit(char c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)(at - digits) % 16 : -1;
}

/* Reads at least `least` and at most `most` hexadecimal digits. Returns how many there are, or 0.
 * The text ends with a NUL. */
static size_t
hex(const char *s, size_t least, size_t most, unsigned *value)
{
	size_t n = 0;

	for (*value = 0; n < most && digit(s[n]) >= 0; n++)
		*value = *value * 16 + (unsigned)digit(s[n]);
	return n >= least ? n : 0;
}

/* Reads a character reference: "&#47;", "&#x2f;" or "&sol;". */
static size_t
reference(const char *s, unsigned *value)
{
	char *end;
	size_t n;

	if (strncmp(s, "&sol;", 5) == 0) {
		*value = '/';
		return 5;
	}
	if (s[1] != '#')
		return 0;
	if (s[2] == 'x' || s[2] == 'X') {
		n = hex(s + 3, 1, 6, value);
		return n == 0 ? 0 : 3 + n + (s[3 + n] == ';');
	}
	if (s[2] < '0' || s[2] > '9')
		return 0;
	*value = (unsigned)strtoul(s + 2, &end, 10);
	return (size_t)(end - s) + (*end == ';');
}

/* Reads an escape: "\/" and "\u002f" of JSON, "\2f " of CSS. */
static size_t
escape(const char *s, unsigned *value)
{
	size_t n;

	*value = '/';
	if (s[1] == '/')
		return 2;
	if (s[1] == 'u')
		return (n = hex(s + 2, 4, 4, value)) > 0 ? 2 + n : 0;
	n = hex(s + 1, 2, 6, value);
	return n == 0 ? 0 : 1 + n + (s[1 + n] == ' ');
}

/* Reads an encoded ASCII character. Returns its bytes; 0: there is none. */
static size_t
encoded(const char *s, unsigned *value)
{
	size_t n = *s == '%'   ? hex(s + 1, 2, 2, value)
		   : *s == '&' ? reference(s, value)
			       : escape(s, value);

	n += *s == '%' && n > 0;
	return *value > 0 && *value < 0x80 ? n : 0;
}

/* Returns the text without encodings: itself if it has none. */
static const char *
decode(struct stet_call *call, const char *text, size_t *len)
{
	static const char special[] = "%&\\";
	const char *p = text, *end = text + *len, *from = text;
	char *out = NULL, *to = NULL;

	while (p < end) {
		const size_t plain = strchr(special, *p) == NULL ? strcspn(p, special) : 0;
		unsigned c = 0;
		size_t n = plain == 0 && *p != '\0' ? encoded(p, &c) : 0;

		if (n == 0) {
			p += plain > 0 ? plain : 1;
			continue;
		}
		if (out == NULL)
			out = to = stet_alloc(call, *len + 1);
		memcpy(to, from, (size_t)(p - from));
		to += p - from;
		*to++ = (char)c;
		from = p += n;
	}
	if (out == NULL)
		return text;
	memcpy(to, from, (size_t)(end - from));
	to += end - from;
	*to = '\0';
	*len = (size_t)(to - out);
	return out;
}

/* ---- places ---- */

/* A step on the way from a field to a text: a member, or an element of an array. */
struct step {
	const struct step *above; /* NULL: this is the field */
	const char *name; /* NULL: an element */
	size_t index;
};

static const char *
path_of(struct stet_call *call, const struct step *s)
{
	if (s->above == NULL)
		return s->name;
	if (s->name == NULL)
		return stet_printf(call, "%s[%zu]", path_of(call, s->above), s->index);
	return stet_printf(call, "%s.%s", path_of(call, s->above), s->name);
}

/* Adds the file names that may begin here: the longest, and those that end before one of its
 * dots. */
static void
add_names(struct refs *refs, const char *field, const char *path, const char *name)
{
	size_t len = strspn(name, NAME_BYTES);

	for (int i = 0; i < NAMES_MAX && len > 0; i++) {
		while (len > 0 && name[len - 1] == '.')
			len--;
		if (len > 0 && len <= NAME_MAX)
			refs_add_file(refs, field, path, stet_strndup(refs->call, name, len));
		while (len > 0 && name[len - 1] != '.')
			len--;
	}
}

static void
add_text(struct refs *refs, const char *field, const struct step *at, const char *text, size_t len)
{
	const char *p = decode(refs->call, text, &len), *end = p + len, *path = NULL;

	if (refs->any_id && stet_is_id(text))
		refs_add_id(refs, field, path_of(refs->call, at), text);
	while ((p = memmem(p, (size_t)(end - p), PLACE, strlen(PLACE))) != NULL) {
		p += strlen(PLACE);
		if (path == NULL)
			path = path_of(refs->call, at);
		add_names(refs, field, path, p);
	}
}

static void
add_json(struct refs *refs, const char *field, const struct step *at, const json_t *value)
{
	json_t *member;
	const char *name;

	if (json_is_string(value)) {
		add_text(refs, field, at, json_string_value(value), json_string_length(value));
		return;
	}
	for (size_t i = 0; i < json_array_size(value); i++)
		add_json(refs, field, &(struct step){ at, NULL, i }, json_array_get(value, i));
	json_object_foreach((json_t *)(uintptr_t)value, name, member)
	{
		const struct step step = { at, name, 0 };

		add_text(refs, field, &step, name, strlen(name));
		add_json(refs, field, &step, member);
	}
}

void
urls_in(struct refs *refs, const char *field, const json_t *value)
{
	add_json(refs, field, &(struct step){ .name = field }, value);
}

bool
urls_may_be_in(struct stet_call *call, const char *text, size_t len)
{
	if (memmem(text, len, PLACE, strlen(PLACE)) != NULL)
		return true;
	text = decode(call, text, &len);
	return memmem(text, len, PLACE, strlen(PLACE)) != NULL;
}

/* ---- from names of files to media items ---- */

/* The name of a file, and its media item. */
struct name {
	const char *text;
	const char *media; /* NULL: no item is known to have this file */
};

static int
by_text(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* Looks names up in media_use_file, which also has the media items of deleted files. */
static enum stet_status
recall(struct stet_call *call, struct name *list, size_t count)
{
	struct stet_val *value = stet_alloc(call, (count + 1) * sizeof(*value));
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT storage_key, media_id FROM media_use_file WHERE storage_key IN ");
	for (size_t i = 0; i < count; i++)
		value[i] = stet_val_str(list[i].text);
	stet_sql_list(sql, value, count);
	STET_TRY(stet_sql_query(sql, &rows));
	while (stet_row(&rows)) {
		const struct name key = { .text = stet_col_str(&rows, 0) };
		struct name *found = bsearch(&key, list, count, sizeof(*list), by_text);

		if (found != NULL)
			found->media = stet_col_dup(&rows, 1);
	}
	return stet_rows_end(&rows);
}

/* Asks the library for the names that the table does not know. */
static enum stet_status
look_up(struct refs *refs, struct name *list, size_t count)
{
	const struct stet_media_1 *media = stet_service(refs->call, STET_MEDIA_1);
	const char *keys[AT_ONCE], *ids[AT_ONCE];
	size_t asked = 0;

	for (size_t i = 0; i < count; i++)
		if (list[i].media == NULL)
			keys[asked++] = list[i].text;
	if (media == NULL || media->owners == NULL || asked == 0)
		return STET_OK;
	STET_TRY(media->owners(refs->call, keys, asked, ids));
	for (size_t i = 0, k = 0; i < count; i++) {
		struct file *file;

		if (list[i].media != NULL || (list[i].media = ids[k++]) == NULL)
			continue;
		file = stet_alloc(refs->call, sizeof(*file));
		*file = (struct file){ list[i].text, list[i].media, refs->files };
		refs->files = file;
	}
	return STET_OK;
}

/* Lists the names in the references, each once, in their order. */
static struct name *
names_of(const struct refs *refs, size_t *count)
{
	struct name *list = stet_alloc(refs->call, (refs->count + 1) * sizeof(*list));
	size_t n = 0, once = 0;

	for (size_t i = 0; i < refs->count; i++)
		if (refs->list[i].file != NULL)
			list[n++] = (struct name){ refs->list[i].file, NULL };
	if (n > 1)
		qsort(list, n, sizeof(*list), by_text);
	for (size_t i = 0; i < n; i++)
		if (once == 0 || strcmp(list[once - 1].text, list[i].text) != 0)
			list[once++] = list[i];
	*count = once;
	return list;
}

enum stet_status
urls_resolve(struct refs *refs)
{
	struct name *list;
	size_t count, left = 0;

	if (!refs->has_files)
		return STET_OK;
	list = names_of(refs, &count);
	for (size_t i = 0; i < count; i += AT_ONCE) {
		size_t n = count - i < AT_ONCE ? count - i : AT_ONCE;

		STET_TRY(recall(refs->call, list + i, n));
		STET_TRY(look_up(refs, list + i, n));
	}
	for (size_t i = 0; i < refs->count; i++) {
		struct ref ref = refs->list[i];
		const struct name key = { .text = ref.file }, *found = NULL;

		if (ref.file != NULL) {
			found = bsearch(&key, list, count, sizeof(*list), by_text);
			ref.media = found != NULL ? found->media : NULL;
		}
		if (ref.media != NULL)
			refs->list[left++] = ref;
	}
	refs->count = left;
	return STET_OK;
}
