/*
 * ghost.c - exports of Ghost: one object of JSON with its tables. Option `url`: the address of the
 * site, which exports leave out.
 */
#include "plan/given.h"
#include "read/text.h"
#include "sources/lexical.h"
#include "sources/sources.h"
#include <string.h>

#define PLACEHOLDER "__GHOST_URL__"
#define MEDIA_BASE "https://source.invalid" /* as GIVEN_FILE */

struct ghost {
	struct stet_source *source;
	const char *url; /* of the site, without a slash at the end; "" */
	const json_t *data;
	/* Indexes by id: rows of tables, and lists of the tags and authors of a post. */
	json_t *tags, *users, *meta, *tags_of, *authors_of;
	json_t *files; /* set of addresses that were handed on */
};

struct post {
	struct ghost *ghost;
	const json_t *row;
};

/* An id: a text, or a number in exports of Ghost 0.x. "" if there is none. */
static const char *
id_of(struct stet_call *call, const json_t *id)
{
	if (json_is_integer(id))
		return stet_printf(call, "%lld", (long long)json_integer_value(id));
	return json_is_string(id) ? json_string_value(id) : "";
}

static const char *
id_in(const struct ghost *g, const json_t *row, const char *member)
{
	return id_of(g->source->call, json_object_get(row, member));
}

/* A truth value: exports of Ghost 0.x have 0 and 1. */
static bool
is_set(const json_t *row, const char *member)
{
	const json_t *value = json_object_get(row, member);

	return json_is_true(value) || json_integer_value(value) != 0;
}

/* ---- the file ---- */

/* The tables; NULL: it is no export of Ghost. */
static const json_t *
tables_of(const json_t *file)
{
	const json_t *db = json_object_get(file, "db");
	const json_t *data = json_object_get(db != NULL ? json_array_get(db, 0) : file, "data");

	return json_is_array(json_object_get(data, "posts")) ? data : NULL;
}

/* ---- indexes ---- */

static json_t *
by_member(const struct ghost *g, const char *table, const char *member)
{
	json_t *out = stet_json_own(g->source->call, json_object()), *row;
	size_t i;

	json_array_foreach(json_object_get(g->data, table), i, row)
	{
		const char *id = id_in(g, row, member);

		if (*id != '\0')
			(void)json_object_set(out, id, row);
	}
	return out;
}

/* {id of a post: [id]}, in the order of the list. */
static json_t *
lists_of(const struct ghost *g, const char *table, const char *member)
{
	json_t *out = stet_json_own(g->source->call, json_object()), *row;
	size_t i;

	json_array_foreach(json_object_get(g->data, table), i, row)
	{
		const char *post = id_in(g, row, "post_id");
		json_t *list = json_object_get(out, post);

		if (list == NULL) {
			list = json_array();
			(void)json_object_set_new(out, post, list);
		}
		(void)json_array_append_new(list, json_string(id_in(g, row, member)));
	}
	return out;
}

/* ---- authors and terms ---- */

static enum stet_status
put_people(const struct ghost *g)
{
	const char *id;
	json_t *row;

	json_object_foreach(g->users, id, row)
	    STET_TRY(stet_source_put(g->source, STET_SOURCE_AUTHOR,
		json_pack("{ss ss ss}", "login", text_in(row, "slug"), "name", text_in(row, "name"),
		    "email", text_in(row, "email"))));
	json_object_foreach(g->tags, id, row)
	{
		/* Internal tags (#name) are for the editors only. */
		if (strcmp(text_in(row, "visibility"), "internal") != 0)
			STET_TRY(stet_source_put(g->source, STET_SOURCE_TERM,
			    json_pack("{ss ss ss ss}", "taxonomy", "tag", "slug",
				text_in(row, "slug"), "name", text_in(row, "name"), "description",
				text_in(row, "description"))));
	}
	return STET_OK;
}

/* Tells the code in all pages, and each newsletter: they are settings, for which there is no place.
 */
static enum stet_status
tell_settings(const struct ghost *g)
{
	static const char *const code[] = { "ghost_head", "ghost_foot", "codeinjection_head",
		"codeinjection_foot", NULL };
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(g->data, "settings"), i, row)
	{
		const char *key = text_in(row, "key");

		for (size_t k = 0; code[k] != NULL; k++)
			if (strcmp(key, code[k]) == 0 && *text_in(row, "value") != '\0')
				STET_TRY(source_notice(g->source, key, true,
				    "The code in all pages is left out: layouts have that here"));
	}
	json_array_foreach(json_object_get(g->data, "newsletters"), i, row)
	    STET_TRY(source_notice(g->source, text_in(row, "name"), true,
		"The settings of this newsletter are left out: there are none here"));
	return STET_OK;
}

