/*
 * write.c - makes items, a batch in a transaction. An item that is refused is tried again as a
 * draft that holds its markup and the error. One that a plugin has rejected is only reported.
 */
#include "run/write.h"
#include "item/body.h"
#include "item/confirm.h"
#include "item/contents.h"
#include "item/renew.h"
#include "item/settle.h"
#include "item/slug.h"
#include "item/talk.h"
#include "item/trial.h"
#include "item/wait.h"
#include "state/ids.h"
#include "state/map.h"
#include "state/outcome.h"
#include <string.h>

#define BATCH 100 /* items; other writers of the site wait while they are written */
/* Items, in a command, which mostly has the site for itself, and in a dry run, each of whose
 * transactions first makes collections. */
#define BATCH_ALONE 400
#define BATCH_BYTES (2u << 20) /* bytes of texts in a batch */
#define KEPT_EACH 1000 /* items after which a resumable run stores how far it has come */
#define ROUNDS_MAX 100 /* over waiting items, whose parents may wait, too */

static const struct stet_content_1 *
content_of(struct stet_call *call)
{
	return stet_service(call, STET_CONTENT_1);
}

/* ---- an item ---- */

static enum stet_status
store(struct stet_call *call, struct stet_tx *tx, const struct run *run, struct import_item *entry,
    json_t *body)
{
	const char *collection = entry->collection, *id = NULL, *why = entry->why;
	int64_t comments = 0;

	if (why != NULL)
		STET_TRY(content_of(call)->create_failed(
		    call, tx, collection, body, why, entry->markup, &id));
	else
		STET_TRY(content_of(call)->create(call, tx, collection, body, &id));
	if (why == NULL)
		STET_TRY(settle_draft(call, tx, entry, id));
	STET_TRY(settle_remember(call, tx, run, entry, id));
	STET_TRY(talk_store(call, tx, collection, id, entry->comments, 0, &comments));
	STET_TRY(wait_put(call, tx, run, entry, id));
	STET_TRY(renew_made(call, tx, run, entry, id));
	entry->comment_count = comments;
	item_set(&entry->id_here, id);
	item_set(&entry->slug_here, json_string_value(json_object_get(body, "slug")));
	entry->done = ITEM_IMPORTED;
	return settle_entry(call, tx, run, entry, why != NULL ? OUTCOME_DRAFT : OUTCOME_CREATED);
}

/* Skips an entry whose item exists here already. */
static enum stet_status
skip(struct stet_call *call, struct stet_tx *tx, const struct run *run, struct import_item *entry,
    const char *slug, const char *id)
{
	STET_TRY(settle_remember(call, tx, run, entry, id));
	item_set(&entry->id_here, id);
	item_set(&entry->slug_here, slug);
	entry->done = OUTCOME_SKIPPED;
	return settle_entry(call, tx, run, entry, OUTCOME_SKIPPED);
}

/* Reports an item that a dry run cannot check. */
static enum stet_status
leave(struct stet_call *call, struct stet_tx *tx, const struct run *run, struct import_item *entry,
    const char *slug)
{
	item_set(&entry->note, entry->untried);
	item_set(&entry->slug_here, slug);
	entry->done = ITEM_IMPORTED;
	return settle_entry(call, tx, run, entry, OUTCOME_CREATED);
}

/* Writes one item. */
static enum stet_status
write_entry(
    struct stet_call *call, struct stet_tx *tx, const struct run *run, struct import_item *entry)
{
	json_t *body;
	const char *slug = item_slug(entry), *id;
	size_t notices = entry->noticed;
	bool waits, known, there = false;

	if (entry->outcome != NULL) {
		STET_TRY(settle_double(call, run, entry, slug));
		if (entry->id_here != NULL)
			STET_TRY(settle_remember(call, tx, run, entry, entry->id_here));
		return settle_entry(call, tx, run, entry, entry->outcome);
	}
	STET_TRY(outcome_known(call, run, entry->number, &known));
	entry->known = known && entry->settled == NULL;
	if (known)
		return STET_OK;
	item_set(&entry->note, NULL);
	item_set(&entry->untried, NULL);
	while (json_array_size(entry->notices) > notices)
		(void)json_array_remove(entry->notices, notices);
	STET_TRY(body_of(call, tx, run, entry, &body, &waits));
	if (waits)
		return settle_wait(call, tx, run, entry);
	STET_TRY(confirm_expect(call, run, entry, json_object_get(body, "data")));
	STET_TRY(slug_choose(call, tx, run, entry, &slug, &id));
	STET_TRY(settle_double(call, run, entry, slug));
	if (run->origin != NULL && run->skip_existing) {
		STET_TRY(renew_known(call, tx, run, entry, body, id, &there));
		if (there)
			return STET_OK;
		if (id != NULL) /* that item belongs to another id of the source */
			STET_TRY(slug_free(call, entry, &slug));
	} else if (id != NULL)
		return skip(call, tx, run, entry, slug, id);
	(void)json_object_set_new(body, "slug", json_string(slug));
	return entry->untried != NULL ? leave(call, tx, run, entry, slug)
				      : store(call, tx, run, entry, body);
}

