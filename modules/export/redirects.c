/*
 * redirects.c - earlier addresses of items, which imports have stored with their outcomes. A
 * document has them as `aliases`, which Hugo reads; the file `_redirects` has a line for each, as
 * Netlify and others read it.
 */
#include "outgoing.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATHS_MAX 100000 /* kept in memory */
#define PATH_MAX_LENGTH 1000

/* ---- reading ---- */

/* Returns the path of an address; NULL: it has none that both formats can express. */
static const char *
path_of(const char *address)
{
	const char *host = strstr(address, "://");
	const char *path = host != NULL ? strchr(host + 3, '/') : *address == '/' ? address : NULL;

	if (path == NULL || path[1] == '\0' || path[strcspn(path, "?#*: \t\r\n\"\\")] != '\0' ||
	    strlen(path) > PATH_MAX_LENGTH)
		return NULL;
	for (const char *p = path; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			return NULL;
	return path;
}

static void
note(struct outgoing *o, const char *id, const char *path)
{
	json_t *list = json_object_get(o->earlier, id);

	if (path == NULL || json_object_get(o->paths, path) != NULL)
		return;
	if (json_object_size(o->paths) >= PATHS_MAX) {
		(void)json_object_set_new(o->lost, "redirects: more than 100,000", json_integer(1));
		return;
	}
	(void)json_object_set_new(o->paths, path, json_true());
	if (list == NULL) {
		list = json_array();
		(void)json_object_set_new(o->earlier, id, list);
	}
	(void)json_array_append_new(list, json_string(path));
}

/* A path with this slug as its last part. */
static const char *
renamed(struct stet_call *call, const char *path, const char *slug)
{
	size_t len = strlen(path), end = len;
	bool slash = path[len - 1] == '/';

	if (*slug == '\0' || strchr(slug, '/') != NULL)
		return NULL;
	end -= slash;
	while (end > 0 && path[end - 1] != '/')
		end--;
	return path_of(stet_printf(call, "%.*s%s%s", (int)end, path, slug, slash ? "/" : ""));
}

static void
note_item(struct stet_call *call, struct outgoing *o, const json_t *item)
{
	const char *id = export_text(item, "id"), *path = path_of(export_text(item, "address"));
	const json_t *slug;
	size_t i;

	if (*id == '\0' || *export_text(item, "collection") == '\0')
		return;
	note(o, id, path);
	json_array_foreach(json_object_get(item, "oldSlugs"), i, slug)
	{
		const char *text = json_string_value(slug);

		if (text == NULL)
			continue;
		note(o, id,
		    *text == '/'   ? path_of(text)
		    : path != NULL ? renamed(call, path, text)
				   : NULL);
	}
}

struct items {
	struct outgoing *o;
	const char *job;
	json_int_t after;
	bool more;
};

static enum stet_status
read_page(struct stet_call *call, void *arg)
{
	struct items *p = arg;
	json_t *reply, *item, *next;
	size_t i;

	STET_TRY(stet_invoke_json(call, "import_job_items",
	    json_pack("{ss sI si}", "job", p->job, "after", p->after, "limit", 100), &reply));
	json_array_foreach(json_object_get(reply, "items"), i, item) note_item(call, p->o, item);
	next = json_object_get(reply, "nextAfter");
	p->more = next != NULL;
	p->after = json_integer_value(next);
	return STET_OK;
}

static enum stet_status
read_job(struct stet_call *call, struct export *x, const json_t *job)
{
	struct items p = { x->arg, export_text(job, "id"), INT64_MIN / 2, true };

	while (p.more)
		STET_TRY(stet_scope(call, read_page, &p));
	return STET_OK;
}

enum stet_status
redirects_read(struct outgoing *o)
{
	return export_pages(
	    &o->x, "import_job_list", json_pack("{si}", "limit", 100), "items", read_job);
}

/* ---- writing ---- */

static enum stet_status
open_file(struct stet_call *call, struct outgoing *o)
{
	int fd;

	if (o->redirects != NULL)
		return STET_OK;
	STET_TRY(folder_file(call, o->root, "_redirects", &fd));
	if ((o->redirects = fdopen(fd, "w")) == NULL)
		stet_out_of_memory();
	return STET_OK;
}

enum stet_status
redirects_put(struct stet_call *call, struct leaving *l, json_t *front)
{
	const struct stet_collection *c = l->collection;
	struct outgoing *o = l->x->arg;
	const char *pattern = stet_url_pattern(c, l->text[C_LOCALE]);
	const char *here =
	    stet_pattern_address(call, pattern != NULL ? pattern : "/{collection}/{slug}", c, l->id,
		l->text[C_SLUG], l->text[C_LOCALE], l->text[C_PUBLISHED]);
	json_t *aliases = stet_json_own(call, json_array()), *path;
	size_t i;

	json_array_foreach(json_object_get(o->earlier, l->id), i, path)
	{
		if (here == NULL || strcmp(json_string_value(path), here) == 0)
			continue;
		(void)json_array_append(aliases, path);
		STET_TRY(open_file(call, o));
		(void)fprintf(o->redirects, "%s %s 301\n", json_string_value(path), here);
	}
	if (json_array_size(aliases) > 0)
		(void)json_object_set(front, "aliases", aliases);
	return STET_OK;
}

enum stet_status
redirects_end(struct outgoing *o)
{
	FILE *f = o->redirects;

	o->redirects = NULL;
	if (f != NULL && (ferror(f) | fclose(f)) != 0)
		return stet_fault(o->x.call, "cannot write _redirects: %s", strerror(errno));
	return STET_OK;
}
