/*
 * hooks.c - runs the hooks of a save and of a delete: builds what they get, and maps their
 * failures to errors for the client. And follows changes of the schema.
 */
#include "item/item.h"
#include <string.h>

/* If a hook rejects the save, the client reads the plugin's own text. If a hook fails otherwise,
 * the client reads a text of ours, which contains nothing of the plugin's. */
static enum stet_status
outcome(struct stet_call *call, enum stet_status status)
{
	if (status == STET_OK || stet_status_http(status) != 500)
		return status;
	return stet_fail(
	    call, STET_CONTENT_HOOK_ERROR, NULL, "%s", stet_status_text(STET_CONTENT_HOOK_ERROR));
}

static struct stet_entry *
entry_of(struct stet_call *call, const struct change *c, const json_t *data)
{
	struct stet_entry *entry = stet_entry_new(call, c->collection, c->id, c->is_new, data);

	stet_entry_put(entry, "slug", c->slug);
	stet_entry_put(entry, "status", c->status);
	stet_entry_put(entry, "locale", c->locale);
	stet_entry_put(entry, "authorId", c->author);
	stet_entry_put(entry, "stage", c->live ? "live" : "draft");
	return entry;
}

enum stet_status
hook_filter(struct stet_call *call, struct stet_tx *tx, const struct change *c, const json_t **data)
{
	struct stet_entry *entry;

	if (!stet_hooked(call, STET_AT_entry_filter))
		return STET_OK;
	entry = entry_of(call, c, *data);
	STET_TRY(outcome(call, stet_run_entry_filter(call, tx, entry)));
	stet_entry_seal(entry);
	*data = stet_entry_data(entry);
	return STET_OK;
}

enum stet_status
hook_before_save(
    struct stet_call *call, struct stet_tx *tx, const struct change *c, const json_t *data)
{
	struct stet_entry *entry = entry_of(call, c, data);

	stet_entry_seal(entry);
	return outcome(call, stet_run_entry_before_save(call, tx, entry));
}

enum stet_status
hook_before_delete(
    struct stet_call *call, struct stet_tx *tx, const struct change *c, const json_t *data)
{
	struct stet_entry *entry = entry_of(call, c, data);

	stet_entry_seal(entry);
	return outcome(call, stet_run_entry_before_delete(call, tx, entry));
}

enum stet_status
hook_after_save(struct stet_call *call, struct stet_tx *tx, const struct change *c)
{
	json_t *payload;

	if (!stet_hooked(call, STET_AT_entry_after_save))
		return STET_OK;
	payload = json_pack("{s:s,s:s,s:s?,s:s,s:s,s:b,s:I}", "collection", c->collection->slug,
	    "id", c->id, "slug", c->slug, "status", c->status, "locale", c->locale, "isNew",
	    (int)c->is_new, "version", (json_int_t)c->version);
	return stet_notify(call, tx, STET_AT_entry_after_save, stet_json_own(call, payload));
}

enum stet_status
hook_after_delete(
    struct stet_call *call, struct stet_tx *tx, const struct change *c, bool permanent)
{
	json_t *payload;

	if (!stet_hooked(call, STET_AT_entry_after_delete))
		return STET_OK;
	payload = json_pack("{s:s,s:s,s:s?,s:b}", "collection", c->collection->slug, "id", c->id,
	    "slug", c->slug, "permanent", (int)permanent);
	return stet_notify(call, tx, STET_AT_entry_after_delete, stet_json_own(call, payload));
}

/* ---- publish, unpublish, schedule, delete ---- */

static struct stet_entry *
sealed(struct stet_call *call, const struct change *c, const json_t *data)
{
	struct stet_entry *entry = entry_of(call, c, data);

	stet_entry_seal(entry);
	return entry;
}

/* Returns the members that all these payloads have; NULL if no module has a hook at this point. */
static json_t *
payload_of(struct stet_call *call, enum stet_hook_point at, const struct change *c)
{
	if (!stet_hooked(call, at))
		return NULL;
	return stet_json_own(
	    call, json_pack("{s:s,s:s,s:s?,s:s,s:s,s:I}", "collection", c->collection->slug, "id",
		      c->id, "slug", c->slug, "status", c->status, "locale", c->locale, "version",
		      (json_int_t)c->version));
}

enum stet_status
hook_before_publish(
    struct stet_call *call, struct stet_tx *tx, const struct change *c, const json_t *data)
{
	if (!stet_hooked(call, STET_AT_entry_before_publish))
		return STET_OK;
	return outcome(call, stet_run_entry_before_publish(call, tx, sealed(call, c, data)));
}

enum stet_status
hook_after_publish(struct stet_call *call, struct stet_tx *tx, const struct change *c,
    const char *published_at, bool scheduled)
{
	json_t *payload = payload_of(call, STET_AT_entry_after_publish, c);

	if (payload == NULL)
		return STET_OK;
	json_object_set_new(payload, "publishedAt", json_string(published_at));
	json_object_set_new(payload, "scheduled", json_boolean(scheduled));
	return stet_notify(call, tx, STET_AT_entry_after_publish, payload);
}

enum stet_status
hook_before_unpublish(
    struct stet_call *call, struct stet_tx *tx, const struct change *c, const json_t *data)
{
	if (!stet_hooked(call, STET_AT_entry_before_unpublish))
		return STET_OK;
	return outcome(call, stet_run_entry_before_unpublish(call, tx, sealed(call, c, data)));
}

