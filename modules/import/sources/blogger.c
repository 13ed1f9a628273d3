/*
 * blogger.c - exports of Blogger: a feed (Atom) with posts, pages and comments, as Blogger itself
 * writes it (kinds are categories, drafts app:draft), or as Takeout does (elements blogger:type,
 * blogger:status, blogger:filename). It is read twice, since comments stand beside their posts.
 * Option `url`: the address of the blog, which feeds of Takeout leave out.
 */
#include "read/text.h"
#include "sources/atom.h"
#include "sources/documents.h"
#include <string.h>
#include <strings.h>

#define ENDS " .xml .atom "
#define KIND "http://schemas.google.com/g/2005#kind"
#define KIND_TERM "http://schemas.google.com/blogger/2008/kind#"
#define LABEL "http://www.blogger.com/atom/ns#"
#define LABEL_TAKEOUT "tag:blogger.com"
#define COMMENT_BYTES (128u << 20) /* of all comments, as text */

struct blogger {
	struct stet_source *source;
	const char *url; /* of the blog, without a slash at the end */
	const char *name; /* of the document */
	json_t *comments; /* {id of the item: [comment]} */
	json_t *done; /* set of ids of items whose comments were handed on */
	size_t bytes; /* of them */
	int64_t dropped; /* comments that are too many */
	int64_t asides; /* entries of settings and layouts */
	int feeds;
	bool knowing; /* the first pass */
};

static const char *
part_of(const json_t *entry, const char *part, const char *name)
{
	return text_in(json_object_get(entry, part), name);
}

/* The number of "tag:blogger.com,1999:blog-12.post-34"; "" if there is none. */
static const char *
number_of(const char *id)
{
	const char *dash = strrchr(id, '-');

	return dash != NULL && dash[1] != '\0' ? dash + 1 : "";
}

/* Returns "post", "page", "comment" or the kind of something else. */
static const char *
kind_of(struct stet_call *call, const json_t *entry)
{
	const json_t *kinds = json_object_get(json_object_get(entry, "category"), KIND);
	const char *kind = json_string_value(json_array_get(kinds, 0));
	char *type = stet_strdup(call, text_in(entry, "type"));

	if (kind != NULL && strncmp(kind, KIND_TERM, strlen(KIND_TERM)) == 0)
		return kind + strlen(KIND_TERM);
	for (char *c = type; *c != '\0'; c++)
		*c = (char)(*c >= 'A' && *c <= 'Z' ? *c + ('a' - 'A') : *c);
	return type;
}

/* ---- comments ---- */

static const char *
comment_status(const json_t *entry)
{
	const char *status = text_in(entry, "status");

	if (*status == '\0' || strcmp(status, "LIVE") == 0)
		return "approved";
	return strcmp(status, "PENDING") == 0 ? "pending" : "spam";
}

/* The id of the comment to which a comment replies; "": to none. */
static const char *
answered(const json_t *entry)
{
	const char *takeout = text_in(entry, "inReplyTo"),
		   *related = part_of(entry, "link", "related");
	const char *slash = strrchr(related, '/');

	if (*takeout != '\0')
		return number_of(takeout);
	return slash != NULL && strstr(related, "/comments/") != NULL ? slash + 1 : "";
}

static void
know_comment(struct blogger *b, const json_t *entry)
{
	const char *takeout = text_in(entry, "parent");
	const char *item = number_of(*takeout != '\0' ? takeout : text_in(entry, "in-reply-to"));
	const char *body = text_in(entry, "content");
	json_t *list = json_object_get(b->comments, item);

	b->bytes += strlen(body) + 300;
	b->dropped += b->bytes > COMMENT_BYTES;
	if (b->bytes > COMMENT_BYTES)
		return;
	if (list == NULL) {
		list = json_array();
		(void)json_object_set_new(b->comments, item, list);
	}
	(void)json_array_append_new(
	    list, json_pack("{ss ss ss ss ss ss}", "own", number_of(text_in(entry, "id")), "to",
		      answered(entry), "author", part_of(entry, "author", "name"), "created",
		      text_in(entry, "published"), "html", body, "status", comment_status(entry)));
}

/* ---- posts and pages ---- */

/* The address at the blog; "": it had none. */
static const char *
link_of(const struct blogger *b, const json_t *entry)
{
	const char *link = part_of(entry, "link", "alternate"), *path = text_in(entry, "filename");

	if (*link != '\0' || *path != '/')
		return link;
	return stet_printf(
	    b->source->call, "%s%s", *b->url != '\0' ? b->url : "https://source.invalid", path);
}

static const char *
slug_of(struct stet_call *call, const char *link)
{
	const char *base = strrchr(link, '/');

	return base != NULL
		   ? stet_slugify(call, stet_strndup(call, base + 1, strcspn(base + 1, ".?#")))
		   : "";
}

static json_t *
labels_of(const json_t *entry)
{
	json_t *out = json_array(), *list;
	const char *scheme;

	json_object_foreach(json_object_get(entry, "category"), scheme, list)
	{
		if (strcmp(scheme, LABEL) == 0 ||
		    strncmp(scheme, LABEL_TAKEOUT, strlen(LABEL_TAKEOUT)) == 0)
			(void)json_array_extend(out, list);
	}
	return json_pack("{so}", "tag", out);
}

static bool
is_public(const json_t *entry)
{
	const char *status = text_in(entry, "status");

	return strcasecmp(part_of(entry, "control", "draft"), "yes") != 0 &&
	       (*status == '\0' || strcmp(status, "LIVE") == 0);
}

