/*
 * payload.c - documents of Payload, a file for each collection, beside the directories of its
 * files: answers of its REST API, arrays, or lines of JSON (also as mongoexport writes them).
 * articles.de.json has those of the collection articles in a locale. Option `type`: the collection
 * of a single file.
 *
 * Documents do not say which values are references: a text that is the id of a document is one.
 * Ids of SQL databases are numbers that each collection has: there, a value that is a document
 * (depth=1) is found by its id and its time, and one beside relationTo by both.
 */
#include "sources/payload.h"
#include "read/text.h"
#include "sources/documents.h"
#include "sources/rich.h"
#include <stet/portabletext.h>
#include <string.h>

#define ENDS " .jsonl .ndjson .json "
#define LIST "docs" /* the member of an answer that has its documents */
#define TOTAL "totalDocs"
#define DEPTH_MAX 40 /* levels of a value */
#define TEXTS_DEEP 8 /* texts inside each other */
#define ID_LEAST 12 /* bytes of an id that all collections share, and that is recognized alone */

struct payload {
	struct documents all; /* by their keys: an id, or "COLLECTION:ID" if it is short */
	json_t *files; /* {key: {url, alt, type}} */
	json_t *accounts; /* {key: {name, email}}: documents of people who sign in */
	json_t *made; /* {"ID TIME": key} of documents with short ids */
	json_t *titled; /* {key: true} of documents with a title in a locale */
	json_t *counts; /* {"COLLECTION LOCALE": {total, got}}; total: where REST tells it */
	const char *locale; /* of the present file; "": it has none */
	/* Of the present document. */
	json_t *item;
	int deep; /* texts inside each other */
	int left; /* parts of texts and values that have no place */
};

static json_t *map_value(struct payload *, const json_t *value, int depth);

/* The id of a document, or of a value that refers to one: alone, {relationTo, value}, or the whole
 * document. mongoexport has {"$oid": id}. */
static const char *
id_of(struct stet_call *call, const json_t *value)
{
	static const char *const names[] = { "$oid", "value", "id", "_id" };
	const json_t *one = value;

	for (int depth = 0; depth < 4 && json_is_object(one); depth++) {
		const json_t *inner = NULL;

		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && inner == NULL; i++)
			inner = json_object_get(one, names[i]);
		one = inner;
	}
	if (json_is_integer(one))
		return stet_printf(call, "%lld", (long long)json_integer_value(one));
	return json_is_string(one) ? json_string_value(one) : "";
}

/* A time, which mongoexport writes as {"$date": time}. */
static void
put_time(json_t *item, const char *name, const json_t *value)
{
	if (json_is_object(value))
		value = json_object_get(value, "$date");
	if (json_is_string(value))
		(void)json_object_set(item, name, (json_t *)(uintptr_t)value);
}

static bool
is_file(const json_t *object)
{
	return *text_in(object, "filename") != '\0' && *text_in(object, "mimeType") != '\0';
}

/* An account has these members in each answer, and others in the database. */
static bool
is_account(const json_t *object)
{
	return json_is_array(json_object_get(object, "sessions")) ||
	       (json_object_get(object, "hash") != NULL && json_object_get(object, "salt") != NULL);
}

static const char *
key_of(const struct payload *p, const char *type, const char *id)
{
	return strlen(id) >= ID_LEAST ? id : stet_printf(p->all.source->call, "%s:%s", type, id);
}

static const char *
time_of(const json_t *object)
{
	const json_t *value = json_object_get(object, "createdAt");

	return json_is_object(value) ? text_in(value, "$date") : text_in(object, "createdAt");
}

/* The key of what a value refers to; NULL: it refers to nothing. */
static const char *
key_in(const struct payload *p, const json_t *value)
{
	struct stet_call *call = p->all.source->call;
	const char *id = json_is_array(value) ? "" : id_of(call, value), *to, *key;
	const json_t *inner = json_object_get(value, "value");

	to = inner != NULL ? text_in(value, "relationTo") : "";
	if (*id == '\0')
		return NULL;
	if (*to != '\0')
		return key_of(p, to, id);
	if (strlen(id) >= ID_LEAST)
		return id;
	key = stet_printf(call, "%s %s", id, time_of(value));
	return json_string_value(json_object_get(p->made, key));
}

