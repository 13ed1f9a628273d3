/*
 * given.c - turns the objects that importers hand on (stet/importer.h) into the authors, terms and
 * items of an export (wxr.h). All else is done as for exports of WordPress.
 */
#include "plan/given.h"
#include "plan/given_menu.h"
#include "plan/given_text.h"
#include "plan/suggest.h"
#include "read/dates.h"
#include "read/form.h"
#include "read/text.h"
#include "state/ops.h"
#include <stet/importer.h>
#include <string.h>

#define LABELS_MAX 1000 /* terms, authors or old addresses of an item */

struct taking {
	struct stet_source source;
	const struct wxr_sink *sink;
	struct names *names;
};

/* An object of an importer, which is handled in a scope of its own. */
struct thing {
	struct taking *taking;
	enum stet_source_kind kind;
	const json_t *object;
};

/* ---- members ---- */

/* Writes "&" as an entity, since texts of exports have entities. */
static const char *
encoded(struct stet_call *call, const char *text)
{
	size_t len = strlen(text), extra = 0, at = 0;
	char *out;

	for (size_t i = 0; i < len; i++)
		extra += text[i] == '&' ? 4 : 0;
	if (extra == 0)
		return text;
	out = stet_alloc(call, len + extra + 1);
	for (size_t i = 0; i < len; i++) {
		out[at++] = text[i];
		if (text[i] != '&')
			continue;
		memcpy(out + at, "amp;", 4);
		at += 4;
	}
	return out;
}

static const char *
text(struct stet_call *call, const json_t *object, const char *member)
{
	return encoded(call, text_member(call, object, member));
}

/* ---- site, authors, terms, notices ---- */

static enum stet_status
take_site(struct stet_call *call, const struct wxr_sink *sink, const json_t *o)
{
	const char *url = text_member(call, o, "url");
	const struct wxr_site site = { .title = text(call, o, "title"),
		.link = url,
		.description = "",
		.language = "",
		.version = "",
		.base_site = url,
		.base_blog = url };

	return sink->site != NULL ? sink->site(sink->arg, &site) : STET_OK;
}

static enum stet_status
take_author(struct stet_call *call, const struct wxr_sink *sink, const json_t *o)
{
	const struct wxr_author author = { .login = text_member(call, o, "login"),
		.email = text_member(call, o, "email"),
		.display_name = text(call, o, "name"),
		.first_name = "",
		.last_name = "" };

	return sink->author != NULL && *author.login != '\0' ? sink->author(sink->arg, &author)
							     : STET_OK;
}

static enum stet_status
take_term(struct stet_call *call, const struct wxr_sink *sink, const json_t *o)
{
	const struct wxr_term term = { .id = 1,
		.taxonomy = text_member(call, o, "taxonomy"),
		.slug = text_member(call, o, "slug"),
		.name = text(call, o, "name"),
		.description = text(call, o, "description"),
		.parent = text_member(call, o, "parent") };

	return sink->term != NULL ? sink->term(sink->arg, &term) : STET_OK;
}

static enum stet_status
take_notice(struct stet_call *call, const struct wxr_sink *sink, const json_t *o)
{
	const struct wxr_notice notice = { .file = text_member(call, o, "place"),
		.skipped = json_is_true(json_object_get(o, "skipped")),
		.text = text_member(call, o, "text"),
		.type = text_member(call, o, "type") };

	return sink->notice != NULL ? sink->notice(sink->arg, &notice) : STET_OK;
}

/* ---- items ---- */

static const struct wxr_item nothing = { .type = "",
	.status = "",
	.slug = "",
	.title = "",
	.link = "",
	.guid = "",
	.author = "",
	.description = "",
	.content = "",
	.excerpt = "",
	.password = "",
	.attachment_url = "",
	.comment_status = "",
	.ping_status = "",
	.published = "",
	.date = "",
	.date_gmt = "",
	.modified = "",
	.modified_gmt = "" };

static const char *
key_of(struct stet_call *call, const json_t *o, const char *member)
{
	const char *key = text_member(call, o, member);

	return *key != '\0' ? text_cut(call, key, 500) : NULL;
}