static void
put_values(json_t *item, const json_t *entry)
{
	static const char *const names[][2] = { { "metaDescription", "seo_description" },
		{ "location", "location" }, { "featurename", "location" },
		{ "enclosure", "enclosure" } };
	json_t *fields = json_object_get(item, "fields");

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (*text_in(entry, names[i][0]) != '\0')
			(void)json_object_set(
			    fields, names[i][1], json_object_get(entry, names[i][0]));
	if (*part_of(entry, "link", "enclosure") != '\0')
		(void)json_object_set_new(
		    fields, "enclosure", json_string(part_of(entry, "link", "enclosure")));
}

static enum stet_status
put_item(struct blogger *b, const json_t *entry, const char *kind)
{
	struct stet_call *call = b->source->call;
	const char *id = number_of(text_in(entry, "id")), *link = link_of(b, entry);
	const char *html = text_in(entry, "content"), *created = text_in(entry, "created");
	const char *email = part_of(entry, "author", "email");
	const char *published = text_in(entry, "published");
	json_t *item = document_new(call, id, kind, is_public(entry)), *comments;

	if (strcmp(text_in(entry, "status"), "SCHEDULED") == 0)
		STET_TRY(source_notice(b->source, text_in(entry, "title"), false,
		    stet_printf(call, "It was to be published at %s: it is a draft", published)));
	(void)json_object_set_new(item, "title", json_string(text_in(entry, "title")));
	(void)json_object_set_new(item, "slug", json_string(slug_of(call, link)));
	(void)json_object_set_new(item, "link", json_string(link));
	(void)json_object_set_new(
	    item, "created", json_string(*created != '\0' ? created : published));
	(void)json_object_set_new(item, "published", json_string(published));
	(void)json_object_set_new(item, "updated", json_string(text_in(entry, "updated")));
	(void)json_object_set_new(item, "terms", labels_of(entry));
	(void)json_object_set_new(item, "html", json_string(html));
	put_values(item, entry);
	comments = json_object_get(b->comments, id);
	if (comments != NULL) {
		(void)json_object_set(
		    item, "comments", (json_t *)(uintptr_t)document_comments(call, comments));
		(void)json_object_set_new(b->done, id, json_true());
	}
	STET_TRY(document_author(b->source, item, part_of(entry, "author", "name"),
	    strcmp(email, "noreply@blogger.com") == 0 ? "" : email));
	STET_TRY(document_put_pictures(b->source, html));
	return stet_source_put(b->source, STET_SOURCE_ITEM, json_incref(item));
}

/* ---- the two passes ---- */

static enum stet_status
take_entry(void *arg, const json_t *entry)
{
	struct blogger *b = arg;
	const char *kind = kind_of(b->source->call, entry);
	const char *id = number_of(text_in(entry, "id")), *status = text_in(entry, "status");
	bool comment = strcmp(kind, "comment") == 0;

	if (comment && b->knowing)
		know_comment(b, entry);
	if (comment || b->knowing)
		return STET_OK;
	if (strcmp(kind, "post") != 0 && strcmp(kind, "page") != 0) {
		b->asides++;
		return STET_OK;
	}
	if (*id == '\0')
		return source_left(b->source, kind, text_in(entry, "title"), "It has no id");
	if (strstr(status, "TRASH") != NULL)
		return source_notice(b->source, text_in(entry, "title"), false,
		    "It is in the trash of the blog, and left out");
	return put_item(b, entry, kind);
}

static enum stet_status
take_document(void *arg, const char *name, struct source *file)
{
	struct blogger *b = arg;
	bool feed;

	b->name = name;
	STET_TRY(atom_read(b->source->call, file, &feed, take_entry, b));
	b->feeds += feed;
	return feed || !b->knowing
		   ? STET_OK
		   : source_notice(b->source, name, false, "It is no feed, and left out");
}

/* Tells what is left: comments without their item, and settings. */
static enum stet_status
tell_rest(const struct blogger *b)
{
	struct stet_call *call = b->source->call;
	int64_t alone = 0;
	const char *id;
	json_t *list;

	json_object_foreach(b->comments, id, list)
	{
		if (json_object_get(b->done, id) == NULL)
			alone += (int64_t)json_array_size(list);
	}
	if (alone + b->dropped > 0)
		STET_TRY(source_notice(b->source, "comments", true,
		    stet_printf(call,
			"%lld comments are left out: %lld have no post in the "
			"export, %lld are too many",
			(long long)(alone + b->dropped), (long long)alone, (long long)b->dropped)));
	return b->asides == 0 ? STET_OK
			      : source_notice(b->source, "settings", false,
				    stet_printf(call,
					"%lld entries with settings and the layout "
					"of the blog are left out",
					(long long)b->asides));
}

enum stet_status
blogger_source(struct stet_call *call, struct stet_source *source)
{
	struct blogger b = { .source = source,
		.url = document_site(source),
		.knowing = true,
		.comments = stet_json_own(call, json_object()),
		.done = stet_json_own(call, json_object()) };

	STET_TRY(tree_streams(source, ENDS, take_document, &b));
	if (b.feeds == 0)
		return stet_fail(call, STET_VALIDATION_ERROR, "file",
		    "It is no export of Blogger: it is no feed");
	b.knowing = false;
	STET_TRY(document_put_site(source));
	STET_TRY(tree_streams(source, ENDS, take_document, &b));
	return tell_rest(&b);
}