/* A document in the present locale, if it is there, is an item by itself. */
static const char *
in_locale(const struct payload *p, const char *key)
{
	const char *own = stet_printf(p->all.source->call, "%s:%s", key, p->locale);

	return *p->locale != '\0' && documents_type(&p->all, own) != NULL ? own : key;
}

/* The id of the item to which a value refers; NULL: it is no reference to a known document. */
static const char *
known(const struct payload *p, const json_t *value)
{
	const char *key = key_in(p, value);

	return key != NULL && documents_type(&p->all, key) != NULL ? in_locale(p, key) : NULL;
}

/* The collection that a file is named by. The plugin import-export puts the time before it:
 * 2026-11-30_10-38-25-articles.json, or in earlier versions "2026-11-30 10:38:25-articles.json". */
static const char *
type_of(const struct payload *p, const char *name)
{
	static const char form[] = "0000-00-00_00-00-00-";
	const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
	size_t i = 0;

	for (; form[i] != '\0'; i++)
		if (form[i] == '0' ? base[i] < '0' || base[i] > '9'
				   : base[i] == '\0' || strchr("-_: ", base[i]) == NULL)
			break;
	return documents_collection(p->all.source, form[i] == '\0' ? base + i : name);
}

/* The locale in the name of a file: articles.de.json. */
static const char *
locale_of(const struct payload *p, const char *name)
{
	const char *base = strrchr(name, '/'), *dot, *end;

	base = base != NULL ? base + 1 : name;
	dot = strchr(base, '.');
	end = strrchr(base, '.');
	return dot != NULL && dot < end
		   ? stet_strndup(p->all.source->call, dot + 1, strcspn(dot + 1, " ."))
		   : "";
}

/* ---- the first pass ---- */

static void
know_file(struct payload *p, const char *name, const char *key, const json_t *object)
{
	const char *path = stet_printf(
	    p->all.source->call, "%s/%s", type_of(p, name), text_in(object, "filename"));

	(void)json_object_set_new(p->files, key,
	    json_pack("{ss ss ss}", "url", document_file(p->all.source->call, name, path), "alt",
		text_in(object, "alt"), "type", text_in(object, "mimeType")));
}

/* Members of an answer beside its documents. */
static bool
is_answer(const json_t *object)
{
	return json_is_integer(json_object_get(object, TOTAL)) &&
	       json_object_get(object, "id") == NULL;
}

/* Counts the documents of answers, and stores what they tell of them. */
static void
count_line(struct payload *p, const struct line_read *line)
{
	const char *of = stet_printf(
	    p->all.source->call, "%s %s", type_of(p, line->name), locale_of(p, line->name));
	json_t *counts = json_object_get(p->counts, of);

	if (counts == NULL) {
		counts = json_pack("{si}", "got", 0);
		(void)json_object_set_new(p->counts, of, counts);
	}
	if (is_answer(line->object))
		(void)json_object_set_new(counts, "total",
		    json_integer(json_integer_value(json_object_get(line->object, TOTAL))));
	else
		(void)json_object_set_new(counts, "got",
		    json_integer(json_integer_value(json_object_get(counts, "got")) + 1));
}

static enum stet_status
know(void *arg, const struct line_read *line)
{
	struct payload *p = arg;
	struct stet_call *call = p->all.source->call;
	const char *id = id_of(call, line->object), *locale = locale_of(p, line->name);
	const char *type = type_of(p, line->name);
	const char *key = key_of(p, type, id);

	count_line(p, line);
	if (*id == '\0' || json_object_size(p->files) >= KNOWN_MAX ||
	    json_object_size(p->made) >= KNOWN_MAX)
		return STET_OK;
	if (strlen(id) < ID_LEAST)
		(void)json_object_set_new(p->made,
		    stet_printf(call, "%s %s", id, time_of(line->object)), json_string(key));
	if (is_file(line->object))
		know_file(p, line->name, key, line->object);
	else if (is_account(line->object) && json_object_size(p->accounts) < KNOWN_MAX)
		(void)json_object_set_new(p->accounts, key,
		    json_pack("{ss ss}", "name", text_in(line->object, "name"), "email",
			text_in(line->object, "email")));
	else {
		if (*text_in(line->object, "title") != '\0')
			(void)json_object_set_new(p->titled, key, json_true());
		/* Its first locale has the key. */
		if (*locale != '\0' && documents_type(&p->all, key) != NULL)
			key = stet_printf(call, "%s:%s", key, locale);
		documents_know(&p->all, key, type);
	}
	return STET_OK;
}