/* ---- texts ---- */

/* Returns the text with the URL of the site in place of the placeholder. If the URL is not known,
 * files get the URL of a source's file, and links begin with "/". */
static const char *
with_url(const struct ghost *g, const char *text)
{
	const char *at, *out = "";

	if (strstr(text, PLACEHOLDER) == NULL)
		return text;
	while ((at = strstr(text, PLACEHOLDER)) != NULL) {
		const char *behind = at + strlen(PLACEHOLDER);
		const char *begin = *g->url != '\0'                        ? g->url
				    : strncmp(behind, "/content/", 9) == 0 ? MEDIA_BASE
									   : "";

		out = stet_printf(g->source->call, "%s%.*s%s", out, (int)(at - text), text, begin);
		text = behind;
	}
	return stet_printf(g->source->call, "%s%s", out, text);
}

/* The address of a file: exports of Ghost 0.x have the path on their site. */
static const char *
file_url(const struct ghost *g, const char *text)
{
	if (strncmp(text, "/content/", 9) != 0)
		return with_url(g, text);
	return stet_printf(g->source->call, "%s%s", *g->url != '\0' ? g->url : MEDIA_BASE, text);
}

static bool
is_own_file(const struct ghost *g, const char *url, size_t len)
{
	size_t n = strlen(g->url);

	if (len > strlen(GIVEN_FILE) && strncmp(url, GIVEN_FILE, strlen(GIVEN_FILE)) == 0)
		return true;
	return n > 0 && len > n + 9 && strncmp(url, g->url, n) == 0 &&
	       strncmp(url + n, "/content/", 9) == 0;
}

static enum stet_status
put_file(struct ghost *g, const char *url)
{
	if (json_object_get(g->files, url) != NULL)
		return STET_OK;
	(void)json_object_set_new(g->files, url, json_true());
	return stet_source_put(g->source, STET_SOURCE_ITEM,
	    json_pack("{ss ss+ ss}", "type", "attachment", "id", "file:", url, "url", url));
}

/* Hands on the files of the site to which an HTML text refers. An address ends at a quote, a blank,
 * an angle bracket or a parenthesis. */
static enum stet_status
put_files(struct ghost *g, const char *html)
{
	const char *at = html, *begin = *g->url != '\0' ? g->url : GIVEN_FILE;

	while ((at = strstr(at, begin)) != NULL) {
		size_t len = strcspn(at, "\"' \t\r\n<>)");

		/* In the attributes of a block, "--" has escapes; its text has the address, too. */
		if (len < 2000 && memchr(at, '\\', len) == NULL && is_own_file(g, at, len))
			STET_TRY(put_file(g, stet_strndup(g->source->call, at, len)));
		at += len > 0 ? len : 1;
	}
	return STET_OK;
}

/* ---- posts ---- */

static const char *
time_of(struct stet_call *call, const json_t *row, const char *member)
{
	const json_t *value = json_object_get(row, member);

	return json_is_integer(value) ? stet_time_text(call, json_integer_value(value))
				      : text_in(row, member);
}

static json_t *
authors_of(const struct ghost *g, const json_t *row)
{
	const json_t *ids = json_object_get(g->authors_of, id_in(g, row, "id")), *id;
	json_t *out = json_array();
	const char *slug;
	size_t i;

	json_array_foreach(ids, i, id)
	{
		slug = text_in(json_object_get(g->users, json_string_value(id)), "slug");
		if (*slug != '\0')
			(void)json_array_append_new(out, json_string(slug));
	}
	slug = text_in(json_object_get(g->users, id_in(g, row, "author_id")), "slug");
	if (json_array_size(out) == 0 && *slug != '\0')
		(void)json_array_append_new(out, json_string(slug));
	return out;
}

static json_t *
terms_of(const struct ghost *g, const json_t *row)
{
	const json_t *ids = json_object_get(g->tags_of, id_in(g, row, "id")), *id, *tag;
	json_t *out = json_array();
	size_t i;

	json_array_foreach(ids, i, id)
	{
		tag = json_object_get(g->tags, json_string_value(id));
		if (tag != NULL && strcmp(text_in(tag, "visibility"), "internal") != 0)
			(void)json_array_append_new(
			    out, json_pack("{ss ss}", "slug", text_in(tag, "slug"), "name",
				     text_in(tag, "name")));
	}
	return json_pack("{so}", "tag", out);
}