static enum stet_status
take_attachment(struct stet_call *call, const struct wxr_sink *sink, const json_t *o)
{
	const struct wxr_meta alt = { WXR_ALT, text(call, o, "alt") };
	struct wxr_item item = nothing;

	item.key = key_of(call, o, "id");
	item.type = "attachment";
	item.attachment_url = text_member(call, o, "url");
	item.title = text(call, o, "title");
	item.excerpt = text(call, o, "caption");
	item.meta = &alt;
	item.meta_count = *alt.value != '\0' || json_is_true(json_object_get(o, "emptyAlt"));
	return sink->item(sink->arg, &item);
}

/* Hands on the picture of an item as an attachment. *key: its id, or NULL. */
static enum stet_status
take_picture(struct stet_call *call, const struct wxr_sink *sink, const json_t *o, const char **key)
{
	const json_t *picture = json_object_get(o, "picture"),
		     *stet = json_object_get(json_object_get(o, "fields"), "_stet");
	bool empty = json_is_true(json_object_get(stet, "emptyAlt"));
	const char *url = json_is_string(picture) ? json_string_value(picture)
						  : text_member(call, picture, "url");

	*key = NULL;
	if (*url == '\0')
		return STET_OK;
	*key = stet_printf(call, "%s:%.500s", empty ? "silent" : "picture", url);
	return take_attachment(call, sink,
	    stet_json_own(
		call, json_pack("{ss ss ss sb}", "id", *key, "url", url, "alt",
			  json_is_object(picture) ? text_member(call, picture, "alt") : "",
			  "emptyAlt", empty)));
}

static void
read_labels(struct stet_call *call, const json_t *terms, struct wxr_item *item)
{
	struct wxr_label *labels = stet_alloc(call, LABELS_MAX * sizeof(*labels));
	const char *taxonomy;
	json_t *list, *term;
	size_t i;

	item->labels = labels;
	json_object_foreach((json_t *)(uintptr_t)terms, taxonomy, list)
	{
		json_array_foreach(list, i, term)
		{
			bool plain = json_is_string(term);
			const char *name = plain ? encoded(call, json_string_value(term))
						 : text(call, term, "name");

			if (item->label_count < LABELS_MAX)
				labels[item->label_count++] = (struct wxr_label){ taxonomy,
					plain ? "" : text_member(call, term, "slug"), name };
		}
	}
}

static void
read_comments(struct stet_call *call, const json_t *list, struct wxr_item *item)
{
	struct wxr_comment *comments =
	    stet_alloc(call, (json_array_size(list) + 1) * sizeof(*comments));
	const json_t *one;
	size_t i;

	item->comments = comments;
	json_array_foreach((json_t *)(uintptr_t)list, i, one)
	{
		const char *status = text_member(call, one, "status");

		comments[item->comment_count++] = (struct wxr_comment){
			.id = json_integer_value(json_object_get(one, "id")),
			.parent = json_integer_value(json_object_get(one, "parent")),
			.author = text(call, one, "author"),
			.email = text_member(call, one, "email"),
			.url = "",
			.ip = "",
			.date = "",
			.date_gmt = text_member(call, one, "created"),
			.content = text_member(call, one, "html"),
			.approved = strcmp(status, "approved") == 0 ? "1" : status,
			.type = "",
		};
	}
}

/* Returns the terms of the item, with those of `own` in place of others of their taxonomies. */
static const json_t *
terms_of(struct stet_call *call, const json_t *o, const json_t *own)
{
	const json_t *terms = json_object_get(o, "terms"), *better = json_object_get(own, "terms");
	json_t *out;

	if (!json_is_object(better))
		return terms;
	out = json_is_object(terms) ? json_copy((json_t *)(uintptr_t)terms) : json_object();
	(void)json_object_update(out, (json_t *)(uintptr_t)better);
	return stet_json_own(call, out);
}

static json_t *
credits_of(const json_t *authors)
{
	json_t *out = json_array(), *author;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)authors, i, author)
	{
		if (json_is_string(author) && i < LABELS_MAX)
			(void)json_array_append_new(out, json_pack("{sO}", "slug", author));
	}
	return out;
}

/* Returns the noted type of a field: its name, or "reference TYPE" or "references TYPE" (many) with
 * the type of the items, or "select CHOICES". A new reference. */
