/*
 * links.c - custom fields that refer to items and files of the source by their ids. A field whose
 * target comes later in the export is set after all items have been written.
 */
#include "item/links.h"
#include "item/fields.h"
#include "item/trial.h"
#include "read/php.h"
#include "state/account.h"
#include "state/ids.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <stdlib.h>
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

static enum stet_status
find_item(struct stet_call *call, const struct run *run, const char *id, json_t **out)
{
	const char *value, *item = NULL;
	struct kept kept;

	STET_TRY(map_get(call, run, MAP_ENTRY, id, &value));
	if (value != NULL && (item = strchr(value, *MAP_SEP)) != NULL)
		item++;
	if (item == NULL) {
		STET_TRY(ids_find(call, run, id, &kept));
		item = kept.item != NULL && *kept.collection != '\0' ? kept.item : NULL;
	}
	if (item != NULL)
		*out = *item != '\0' ? json_string(item) : json_null();
	return STET_OK;
}

/* *value: the value of the field, of all ids that are resolved; a new reference, or NULL. *missing:
 * the first id that is not. Items that a dry run has rolled back are left out of both. */
static enum stet_status
resolve(struct stet_call *call, const struct run *run, const json_t *link, json_t **value,
    const char **missing)
{
	const json_t *ids = json_object_get(link, "ids"), *id;
	json_t *list = stet_json_own(call, json_array()), *one;
	size_t i;

	*value = NULL;
	*missing = NULL;
	json_array_foreach(ids, i, id)
	{
		one = NULL;
		STET_TRY(json_is_true(json_object_get(link, "file"))
			     ? find_file(call, run, json_string_value(id), &one)
			     : find_item(call, run, json_string_value(id), &one));
		if (json_is_null(one))
			continue;
		if (one != NULL)
			(void)json_array_append_new(list, one);
		else if (*missing == NULL)
			*missing = json_string_value(id);
	}
	if (json_is_true(json_object_get(link, "many")) && json_array_size(list) > 0)
		*value = json_incref(list);
	else if (json_array_size(list) > 0)
		*value = json_incref(json_array_get(list, 0));
	return STET_OK;
}

enum stet_status
links_set(struct stet_call *call, const struct run *run, struct import_item *entry, json_t *data)
{
	json_t *links = entry->links, *link, *value;
	const char *slug, *missing;

	item_set_value(&entry->later, NULL);
	json_object_foreach(links, slug, link)
	{
		STET_TRY(resolve(call, run, link, &value, &missing));
		if (missing != NULL && !json_is_true(json_object_get(link, "file"))) {
			if (entry->later == NULL)
				entry->later = json_object();
			(void)json_object_set(entry->later, slug, link);
		} else if (missing != NULL) {
			item_notice(
			    entry, stet_printf(call, "The file %.40s of %.63s is not in the export",
				       missing, slug));
		}
		if (value != NULL)
			STET_TRY(field_put(call, entry, data, slug, value));
		else if (run->tries && missing == NULL)
			STET_TRY(trial_leave(call, entry, slug));
	}
	return STET_OK;
}

/* ---- fields that wait ---- */

/* In place of a field's slug: the row of the draft and the schedule. It sorts behind all slugs, so
 * that it is written last: setting a field would publish a draft. */
#define REST "~"

static enum stet_status
put_row(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry, const char *item, const char *slug, json_t *value)
{
	return map_put(call, tx, run, MAP_LINK,
	    stet_printf(call, "%s" MAP_SEP "%s" MAP_SEP "%s", entry->collection, item, slug),
	    json_dumps_own(call, value));
}

enum stet_status
links_wait(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry, const char *item)
{
	json_t *later = entry->later, *link;
	const char *slug;

	json_object_foreach(later, slug, link)
	{
		json_t *row = json_copy(link);

		if (entry->place != NULL)
			(void)json_object_set_new(row, "place", json_string(entry->place));
		STET_TRY(put_row(call, tx, run, entry, item, slug, row));
	}
	if (later == NULL || !item_has_draft(entry))
		return STET_OK;
	return put_row(call, tx, run, entry, item, REST,
	    json_pack("{sO* ss*}", "draft", entry->draft, "scheduledAt", entry->scheduled_at));
}

/* A field that waits. */
struct waiting {
	struct run *run;
	char *after; /* the name of the row; malloc */
	const char *collection, *item, *slug;
	const json_t *link;
	bool found;
};

/* Reads the status of the item, owned by the call, and its version. *status NULL: it is deleted. */
static enum stet_status
find_waiting(struct stet_call *call, const struct waiting *w, const char **status, int64_t *was)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	*status = NULL;
	stet_sql_add(sql, "SELECT status, version FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, w->collection);
	stet_sql_add(sql, " WHERE deleted_at IS NULL AND id = ");
	stet_sql_bind(sql, stet_val_str(w->item));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows)) {
		*status = stet_col_dup(&rows, 0);
		*was = stet_col_int(&rows, 1);
	}
	return stet_rows_end(&rows);
}