static json_t *
fields_of(const json_t *row, const json_t *meta)
{
	static const char *const names[][2] = { { "meta_title", "seo_title" },
		{ "meta_description", "seo_description" } };
	json_t *out = json_object();

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = text_in(row, names[i][0]);

		if (*text == '\0')
			text = text_in(meta, names[i][0]);
		if (*text != '\0')
			(void)json_object_set_new(out, names[i][1], json_string(text));
	}
	return out;
}

/* Tells of cards that have no HTML here. */
static enum stet_status
tell_cards(const struct ghost *g, const json_t *row, json_t *left)
{
	struct stet_call *call = g->source->call;
	const char *card;
	json_t *any;

	json_object_foreach(left, card, any)
	    STET_TRY(source_notice(g->source, text_in(row, "title"), true,
		stet_printf(call, "The card \"%.100s\" of its text is not known here", card)));
	return STET_OK;
}

/* Is this a loss of the text, and not of its form? */
static bool
is_counted(const json_t *loss)
{
	return json_object_get(loss, "line") == NULL || json_object_get(loss, "links") != NULL ||
	       json_object_get(loss, "pictures") != NULL;
}

/* Tells what cards do not become. */
static enum stet_status
tell_lost(const struct ghost *g, const json_t *row, const json_t *lost)
{
	struct stet_call *call = g->source->call;
	const json_t *one;
	size_t i;

	json_array_foreach(lost, i, one)
	{
		long long line = (long long)json_integer_value(json_object_get(one, "line"));
		const char *what = text_in(one, "what");

		STET_TRY(source_notice(g->source, text_in(row, "title"), is_counted(one),
		    line > 0 ? stet_printf(call, "Line %lld of its Markdown: %s", line, what)
			     : stet_printf(call, "Not in the content: %s", what)));
	}
	return STET_OK;
}

/* Reads a text of an editor. It is preferred to the HTML that Ghost has made of it, since it says
 * what its cards are, unless some of these are not known here. */
static enum stet_status
of_editor(const struct ghost *g, const json_t *row, const char **out)
{
	struct stet_call *call = g->source->call;
	const bool lexical = *text_in(row, "lexical") != '\0';
	const char *text = with_url(g, text_in(row, lexical ? "lexical" : "mobiledoc")), *html;
	json_t *left = stet_json_own(call, json_object());
	json_t *lost = stet_json_own(call, json_array());

	*out = text_in(row, "html");
	if (*text == '\0' || (!lexical && **out != '\0'))
		return STET_OK;
	html =
	    lexical ? lexical_html(call, text, left, lost) : mobiledoc_html(call, text, left, lost);
	if (**out != '\0' && (html == NULL || *html == '\0' || json_object_size(left) > 0))
		return STET_OK;
	if (html == NULL)
		return source_notice(g->source, text_in(row, "title"), true,
		    "The document of its editor cannot be read");
	*out = html;
	STET_TRY(tell_lost(g, row, lost));
	return tell_cards(g, row, left);
}

/* Reads the text of a post as HTML: from `lexical`, `html`, `mobiledoc`, or `plaintext` (with a
 * notice). */
static enum stet_status
html_of(const struct ghost *g, const json_t *row, const char **out)
{
	struct stet_call *call = g->source->call;

	STET_TRY(of_editor(g, row, out));
	if (**out == '\0' && *text_in(row, "plaintext") != '\0') {
		*out = lexical_plain(call, text_in(row, "plaintext"));
		STET_TRY(source_notice(g->source, text_in(row, "title"), false,
		    "The export has its plain text alone"));
	}
	*out = with_url(g, *out);
	return STET_OK;
}

static bool
is_full(const json_t *row, const char *member)
{
	return *text_in(row, member) != '\0';
}

/* Tells what the row has for its page alone, which has no place here. */
static enum stet_status
tell_code(const struct ghost *g, const json_t *row, const char *place)
{
	if (is_full(row, "codeinjection_head") || is_full(row, "codeinjection_foot"))
		return source_notice(g->source, place, false,
		    "The code that it adds to its page is left out: layouts have that here");
	return STET_OK;
}

