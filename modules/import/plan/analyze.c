/*
 * analyze.c - what is in an export, before anything is imported: types of posts and the collections
 * that they may become, attachments, authors, terms, custom fields. Lists are bounded, since a file
 * may hold millions: counts are exact, and `truncated` names the lists that are not complete.
 */
#include "plan/analyze.h"
#include "plan/names.h"
#include "plan/suggest.h"
#include "read/form.h"
#include "read/text.h"
#include "read/uploads.h"
#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 255 /* bytes of a type, login or key; longer ones are not listed */
#define TYPES_MAX 1000
#define AUTHORS_MAX 20000
#define FIELDS_MAX 10000
#define TERMS_MAX 100000 /* categories, and tags, up to which duplicates are found */
#define ATTACHMENTS_MAX 20000
#define NOTICES_MAX 100
#define SAMPLES 3
#define SAMPLE_LENGTH 100 /* characters */

const struct stet_member analyze_out[] = {
	{ "site", STET_OBJECT, STET_REQUIRED },
	{ "postTypes", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT,
	    .about =
		"{name, count, suggestedCollection, requiredFields, schemaStatus}, most first" },
	{ "attachments", STET_OBJECT, STET_REQUIRED },
	{ "categories", STET_INTEGER, STET_REQUIRED },
	{ "tags", STET_INTEGER, STET_REQUIRED },
	{ "authors", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT },
	{ "customFields", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT },
	{ "notices", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT,
	    .about = "What was repaired or will be left out, with its line; the first hundred" },
	{ "analysisId", STET_STRING, STET_REQUIRED,
	    .about = "For execute: the file is kept for a day, for who has sent it" },
	{ "skipped", STET_INTEGER, STET_REQUIRED, .about = "Items that cannot be read" },
	{ "truncated", STET_ARRAY, .item = STET_STRING,
	    .about = "Lists above that are too long to be complete" },
	{ 0 },
};

struct analysis {
	struct stet_call *call;
	json_t *site, *types, *authors, *fields, *attachments, *notices; /* types, authors and
									    fields by name */
	json_t *categories, *tags; /* sets of slugs */
	int64_t category_count, tag_count, attachment_count;
	json_t *truncated;
	json_t *suggested; /* {type: collection} */
	struct names *names;
};

/* ---- what is counted ---- */

static void
truncate_list(struct analysis *a, const char *list)
{
	(void)json_object_set_new(a->truncated, list, json_true());
}

static void
increase(json_t *object, const char *member)
{
	json_t *count = json_object_get(object, member);

	if (count == NULL)
		(void)json_object_set_new(object, member, json_integer(1));
	else
		(void)json_integer_set(count, json_integer_value(count) + 1);
}

/* The object of this name in a map, made if there is none; NULL: there is no room. */
static json_t *
entry_of(struct analysis *a, json_t *map, const char *name, size_t most, const char *list)
{
	json_t *entry = json_object_get(map, name);

	if (entry != NULL)
		return entry;
	if (*name == '\0' || strlen(name) > NAME_ROOM || json_object_size(map) >= most) {
		truncate_list(a, list);
		return NULL;
	}
	entry = json_object();
	(void)json_object_set_new(map, name, entry);
	return entry;
}

/* At most so many characters of a text. */
static json_t *
sample_of(const char *text)
{
	return json_stringn(text, stet_utf8_first(text, SAMPLE_LENGTH));
}

static enum stet_status
on_site(void *arg, const struct wxr_site *site)
{
	struct analysis *a = arg;

	a->site = stet_json_own(a->call,
	    json_pack("{ss ss}", "title", *site->title != '\0' ? site->title : "WordPress Site",
		"url", *site->base_blog != '\0' ? site->base_blog : site->link));
	return STET_OK;
}

static enum stet_status
on_author(void *arg, const struct wxr_author *author)
{
	struct analysis *a = arg;
	json_t *entry = entry_of(a, a->authors, author->login, AUTHORS_MAX, "authors");

	if (entry == NULL)
		return STET_OK;
	if (author->id > 0)
		(void)json_object_set_new(entry, "id", json_integer(author->id));
	(void)json_object_set_new(entry, "email", sample_of(author->email));
	(void)json_object_set_new(entry, "displayName", sample_of(author->display_name));
	return STET_OK;
}

