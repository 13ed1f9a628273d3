/* settle.c - stores the result for an item: its outcome, its id here, its draft, or its waiting. */
#include "item/settle.h"
#include "item/entry.h"
#include "state/map.h"
#include "state/outcome.h"
#include <stdlib.h>
#include <string.h>

/* An item that a dry run has made was rolled back, so its outcome has no id. */
enum stet_status
settle_outcome(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const json_t *entry, const char *outcome)
{
	const char *waited = entry_text(entry, "waited");
	bool gone = run->tries &&
		    (strcmp(outcome, OUTCOME_CREATED) == 0 || strcmp(outcome, OUTCOME_DRAFT) == 0);
	const struct outcome o = { .number = json_integer_value(json_object_get(entry, "number")),
		.source_id = entry_text(entry, "id"),
		.type = entry_text(entry, "type"),
		.title = entry_text(entry, "title"),
		.address = entry_text(entry, "link"),
		.old_slugs = json_object_get(entry, "oldSlugs"),
		.outcome = outcome,
		.reason = entry_text(entry, entry_text(entry, "why") != NULL ? "why" : "note"),
		.notices = json_object_get(entry, "notices"),
		.collection = entry_text(entry, "collection"),
		.item = gone ? NULL : entry_text(entry, "item"),
		.slug = entry_text(entry, "slug"),
		.locale = entry_text(entry, "locale"),
		.comments = json_integer_value(json_object_get(entry, "said")),
		.assignments = json_integer_value(json_object_get(entry, "assigned")) };

	if (waited != NULL)
		STET_TRY(stet_exec(call, tx,
		    "DELETE FROM import_map WHERE run = ?1 AND kind = ?2 AND source = ?3",
		    STET_ARGS(run->id, MAP_LATER, waited)));
	return outcome_put(call, tx, run, &o);
}

/* In a dry run trial_keep stores the outcome, after the rollback. */
enum stet_status
settle_entry(struct stet_call *call, struct stet_tx *tx, const struct run *run, json_t *entry,
    const char *outcome)
{
	if (!run->tries)
		return settle_outcome(call, tx, run, entry, outcome);
	entry_set(entry, "became", outcome);
	return STET_OK;
}

enum stet_status
settle_remember(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const json_t *entry, const char *id)
{
	const char *group = entry_text(entry, "group"), *known = NULL;
	const char *value =
	    stet_printf(call, "%s" MAP_SEP "%s", entry_text(entry, "collection"), id);

	STET_TRY(map_put(call, tx, run, MAP_ENTRY, entry_text(entry, "id"), value));
	if (group == NULL)
		return STET_OK;
	STET_TRY(map_get(call, run, MAP_GROUP, group, &known));
	return known != NULL ? STET_OK : map_put(call, tx, run, MAP_GROUP, group, value);
}

enum stet_status
settle_wait(struct stet_call *call, struct stet_tx *tx, const struct run *run, json_t *entry)
{
	char *text = json_dumps(entry, JSON_COMPACT);
	enum stet_status status = map_put(call, tx, run, MAP_LATER,
	    stet_printf(
		call, "%s" MAP_SEP "%s", entry_text(entry, "parent"), entry_text(entry, "id")),
	    text);

	free(text);
	entry_set(entry, "done", "waiting");
	return status;
}

bool
settle_has_draft(const json_t *entry)
{
	return json_object_get(entry, "draft") != NULL ||
	       json_object_get(entry, "scheduledAt") != NULL;
}

enum stet_status
settle_draft(struct stet_call *call, struct stet_tx *tx, const json_t *entry, const char *id)
{
	/* Fields that wait for later items are set first: then links.c writes the draft. */
	const json_t *draft =
	    json_object_get(entry, "later") == NULL ? json_object_get(entry, "draft") : NULL;
	const struct stet_content_1 *content;
	bool changed;

	if (draft == NULL)
		return STET_OK;
	content = stet_service(call, STET_CONTENT_1);
	return content->update(call, tx, entry_text(entry, "collection"), id, draft, &changed);
}
