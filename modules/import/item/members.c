/* members.c - struct import_item: making and freeing entries, their hash, and entries as JSON. */
#include "item/members.h"
#include "read/text.h"
#include "state/account.h"
#include "state/ids.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_MAX 500 /* characters of a title */
#define OLD_SLUGS_MAX 100

/* ---- the members ---- */

enum kind {
	TEXT, /* char * */
	VALUE, /* json_t * */
	FLAG, /* bool */
	NUMBER, /* int64_t */
};

#define STORED 1 /* it is in the JSON of an entry */
#define HASHED 2 /* and counts in its hash */

#define MEMBER(kind, member, name, flags)                               \
	{                                                               \
		name, kind, offsetof(struct import_item, member), flags \
	}

/* Members that are stored, hashed or freed. `body` is hashed apart: see item_hash. */
static const struct member {
	const char *name;
	enum kind kind;
	size_t offset;
	int flags;
} members[] = {
	MEMBER(NUMBER, number, "number", STORED),
	MEMBER(TEXT, id, "id", STORED),
	MEMBER(TEXT, type, "type", STORED | HASHED),
	MEMBER(TEXT, link, "link", STORED),
	MEMBER(TEXT, title, "title", STORED),
	MEMBER(TEXT, place, "place", STORED),
	MEMBER(VALUE, keys, "keys", STORED),
	MEMBER(VALUE, old_slugs, "oldSlugs", STORED),
	MEMBER(VALUE, notices, "notices", STORED),
	MEMBER(VALUE, account, "account", STORED),
	MEMBER(TEXT, collection, "collection", STORED | HASHED),
	MEMBER(TEXT, locale, "locale", STORED | HASHED),
	MEMBER(TEXT, group, "group", STORED | HASHED),
	MEMBER(TEXT, author, "author", STORED | HASHED),
	MEMBER(TEXT, thumbnail, "thumbnail", STORED | HASHED),
	MEMBER(TEXT, parent, "parent", STORED | HASHED),
	MEMBER(VALUE, terms, "terms", STORED | HASHED),
	MEMBER(VALUE, comments, "comments", STORED),
	MEMBER(VALUE, credits, "credits", STORED | HASHED),
	MEMBER(VALUE, links, "links", STORED | HASHED),
	MEMBER(TEXT, markup, "markup", STORED),
	MEMBER(VALUE, body, "body", STORED),
	MEMBER(FLAG, slug_made, "slugMade", STORED | HASHED),
	MEMBER(VALUE, draft, "draft", STORED | HASHED),
	MEMBER(TEXT, scheduled_at, "scheduledAt", STORED | HASHED),
	MEMBER(TEXT, unpublish_at, "unpublishAt", STORED | HASHED),
	MEMBER(NUMBER, weight, "weight", STORED),
	MEMBER(TEXT, hash, "hash", STORED),
	MEMBER(TEXT, why, "why", STORED),
	MEMBER(VALUE, later, "later", 0),
	MEMBER(TEXT, waited, "waited", 0),
	MEMBER(TEXT, untried, "untried", 0),
	MEMBER(TEXT, note, "note", 0),
	MEMBER(TEXT, id_here, "item", 0),
	MEMBER(TEXT, slug_here, "slug", 0),
	MEMBER(VALUE, terms_here, "termsHere", 0),
	MEMBER(VALUE, referred, "referred", 0),
};

#define MEMBERS (sizeof(members) / sizeof(members[0]))

static void *
at(const struct import_item *item, const struct member *m)
{
	return (char *)(uintptr_t)item + m->offset;
}

void
item_set(char **member, const char *text)
{
	char *copy = NULL;

	if (text != NULL && stet_utf8_length(text) >= 0 && (copy = strdup(text)) == NULL)
		stet_out_of_memory();
	free(*member);
	*member = copy;
}

void
item_set_value(json_t **member, json_t *value)
{
	json_decref(*member);
	*member = value;
}

void
item_notice(struct import_item *item, const char *text)
{
	(void)json_array_append_new(item->notices, json_string(text));
}