/* Counts a term once: a category may be in a file as wp:category and as wp:term. */
static void
count_term(json_t *set, const char *slug, int64_t *count)
{
	if (strlen(slug) <= NAME_ROOM && json_object_get(set, slug) != NULL)
		return;
	++*count;
	if (strlen(slug) <= NAME_ROOM && json_object_size(set) < TERMS_MAX)
		(void)json_object_set_new(set, slug, json_true());
}

static enum stet_status
on_term(void *arg, const struct wxr_term *term)
{
	struct analysis *a = arg;
	const char *slug = *term->slug != '\0' ? term->slug : term->name;

	if (strcmp(term->taxonomy, "category") == 0)
		count_term(a->categories, slug, &a->category_count);
	else if (strcmp(term->taxonomy, "post_tag") == 0)
		count_term(a->tags, slug, &a->tag_count);
	return STET_OK;
}

/* Text without markup, as a new reference; NULL: there is none. */
static json_t *
words_of(const struct analysis *a, const char *text)
{
	return text != NULL && *text != '\0' ? json_string(text_plain(a->call, text)) : NULL;
}

static void
take_attachment(struct analysis *a, const struct wxr_item *item)
{
	const char *url = wxr_attachment_url(item);
	const char *end = url + strcspn(url, "?#"), *base = end;
	char *filename;

	a->attachment_count++;
	if (json_array_size(a->attachments) >= ATTACHMENTS_MAX || strlen(url) > 2048) {
		truncate_list(a, "attachments");
		return;
	}
	while (base > url && base[-1] != '/')
		base--;
	filename = malloc((size_t)(end - base) + 1);
	if (filename == NULL)
		stet_out_of_memory();
	memcpy(filename, base, (size_t)(end - base));
	filename[end - base] = '\0';
	(void)json_array_append_new(a->attachments,
	    json_pack("{sI so ss ss ss so* so*}", "id", (json_int_t)item->id, "title",
		sample_of(item->title), "url", url, "filename", filename, "mimeType",
		suggest_media_type(filename), "alt", words_of(a, wxr_meta_value(item, WXR_ALT)),
		"caption", words_of(a, item->excerpt)));
	free(filename);
}

/* Returns the slug of the field. Hidden custom fields are no fields of their own. */
static const char *
field_of(struct analysis *a, const char *type, const char *key)
{
	const char *slug =
	    suggest_internal_field(key) ? NULL : names_field(a->call, a->names, type, key);

	return slug != NULL ? slug : suggest_field(a->call, key);
}

/* type: of the item that has the field. */
static void
take_field(struct analysis *a, const char *type, const struct wxr_meta *meta)
{
	json_t *entry = entry_of(a, a->fields, meta->key, FIELDS_MAX, "customFields"), *samples;

	if (entry == NULL)
		return;
	increase(entry, "count");
	samples = json_object_get(entry, "samples");
	if (samples == NULL) {
		samples = json_array();
		(void)json_object_set_new(entry, "samples", samples);
		(void)json_object_set_new(
		    entry, "suggestedField", json_string(field_of(a, type, meta->key)));
	}
	if (*meta->value == '\0' || json_array_size(samples) >= SAMPLES)
		return;
	if (json_array_size(samples) == 0)
		(void)json_object_set_new(
		    entry, "suggestedType", json_string(suggest_type(meta->key, meta->value)));
	(void)json_array_append_new(samples, sample_of(meta->value));
}

static enum stet_status
on_item(void *arg, const struct wxr_item *item)
{
	struct analysis *a = arg;
	json_t *entry;

	if (strcmp(item->type, "attachment") == 0)
		take_attachment(a, item);
	if (suggest_internal_type(item->type))
		return STET_OK;
	if (*item->author != '\0' &&
	    (entry = entry_of(a, a->authors, item->author, AUTHORS_MAX, "authors")) != NULL)
		increase(entry, "postCount");
	if ((entry = entry_of(a, a->types, item->type, TYPES_MAX, "postTypes")) == NULL)
		return STET_OK;
	increase(entry, "count");
	(void)names_collection(a->call, a->names, item->type);
	for (size_t i = 0; i < item->meta_count; i++) {
		take_field(a, item->type, &item->meta[i]);
		if (strcmp(item->meta[i].key, "_thumbnail_id") == 0)
			(void)json_object_set_new(entry, "pictures", json_true());
	}
	return STET_OK;
}