/* Posts for members alone must not become public. */
static enum stet_status
status_of(const struct ghost *g, const json_t *row, const char **out)
{
	const char *status = text_in(row, "status"), *who = text_in(row, "visibility");
	bool public = strcmp(status, "published") == 0 || strcmp(status, "sent") == 0;

	*out = public ? "published" : "draft";
	if (!public || *who == '\0' || strcmp(who, "public") == 0)
		return STET_OK;
	*out = "draft";
	return source_notice(
	    g->source, text_in(row, "title"), false, "It is for members alone, so it is a draft");
}

static enum stet_status
put_post(struct stet_call *call, void *arg)
{
	const struct post *p = arg;
	struct ghost *g = p->ghost;
	const json_t *row = p->row, *meta = json_object_get(g->meta, id_in(g, row, "id"));
	bool page = strcmp(text_in(row, "type"), "page") == 0 || is_set(row, "page");
	const char *html, *status, *image = text_in(row, "feature_image");
	const char *picture = file_url(g, *image != '\0' ? image : text_in(row, "image"));
	json_t *item;

	STET_TRY(html_of(g, row, &html));
	STET_TRY(status_of(g, row, &status));
	STET_TRY(tell_code(g, row, text_in(row, "title")));
	STET_TRY(put_files(g, html));
	item = json_pack("{ss ss ss ss ss ss ss ss ss ss}", "id", id_in(g, row, "id"), "type",
	    page ? "page" : "post", "title", text_in(row, "title"), "slug", text_in(row, "slug"),
	    "status", status, "created", time_of(call, row, "created_at"), "published",
	    time_of(call, row, "published_at"), "updated", time_of(call, row, "updated_at"),
	    "excerpt", text_in(row, "custom_excerpt"), "html", html);
	(void)json_object_set_new(item, "link",
	    json_string(stet_printf(
		call, "%s/%s/", *g->url != '\0' ? g->url : MEDIA_BASE, text_in(row, "slug"))));
	if (*html == '\0' && is_full(row, "markdown"))
		(void)json_object_set_new(
		    item, "markdown", json_string(with_url(g, text_in(row, "markdown"))));
	(void)json_object_set_new(item, "authors", authors_of(g, row));
	(void)json_object_set_new(item, "terms", terms_of(g, row));
	(void)json_object_set_new(item, "fields", fields_of(row, meta));
	if (*picture != '\0')
		(void)json_object_set_new(item, "picture",
		    json_pack(
			"{ss ss}", "url", picture, "alt", text_in(meta, "feature_image_alt")));
	return stet_source_put(g->source, STET_SOURCE_ITEM, item);
}

static enum stet_status
put_all(struct ghost *g)
{
	struct post p = { .ghost = g };
	json_t *row;
	size_t i;

	g->tags = by_member(g, "tags", "id");
	g->users = by_member(g, "users", "id");
	g->meta = by_member(g, "posts_meta", "post_id");
	g->tags_of = lists_of(g, "posts_tags", "tag_id");
	g->authors_of = lists_of(g, "posts_authors", "author_id");
	g->files = stet_json_own(g->source->call, json_object());
	if (*g->url != '\0')
		STET_TRY(stet_source_put(
		    g->source, STET_SOURCE_SITE, json_pack("{ss ss}", "url", g->url, "title", "")));
	STET_TRY(tell_settings(g));
	STET_TRY(put_people(g));
	json_array_foreach(json_object_get(g->data, "posts"), i, row)
	{
		p.row = row;
		STET_TRY(stet_scope(g->source->call, put_post, &p));
	}
	return STET_OK;
}

static const char *
url_of(struct stet_call *call, const json_t *options)
{
	const char *url = text_in(options, "url");
	size_t len = strlen(url);

	while (len > 0 && url[len - 1] == '/')
		len--;
	return stet_strndup(call, url, len);
}

static enum stet_status
take_export(void *arg, const char *name, const json_t *file)
{
	struct ghost *g = arg;

	(void)name;
	g->data = tables_of(file);
	return g->data != NULL ? put_all(g)
			       : stet_fail(g->source->call, STET_VALIDATION_ERROR, "file",
				     "The file is no export of Ghost: it has no db[0].data.posts");
}

enum stet_status
ghost_source(struct stet_call *call, struct stet_source *source)
{
	struct ghost g = { .source = source, .url = url_of(call, source->options) };

	return tree_objects(source, " .json ", take_export, &g);
}
