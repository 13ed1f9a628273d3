/* posts.c - what posts of platforms have in common: authors, comments, pictures of their HTML. */
#include "read/text.h"
#include "sources/documents.h"
#include "sources/page.h"
#include <stdlib.h>
#include <string.h>

#define ADDRESS_MAX 2000
#define LATE_MAX 1000 /* comments of one millisecond */

/* The pictures of a text while it is read. */
struct pictures {
	struct stet_source *source;
	json_t *done; /* set of addresses */
	enum stet_status status;
};

static const char *
take_picture(void *arg, const struct page_tag *tag, const char *url)
{
	struct pictures *p = arg;
	const char *alt = page_attribute(p->source->call, tag, "alt");

	if (!page_is(tag, "img") || strncmp(url, "http", 4) != 0 || strlen(url) > ADDRESS_MAX ||
	    p->status != STET_OK || json_object_get(p->done, url) != NULL)
		return NULL;
	(void)json_object_set_new(p->done, url, json_true());
	p->status = document_put_file(p->source, url, "", alt != NULL ? alt : "");
	return NULL;
}

enum stet_status
document_put_pictures(struct stet_source *source, const char *html)
{
	struct pictures p = { source, stet_json_own(source->call, json_object()), STET_OK };

	(void)page_rewrite(source->call, html, take_picture, &p);
	return p.status;
}

enum stet_status
document_author(struct stet_source *source, json_t *item, const char *name, const char *email)
{
	const char *login = stet_slugify(source->call, name);

	if (*login == '\0')
		return STET_OK;
	(void)json_object_set_new(item, "authors", json_pack("[s]", login));
	return stet_source_put(source, STET_SOURCE_AUTHOR,
	    json_pack("{ss ss ss}", "login", login, "name", name, "email", email));
}

const char *
document_site(const struct stet_source *source)
{
	const char *url = text_member(source->call, source->options, "url");
	size_t len = strlen(url);

	while (len > 0 && url[len - 1] == '/')
		len--;
	return len > 0 ? stet_strndup(source->call, url, len) : "https://source.invalid";
}

/* ---- comments ---- */

static int
by_time(const void *a, const void *b)
{
	const json_t *const *x = a, *const *y = b;
	json_int_t one = json_integer_value(json_object_get(*x, "id")),
		   other = json_integer_value(json_object_get(*y, "id"));

	return (one > other) - (one < other);
}

const json_t *
document_comments(struct stet_call *call, const json_t *list)
{
	size_t count = json_array_size(list);
	json_t **sorted = stet_alloc(call, (count + 1) * sizeof(json_t *)), *ids, *out;
	json_int_t last = 0, id;

	for (size_t i = 0; i < count; i++) {
		int64_t at = 0;

		sorted[i] = json_array_get(list, i);
		(void)stet_time_parse(text_in(sorted[i], "created"), &at);
		(void)json_object_set_new(sorted[i], "id", json_integer(at * LATE_MAX));
	}
	qsort(sorted, count, sizeof(json_t *), by_time);
	ids = stet_json_own(call, json_object());
	out = stet_json_own(call, json_array());
	for (size_t i = 0; i < count; i++, last = id) {
		id = json_integer_value(json_object_get(sorted[i], "id"));
		id = id > last ? id : last + 1;
		(void)json_object_set_new(sorted[i], "id", json_integer(id));
		(void)json_object_set_new(ids, text_in(sorted[i], "own"), json_integer(id));
		if (*text_in(sorted[i], "to") != '\0')
			(void)json_object_set(
			    sorted[i], "parent", json_object_get(ids, text_in(sorted[i], "to")));
		(void)json_array_append(out, sorted[i]);
	}
	return out;
}

enum stet_status
document_put_site(struct stet_source *source)
{
	const char *url = document_site(source);

	if (*text_member(source->call, source->options, "url") == '\0')
		return STET_OK;
	return stet_source_put(
	    source, STET_SOURCE_SITE, json_pack("{ss ss}", "url", url, "title", ""));
}