static enum stet_status
on_notice(void *arg, const struct wxr_notice *notice)
{
	struct analysis *a = arg;
	json_t *one;

	if (json_array_size(a->notices) >= NOTICES_MAX)
		return STET_OK;
	one = json_pack("{sI sb so}", "line", (json_int_t)notice->line, "skipped", notice->skipped,
	    "message", sample_of(notice->text));
	if (*notice->file != '\0')
		(void)json_object_set_new(one, "file", sample_of(notice->file));
	(void)json_array_append_new(a->notices, one);
	return STET_OK;
}

/* ---- the answer ---- */

/* By count, and by name where it is equal. */
static int
most_first(const void *x, const void *y)
{
	const json_t *const *a = x, *const *b = y;
	json_int_t m = json_integer_value(json_object_get(*a, "count"));
	json_int_t n = json_integer_value(json_object_get(*b, "count"));

	if (m != n)
		return m < n ? 1 : -1;
	return strcmp(json_string_value(json_object_get(*a, "name")),
	    json_string_value(json_object_get(*b, "name")));
}

static enum stet_status
put_type(struct analysis *a, struct stet_json *out, json_t *type)
{
	const char *name = json_string_value(json_object_get(type, "name"));
	const char *slug = names_collection(a->call, a->names, name);
	const json_t *fields =
	    stet_json_own(a->call, suggest_fields(true, json_object_get(type, "pictures") != NULL));
	json_t *status = NULL;

	STET_TRY(suggest_status(a->call, slug, fields, &status));
	(void)json_object_set_new(a->suggested, name, json_string(slug));
	stet_object(out, NULL);
	stet_put_str(out, "name", name);
	stet_put_json(out, "count", json_object_get(type, "count"));
	stet_put_str(out, "suggestedCollection", slug);
	stet_put_json(out, "requiredFields", fields);
	stet_put_json(out, "schemaStatus", stet_json_own(a->call, status));
	stet_close(out);
	return STET_OK;
}

/* The objects of a map by count, the most frequent first, each with its name. */
static json_t **
by_count(struct stet_call *call, json_t *map)
{
	json_t **list = stet_alloc(call, (json_object_size(map) + 1) * sizeof(json_t *)), *entry;
	const char *name;
	size_t count = 0;

	json_object_foreach(map, name, entry)
	{
		(void)json_object_set_new(entry, "name", json_string(name));
		list[count++] = entry;
	}
	qsort(list, count, sizeof(json_t *), most_first);
	return list;
}

static enum stet_status
put_types(struct analysis *a, struct stet_json *out)
{
	json_t **list = by_count(a->call, a->types);

	stet_array(out, "postTypes");
	for (size_t i = 0; i < json_object_size(a->types); i++)
		STET_TRY(put_type(a, out, list[i]));
	stet_close(out);
	return STET_OK;
}

static void
put_authors(struct analysis *a, struct stet_json *out)
{
	const char *login;
	json_t *author;

	stet_array(out, "authors");
	json_object_foreach(a->authors, login, author)
	{
		const char *name = json_string_value(json_object_get(author, "displayName"));
		const char *email = json_string_value(json_object_get(author, "email"));

		stet_object(out, NULL);
		if (json_object_get(author, "id") != NULL)
			stet_put_json(out, "id", json_object_get(author, "id"));
		stet_put_str(out, "login", login);
		stet_put_str(out, "email", email != NULL ? email : "");
		stet_put_str(out, "displayName", name != NULL && *name != '\0' ? name : login);
		stet_put_int(
		    out, "postCount", json_integer_value(json_object_get(author, "postCount")));
		stet_close(out);
	}
	stet_close(out);
}

static void
put_field(struct stet_json *out, const json_t *field)
{
	const char *key = json_string_value(json_object_get(field, "name"));
	const char *type = json_string_value(json_object_get(field, "suggestedType"));

	stet_object(out, NULL);
	stet_put_str(out, "key", key);
	stet_put_json(out, "count", json_object_get(field, "count"));
	stet_put_json(out, "samples", json_object_get(field, "samples"));
	stet_put_json(out, "suggestedField", json_object_get(field, "suggestedField"));
	stet_put_str(out, "suggestedType", type != NULL ? type : suggest_type(key, ""));
	stet_put_bool(out, "isInternal", suggest_internal_field(key));
	stet_close(out);
}

