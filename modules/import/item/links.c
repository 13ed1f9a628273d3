/*
 * links.c - custom fields that refer to items and files of the source by their ids. A field whose
 * target comes later in the export is set after all items have been written.
 */
#include "item/links.h"
#include "item/address.h"
#include "item/fields.h"
#include "item/trial.h"
#include "read/php.h"
#include "state/account.h"
#include "state/ids.h"
#include "state/map.h"
#include "state/ops.h"
#include <string.h>

#define IDS_MAX 1000 /* in one field */

/* ---- ids of the source ---- */

static bool
is_number(const char *text)
{
	size_t len = strlen(text);

	return len > 0 && len < 19 && strspn(text, "0123456789") == len && *text != '0';
}

/* Appends an id. Returns false if the value is none, or if the list is full. */
static bool
add_id(json_t *ids, const json_t *value, bool any)
{
	const char *text = json_string_value(value);

	if (json_is_integer(value) && json_integer_value(value) > 0)
		(void)json_array_append_new(
		    ids, json_sprintf("%" JSON_INTEGER_FORMAT, json_integer_value(value)));
	else if (text != NULL && (any ? *text != '\0' : is_number(text)))
		(void)json_array_append(ids, (json_t *)(uintptr_t)value);
	else
		return false;
	return json_array_size(ids) <= IDS_MAX;
}

/* The ids that a value names, alone or as a list; a new reference, NULL: it names something else.
 */
static json_t *
ids_of(const json_t *value, bool any)
{
	json_t *ids = json_array(), *one;
	bool good = json_is_array(value) ? json_array_size(value) > 0 : add_id(ids, value, any);
	size_t i;

	json_array_foreach(value, i, one) good = good && add_id(ids, one, any);
	if (good)
		return ids;
	json_decref(ids);
	return NULL;
}

/* Reads a list (serialized PHP, or JSON). Any other text is returned as a JSON string. */
static json_t *
read_list(struct stet_call *call, const char *text)
{
	const char *why;

	if (php_is(text))
		return stet_json_own(call, php_read(text, strlen(text)));
	return *text == '[' ? stet_json_parse(call, text, strlen(text), &why)
			    : stet_json_own(call, json_string(text));
}

bool
link_note_value(
    struct import_item *entry, const struct stet_field *f, const json_t *value, bool any)
{
	bool file = field_is_file(f);
	json_t *ids;

	if (!field_refers(f))
		return false;
	ids = ids_of(value, any && !file);
	if (ids == NULL)
		return false;
	if (entry->links == NULL)
		entry->links = json_object();
	(void)json_object_set_new(entry->links, f->slug,
	    json_pack("{so sb sb}", "ids", ids, "file", file, "many", !file && f->json_text));
	return true;
}

bool
link_note(
    struct stet_call *call, struct import_item *entry, const struct stet_field *f, const char *text)
{
	return link_note_value(entry, f, read_list(call, text), false);
}

/* ---- resolving ids ---- */

static enum stet_status
find_file(struct stet_call *call, const struct run *run, const char *id, json_t **out)
{
	const char *value;
	struct kept kept;

	STET_TRY(map_get(call, run, MAP_ATTACHMENT, id, &value));
	if (value != NULL)
		*out = json_loads(value, 0, NULL);
	if (*out != NULL)
		return STET_OK;
	STET_TRY(ids_find(call, run, id, &kept));
	if (kept.item != NULL && *kept.collection == '\0')
		*out = json_pack("{ss}", "id", kept.item);
	return STET_OK;
}

/* *out: null for an item that a dry run has rolled back, and for which nothing stands. */
static enum stet_status
find_item(
    struct stet_call *call, struct stet_tx *tx, const struct run *run, const char *id, json_t **out)
{
	const char *value, *item = NULL;
	struct kept kept;

	STET_TRY(map_get(call, run, MAP_ENTRY, id, &value));
	if (value == NULL)
		STET_TRY(map_get(call, run, MAP_KEY, id, &value));
	if (value != NULL && (item = strchr(value, *MAP_SEP)) != NULL)
		item++;
	if (item != NULL && *item == '\0' && tx != NULL) {
		STET_TRY(trial_stand_in(
		    call, tx, stet_strndup(call, value, (size_t)(item - 1 - value)), id, &item));
		item = item != NULL ? item : "";
	}
	if (item == NULL) {
		STET_TRY(ids_find(call, run, id, &kept));
		item = kept.item != NULL && *kept.collection != '\0' ? kept.item : NULL;
	}
	if (item != NULL)
		*out = *item != '\0' ? json_string(item) : json_null();
	return STET_OK;
}

enum stet_status
link_left(struct stet_call *call, const struct run *run, const char *id, bool *out)
{
	const char *value;

	STET_TRY(map_get(call, run, MAP_LEFT, id, &value));
	*out = value != NULL;
	return STET_OK;
}

