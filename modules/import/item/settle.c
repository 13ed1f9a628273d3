/* settle.c - stores the result for an item: its outcome, its id here, its draft, or its waiting. */
#include "item/settle.h"
#include "item/entry.h"
#include "item/slug.h"
#include "item/wait.h"
#include "read/text.h"
#include "state/map.h"
#include "state/moved.h"
#include "state/outcome.h"
#include <string.h>

/* The name of an item in the map. Sources without ids have the id 0 for each. */
static const char *
name_of(struct stet_call *call, const struct import_item *entry)
{
	return strcmp(entry->id, "0") != 0 ? entry->id
					   : stet_printf(call, "#%lld", (long long)entry->number);
}

/* Notes that an item that was read is not here, which its outcome says. */
static enum stet_status
note_told(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry)
{
	const char *collection = entry_collection(run, entry->type);

	return collection == NULL ? STET_OK
				  : map_put(call, tx, run, MAP_TOLD,
					stet_printf(call, "%s" MAP_SEP "%lld", collection,
					    (long long)entry->number),
					entry->gone ? MAP_GONE : "");
}

/* An item that a dry run has made was rolled back, so its outcome has no id. */
enum stet_status
settle_outcome(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry, const char *outcome)
{
	json_t *account = run->lasts ? stet_json_own(call, json_object()) : NULL;
	const char *waited = entry->waited;
	bool gone = run->tries &&
		    (strcmp(outcome, OUTCOME_CREATED) == 0 || strcmp(outcome, OUTCOME_DRAFT) == 0);
	const struct outcome o = { .number = entry->number,
		.source_id = entry->id,
		.type = entry->type,
		.title = entry->title,
		.address = entry->link,
		.old_slugs = entry->old_slugs,
		.outcome = outcome,
		.reason = entry->why != NULL ? entry->why : entry->note,
		.notices = entry->notices,
		.collection = entry->collection,
		.item = gone ? NULL : entry->id_here,
		.slug = entry->slug_here,
		.locale = entry->locale,
		.comments = entry->comment_count,
		.assignments = entry->term_count,
		.account = account };

	if (account != NULL)
		item_account(entry, account);
	if (!run->tries && entry->collection != NULL && entry->id_here != NULL)
		STET_TRY(moved_put(call, tx,
		    &(struct moved){
			entry->link, entry->old_slugs, entry->collection, entry->id_here }));
	if (entry->gone || strcmp(outcome, OUTCOME_FAILED) == 0)
		STET_TRY(note_told(call, tx, run, entry));
	if (waited != NULL)
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM import_map WHERE run = ?1 AND kind = ?2 AND source = ?3",
		    STET_ARGS(run->id, MAP_LATER, waited)));
	return outcome_put(call, tx, run, &o);
}

enum stet_status
settle_entry(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    struct import_item *entry, const char *outcome)
{
	entry->settled = outcome;
	if (!run->tries)
		return settle_outcome(call, tx, run, entry, outcome);
	entry->became = outcome;
	return STET_OK;
}

enum stet_status
settle_double(
    struct stet_call *call, const struct run *run, struct import_item *entry, const char *slug)
{
	const char *known = NULL, *key;

	if (entry->place == NULL || strcmp(entry->id, "0") == 0)
		return STET_OK;
	STET_TRY(map_get(call, run, MAP_ENTRY, entry->id, &known));
	if (known != NULL && entry->outcome == NULL)
		item_notice(entry,
		    stet_printf(call, "%s: another row has the same id or slug", entry->place));
	if (known != NULL)
		item_set(&entry->id, stet_printf(call, "%s:%s", entry->id, slug));
	if (entry->outcome != NULL) /* it was told when the item was made */
		return STET_OK;
	for (size_t i = json_array_size(entry->keys); i-- > 0;) {
		key = json_string_value(json_array_get(entry->keys, i));
		STET_TRY(map_get(call, run, MAP_KEY, key, &known));
		if (known == NULL)
			continue;
		item_notice(entry,
		    stet_printf(call, "%s: references by %.200s name another row with this value",
			entry->place, key));
		(void)json_array_remove(entry->keys, i);
	}
	/* These notices are not added again if the entry is written once more. */
	entry->noticed = json_array_size(entry->notices);
	return STET_OK;
}

