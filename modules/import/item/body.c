/*
 * body.c - builds the request body that creates or updates an item, from its entry. What the source
 * refers to (parent, picture, credits, terms, translations) is resolved to what exists here.
 */
#include "item/body.h"
#include "item/credit.h"
#include "item/fields.h"
#include "item/links.h"
#include "item/terms.h"
#include "item/trial.h"
#include "state/account.h"
#include "state/ids.h"
#include "state/map.h"
#include <stet/portabletext.h>
#include <string.h>

/* Enters a reference in the account of the item. */
static void
enter(struct import_item *entry, const char *name, bool set)
{
	account_add(entry->referred, ACCOUNT_REFERENCES, name, 1, set ? 1 : 0, 0);
}

/* The id of our item for a name in the map, if it is in this collection. */
static enum stet_status
entry_at(struct stet_call *call, const struct run *run, const char *kind, const char *name,
    const char *collection, const char **id)
{
	const char *value = NULL;
	size_t len = strlen(collection);

	*id = NULL;
	if (name != NULL)
		STET_TRY(map_get(call, run, kind, name, &value));
	if (value != NULL && strncmp(value, collection, len) == 0 && value[len] == *MAP_SEP)
		*id = value + len + 1;
	return STET_OK;
}

static enum stet_status
put_picture(struct stet_call *call, const struct run *run, struct import_item *entry, json_t *data)
{
	const char *id = entry->thumbnail, *value = NULL;
	struct kept kept;

	if (id == NULL)
		return STET_OK;
	STET_TRY(map_get(call, run, MAP_ATTACHMENT, id, &value));
	if (value == NULL) { /* an earlier import may have copied it */
		STET_TRY(ids_find(call, run, id, &kept));
		if (kept.item != NULL && *kept.collection == '\0')
			return field_put(call, entry, data, "featured_image",
			    json_pack("{ss}", "id", kept.item));
		item_notice(
		    entry, stet_printf(call, "Its featured image %.40s is not in the export", id));
		return STET_OK;
	}
	return field_put(call, entry, data, "featured_image", json_loads(value, 0, NULL));
}

static enum stet_status
set_picture(struct stet_call *call, const struct run *run, struct import_item *entry, json_t *data)
{
	STET_TRY(put_picture(call, run, entry, data));
	if (entry->thumbnail != NULL)
		enter(entry, "featured_image", json_object_get(data, "featured_image") != NULL);
	return STET_OK;
}

/* *waits: the parent may come later. */
static enum stet_status
put_parent(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    struct import_item *entry, json_t *data, bool *waits)
{
	const char *name = entry->parent, *value = NULL, *id;
	struct kept kept;

	*waits = false;
	if (name == NULL)
		return STET_OK;
	STET_TRY(map_get(call, run, MAP_ENTRY, name, &value));
	if (value != NULL && (id = strchr(value, *MAP_SEP)) != NULL) {
		if (*++id == '\0')
			STET_TRY(trial_stand_in(call, tx,
			    stet_strndup(call, value, (size_t)(id - 1 - value)), name, &id));
		return id == NULL ? trial_leave(call, entry, "parent")
				  : field_put(call, entry, data, "parent", json_string(id));
	}
	*waits = !entry->orphan;
	if (*waits)
		return STET_OK;
	STET_TRY(ids_find(call, run, name, &kept));
	if (kept.item != NULL && *kept.collection != '\0')
		return field_put(call, entry, data, "parent", json_string(kept.item));
	item_notice(entry, stet_printf(call, "Its parent %.40s was not imported", name));
	return STET_OK;
}

/* Tells of a picture, or of its link, whose number the export does not have. An item may be written
 * twice, and its picture is lost once. kind: ACCOUNT_PICTURES or ACCOUNT_LINKS. */
static void
lose_picture(
    struct stet_call *call, struct import_item *entry, const char *kind, const char *number)
{
	item_notice(
	    entry, stet_printf(call, "%s %.40s is not in the export",
		       strcmp(kind, ACCOUNT_LINKS) == 0 ? "The file that its gallery links to,"
							: "Its picture",
		       number));
	if (json_object_get(json_object_get(entry->account, kind), number) == NULL)
		account_add(entry->account, kind, number, 1, 0, 0);
}

/* Gives a picture of which the text has only the number at the source its address there, or the
 * media item of an earlier import. */
static enum stet_status
set_asset(struct stet_call *call, const struct run *run, struct import_item *entry, json_t *image)
{
	json_t *asset = json_object_get(image, "asset"), *src;
	const char *ref = json_string_value(json_object_get(asset, "_ref")), *value;
	struct kept kept;

	if (ref == NULL || json_object_get(asset, "url") != NULL ||
	    ref[strspn(ref, "0123456789")] != '\0')
		return STET_OK;
	STET_TRY(map_get(call, run, MAP_ATTACHMENT, ref, &value));
	src = json_object_get(map_json(call, value), "src");
	if (src != NULL) {
		(void)json_object_set(asset, "url", src);
		(void)json_object_set(asset, "_ref", src);
		return STET_OK;
	}
	STET_TRY(ids_find(call, run, ref, &kept));
	if (kept.item != NULL && *kept.collection == '\0')
		(void)json_object_set_new(asset, "_ref", json_string(kept.item));
	else
		lose_picture(call, entry, ACCOUNT_PICTURES, ref);
	return STET_OK;
}