static json_t *
noted_type(struct stet_call *call, const json_t *type)
{
	bool many = json_is_true(json_object_get(type, "many"));
	json_t *choices = json_object_get(type, "choices");

	if (choices != NULL)
		return json_string(
		    stet_printf(call, "select %s", json_dumps_own(call, json_incref(choices))));
	return json_is_object(type)
		   ? json_string(stet_printf(call, "%s %s", many ? "references" : "reference",
			 text_member(call, type, "to")))
		   : json_incref((json_t *)(uintptr_t)type);
}

/* Copies what an item says of a value beside it, {name of the value: anything}, to the same member
 * of `own`, {slug of the field: the same}. */
static void
copy_beside(const json_t *o, const char *member, const char *name, json_t *own, const char *slug)
{
	json_t *value = json_object_get(json_object_get(o, member), name);
	json_t *out = json_object_get(own, member);

	if (value == NULL)
		return;
	if (out == NULL) {
		out = json_object();
		(void)json_object_set_new(own, member, out);
	}
	(void)json_object_set(out, slug, value);
}

/* Sets own.fields, {slug of the field: value}, own.types, {slug: noted type}, own.references and
 * own.dates. */
static void
read_fields(struct stet_call *call, const struct taking *t, const char *type, const json_t *fields,
    const json_t *o, json_t *own)
{
	const json_t *told = json_object_get(o, "types");
	json_t *out = json_object(), *types = json_object(), *value;
	const char *name, *slug;

	(void)json_object_set_new(own, "fields", out);
	(void)json_object_set_new(own, "types", types);
	json_object_foreach((json_t *)(uintptr_t)fields, name, value)
	{
		slug = names_field(call, t->names, type, name);
		if (slug == NULL)
			continue;
		(void)json_object_set(out, slug, value);
		copy_beside(o, "references", name, own, slug);
		copy_beside(o, "dates", name, own, slug);
		if (json_object_get(told, name) != NULL)
			(void)json_object_set_new(
			    types, slug, noted_type(call, json_object_get(told, name)));
	}
}

/* Hands on the authors whom the field `_stet` of own exports credits. */
static enum stet_status
take_credits(struct stet_call *call, const struct wxr_sink *sink, const json_t *credits)
{
	const json_t *credit;
	size_t i;

	json_array_foreach(credits, i, credit)
	{
		const struct wxr_author author = { .login = text_member(call, credit, "slug"),
			.email = "",
			.display_name = text(call, credit, "name"),
			.first_name = "",
			.last_name = "" };

		if (sink->author != NULL && *author.login != '\0' && *author.display_name != '\0')
			STET_TRY(sink->author(sink->arg, &author));
	}
	return STET_OK;
}

/* Hands on files of the source's directory that values name as external files. Their paths become
 * addresses. */
static enum stet_status
take_files(struct stet_call *call, const struct wxr_sink *sink, json_t *value)
{
	const char *src = text_member(call, value, "src"), *name;
	json_t *one;
	size_t i;

	json_array_foreach(value, i, one) STET_TRY(take_files(call, sink, one));
	if (!json_is_object(value))
		return STET_OK;
	if (strcmp(text_member(call, value, "provider"), "external") == 0 && src[0] == '/' &&
	    src[1] != '/') {
		src = stet_printf(call, "%s%s", GIVEN_FILE, src + 1);
		(void)json_object_set_new(value, "src", json_string(src));
		return take_attachment(call, sink,
		    stet_json_own(
			call, json_pack("{ss ss ss}", "id", stet_printf(call, "file:%s", src),
				  "url", src, "alt", text_member(call, value, "alt"))));
	}
	json_object_foreach(value, name, one) STET_TRY(take_files(call, sink, one));
	return STET_OK;
}

/* Reads the field `_stet` of own exports (modules/export/object.c), and removes from the values
 * what it says better. */