static void
put_fields(struct analysis *a, struct stet_json *out)
{
	json_t **list = by_count(a->call, a->fields);

	stet_array(out, "customFields");
	for (size_t i = 0; i < json_object_size(a->fields); i++)
		put_field(out, list[i]);
	stet_close(out);
}

static void
put_truncated(struct analysis *a, struct stet_json *out)
{
	const char *list;
	json_t *value;

	if (json_object_size(a->truncated) == 0)
		return;
	stet_array(out, "truncated");
	json_object_foreach(a->truncated, list, value) stet_put_str(out, NULL, list);
	stet_close(out);
}

enum stet_status
analysis_put(struct analysis *a, struct stet_json *out)
{
	stet_put_json(out, "site", a->site);
	STET_TRY(put_types(a, out));
	stet_object(out, "attachments");
	stet_put_int(out, "count", a->attachment_count);
	stet_put_json(out, "items", a->attachments);
	stet_close(out);
	stet_put_int(out, "categories", a->category_count);
	stet_put_int(out, "tags", a->tag_count);
	put_authors(a, out);
	put_fields(a, out);
	stet_put_json(out, "notices", a->notices);
	put_truncated(a, out);
	return STET_OK;
}

const json_t *
analysis_suggested(const struct analysis *a)
{
	return a->suggested;
}

/* ---- what a source has counted ---- */

static void
set_count(json_t *entry, const char *member, int64_t count)
{
	if (entry != NULL)
		(void)json_object_set_new(entry, member, json_integer(count));
}

void
analysis_type(struct analysis *a, const char *name, int64_t count, bool pictures)
{
	json_t *entry;

	if (suggest_internal_type(name))
		return;
	entry = entry_of(a, a->types, name, TYPES_MAX, "postTypes");
	set_count(entry, "count", count);
	if (entry != NULL && pictures)
		(void)json_object_set_new(entry, "pictures", json_true());
}

void
analysis_field(struct analysis *a, const char *key, int64_t count, const char *value)
{
	const struct wxr_meta meta = { key, value != NULL ? value : "" };

	take_field(a, "", &meta);
	set_count(json_object_get(a->fields, key), "count", count);
}

void
analysis_posts(struct analysis *a, const char *login, int64_t count)
{
	set_count(entry_of(a, a->authors, login, AUTHORS_MAX, "authors"), "postCount", count);
}

void
analysis_terms(struct analysis *a, int64_t categories, int64_t tags)
{
	a->category_count = categories;
	a->tag_count = tags;
}

struct wxr_sink
analysis_sink(struct analysis *a)
{
	return (struct wxr_sink){ on_site, on_author, on_term, on_item, on_notice, a };
}

struct analysis *
analysis_new(struct stet_call *call)
{
	struct analysis *a = stet_alloc(call, sizeof(*a));
	json_t **maps[] = { &a->types, &a->authors, &a->fields, &a->categories, &a->tags,
		&a->truncated, &a->suggested };
	json_t **lists[] = { &a->attachments, &a->notices };

	a->call = call;
	a->names = names_new(call);
	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]); i++)
		*maps[i] = stet_json_own(call, json_object());
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		*lists[i] = stet_json_own(call, json_array());
	return a;
}

/* ---- the op ---- */

static enum stet_status
answer(struct stet_call *call, struct analysis *a, const struct wxr_totals *totals)
{
	struct stet_json *out = stet_reply(call);
	const char *id;

	stet_object(out, NULL);
	STET_TRY(analysis_put(a, out));
	stet_put_int(out, "skipped", totals->skipped);
	STET_TRY(uploads_keep(call, a->suggested, &id));
	stet_put_str(out, "analysisId", id);
	stet_close(out);
	return STET_OK;
}

enum stet_status
import_analyze(struct stet_call *call)
{
	struct analysis *a = analysis_new(call);
	const struct wxr_sink sink = analysis_sink(a);
	const char *const *paths;
	struct wxr_totals totals;
	size_t count;

	STET_TRY(form_files(call, &paths, &count));
	STET_TRY(wxr_read(call, paths, count, (uint64_t)import_most(call), &sink, &totals));
	return answer(call, a, &totals);
}