/* It may be called again for the entry, so it makes the same changes to it each time. */
static enum stet_status
write_one(struct stet_call *call, struct stet_tx *tx, void *arg, size_t i)
{
	const struct run *run = arg;

	STET_TRY(write_entry(call, tx, run, run->batch[i]));
	return run->tries && !run->batch[i]->known ? confirm_items(call, tx, run, &run->batch[i], 1)
						   : STET_OK;
}

/* ---- an item that is refused ---- */

struct single {
	struct run *run;
	size_t at;
};

static enum stet_status
write_single(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct single *s = arg;

	return write_one(call, tx, s->run, s->at);
}

/* Returns true if trying again as a draft is pointless: a plugin, or missing rights, refused the
 * item. */
static bool
is_final(const char *why)
{
	static const char *const codes[] = { "SAVE_REJECTED", "CONTENT_HOOK_ERROR", "FORBIDDEN" };

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strncmp(why, codes[i], strlen(codes[i])) == 0)
			return true;
	return false;
}

static enum stet_status
settle_single(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct single *s = arg;

	return settle_entry(call, tx, s->run, s->run->batch[s->at], OUTCOME_FAILED);
}

/* Removes draft and schedule from an entry: perhaps only they were refused. Returns false if it has
 * neither. */
static bool
leave_draft(struct stet_call *call, struct import_item *entry, const char *why)
{
	json_t *notices = entry->notices;
	size_t noticed = entry->noticed;

	if (!item_has_draft(entry))
		return false;
	item_set_value(&entry->draft, NULL);
	item_set(&entry->scheduled_at, NULL);
	(void)json_array_insert_new(notices, noticed,
	    json_string(stet_printf(call, "Without its draft and schedule: %s", why)));
	entry->noticed = noticed + 1;
	return true;
}

static enum stet_status
refused(struct stet_call *call, void *arg, size_t i, enum stet_status status, const char *why)
{
	struct run *run = arg;
	struct import_item *entry = run->batch[i];
	struct single single = { run, i };

	(void)status;
	if (leave_draft(call, entry, why)) {
		if (trial_lane(call, run, write_single, &single) == STET_OK)
			return settle_tried(call, run, i, i + 1);
		why = stet_error_text(call);
		stet_error_clear(call);
	}
	entry->done = OUTCOME_FAILED;
	item_set(&entry->why, why);
	if (!is_final(why) && !entry->renewed) {
		if (trial_lane(call, run, write_single, &single) == STET_OK) {
			entry->done = OUTCOME_FAILED;
			return settle_tried(call, run, i, i + 1);
		}
		item_set(&entry->why,
		    stet_printf(call, "%s (nor as a draft: %s)", why, stet_error_text(call)));
		stet_error_clear(call);
	}
	item_set(&entry->id_here, NULL);
	entry->comment_count = 0;
	STET_TRY(stet_write_lane(call, settle_single, &single));
	return settle_tried(call, run, i, i + 1);
}

/* ---- batches ---- */

static void
count(struct run *run, const struct import_item *entry)
{
	const char *done = entry->done, *title = entry->title;
	json_t *notices = entry->notices, *notice;
	struct report *r = &run->report;
	size_t i;

	item_account(entry, r->account);
	if (done == NULL || strcmp(done, ITEM_WAITING) == 0)
		return;
	r->assignments += strcmp(done, ITEM_IMPORTED) == 0 ? entry->term_count : 0;
	r->comments += entry->comment_count;
	if (strcmp(done, OUTCOME_FAILED) == 0) {
		report_error(r, title, entry->why);
	} else if (strcmp(done, OUTCOME_SKIPPED) == 0) {
		r->skipped++;
		return;
	} else if (strcmp(done, OUTCOME_UNCHANGED) == 0) {
		r->unchanged++;
		return;
	} else if (strcmp(done, OUTCOME_CONFLICT) == 0) {
		r->conflicts++;
		notices = NULL;
		report_notice(r, title, entry->note);
	} else if (strcmp(done, OUTCOME_UPDATED) == 0) {
		r->updated++;
	} else {
		r->imported++;
		report_add(r->by_collection, entry->collection, 1);
	}
	json_array_foreach(notices, i, notice) report_notice(r, title, json_string_value(notice));
}

static enum stet_status
flush_scope(struct stet_call *call, void *arg)
{
	struct run *run = arg;
	const struct stet_steps batch = { run->batch_count, write_one, refused, run };

	contents_convert(call, run);
	for (size_t i = 0; i < run->batch_count; i++)
		run->batch[i]->noticed = json_array_size(run->batch[i]->notices);
	return trial_steps(call, run, &batch, settle_tried);
}

/* Reads back what is committed. */
static enum stet_status
confirm_scope(struct stet_call *call, void *arg)
{
	const struct run *run = arg;

	return confirm_items(call, NULL, run, run->batch, run->batch_count);
}

static enum stet_status
put_number(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct run *run = arg;

	return map_put(
	    call, tx, run, MAP_AT, "", stet_printf(call, "%lld", (long long)run->number));
}

static enum stet_status
keep_number(struct stet_call *call, void *arg)
{
	return stet_write_lane(call, put_number, arg);
}