static enum stet_status
read_stet(
    struct stet_call *call, const struct taking *t, const json_t *stet, json_t *fields, json_t *own)
{
	static const char *const same[] = { "draft", "scheduledAt", "unpublishAt", "terms", "seo" };
	const char *body = text_member(call, stet, "body"), *name;
	json_t *given = json_object_get(stet, "given"), *value = json_object_get(fields, "seo");

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		(void)json_object_set(own, same[i], json_object_get(stet, same[i]));
	(void)json_object_set(own, "exact", json_object_get(stet, "fields"));
	if (json_is_object(value) && json_object_get(stet, "seo") == NULL) {
		(void)json_object_set(own, "seo", value);
		(void)json_object_del(fields, "seo");
	}
	json_object_foreach(json_object_get(stet, "terms"), name, value)(void)
	    json_object_del(fields, name);
	(void)json_object_update(fields, given);
	if (json_is_array(json_object_get(stet, "credits"))) {
		(void)json_object_set(own, "credits", json_object_get(stet, "credits"));
		STET_TRY(take_credits(call, t->sink, json_object_get(stet, "credits")));
	}
	if (*body != '\0' && json_object_get(own, "content") != NULL) {
		(void)json_object_set(fields, body, json_object_get(own, "content"));
		(void)json_object_del(own, "content");
	}
	if (json_is_true(json_object_get(stet, "files")))
		STET_TRY(take_files(call, t->sink, fields));
	return STET_OK;
}

/* Sets item->own: values that are stored as they are, credits and old links. Markdown becomes
 * Portable Text. */
static enum stet_status
read_own(struct stet_call *call, const struct taking *t, const json_t *o, struct wxr_item *item)
{
	const char *markdown = text_member(call, o, "markdown"),
		   *html = text_member(call, o, "html");
	const json_t *blocks = json_object_get(o, "blocks");
	json_t *own = stet_json_own(call, json_object()), *fields = NULL;

	item->own = own;
	if (*markdown != '\0') {
		item->content = markdown;
		blocks = given_blocks(call, own, markdown);
		if (blocks == NULL)
			item->content = "";
	} else if (*html != '\0')
		item->content = stet_printf(call, "<!-- wp:group -->%s<!-- /wp:group -->", html);
	else if (json_array_size(blocks) > 0)
		item->content = " ";
	if (json_is_array(blocks))
		(void)json_object_set(own, "content", (json_t *)(uintptr_t)blocks);
	if (json_is_object(json_object_get(o, "lost")))
		(void)json_object_set(own, "lost", json_object_get(o, "lost"));
	if (json_array_size(json_object_get(o, "authors")) > 0)
		(void)json_object_set_new(
		    own, "credits", credits_of(json_object_get(o, "authors")));
	if (json_is_object(json_object_get(o, "fields")))
		fields = stet_json_own(call, json_deep_copy(json_object_get(o, "fields")));
	if (json_is_object(json_object_get(fields, "_stet"))) {
		json_t *stet = stet_json_own(call, json_incref(json_object_get(fields, "_stet")));

		(void)json_object_del(fields, "_stet");
		STET_TRY(read_stet(call, t, stet, fields, own));
		if (json_object_get(own, "content") == NULL)
			item->content = "";
	}
	if (fields != NULL)
		read_fields(call, t, item->type, fields, o, own);
	if (json_object_get(json_object_get(o, "types"), "parent") != NULL)
		(void)json_object_set_new(own, "parent",
		    noted_type(call, json_object_get(json_object_get(o, "types"), "parent")));
	(void)json_object_set(own, "place", json_object_get(o, "place"));
	(void)json_object_set(own, "keys", json_object_get(o, "keys"));
	(void)json_object_set(own, "oldLinks", json_object_get(o, "oldLinks"));
	return STET_OK;
}

/* Returns a time as ISO 8601; "": there is none. One that cannot be read is noted in own.unread. */
static const char *
time_member(struct stet_call *call, const json_t *o, const char *member, json_t *own)
{
	const char *text = text_member(call, o, member), *time = dates_read(call, text, DATES_ANY);
	json_t *unread = json_object_get(own, "unread");

	if (time != NULL || *text == '\0')
		return time != NULL ? time : "";
	if (unread == NULL) {
		unread = json_object();
		(void)json_object_set_new(own, "unread", unread);
	}
	(void)json_object_set_new(unread, member, json_string(text));
	return "";
}

static void
read_times(struct stet_call *call, const json_t *o, struct wxr_item *item)
{
	json_t *own = (json_t *)(uintptr_t)item->own;
	const char *created = time_member(call, o, "created", own),
		   *published = time_member(call, o, "published", own);
	const char *updated = time_member(call, o, "updated", own);

	item->date_gmt = *created != '\0' ? created : published;
	item->modified_gmt = updated;
	(void)json_object_set_new(own, "createdAt", json_string(item->date_gmt));
	(void)json_object_set_new(
	    own, "publishedAt", json_string(*published != '\0' ? published : created));
	(void)json_object_set_new(own, "updatedAt", json_string(updated));
}

