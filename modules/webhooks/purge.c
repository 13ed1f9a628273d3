/*
 * purge.c - the event cache.purge, for caches in front of the site. It has the keys of the
 * responses that a change makes stale, as they are in the header Surrogate-Key (stet_surrogate). It
 * is stored in the transaction of the change.
 *
 * Keys: i:<id> for a response that shows one item; l:<slug> if it depends on any item of a
 * collection; c:<slug> for every response of a collection; k:<module> for every response of a
 * module; k:schema if it depends on which collections exist.
 */
#include "webhooks.h"
#include <string.h>

struct key {
	const char *kind, *name;
};

static enum stet_status
purge(struct stet_call *call, struct stet_tx *tx, const struct subscriber *all,
    const char *collection, const struct key *key, size_t count)
{
	struct happening h = { .event = EVENT_PURGE,
		.collection = collection,
		.subject = stet_printf(call, "%s:%s", key->kind, key->name) };
	struct stet_json *data = stet_json_new(call);

	if (!subscriber_wants(call, all, &h))
		return STET_OK;
	stet_object(data, NULL);
	stet_array(data, "keys");
	for (size_t i = 0; i < count; i++)
		stet_put_str(data, NULL, stet_printf(call, "%s:%s", key[i].kind, key[i].name));
	stet_close(data);
	stet_close(data);
	h.data = stet_json_text(data, NULL);
	return subscriber_deliver(call, tx, all, &h);
}

enum stet_status
purge_entry(struct stet_call *call, struct stet_tx *tx, const struct subscriber *all,
    const struct stet_collection *collection, const char *id, const char *change)
{
	const struct key keys[] = { { "i", id }, { "l", collection->slug } };
	bool seen = false;

	if (collection->public_read && all != NULL)
		STET_TRY(stet_change_is_seen(call, collection, id, change, &seen));
	if (!seen)
		return STET_OK;
	return purge(call, tx, all, collection->slug, keys, 2);
}

/* Purges the responses of a collection even if it is not public: it may have been until now. */
enum stet_status
purge_schema(struct stet_call *call, struct stet_tx *tx, const struct subscriber *all,
    const char *collection)
{
	const struct key keys[] = { { "c", collection }, { "l", collection }, { "k", "schema" } };

	return purge(call, tx, all, collection, keys, 3);
}

/* ---- other modules ---- */

/* Users are shown to the public as bylines, so a change of a user purges these. */
static const char *
shown_as(const char *module)
{
	return strcmp(module, "users") == 0 ? "bylines" : module;
}

static bool
has_public_reads(struct stet_call *call, const char *module)
{
	const struct stet_op_info *const *ops;
	size_t count = stet_ops(call, &ops), i = 0;

	while (i < count && (ops[i]->op->open == NULL || strcmp(ops[i]->module, module) != 0))
		i++;
	return i < count;
}

/* The route for terms changes the terms of an item without changing the item. Responses that list
 * items by terms, or count them, have both keys. */
static enum stet_status
purge_tagged(struct stet_call *call, struct stet_tx *tx)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	struct key keys[] = { { "k", "taxonomies" }, { "l", "" } };
	struct subscriber *all;

	STET_TRY(schema->collection(call, stet_arg(call, "collection"), &c));
	if (!c->public_read)
		return STET_OK;
	STET_TRY(subscriber_list(call, &all));
	keys[1].name = c->slug;
	return purge(call, tx, all, c->slug, keys, 2);
}

enum stet_status
purge_written(struct stet_call *call, struct stet_tx *tx, const struct stet_written *written)
{
	const struct key key = { "k", shown_as(written->module) };
	struct subscriber *all;

	if (strcmp(written->name, "content_set_terms") == 0)
		return purge_tagged(call, tx);
	/* Changes of items and definitions have hooks of their own: hooks.c calls purge_entry,
	 * purge_schema. */
	if (strcmp(written->module, "content") == 0 || strcmp(written->module, "schema") == 0)
		return STET_OK;
	if (strcmp(key.name, "bylines") != 0 && !has_public_reads(call, key.name))
		return STET_OK;
	STET_TRY(subscriber_list(call, &all));
	return purge(call, tx, all, NULL, &key, 1);
}