json_t *
item_data(const struct import_item *item)
{
	return json_object_get(item->body, "data");
}

const char *
item_slug(const struct import_item *item)
{
	return json_string_value(json_object_get(item->body, "slug"));
}

bool
item_has_draft(const struct import_item *item)
{
	return item->draft != NULL || item->scheduled_at != NULL;
}

/* ---- making and freeing ---- */

static struct import_item *
item_new(void)
{
	struct import_item *item = calloc(1, sizeof(*item));

	if (item == NULL)
		stet_out_of_memory();
	return item;
}

void
item_free(struct import_item *item)
{
	if (item == NULL)
		return;
	for (size_t i = 0; i < MEMBERS; i++) {
		void *member = at(item, &members[i]);

		if (members[i].kind == TEXT)
			free(*(char **)member);
		else if (members[i].kind == VALUE)
			json_decref(*(json_t **)member);
	}
	free(item);
}

const char *
item_title(struct stet_call *call, const struct wxr_item *item)
{
	return *item->title != '\0' ? text_decode(call, item->title) : "Untitled";
}

/* Slugs and paths that the item had before; a new reference. */
static json_t *
old_slugs(const struct wxr_item *item)
{
	json_t *list = json_array(), *link;
	size_t n;

	json_array_foreach(json_object_get(item->own, "oldLinks"), n, link)
	{
		if (json_is_string(link) && *json_string_value(link) == '/' &&
		    json_array_size(list) < OLD_SLUGS_MAX)
			(void)json_array_append(list, link);
	}
	for (size_t i = 0; i < item->meta_count && json_array_size(list) < OLD_SLUGS_MAX; i++)
		if (strcmp(item->meta[i].key, "_wp_old_slug") == 0)
			(void)json_array_append_new(list, json_string(item->meta[i].value));
	return list;
}

struct import_item *
item_begin(struct stet_call *call, const struct run *run, const struct wxr_item *from)
{
	struct import_item *item = item_new();

	item->number = run->number;
	item->notices = json_array();
	item->account = json_object();
	item->old_slugs = old_slugs(from);
	item_set(&item->id, map_item(call, from));
	item_set(&item->type, from->type);
	item_set(&item->place, json_string_value(json_object_get(from->own, "place")));
	item_set_value(&item->keys, json_incref(json_object_get(from->own, "keys")));
	item_set(&item->link, from->link != NULL && *from->link != '\0' ? from->link : NULL);
	item_set(&item->title, text_cut(call, item_title(call, from), TITLE_MAX));
	return item;
}

/* ---- its account ---- */

static size_t
different(const json_t *slugs)
{
	size_t i, count = json_array_size(slugs);
	json_t *set, *slug;

	if (count < 2)
		return count;
	set = json_object();
	json_array_foreach(slugs, i, slug)(void)
	    json_object_set(set, json_string_value(slug), slug);
	count = json_object_size(set);
	json_decref(set);
	return count;
}

/* Adds what the item has beside its values and texts. */
static void
account_rest(const struct import_item *item, json_t *to)
{
	const char *taxonomy;
	json_t *slugs;

	/* Without a taxonomy here that the collection may have, terms are left. */
	json_object_foreach(item->terms, taxonomy, slugs)
	{
		const json_t *here = json_object_get(item->terms_here, taxonomy);
		int64_t read = (int64_t)different(slugs);

		account_add(to, ACCOUNT_TERMS, taxonomy, read, json_integer_value(here),
		    here == NULL ? read : 0);
	}
	account_join(to, item->referred);
	account_add(to, ACCOUNT_COMMENTS, "",
	    (int64_t)json_array_size(item->comments) - item->comments_known, item->comment_count,
	    0);
	if (item->author != NULL || json_array_size(item->credits) > 0)
		account_add(to, ACCOUNT_AUTHORS, "", 1, item->credited ? 1 : 0, 0);
}