static enum stet_status
take_item(struct stet_call *call, const struct taking *t, const json_t *o)
{
	const struct wxr_sink *sink = t->sink;
	struct wxr_meta meta[3];
	struct wxr_item item = nothing;
	const char *status = text_member(call, o, "status"), *picture,
		   *locale = text_member(call, o, "locale");

	if (strcmp(text_member(call, o, "type"), "menu_entry") == 0)
		STET_TRY(given_menu_name(call, sink, o));
	if (sink->item == NULL)
		return STET_OK;
	item.type = text_member(call, o, "type");
	if (strcmp(item.type, "attachment") == 0)
		return take_attachment(call, sink, o);
	if (strcmp(item.type, "menu_entry") == 0)
		return given_menu(call, sink, o, &nothing);
	STET_TRY(take_picture(call, sink, o, &picture));
	if (*item.type == '\0')
		item.type = "post";
	item.key = key_of(call, o, "id");
	item.parent_key = key_of(call, o, "parent");
	item.status = strcmp(status, "published") == 0 || strcmp(status, "publish") == 0 ? "publish"
											 : "draft";
	item.slug = text_member(call, o, "slug");
	item.title = text(call, o, "title");
	item.link = text_member(call, o, "link");
	item.excerpt = text(call, o, "excerpt");
	item.meta = meta;
	if (picture != NULL)
		meta[item.meta_count++] = (struct wxr_meta){ "_thumbnail_id", picture };
	if (*locale != '\0')
		meta[item.meta_count++] = (struct wxr_meta){ "_icl_lang_code", locale };
	if (*text_member(call, o, "group") != '\0')
		meta[item.meta_count++] =
		    (struct wxr_meta){ "_icl_trid", text_member(call, o, "group") };
	STET_TRY(read_own(call, t, o, &item));
	read_labels(call, terms_of(call, o, item.own), &item);
	read_comments(call, json_object_get(o, "comments"), &item);
	if (json_object_get(item.own, "scheduledAt") != NULL && strcmp(item.status, "draft") == 0)
		item.status = "future";
	if (json_is_null(json_object_get(json_object_get(item.own, "exact"), "title")))
		item.title = "";
	read_times(call, o, &item);
	return sink->item(sink->arg, &item);
}

/* ---- reading ---- */

static enum stet_status
take_thing(struct stet_call *call, void *arg)
{
	const struct thing *t = arg;
	const struct wxr_sink *sink = t->taking->sink;

	switch (t->kind) {
	case STET_SOURCE_SITE:
		return take_site(call, sink, t->object);
	case STET_SOURCE_AUTHOR:
		return take_author(call, sink, t->object);
	case STET_SOURCE_TERM:
		return take_term(call, sink, t->object);
	case STET_SOURCE_ITEM:
		return take_item(call, t->taking, t->object);
	case STET_SOURCE_NOTICE:
		return take_notice(call, sink, t->object);
	}
	return STET_OK;
}

static enum stet_status
take(struct stet_source *source, enum stet_source_kind kind, const json_t *object)
{
	struct thing t = { source->arg, kind, object };

	if (!json_is_object(object))
		return stet_fail(source->call, STET_VALIDATION_ERROR, "file",
		    "The importer has handed on what is no object");
	return stet_scope(source->call, take_thing, &t);
}

enum stet_status
given_read(struct stet_call *call, const struct given *from, const char *const *paths, size_t count,
    struct names *names, const struct wxr_sink *sink)
{
	struct taking t = { .sink = sink, .names = names };
	struct wxr_totals totals;
	const json_t *one;
	size_t i;

	if (from == NULL)
		return wxr_read(call, paths, count, (uint64_t)import_most(call), sink, &totals);
	t.source = (struct stet_source){ .call = call,
		.path = paths,
		.count = count,
		.options = from->options,
		.take = take,
		.arg = &t };
	json_array_foreach(from->left, i, one) STET_TRY(take(&t.source, STET_SOURCE_NOTICE, one));
	return stet_importer_read(call, from->importer, &t.source);
}