enum stet_status
hook_after_unpublish(
    struct stet_call *call, struct stet_tx *tx, const struct change *c, bool scheduled)
{
	json_t *payload = payload_of(call, STET_AT_entry_after_unpublish, c);

	if (payload == NULL)
		return STET_OK;
	json_object_set_new(payload, "scheduled", json_boolean(scheduled));
	return stet_notify(call, tx, STET_AT_entry_after_unpublish, payload);
}

enum stet_status
hook_before_restore(
    struct stet_call *call, struct stet_tx *tx, const struct change *c, const json_t *data)
{
	if (!stet_hooked(call, STET_AT_entry_before_restore))
		return STET_OK;
	return outcome(call, stet_run_entry_before_restore(call, tx, sealed(call, c, data)));
}

enum stet_status
hook_after_restore(struct stet_call *call, struct stet_tx *tx, const struct change *c)
{
	json_t *payload = payload_of(call, STET_AT_entry_after_restore, c);

	return payload == NULL ? STET_OK
			       : stet_notify(call, tx, STET_AT_entry_after_restore, payload);
}

enum stet_status
hook_before_purge(
    struct stet_call *call, struct stet_tx *tx, const struct change *c, const json_t *data)
{
	if (!stet_hooked(call, STET_AT_entry_before_purge))
		return STET_OK;
	return outcome(call, stet_run_entry_before_purge(call, tx, sealed(call, c, data)));
}

enum stet_status
hook_before_schedule(struct stet_call *call, struct stet_tx *tx, const struct change *c,
    const json_t *data, const char *at)
{
	if (!stet_hooked(call, STET_AT_entry_before_schedule))
		return STET_OK;
	return outcome(call, stet_run_entry_before_schedule(call, tx, sealed(call, c, data), at));
}

enum stet_status
hook_after_schedule(struct stet_call *call, struct stet_tx *tx, const struct change *c,
    const char *at, const char *unpublish)
{
	json_t *payload = payload_of(call, STET_AT_entry_after_schedule, c);

	if (payload == NULL)
		return STET_OK;
	json_object_set_new(payload, "scheduledAt", at != NULL ? json_string(at) : json_null());
	json_object_set_new(
	    payload, "unpublishAt", unpublish != NULL ? json_string(unpublish) : json_null());
	return stet_notify(call, tx, STET_AT_entry_after_schedule, payload);
}

enum stet_status
hook_overdue(struct stet_call *call, struct stet_tx *tx, const struct change *c, const char *member,
    const char *at, const json_t *error)
{
	json_t *payload = payload_of(call, STET_AT_entry_overdue, c);

	if (payload == NULL)
		return STET_OK;
	json_object_set_new(payload, member, json_string(at));
	json_object_set(payload, "scheduleError", (json_t *)(uintptr_t)error);
	return stet_notify(call, tx, STET_AT_entry_overdue, payload);
}

enum stet_status
hook_changed(struct stet_call *call, struct stet_tx *tx, const struct change *c, const char *kind)
{
	if (!stet_hooked(call, STET_AT_entry_changed))
		return STET_OK;
	return outcome(
	    call, stet_run_entry_changed(call, tx, c->collection, c->id, kind, c->version));
}

/* *out: the item, which was published, is not at its address any more. */
static enum stet_status
has_left(struct stet_call *call, const struct now *now, const struct change *c, const char *kind,
    bool *out)
{
	const struct stet_item_row *row;
	bool same = c->slug != NULL && strcmp(c->slug, now->slug) == 0;

	*out = strcmp(kind, "delete") == 0 || strcmp(kind, "unpublish") == 0 ||
	       (strcmp(kind, "publish") == 0 && !same);
	if (strcmp(kind, "update") != 0 || same)
		return STET_OK;
	/* The slug of the change may be one that a draft stages. */
	STET_TRY(left_item(call, now->collection, now->id, &row));
	*out = row == NULL || row->slug == NULL || strcmp(row->slug, now->slug) != 0;
	return STET_OK;
}

enum stet_status
hook_address_left(struct stet_call *call, struct stet_tx *tx, const struct now *now,
    const struct change *c, const char *kind)
{
	bool left;

	if (!now->is_published || now->slug == NULL ||
	    !stet_hooked(call, STET_AT_entry_address_left))
		return STET_OK;
	STET_TRY(has_left(call, now, c, kind, &left));
	if (!left)
		return STET_OK;
	return outcome(call, stet_run_entry_address_left(
				 call, tx, now->collection, now->id, now->slug, now->locale));
}

/* Deletes the revisions of a collection that is deleted; keeps numbers and indexes right. */
enum stet_status
hook_schema(struct stet_call *call, struct stet_tx *tx, const char *change, const char *collection,
    const char *field)
{
	struct stet_sql *sql;

	STET_TRY(count_schema(call, tx, change, collection, field));
	STET_TRY(many_schema(call, tx, change, collection, field));
	if (field != NULL || strcmp(change, "delete") != 0)
		return STET_OK;
	sql = stet_sql_new(call);
	stet_sql_add(sql, "DELETE FROM revision WHERE entry_id IN (SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, ")");
	return stet_sql_exec(sql, tx);
}
