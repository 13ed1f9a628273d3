/*
 * wait.c - fields and texts whose targets come later in the export, drafts and schedules behind
 * them: they are stored in the map, and set after all items have been written.
 */
#include "item/wait.h"
#include "item/address.h"
#include "item/links.h"
#include "item/trial.h"
#include "state/ids.h"
#include "state/map.h"
#include "state/ops.h"
#include "state/outcome.h"
#include <stdlib.h>
#include <stet/steps.h>
#include <string.h>

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
wait_put(struct stet_call *call, struct stet_tx *tx, const struct run *run,
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
	const char *row; /* its name in the map */
	const char *collection, *item, *slug;
	const json_t *link;
	struct resolved found; /* of a field */
	bool refused;
	const char *why; /* it cannot be set as the source has it; or NULL */
};

#define PAGE 50 /* rows that are written in one transaction */
#define PAGE_BYTES (1u << 20)

struct finishing {
	struct run *run;
	char *after; /* the name of the last row that was read; malloc */
	struct waiting all[PAGE];
	size_t count;
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
	    STET_ARGS(w->run->id, MAP_LINK, w->row));
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

/* ---- texts that wait ---- */

struct texts {
	const struct run *run;
	enum stet_status status;
};

static json_t *
replace(struct stet_call *call, const struct stet_field *f, const json_t *value, void *arg)
{
	struct texts *t = arg;
	json_t *out = NULL;

	(void)f;
	if (t->status == STET_OK)
		t->status = address_links(call, t->run, value, NULL, &out);
	return out;
}

static enum stet_status
write_texts(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	struct waiting *w = arg;
	struct texts t = { .run = w->run };
	const char *status;
	int64_t was;
	bool changed = false;

	STET_TRY(find_waiting(call, w, &status, &was));
	if (status != NULL)
		STET_TRY(content->rewrite(call, tx, w->collection, w->item, replace, &t, &changed));
	STET_TRY(t.status);
	if (changed)
		STET_TRY(ids_follow(call, tx, w->collection, w->item, was));
	return forget(call, tx, w);
}

static enum stet_status
write_link(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct waiting *w = arg;
	struct resolved r;

	STET_TRY(links_resolve(call, tx, w->run, w->link, &r));
	if (r.value != NULL)
		STET_TRY(set_link(call, tx, w, stet_json_own(call, r.value)));
	return forget(call, tx, w);
}

/* Only checks the value, since a dry run has rolled the item back. */
static enum stet_status
try_link(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct waiting *w = arg;
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	const struct stet_field *f;
	json_t *stored = NULL;
	struct resolved r;

	STET_TRY(schema->collection(call, w->collection, &c));
	STET_TRY(links_resolve(call, tx, w->run, w->link, &r));
	(void)stet_json_own(call, r.value);
	if (r.value == NULL || (f = stet_field(c, w->slug)) == NULL)
		return STET_OK;
	STET_TRY(
	    stet_field_check(call, f, stet_printf(call, "data.%s", w->slug), r.value, &stored));
	(void)stet_json_own(call, stored);
	return stet_issues(call);
}

/* ---- all that waits ---- */

static bool
is_field(const struct waiting *w)
{
	return strcmp(w->slug, REST) != 0 && strcmp(w->slug, LINKS_OF_TEXTS) != 0;
}

/* Writes what the row says: fields, texts, or the rest. */
static enum stet_status
write_row(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct waiting *w = arg;

	if (w->run->tries)
		return forget(call, tx, arg);
	if (strcmp(w->slug, REST) == 0)
		return write_rest(call, tx, arg);
	return strcmp(w->slug, LINKS_OF_TEXTS) == 0 ? write_texts(call, tx, arg)
						    : write_link(call, tx, arg);
}

/* Returns what a row is about, for people. */
static const char *
about(const struct waiting *w)
{
	return strcmp(w->slug, REST) == 0             ? "draft and schedule"
	       : strcmp(w->slug, LINKS_OF_TEXTS) == 0 ? "its text"
						      : w->slug;
}

static enum stet_status
write_step(struct stet_call *call, struct stet_tx *tx, void *arg, size_t i)
{
	struct finishing *f = arg;

	return write_row(call, tx, &f->all[i]);
}

static enum stet_status
refused(struct stet_call *call, void *arg, size_t i, enum stet_status status, const char *why)
{
	struct finishing *f = arg;
	struct waiting *w = &f->all[i];

	(void)status;
	w->refused = true;
	w->why = stet_printf(call, "%s: %s", about(w), why);
	return stet_write_lane(call, forget, w);
}