/* Gives a picture of a gallery that leads to its file the address of that: the text has the number
 * alone, in the form of an address of WordPress. */
static enum stet_status
set_picture_link(
    struct stet_call *call, const struct run *run, struct import_item *entry, json_t *image)
{
	const char *link = json_string_value(json_object_get(image, "link")), *value;
	json_t *src;

	if (link == NULL || strncmp(link, STET_HTML_ATTACHMENT, strlen(STET_HTML_ATTACHMENT)) != 0)
		return STET_OK;
	link += strlen(STET_HTML_ATTACHMENT);
	STET_TRY(map_get(call, run, MAP_ATTACHMENT, link, &value));
	src = json_object_get(map_json(call, value), "src");
	if (src != NULL) {
		(void)json_object_set(image, "link", src);
		return STET_OK;
	}
	lose_picture(call, entry, ACCOUNT_LINKS, stet_strdup(call, link));
	(void)json_object_del(image, "link");
	return STET_OK;
}

/* Sets the pictures of all blocks, also in columns and galleries. */
static enum stet_status
set_pictures(
    struct stet_call *call, const struct run *run, struct import_item *entry, json_t *blocks)
{
	static const char *const members[] = { "columns", "content", "images" };
	json_t *block;
	size_t i;

	json_array_foreach(blocks, i, block)
	{
		if (json_object_get(block, "asset") != NULL)
			STET_TRY(set_asset(call, run, entry, block));
		STET_TRY(set_picture_link(call, run, entry, block));
		for (size_t k = 0; k < sizeof(members) / sizeof(members[0]); k++)
			STET_TRY(
			    set_pictures(call, run, entry, json_object_get(block, members[k])));
	}
	return STET_OK;
}

static enum stet_status
set_terms(struct stet_call *call, const struct run *run, struct import_item *entry, json_t *body)
{
	const char *name;
	json_t *terms = NULL, *refused = stet_json_own(call, json_array()), *taxonomy;
	json_t *counts = json_object();
	int64_t count = 0;
	size_t i;

	item_set_value(&entry->terms_here, counts);
	if (run->taxonomies)
		STET_TRY(terms_of(call, run, entry->terms, entry->collection, entry->locale, &terms,
		    counts, refused));
	json_object_foreach(counts, name, taxonomy) count += json_integer_value(taxonomy);
	json_array_foreach(refused, i, taxonomy) item_notice(entry,
	    stet_printf(call,
		"Its terms of the taxonomy %s are left out, which is not for this collection",
		json_string_value(taxonomy)));
	if (json_object_size(terms) > 0)
		(void)json_object_set(body, "taxonomies", terms);
	entry->term_count = count;
	return STET_OK;
}

static enum stet_status
set_parent(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    struct import_item *entry, json_t *data, bool *waits)
{
	bool set, left = false;

	STET_TRY(put_parent(call, tx, run, entry, data, waits));
	if (entry->parent == NULL || *waits)
		return STET_OK;
	set = json_object_get(data, "parent") != NULL || entry->untried != NULL;
	if (!set)
		STET_TRY(link_left(call, run, entry->parent, &left));
	account_add(entry->referred, ACCOUNT_REFERENCES, "parent", 1, set ? 1 : 0, left ? 1 : 0);
	return STET_OK;
}

enum stet_status
body_of(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    struct import_item *entry, json_t **out, bool *waits)
{
	const json_t *given = entry->body;
	json_t *body = stet_json_own(call, json_copy((json_t *)(uintptr_t)given));
	json_t *data = json_copy(json_object_get(given, "data"));
	const char *of;

	*out = body;
	(void)json_object_set_new(body, "data", data);
	item_set_value(&entry->referred, json_object());
	STET_TRY(set_parent(call, tx, run, entry, data, waits));
	if (*waits)
		return STET_OK;
	(void)json_object_set_new(body, "locale", json_string(entry->locale));
	STET_TRY(set_picture(call, run, entry, data));
	STET_TRY(set_pictures(call, run, entry, json_object_get(data, "content")));
	STET_TRY(links_set(call, tx, run, entry, data));
	STET_TRY(links_of_texts(call, run, entry, data));
	if (entry->scheduled_at != NULL && entry->later == NULL)
		(void)json_object_set_new(body, "scheduledAt", json_string(entry->scheduled_at));
	if (entry->unpublish_at != NULL)
		(void)json_object_set_new(body, "unpublishAt", json_string(entry->unpublish_at));
	STET_TRY(credit_entry(call, tx, run, entry, body));
	if (entry->author != NULL && json_is_string(json_object_get(run->authors, entry->author)))
		enter(entry, "author", json_object_get(body, "authorId") != NULL);
	STET_TRY(set_terms(call, run, entry, body));
	STET_TRY(entry_at(call, run, MAP_GROUP, entry->group, entry->collection, &of));
	if (of != NULL && *of != '\0')
		(void)json_object_set_new(body, "translationOf", json_string(of));
	return STET_OK;
}