/* ---- values ---- */

static const char *
file_url(const struct payload *p, const char *key, const char **alt)
{
	const json_t *file = key != NULL ? json_object_get(p->files, key) : NULL;

	*alt = text_in(file, "alt");
	return json_string_value(json_object_get(file, "url"));
}

/* The address of the file that a text shows. */
static const char *
upload_url(void *arg, const json_t *node, const char **alt)
{
	const struct payload *p = arg;

	return file_url(p, key_in(p, node), alt);
}

/* The id of the item to which a value refers, also to one that is not in the export if it names its
 * collection; NULL: it is no reference. */
static const char *
target_of(const struct payload *p, const json_t *value)
{
	const char *key = known(p, value);

	return key == NULL && *text_in(value, "relationTo") != '\0' ? key_in(p, value) : key;
}

/* The address of the document to which a link of a text leads. A link names its collection. */
static const char *
document_url(void *arg, const json_t *target)
{
	const struct payload *p = arg;
	const char *id = target_of(p, target);

	return id != NULL && documents_type(&p->all, id) != NULL
		   ? document_item(p->all.source->call, id)
		   : NULL;
}

/* A document or a block that a text shows. */
static const char *
embed(void *arg, const json_t *node, bool whole)
{
	struct payload *p = arg;
	struct stet_call *call = p->all.source->call;
	const json_t *fields = json_object_get(node, "fields"), *block;
	const char *type = text_in(fields, "blockType"), *id, *title;

	if (strcmp(text_in(node, "type"), "relationship") == 0) {
		id = target_of(p, node);
		title = text_in(json_object_get(node, "value"), "title");
		if (id == NULL || (!whole && documents_type(&p->all, id) == NULL))
			return NULL;
		return whole ? document_embed(call, id, title) : document_anchor(call, id, title);
	}
	/* A block of text has other members than one of this name here. */
	if (*type == '\0' || !whole || strcmp(type, "block") == 0)
		return NULL;
	block = stet_json_own(call, map_value(p, fields, 0));
	return document_block(call, type, block);
}

static bool
is_text(const json_t *value)
{
	return json_is_array(json_object_get(json_object_get(value, "root"), "children"));
}

static const char *
text_html(struct payload *p, const json_t *value)
{
	struct rich rich = { .upload = upload_url, .item = document_url, .embed = embed, .arg = p };
	const char *html = "";

	if (++p->deep <= TEXTS_DEEP)
		html = rich_html(p->all.source->call, value, &rich);
	else
		p->left++;
	p->deep--;
	p->left += rich.left;
	return html;
}

/* Puts a value that is a reference, or a list of them; *done: it is one. */
static enum stet_status
put_reference(const struct payload *p, const char *name, const json_t *value, bool *done)
{
	json_t *ids = stet_json_own(p->all.source->call, json_array());
	bool many = json_is_array(value);
	const json_t *one;
	size_t i;

	if (!many && known(p, value) != NULL)
		(void)json_array_append_new(ids, json_string(known(p, value)));
	json_array_foreach(value, i, one)
	{
		if (known(p, one) != NULL)
			(void)json_array_append_new(ids, json_string(known(p, one)));
	}
	*done =
	    json_array_size(ids) > 0 && (!many || json_array_size(ids) == json_array_size(value));
	return *done ? document_references(&p->all, p->item, name, ids, many) : STET_OK;
}