/* Tries a field in a dry run, in a transaction that is rolled back. */
static enum stet_status
try_row(struct stet_call *call, struct waiting *w)
{
	enum stet_status status = trial_lane(call, w->run, try_link, w);

	if (status == STET_OK || stet_status_http(status) >= 500)
		return status;
	w->refused = true;
	w->why = stet_printf(call, "%s: %s", about(w), stet_error_text(call));
	stet_error_clear(call);
	return STET_OK;
}

/* Reads a row. *bytes: of its value; 0: there is none. */
static enum stet_status
read_row(struct stet_call *call, struct finishing *f, size_t *bytes)
{
	struct waiting *w = &f->all[f->count];
	const char *source, *value;
	char *name, *rest;

	*bytes = 0;
	STET_TRY(map_next(call, f->run, MAP_LINK, f->after, &source, &value));
	if (source == NULL)
		return STET_OK;
	free(f->after);
	if ((f->after = strdup(source)) == NULL)
		stet_out_of_memory();
	*w = (struct waiting){ .run = f->run, .row = source, .link = map_json(call, value) };
	name = stet_strdup(call, source);
	w->collection = strtok_r(name, MAP_SEP, &rest);
	w->item = strtok_r(NULL, MAP_SEP, &rest);
	w->slug = strtok_r(NULL, MAP_SEP, &rest);
	if (w->slug == NULL)
		return stet_fault(call, "a link that waits has no name");
	STET_TRY(links_resolve(call, NULL, w->run, w->link, &w->found));
	(void)stet_json_own(call, w->found.value);
	if (w->found.missing != NULL)
		w->why = stet_printf(
		    call, "%s refers to %.40s, which was not imported", about(w), w->found.missing);
	*bytes = strlen(value);
	f->count++;
	return STET_OK;
}

/* Enters the references inside the value of a field, and tells of each that leads to nothing. */
static enum stet_status
settle_references(struct stet_call *call, const struct waiting *w, const char *place,
    const char *field, json_t *ids)
{
	const json_t *id;
	size_t i;

	json_array_foreach(ids, i, id)
	{
		const json_t *link = stet_json_own(call, json_pack("{s[O]}", "ids", id));
		struct resolved r;

		STET_TRY(links_resolve(call, NULL, w->run, link, &r));
		(void)stet_json_own(call, r.value);
		links_enter(w->run->report.rest, field, &r, !w->refused);
		if (r.missing != NULL)
			STET_TRY(outcome_tell(w->run, place, OUTCOME_REPAIRED,
			    stet_printf(call, "%s refers to %.40s, which was not imported", field,
				r.missing)));
	}
	return STET_OK;
}

/* Enters what has become of a row into the account, and tells what is amiss. */
static enum stet_status
settle(struct stet_call *call, const struct waiting *w)
{
	const char *place = json_string_value(json_object_get(w->link, "place")), *field;
	json_t *ids;

	if (place == NULL)
		place = stet_printf(call, "%s/%s", w->collection, w->item);
	if (is_field(w))
		links_enter(w->run->report.rest, w->slug, &w->found, !w->refused);
	json_object_foreach(json_object_get(w->link, "refs"), field, ids)
	    STET_TRY(settle_references(call, w, place, field, ids));
	if (w->why == NULL)
		return STET_OK;
	return outcome_tell(w->run, place, OUTCOME_REPAIRED, w->why);
}

/* Writes rows that wait. Reports refusals, and targets that were not imported. */
static enum stet_status
next_page(struct stet_call *call, void *arg)
{
	struct finishing *f = arg;
	struct stet_steps steps = { .step = write_step, .refused = refused, .arg = f };
	size_t bytes = 1;

	f->count = 0;
	for (size_t sum = 0; bytes > 0 && sum < PAGE_BYTES && f->count < PAGE; sum += bytes)
		STET_TRY(read_row(call, f, &bytes));
	for (size_t i = 0; f->run->tries && i < f->count; i++)
		if (is_field(&f->all[i]))
			STET_TRY(try_row(call, &f->all[i]));
	steps.count = f->count;
	STET_TRY(stet_write_steps(call, &steps));
	for (size_t i = 0; i < f->count; i++)
		STET_TRY(settle(call, &f->all[i]));
	return STET_OK;
}

enum stet_status
wait_finish(struct run *run)
{
	struct finishing *f = calloc(1, sizeof(*f));
	enum stet_status status;

	if (f == NULL || (f->after = strdup("")) == NULL)
		stet_out_of_memory();
	f->run = run;
	do
		status = stet_scope(run->call, next_page, f);
	while (status == STET_OK && f->count > 0);
	free(f->after);
	free(f);
	return status;
}
