/*
 * library.c - files of the media library in exports: their addresses in values, and the files
 * themselves. A file is media/KEY/NAME, so that files of the same name do not meet.
 */
#include "outgoing.h"
#include <errno.h>
#include <stet/file.h>
#include <stet/media.h>
#include <string.h>
#include <unistd.h>

#define PAGE 100
#define PIECE 65536

/* ---- addresses ---- */

/* A name of a file may not leave its directory, and no system refuses it. */
static bool
is_name(const char *name)
{
	size_t len = strlen(name);

	if (len == 0 || len > 200 || *name == '.')
		return false;
	for (; *name != '\0'; name++)
		if ((unsigned char)*name < 0x20 || *name == 0x7f || strchr("/\\:*?\"<>|", *name))
			return false;
	return true;
}

/* Returns the path of a file in the directory. */
static const char *
path_of(struct stet_call *call, const struct stet_media_item *file)
{
	const char *name = file->filename != NULL ? file->filename : "";
	int base = (int)strcspn(file->key, ".");

	return stet_printf(
	    call, MEDIA "%.*s/%s", base, file->key, is_name(name) ? name : file->key);
}

static const char *
encoded(struct stet_call *call, const char *path)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
	char *out = stet_alloc(call, 3 * strlen(path) + 1), *to = out;

	for (; *path != '\0'; path++)
		if (strchr(plain, *path) != NULL)
			*to++ = *path;
		else
			to += snprintf(to, 4, "%%%02X", (unsigned char)*path);
	*to = '\0';
	return out;
}

/* Looks up the file that has this URL; file->id NULL: none has. */
static enum stet_status
find_file(struct stet_call *call, const char *url, struct stet_media_item *file)
{
	const struct stet_media_1 *media = stet_service(call, STET_MEDIA_1);
	struct stet_table table;

	*file = (struct stet_media_item){ 0 };
	if (media == NULL || *url != '/' || strstr(url, "/media/file/") == NULL)
		return STET_OK;
	STET_TRY(media->find(call, &url, 1, &table));
	stet_table_row(&table, 0, file, sizeof(*file));
	return STET_OK;
}

enum stet_status
library_address(struct stet_call *call, struct outgoing *o, const char *url, const char **out)
{
	struct stet_media_item file;

	STET_TRY(find_file(call, url, &file));
	*out = url;
	if (file.id != NULL && file.key != NULL && o->folders && o->media)
		*out = stet_printf(call, "/%s", encoded(call, path_of(call, &file)));
	else if (file.id != NULL)
		*out = export_address(call, &o->x, url);
	return STET_OK;
}

/* An asset that is a file of the library becomes one with an address alone. */
static enum stet_status
take_asset(struct stet_call *call, struct outgoing *o, json_t *object)
{
	const json_t *asset = json_object_get(object, "asset");
	const char *url = export_text(asset, "url"), *address;

	if (!json_is_object(asset) || *url == '\0')
		return STET_OK;
	STET_TRY(library_address(call, o, url, &address));
	if (address != url)
		(void)json_object_set_new(object, "asset", json_pack("{ss}", "url", address));
	return STET_OK;
}

static enum stet_status
take(struct stet_call *call, struct outgoing *o, json_t *value)
{
	const char *key, *address;
	json_t *member;
	void *next;
	size_t i;

	json_array_foreach(value, i, member) STET_TRY(take(call, o, member));
	if (!json_is_object(value))
		return STET_OK;
	STET_TRY(take_asset(call, o, value));
	json_object_foreach_safe(value, next, key, member)
	{
		const char *text = json_string_value(member);

		STET_TRY(take(call, o, member));
		if (text == NULL || strcmp(key, "text") == 0)
			continue;
		STET_TRY(library_address(call, o, text, &address));
		if (address != text)
			(void)json_object_set_new(value, key, json_string(address));
	}
	return STET_OK;
}

enum stet_status
library_value(struct stet_call *call, struct outgoing *o, const json_t *value, json_t **out)
{
	json_t *copy = stet_json_own(call, json_deep_copy(value));

	STET_TRY(take(call, o, copy));
	*out = json_incref(copy);
	return STET_OK;
}

/* ---- lines of JSON ---- */

static enum stet_status
put_line(struct stet_call *call, struct export *x, const json_t *item)
{
	struct outgoing *o = x->arg;
	json_t *line = stet_json_own(call,
	    json_pack("{ss ss ss ss ss ss}", "type", "attachment", "id", export_text(item, "id"),
		"url", export_address(call, x, export_text(item, "url")), "title",
		export_text(item, "filename"), "alt", export_text(item, "alt"), "caption",
		export_text(item, "caption")));

	(void)fprintf(o->out, "%s\n", export_json(call, line));
	x->done.attachments++;
	return STET_OK;
}

enum stet_status
library_lines(struct outgoing *o)
{
	if (stet_service(o->x.call, STET_MEDIA_1) == NULL)
		return STET_OK;
	return export_pages(
	    &o->x, "media_list", json_pack("{si}", "limit", PAGE), "items", put_line);
}

/* ---- files ---- */

static enum stet_status
copy_bytes(struct stet_call *call, int from, int to, const char *path)
{
	char piece[PIECE];

	for (;;) {
		ssize_t got = read(from, piece, sizeof(piece));

		if (got == 0)
			return STET_OK;
		for (ssize_t at = 0; at < got;) {
			ssize_t put = write(to, piece + at, (size_t)(got - at));

			if (put == -1)
				return stet_fault(
				    call, "cannot write %s: %s", path, strerror(errno));
			at += put;
		}
		if (got == -1)
			return stet_fault(call, "cannot read %s: %s", path, strerror(errno));
	}
}

static enum stet_status
copy_file(struct stet_call *call, struct export *x, const json_t *item)
{
	struct outgoing *o = x->arg;
	struct stet_media_item file;
	const char *path;
	enum stet_status status;
	int from, to;

	STET_TRY(find_file(call, export_text(item, "url"), &file));
	if (file.id == NULL || file.key == NULL)
		return STET_OK;
	path = path_of(call, &file);
	STET_TRY(stet_file_open_of(call, "media", file.key, &from));
	status = folder_file(call, o->root, path, &to);
	if (status == STET_OK) {
		status = copy_bytes(call, from, to, path);
		close(to);
	}
	close(from);
	o->files++;
	return status;
}

enum stet_status
library_copy(struct outgoing *o)
{
	if (!o->media || stet_service(o->x.call, STET_MEDIA_1) == NULL)
		return STET_OK;
	return export_pages(
	    &o->x, "media_list", json_pack("{si}", "limit", PAGE), "items", copy_file);
}
