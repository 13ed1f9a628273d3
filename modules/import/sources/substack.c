/*
 * substack.c - exports of Substack: posts.csv with a row for each post, and the texts as HTML,
 * posts/ID.SLUG.html. Lists of subscribers are told, and never imported. Option `url`: the address
 * of the publication, which exports leave out.
 */
#include "read/text.h"
#include "sources/documents.h"
#include "sources/table.h"
#include <string.h>
#include <strings.h>

#define ENDS " .csv .html "
#define LIST "posts.csv"
#define LIST_BYTES (64u << 20)

struct substack {
	struct stet_source *source;
	const char *url; /* of the publication, without a slash at the end */
	json_t *rows; /* {post_id: row} */
	json_t *texts; /* {name: true}: documents that are texts */
	json_t *done; /* set of post_id: they have a text */
	json_t *asides; /* {kind of file: number} */
	bool known; /* there is a list of posts */
};

static const char *
cell(const json_t *row, const char *column)
{
	const char *text = json_string_value(json_object_get(row, column));

	return text != NULL ? text : "";
}

static bool
ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len >= n && strcasecmp(name + len - n, end) == 0;
}

/* ---- the list of posts ---- */

static enum stet_status
know_list(struct substack *s, const char *name, struct source *file)
{
	struct table_small list;
	json_t *row;
	size_t i;

	STET_TRY(table_small(s->source, file, name, LIST_BYTES, &list));
	if (list.names == NULL)
		return STET_OK;
	s->known = true;
	json_array_foreach(list.rows, i, row)
	{
		const char *id = cell(row, "post_id");

		if (*id == '\0')
			STET_TRY(source_notice(s->source,
			    stet_printf(s->source->call, "%s, row %zu", name, i + 2), true,
			    "It has no post_id"));
		else
			(void)json_object_set(s->rows, id, row);
	}
	return STET_OK;
}

/* Counts a file about subscribers: who got or opened a mail, or all of them. */
static void
count_aside(struct substack *s, const char *name)
{
	const char *kind = ends_with(name, ".delivers.csv") ? "delivers"
			   : ends_with(name, ".opens.csv")  ? "opens"
							    : text_base(name);
	json_int_t count = json_integer_value(json_object_get(s->asides, kind));

	(void)json_object_set_new(s->asides, kind, json_integer(count + 1));
}

static enum stet_status
know(void *arg, const char *name, struct source *file)
{
	struct substack *s = arg;

	if (strcmp(text_base(name), LIST) == 0)
		return know_list(s, name, file);
	if (ends_with(name, ".csv"))
		count_aside(s, name);
	else
		(void)json_object_set_new(s->texts, name, json_true());
	return STET_OK;
}

/* ---- posts ---- */

static void
put_values(json_t *item, const json_t *row)
{
	static const char *const columns[] = { "email_sent_at", "inbox_sent_at", "podcast_url",
		NULL };

	for (size_t i = 0; columns[i] != NULL; i++)
		if (*cell(row, columns[i]) != '\0')
			document_value(item, columns[i], json_object_get(row, columns[i]));
	if (*cell(row, "audience") != '\0' && strcmp(cell(row, "audience"), "everyone") != 0)
		document_value(item, "audience", json_object_get(row, "audience"));
}

/* What readers pay for must not become public. */
static enum stet_status
status_of(struct substack *s, const json_t *row, bool *public)
{
	const char *audience = cell(row, "audience");

	*public = strcasecmp(cell(row, "is_published"), "true") == 0;
	if (!*public || strcmp(audience, "only_paid") != 0)
		return STET_OK;
	*public = false;
	return source_notice(s->source, cell(row, "title"), false,
	    "It is for paying readers alone, so it is a draft");
}

static enum stet_status
tell_kind(struct substack *s, const json_t *row)
{
	const char *type = cell(row, "type");

	if (strcmp(type, "podcast") == 0 || *cell(row, "podcast_url") != '\0')
		return source_notice(s->source, cell(row, "title"), false,
		    stet_printf(s->source->call,
			"The recording of this podcast stays where it is: %s",
			*cell(row, "podcast_url") != '\0' ? cell(row, "podcast_url")
							  : "the export does not say where"));
	if (strcmp(type, "thread") == 0)
		return source_notice(s->source, cell(row, "title"), false,
		    "What readers have said in this thread is not in the export");
	return STET_OK;
}

