/* posts.c - what posts of platforms have in common: authors, and pictures of their HTML. */
#include "read/text.h"
#include "sources/documents.h"
#include "sources/page.h"
#include <string.h>

#define ADDRESS_MAX 2000

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