static json_t *
map_text(struct payload *p, const json_t *value)
{
	json_t *lost = json_array();
	const char *text = text_html(p, value);
	json_t *blocks = source_blocks(p->all.source->call, text, strlen(text), lost);

	p->left += (int)json_array_size(lost);
	json_decref(lost);
	return blocks;
}

static const char *
account_name(const struct payload *p, const json_t *value)
{
	const char *key = key_in(p, value);
	const json_t *account = key != NULL ? json_object_get(p->accounts, key) : NULL;
	const char *name = text_in(account, "name"), *email = text_in(account, "email");

	/* The part before the domain: addresses are not for the public. */
	return *name != '\0' ? name : stet_strndup(p->all.source->call, email, strcspn(email, "@"));
}

/* Makes the account, or the first of a list, the author of the item. *done: it is one. */
static enum stet_status
put_author(const struct payload *p, const char *name, const json_t *value, bool *done)
{
	const json_t *one = json_is_array(value) ? json_array_get(value, 0) : value;
	const char *key = key_in(p, one);
	const json_t *account = key != NULL ? json_object_get(p->accounts, key) : NULL;

	*done = account != NULL && json_array_size(value) < 2 &&
		(strcmp(name, "author") == 0 || strcmp(name, "authors") == 0);
	return *done ? document_author(
			   p->all.source, p->item, account_name(p, one), text_in(account, "email"))
		     : STET_OK;
}

/* A value inside another: files become values as those of fields are, documents references, texts
 * blocks; a new reference. */
static json_t *
map_value(struct payload *p, const json_t *value, int depth)
{
	struct stet_call *call = p->all.source->call;
	const char *alt = "", *url = file_url(p, key_in(p, value), &alt), *name;
	json_t *out, *one;
	size_t i;

	if (url != NULL)
		return document_asset(url, alt);
	if (json_object_get(p->accounts, key_in(p, value) != NULL ? key_in(p, value) : "") != NULL)
		return json_string(account_name(p, value));
	if (!json_is_array(value) && target_of(p, value) != NULL)
		return document_reference(call, target_of(p, value));
	if (is_text(value))
		return map_text(p, value);
	p->left += depth == DEPTH_MAX;
	if (depth == DEPTH_MAX || !(json_is_object(value) || json_is_array(value)))
		return json_incref((json_t *)(uintptr_t)value);
	out = json_is_array(value) ? json_array() : json_object();
	json_array_foreach((json_t *)(uintptr_t)value, i, one)(void)
	    json_array_append_new(out, map_value(p, one, depth + 1));
	json_object_foreach((json_t *)(uintptr_t)value, name, one)
	{
		const json_t *list = json_is_null(one) ? payload_list(call, value, name) : NULL;

		if (!payload_is_folded(call, value, name))
			(void)json_object_set_new(
			    out, name, map_value(p, list != NULL ? list : one, depth + 1));
	}
	return out;
}

static enum stet_status
put_value(struct payload *p, const char *name, const json_t *value)
{
	struct stet_call *call = p->all.source->call;
	const char *key = key_in(p, value), *alt = "", *url = file_url(p, key, &alt);
	bool done;

	if (url != NULL) {
		const char *type = text_in(json_object_get(p->files, key), "type");

		document_typed(p->item, name, strncmp(type, "image/", 6) == 0 ? "image" : "file",
		    document_asset(url, alt));
		return STET_OK;
	}
	STET_TRY(put_author(p, name, value, &done));
	if (done)
		return STET_OK;
	p->left = 0;
	if (is_text(value))
		document_html(call, p->item, name, text_html(p, value));
	else {
		STET_TRY(put_reference(p, name, value, &done));
		if (!done)
			document_value(p->item, name, stet_json_own(call, map_value(p, value, 0)));
	}
	return p->left == 0
		   ? STET_OK
		   : source_notice(p->all.source,
			 stet_printf(call, "%.100s, %.100s", text_in(p->item, "id"), name), true,
			 stet_printf(call, "%d blocks, links or files inside the text are left out",
			     p->left));
}

/* ---- the second pass ---- */