static enum stet_status
remember_keys(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry, const char *value)
{
	for (size_t i = 0; i < json_array_size(entry->keys); i++)
		STET_TRY(map_put(call, tx, run, MAP_KEY,
		    json_string_value(json_array_get(entry->keys, i)), value));
	return STET_OK;
}

enum stet_status
settle_remember(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry, const char *id)
{
	const char *group = entry->group, *known = NULL;
	const char *value = stet_printf(call, "%s" MAP_SEP "%s", entry->collection, id);

	STET_TRY(map_put(call, tx, run, MAP_ENTRY, name_of(call, entry), value));
	STET_TRY(remember_keys(call, tx, run, entry, value));
	if (group == NULL)
		return STET_OK;
	STET_TRY(map_get(call, run, MAP_GROUP, group, &known));
	return known != NULL ? STET_OK : map_put(call, tx, run, MAP_GROUP, group, value);
}

enum stet_status
settle_wait(
    struct stet_call *call, struct stet_tx *tx, const struct run *run, struct import_item *entry)
{
	const char *name = stet_printf(call, "%s" MAP_SEP "%s", entry->parent, entry->id);

	entry->done = ITEM_WAITING;
	return map_put(call, tx, run, MAP_LATER, name, item_json(call, entry));
}

enum stet_status
settle_draft(
    struct stet_call *call, struct stet_tx *tx, const struct import_item *entry, const char *id)
{
	/* Fields that wait for later items are set first: then links.c writes the draft. */
	const json_t *draft = entry->later == NULL ? entry->draft : NULL;
	const struct stet_content_1 *content;
	bool changed;

	if (draft == NULL)
		return STET_OK;
	content = stet_service(call, STET_CONTENT_1);
	return content->update(call, tx, entry->collection, id, draft, &changed);
}

/* ---- a dry run, after its rollback ---- */

struct keeping {
	struct run *run;
	size_t from, until;
};

static bool
is_one_of(const char *text, const char *a, const char *b)
{
	return strcmp(text, a) == 0 || strcmp(text, b) == 0;
}

static enum stet_status
keep_one(
    struct stet_call *call, struct stet_tx *tx, const struct run *run, struct import_item *entry)
{
	const char *became = entry->became, *slug;

	if (became == NULL) /* it waits, or has an outcome from an earlier attempt */
		return entry->done != NULL && strcmp(entry->done, ITEM_WAITING) == 0
			   ? settle_wait(call, tx, run, entry)
			   : STET_OK;
	if (strcmp(became, OUTCOME_FAILED) != 0) {
		bool made = is_one_of(became, OUTCOME_CREATED, OUTCOME_DRAFT);

		slug = text_cut(call, entry->body != NULL ? item_slug(entry) : "", SLUG_LENGTH);
		if (entry->body != NULL && run->skip_existing)
			STET_TRY(slug_claim(call, tx, run, entry, &slug));
		if (entry->collection != NULL && (made || (entry->id_here != NULL && !entry->gone)))
			STET_TRY(settle_remember(call, tx, run, entry, made ? "" : entry->id_here));
		if (made || strcmp(became, OUTCOME_UPDATED) == 0)
			STET_TRY(wait_put(call, tx, run, entry, slug));
	}
	return settle_outcome(call, tx, run, entry, became);
}

static enum stet_status
keep_some(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct keeping *k = arg;

	for (size_t i = k->from; i < k->until; i++)
		STET_TRY(keep_one(call, tx, k->run, k->run->batch[i]));
	return STET_OK;
}

enum stet_status
settle_tried(struct stet_call *call, void *run, size_t from, size_t until)
{
	struct keeping k = { run, from, until };

	return k.run->tries && from < until ? stet_write_lane(call, keep_some, &k) : STET_OK;
}