static enum stet_status
set_link(struct stet_call *call, struct stet_tx *tx, const struct waiting *w, const json_t *value)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const char *status;
	int64_t was;
	json_t *body;
	bool changed;

	STET_TRY(find_waiting(call, w, &status, &was));
	if (status == NULL)
		return STET_OK;
	body = stet_json_own(call, json_pack("{s{sO}}", "data", w->slug, value));
	if (strcmp(status, "published") == 0)
		(void)json_object_set_new(body, "status", json_string(status));
	STET_TRY(content->update(call, tx, w->collection, w->item, body, &changed));
	return changed ? ids_follow(call, tx, w->collection, w->item, was) : STET_OK;
}

static enum stet_status
forget(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct waiting *w = arg;

	return stet_exec(call, tx,
	    "DELETE FROM import_map WHERE run = ?1 AND kind = ?2 AND source = ?3",
	    STET_ARGS(w->run->id, MAP_LINK, w->after));
}

/* Writes the draft and the schedule of an item, after all its fields have been set. */
static enum stet_status
write_rest(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct waiting *w = arg;
	const json_t *draft = json_object_get(w->link, "draft");
	json_t *body =
	    draft != NULL ? json_copy((json_t *)(uintptr_t)draft) : json_pack("{s{}}", "data");
	const char *status;
	int64_t was;
	bool changed;

	stet_json_own(call, body);
	if (json_object_get(w->link, "scheduledAt") != NULL)
		(void)json_object_set(body, "scheduledAt", json_object_get(w->link, "scheduledAt"));
	STET_TRY(find_waiting(call, w, &status, &was));
	if (status != NULL)
		STET_TRY(content->update(call, tx, w->collection, w->item, body, &changed));
	if (status != NULL)
		STET_TRY(ids_follow(call, tx, w->collection, w->item, was));
	return forget(call, tx, w);
}

static enum stet_status
write_link(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct waiting *w = arg;
	const char *missing;
	json_t *value;

	STET_TRY(resolve(call, w->run, w->link, &value, &missing));
	if (value != NULL)
		STET_TRY(set_link(call, tx, w, stet_json_own(call, value)));
	return forget(call, tx, w);
}

/* Writes a row that waits. Reports a refusal, and a target that was not imported. */
static enum stet_status
settle(struct stet_call *call, struct waiting *w)
{
	const char *place = json_string_value(json_object_get(w->link, "place")), *missing, *why;
	json_t *account = stet_json_own(call, json_object());
	bool rest = strcmp(w->slug, REST) == 0;
	enum stet_status status;
	json_t *value;

	if (place == NULL)
		place = stet_printf(call, "%s/%s", w->collection, w->item);
	STET_TRY(resolve(call, w->run, w->link, &value, &missing));
	(void)stet_json_own(call, value);
	if (missing != NULL) /* the item has counted it as stored */
		account_add(account, ACCOUNT_VALUES, w->slug, 0, -1, 0);
	why = missing != NULL ? stet_printf(call, "%s refers to %.40s, which was not imported",
				    w->slug, missing)
			      : NULL;
	status = stet_write_lane(call, w->run->tries ? forget : rest ? write_rest : write_link, w);
	if (status != STET_OK && stet_status_http(status) < 500) {
		why = stet_printf(
		    call, "%s: %s", rest ? "draft and schedule" : w->slug, stet_error_text(call));
		stet_error_clear(call);
		status = stet_write_lane(call, forget, w);
	}
	if (status != STET_OK || why == NULL)
		return status;
	return outcome_tell_lost(w->run, place, why, account);
}

static enum stet_status
next_link(struct stet_call *call, void *arg)
{
	struct waiting *w = arg;
	const char *source, *value;
	char *name, *rest;

	STET_TRY(map_next(call, w->run, MAP_LINK, w->after, &source, &value));
	w->found = source != NULL;
	if (!w->found)
		return STET_OK;
	free(w->after);
	if ((w->after = strdup(source)) == NULL)
		stet_out_of_memory();
	name = stet_strdup(call, source);
	w->collection = strtok_r(name, MAP_SEP, &rest);
	w->item = strtok_r(NULL, MAP_SEP, &rest);
	w->slug = strtok_r(NULL, MAP_SEP, &rest);
	w->link = map_json(call, value);
	return w->slug != NULL ? settle(call, w)
			       : stet_fault(call, "a link that waits has no name");
}

enum stet_status
links_finish(struct run *run)
{
	struct waiting w = { .run = run, .after = strdup("") };
	enum stet_status status;

	if (w.after == NULL)
		stet_out_of_memory();
	do
		status = stet_scope(run->call, next_link, &w);
	while (status == STET_OK && w.found);
	free(w.after);
	return status;
}