/* To be called when all items up to `number` are written. */
static enum stet_status
wrote(struct run *run)
{
	if (run->lasts && run->number >= run->kept + KEPT_EACH) {
		/* First the buffered rows about these items. */
		STET_TRY(map_store(run));
		STET_TRY(stet_scope(run->call, keep_number, run));
		run->kept = run->number;
	}
	return run->told != NULL ? run->told(run, RUN_WRITTEN) : STET_OK;
}

static void
clear(void *arg)
{
	struct run *run = arg;

	for (size_t i = 0; i < run->batch_count; i++)
		item_free(run->batch[i]);
	run->batch_count = run->batch_bytes = 0;
}

static size_t
most_of(const struct run *run)
{
	return run->alone || run->tries ? BATCH_ALONE : BATCH;
}

void
write_begin(struct stet_call *call, struct run *run)
{
	run->batch = stet_alloc(call, most_of(run) * sizeof(*run->batch));
	run->batch_count = run->batch_bytes = 0;
	stet_defer(call, clear, run);
}

enum stet_status
write_flush(struct run *run)
{
	if (run->batch_count > 0)
		STET_TRY(stet_scope(run->call, flush_scope, run));
	if (run->batch_count > 0 && !run->tries)
		STET_TRY(stet_scope(run->call, confirm_scope, run));
	for (size_t i = 0; i < run->batch_count; i++)
		count(run, run->batch[i]);
	clear(run);
	return wrote(run);
}

enum stet_status
write_told(struct run *run, const struct wxr_item *item, const struct item_told *told)
{
	struct import_item *entry = item_begin(run->call, run, item);
	const json_t *notice;
	size_t i;

	entry->outcome = told->outcome;
	item_set(&entry->why, told->reason);
	item_set(&entry->slug_here, told->slug);
	if (told->account != NULL)
		item_set_value(&entry->account, json_incref(told->account));
	json_array_foreach(told->notices, i, notice)
	{
		item_notice(entry, json_string_value(notice));
		report_notice(&run->report, entry->title, json_string_value(notice));
	}
	/* What failed is settled like an item, which notes it. */
	if (run->lasts || strcmp(told->outcome, OUTCOME_FAILED) == 0)
		return write_add(run, entry);
	entry->settled = told->outcome;
	item_account(entry, run->report.account);
	item_free(entry);
	return STET_OK;
}

enum stet_status
write_add(struct run *run, struct import_item *entry)
{
	if (run->origin != NULL && entry->hash == NULL && entry->body != NULL)
		item_set(&entry->hash, item_hash(run->call, entry));
	run->batch[run->batch_count++] = entry;
	run->batch_bytes += entry->markup != NULL ? strlen(entry->markup) : 0;
	run->batch_bytes += (size_t)entry->weight;
	if (run->batch_count < most_of(run) && run->batch_bytes < BATCH_BYTES)
		return STET_OK;
	return write_flush(run);
}

/* ---- items that wait ---- */

struct walk {
	struct run *run;
	char *after, *value;
	bool ready, last;
};

/* Reads the next item that waits. w->ready: its parent has been written, or the last round runs. */
static enum stet_status
next_waiting(struct stet_call *call, void *arg)
{
	struct walk *w = arg;
	const char *source, *value, *parent = NULL;

	STET_TRY(map_next(call, w->run, MAP_LATER, w->after, &source, &value));
	free(w->after);
	free(w->value);
	w->after = w->value = NULL;
	if (source == NULL)
		return STET_OK;
	STET_TRY(map_get(call, w->run, MAP_ENTRY,
	    stet_strndup(call, source, strcspn(source, MAP_SEP)), &parent));
	w->ready = parent != NULL || w->last;
	w->after = strdup(source);
	w->value = strdup(value);
	if (w->after == NULL || w->value == NULL)
		stet_out_of_memory();
	return STET_OK;
}

static enum stet_status
add_waiting(struct walk *w)
{
	struct import_item *entry = item_of_json(w->value);

	if (entry == NULL)
		return stet_fault(w->run->call, "an item that waits is not JSON");
	entry->orphan = w->last;
	item_set(&entry->waited, w->after);
	return write_add(w->run, entry);
}

/* Writes the waiting items whose parents have been written; in the last round, all. *count: how
 * many. */
static enum stet_status
round_of(struct run *run, bool last, size_t *count)
{
	struct walk w = { .run = run, .after = strdup(""), .last = last };
	enum stet_status status;

	*count = 0;
	if (w.after == NULL)
		stet_out_of_memory();
	while ((status = stet_scope(run->call, next_waiting, &w)) == STET_OK && w.after != NULL) {
		if (!w.ready)
			continue;
		++*count;
		if ((status = add_waiting(&w)) != STET_OK)
			break;
	}
	free(w.after);
	free(w.value);
	return status == STET_OK ? write_flush(run) : status;
}

enum stet_status
write_waiting(struct run *run)
{
	size_t count = 1;

	for (int i = 0; i < ROUNDS_MAX && count > 0; i++)
		STET_TRY(round_of(run, false, &count));
	return round_of(run, true, &count);
}