void
item_account(const struct import_item *item, json_t *to)
{
	const char *outcome = item->settled != NULL ? item->settled : "";
	bool made = strcmp(outcome, OUTCOME_CREATED) == 0 || strcmp(outcome, OUTCOME_UPDATED) == 0;
	bool refused = strcmp(outcome, OUTCOME_FAILED) == 0 || strcmp(outcome, OUTCOME_DRAFT) == 0;
	/* Skipped are those of a type that is not imported, and those that were here already. */
	bool left = strcmp(outcome, OUTCOME_SKIPPED) == 0 && item->slug_here == NULL &&
		    item->id_here == NULL;

	if (item->settled == NULL || item->type == NULL)
		return;
	account_add(to, ACCOUNT_ITEMS, item->type, 1, refused || left ? 0 : 1, left ? 1 : 0);
	if (!made)
		return;
	account_join(to, item->account);
	account_texts(to, &item->given, &item->held);
	if (item->body != NULL)
		account_rest(item, to);
}

/* ---- as JSON ---- */

/* Returns a member as JSON, a new reference; NULL: the entry does not have it. */
static json_t *
value_of(const struct import_item *item, const struct member *m)
{
	const void *member = at(item, m);

	switch (m->kind) {
	case TEXT:
		return *(char *const *)member != NULL ? json_string(*(char *const *)member) : NULL;
	case VALUE:
		return json_incref(*(json_t *const *)member);
	case FLAG:
		return *(const bool *)member ? json_true() : NULL;
	case NUMBER:
		break;
	}
	return *(const int64_t *)member != 0 ? json_integer(*(const int64_t *)member) : NULL;
}

static void
read_value(struct import_item *item, const struct member *m, json_t *value)
{
	void *member = at(item, m);

	switch (m->kind) {
	case TEXT:
		item_set(member, json_string_value(value));
		break;
	case VALUE:
		item_set_value(member, json_incref(value));
		break;
	case FLAG:
		*(bool *)member = json_is_true(value);
		break;
	case NUMBER:
		*(int64_t *)member = json_integer_value(value);
		break;
	}
}

/* Returns the members that have all these flags; a new reference. */
static json_t *
object_of(const struct import_item *item, int flags)
{
	json_t *out = json_object(), *value;

	for (size_t i = 0; i < MEMBERS; i++)
		if ((members[i].flags & flags) == flags &&
		    (value = value_of(item, &members[i])) != NULL)
			(void)json_object_set_new(out, members[i].name, value);
	return out;
}

const char *
item_json(struct stet_call *call, const struct import_item *item)
{
	return json_dumps_own(call, object_of(item, STORED));
}

struct import_item *
item_of_json(const char *text)
{
	json_t *from = json_loads(text, 0, NULL);
	struct import_item *item;

	if (!json_is_object(from)) {
		json_decref(from);
		return NULL;
	}
	item = item_new();
	for (size_t i = 0; i < MEMBERS; i++)
		if (members[i].flags & STORED)
			read_value(item, &members[i], json_object_get(from, members[i].name));
	if (!json_is_array(item->notices))
		item_set_value(&item->notices, json_array());
	if (!json_is_object(item->account))
		item_set_value(&item->account, json_object());
	json_decref(from);
	return item;
}

/* The hash is stored for good, so what it is made of must stay as it is: the members by their names
 * in JSON. */
const char *
item_hash(struct stet_call *call, const struct import_item *item)
{
	json_t *what = object_of(item, HASHED), *body = json_copy(item->body);
	json_t *data = json_copy(item_data(item));
	const char *markup = "", *hash;

	/* A new time of change alone is no change. The content follows from the markup, which is
	 * hashed in its place. */
	(void)json_object_del(body, "updatedAt");
	if (item->markup != NULL && json_object_get(data, "content") != NULL) {
		(void)json_object_del(data, "content");
		markup = item->markup;
	}
	(void)json_object_set_new(body, "data", data);
	(void)json_object_set_new(what, "body", body);
	hash = ids_hash_of(call, what, markup);
	json_decref(what);
	return hash;
}