/* `id`: ID.SLUG, where drafts may have no slug. */
static enum stet_status
put_post(struct substack *s, const char *id, const json_t *row, const char *html)
{
	struct stet_call *call = s->source->call;
	size_t number = strcspn(id, ".");
	const char *slug = id[number] == '.' ? id + number + 1 : "", *type = cell(row, "type");
	const char *date = cell(row, "post_date");
	bool public;
	json_t *item;

	STET_TRY(status_of(s, row, &public));
	item = document_new(call, stet_strndup(call, id, number),
	    strcmp(type, "page") == 0 ? "page" : "post", public);
	(void)json_object_set_new(item, "title", json_string(cell(row, "title")));
	(void)json_object_set_new(item, "slug", json_string(stet_slugify(call, slug)));
	(void)json_object_set_new(item, "excerpt", json_string(cell(row, "subtitle")));
	(void)json_object_set_new(item, "created", json_string(date));
	(void)json_object_set_new(item, "published", json_string(date));
	(void)json_object_set_new(item, "html", json_string(html));
	if (*slug != '\0')
		(void)json_object_set_new(
		    item, "link", json_string(stet_printf(call, "%s/p/%s", s->url, slug)));
	put_values(item, row);
	STET_TRY(tell_kind(s, row));
	STET_TRY(document_put_pictures(s->source, html));
	return stet_source_put(s->source, STET_SOURCE_ITEM, json_incref(item));
}

static enum stet_status
take(void *arg, const char *name, const char *text, size_t len)
{
	struct substack *s = arg;
	const char *base = text_base(name), *id;
	const json_t *row;

	(void)len;
	if (!ends_with(name, ".html"))
		return STET_OK;
	id = stet_strndup(s->source->call, base, strlen(base) - 5);
	row = json_object_get(s->rows, id);
	if (row == NULL)
		STET_TRY(source_notice(
		    s->source, name, false, "It is not in posts.csv, so it is a draft"));
	if (row != NULL)
		(void)json_object_set_new(s->done, id, json_true());
	return put_post(s, id, row, text);
}

/* ---- the rest ---- */

struct alone {
	struct substack *substack;
	const char *id;
	const json_t *row;
};

static enum stet_status
put_alone(struct stet_call *call, void *arg)
{
	const struct alone *a = arg;

	(void)call;
	STET_TRY(source_notice(a->substack->source, a->id, false, "It has no text in the export"));
	return put_post(a->substack, a->id, a->row, "");
}

static enum stet_status
put_rest(struct substack *s)
{
	struct stet_call *call = s->source->call;
	const char *id, *kind;
	json_t *row, *count;

	json_object_foreach(s->rows, id, row)
	{
		struct alone a = { s, id, row };

		if (json_object_get(s->done, id) == NULL)
			STET_TRY(stet_scope(call, put_alone, &a));
	}
	json_object_foreach(s->asides, kind, count) STET_TRY(source_notice(s->source, kind, false,
	    stet_printf(call, "%lld lists of subscribers or mails are left out",
		(long long)json_integer_value(count))));
	return STET_OK;
}

enum stet_status
substack_source(struct stet_call *call, struct stet_source *source)
{
	struct substack s = { .source = source,
		.url = document_site(source),
		.rows = stet_json_own(call, json_object()),
		.texts = stet_json_own(call, json_object()),
		.done = stet_json_own(call, json_object()),
		.asides = stet_json_own(call, json_object()) };

	STET_TRY(tree_streams(source, ENDS, know, &s));
	if (!s.known)
		return stet_fail(call, STET_VALIDATION_ERROR, "file",
		    "It is no export of Substack: it has no posts.csv");
	STET_TRY(document_put_site(source));
	STET_TRY(tree_some(source, ENDS, s.texts, take, &s));
	return put_rest(&s);
}