static enum stet_status
resolve_id(struct stet_call *call, struct stet_tx *tx, const struct run *run, const char *id,
    bool file, json_t *list, struct resolved *r)
{
	json_t *one = NULL;
	bool left;

	STET_TRY(file ? find_file(call, run, id, &one) : find_item(call, tx, run, id, &one));
	r->ids++;
	r->found += one != NULL;
	if (json_is_null(one))
		return STET_OK;
	if (one != NULL) {
		(void)json_array_append_new(list, one);
		return STET_OK;
	}
	STET_TRY(link_left(call, run, id, &left));
	r->left += left;
	if (r->missing == NULL)
		r->missing = id;
	return STET_OK;
}

enum stet_status
links_resolve(struct stet_call *call, struct stet_tx *tx, const struct run *run, const json_t *link,
    struct resolved *r)
{
	const json_t *ids = json_object_get(link, "ids"), *id;
	json_t *list = stet_json_own(call, json_array());
	bool file = json_is_true(json_object_get(link, "file")),
	     many = json_is_true(json_object_get(link, "many"));
	size_t i;

	*r = (struct resolved){ 0 };
	json_array_foreach(ids, i, id)
	    STET_TRY(resolve_id(call, tx, run, json_string_value(id), file, list, r));
	if (many && json_array_size(list) > 0)
		r->value = json_incref(list);
	else if (json_array_size(list) > 0)
		r->value = json_incref(json_array_get(list, 0));
	if (!many && r->found > 1)
		r->found = 1;
	return STET_OK;
}

void
links_enter(json_t *account, const char *field, const struct resolved *r, bool set)
{
	account_add(account, ACCOUNT_REFERENCES, field, r->ids, set ? r->found : 0, r->left);
}

/* Sets a field of which no target comes later. */
static enum stet_status
set_now(struct stet_call *call, const struct run *run, struct import_item *entry, json_t *data,
    const char *slug, const struct resolved *r)
{
	if (r->missing != NULL)
		item_notice(entry, stet_printf(call, "The file %.40s of %.63s is not in the export",
				       r->missing, slug));
	if (r->value != NULL)
		STET_TRY(field_put(call, entry, data, slug, r->value));
	else if (run->tries && r->missing == NULL)
		STET_TRY(trial_leave(call, entry, slug));
	links_enter(
	    entry->referred, slug, r, r->value == NULL || json_object_get(data, slug) == r->value);
	return STET_OK;
}

enum stet_status
links_set(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    struct import_item *entry, json_t *data)
{
	json_t *links = entry->links, *link;
	struct resolved r;
	const char *slug;

	item_set_value(&entry->later, NULL);
	json_object_foreach(links, slug, link)
	{
		STET_TRY(links_resolve(call, tx, run, link, &r));
		if (r.missing == NULL || json_is_true(json_object_get(link, "file"))) {
			STET_TRY(set_now(call, run, entry, data, slug, &r));
			continue;
		}
		if (entry->later == NULL)
			entry->later = json_object();
		(void)json_object_set(entry->later, slug, link);
		if (r.value != NULL)
			STET_TRY(field_put(call, entry, data, slug, r.value));
	}
	return STET_OK;
}

/* Replaces the links and references of a field's value. *refs: those of references that are not
 * here yet, by field. */
static enum stet_status
set_links(struct stet_call *call, const struct run *run, struct import_item *entry, json_t *data,
    const char *slug, struct address_found *found, json_t *refs)
{
	json_t *to;

	found->set = 0;
	found->refs = json_array();
	stet_json_own(call, found->refs);
	STET_TRY(address_links(call, run, json_object_get(data, slug), found, &to));
	if (to != NULL)
		(void)json_object_set_new(data, slug, to);
	account_add(entry->referred, ACCOUNT_REFERENCES, slug, found->set, found->set, 0);
	if (json_array_size(found->refs) > 0)
		(void)json_object_set(refs, slug, found->refs);
	return STET_OK;
}

enum stet_status
links_of_texts(
    struct stet_call *call, const struct run *run, struct import_item *entry, json_t *data)
{
	struct address_found found = { .missing = stet_json_own(call, json_array()) };
	json_t *refs = stet_json_own(call, json_object()), *value;
	const char *slug;
	void *next;

	json_object_foreach_safe(data, next, slug, value)
	    STET_TRY(set_links(call, run, entry, data, slug, &found, refs));
	if (json_array_size(found.missing) == 0 && json_object_size(refs) == 0)
		return STET_OK;
	if (entry->later == NULL)
		entry->later = json_object();
	(void)json_object_set_new(entry->later, LINKS_OF_TEXTS,
	    json_pack("{sO sb sO}", "ids", found.missing, "many", true, "refs", refs));
	return STET_OK;
}