static enum stet_status
put_values(struct payload *p, const json_t *object)
{
	struct stet_call *call = p->all.source->call;
	static const char own[] = " id _id __v _status createdAt updatedAt publishedAt title slug ";
	const char *name, *title = text_in(object, "title");
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, name, value)
	{
		const json_t *list = json_is_null(value) ? payload_list(call, object, name) : NULL;

		if (strstr(own, stet_printf(call, " %s ", name)) == NULL &&
		    (list != NULL || !json_is_null(value)) &&
		    !payload_is_folded(call, object, name))
			STET_TRY(put_value(p, name, list != NULL ? list : value));
	}
	if (*title == '\0')
		title = text_in(object, "name");
	(void)json_object_set_new(p->item, "title", json_string(title));
	(void)json_object_set(p->item, "slug", json_object_get(object, "slug"));
	put_time(p->item, "created", json_object_get(object, "createdAt"));
	put_time(p->item, "published", json_object_get(object, "publishedAt"));
	put_time(p->item, "updated", json_object_get(object, "updatedAt"));
	return STET_OK;
}

/* Begins the item of a document. Its first locale has its key as id. */
static bool
begin_item(struct payload *p, const char *key, const char *type, const json_t *object)
{
	struct stet_call *call = p->all.source->call;
	const char *own = in_locale(p, key);

	/* Without a fallback, a document that is not translated has no title in this locale. */
	if (*p->locale != '\0' && json_object_get(p->titled, key) != NULL &&
	    *text_in(object, "title") == '\0')
		return false;
	/* A collection without drafts has no status. */
	p->item = document_new(call, own, type, strcmp(text_in(object, "_status"), "draft") != 0);
	if (*p->locale != '\0') {
		(void)json_object_set_new(p->item, "locale", json_string(p->locale));
		(void)json_object_set_new(p->item, "group", json_string(key));
	}
	return true;
}

static enum stet_status
take(void *arg, const struct line_read *line)
{
	struct payload *p = arg;
	struct stet_source *source = p->all.source;
	const char *id = id_of(source->call, line->object), *alt, *type = type_of(p, line->name),
		   *key;

	if (is_answer(line->object))
		return STET_OK;
	if (*id == '\0')
		return source_left(source, type, line->place, "It has no id");
	if (*type == '\0')
		return stet_fail(source->call, STET_VALIDATION_ERROR, "file",
		    "The collection of a single file is not known: set the option type");
	key = key_of(p, type, id);
	p->locale = locale_of(p, line->name);
	if (is_file(line->object) && file_url(p, key, &alt) != NULL)
		return document_put_file(source, file_url(p, key, &alt), "", alt);
	/* Accounts are known as authors and by their names. */
	if (json_object_get(p->accounts, key) != NULL || !begin_item(p, key, type, line->object))
		return STET_OK;
	STET_TRY(put_values(p, line->object));
	return stet_source_put(source, STET_SOURCE_ITEM, json_incref(p->item));
}

/* The API answers with ten documents unless it is asked for more. */
static enum stet_status
tell_missing(const struct payload *p)
{
	const char *of;
	json_t *count;

	json_object_foreach(p->counts, of, count)
	{
		json_int_t got = json_integer_value(json_object_get(count, "got")),
			   total = json_integer_value(json_object_get(count, "total"));

		if (got < total)
			STET_TRY(source_notice(p->all.source, of, true,
			    stet_printf(p->all.source->call,
				"Its answers have %lld of %lld documents: ask for all pages, or "
				"with limit=0",
				(long long)got, (long long)total)));
	}
	return STET_OK;
}

enum stet_status
payload_source(struct stet_call *call, struct stet_source *source)
{
	struct stet_source silent = documents_silent(source);
	struct payload p = { .files = stet_json_own(call, json_object()),
		.accounts = stet_json_own(call, json_object()),
		.titled = stet_json_own(call, json_object()),
		.made = stet_json_own(call, json_object()),
		.counts = stet_json_own(call, json_object()),
		.locale = "" };

	documents_begin(&p.all, source);
	STET_TRY(tree_answers(&silent, ENDS, LIST, know, &p));
	STET_TRY(tell_missing(&p));
	return tree_answers(source, ENDS, LIST, take, &p);
}
