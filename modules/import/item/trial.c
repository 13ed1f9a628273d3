/*
 * trial.c - a dry run makes the same writes as an import, in transactions that are rolled back. So
 * all checks, and the hooks that run before a save, give their real results. What later items need
 * to know of earlier ones is in the map of the run; there a rolled back item has no id.
 */
#include "item/trial.h"
#include "item/variant.h"
#include "read/text.h"
#include "state/outcome.h"
#include <string.h>

#define NO_COLLECTION "Not checked: the import makes its collection"

/* ---- writes that are undone ---- */

struct trial {
	enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *);
	void *arg;
	bool good; /* fn has succeeded */
};

/* Fails on purpose if fn succeeds: only a failure rolls the transaction back. */
static enum stet_status
undone(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct trial *t = arg;

	t->good = false;
	STET_TRY(t->fn(call, tx, t->arg));
	t->good = true;
	return stet_fail(call, STET_CONFLICT, NULL, "It is only tried");
}

enum stet_status
trial_lane(struct stet_call *call, const struct run *run,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg)
{
	struct trial t = { .fn = fn, .arg = arg };
	enum stet_status status;

	if (!run->tries)
		return stet_write_lane(call, fn, arg);
	status = stet_write_lane(call, undone, &t);
	if (!t.good || status != STET_CONFLICT)
		return status;
	stet_error_clear(call);
	return STET_OK;
}

struct row {
	const struct stet_steps *steps;
	size_t from, at; /* at: the step that runs */
};

static enum stet_status
run_row(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct row *r = arg;

	for (r->at = r->from; r->at < r->steps->count; r->at++)
		STET_TRY(r->steps->step(call, tx, r->steps->arg, r->at));
	return STET_OK;
}

enum stet_status
trial_steps(struct stet_call *call, const struct run *run, const struct stet_steps *steps,
    enum stet_status (*keep)(struct stet_call *, void *, size_t, size_t))
{
	struct row r = { .steps = steps };

	if (!run->tries)
		return stet_write_steps(call, steps);
	while (r.from < steps->count) {
		enum stet_status status = trial_lane(call, run, run_row, &r);
		size_t until = r.at;
		const char *why = NULL;

		if (status != STET_OK) {
			if (!stet_is_refusal(status) || until >= steps->count)
				return status;
			why = stet_error_text(call);
			stet_error_clear(call);
		}
		if (keep != NULL)
			STET_TRY(keep(call, steps->arg, r.from, until));
		if (status != STET_OK)
			STET_TRY(steps->refused(call, steps->arg, until, status, why));
		r.from = until + 1;
	}
	return STET_OK;
}

/* ---- what is not checked ---- */

bool
trial_makes(const struct run *run, const char *collection, const char *field)
{
	const json_t *fields = json_object_get(run->makes, collection);

	return fields != NULL && (field == NULL || json_object_get(fields, field) != NULL);
}

enum stet_status
trial_unchecked(struct stet_call *call, struct run *run, const struct wxr_item *item,
    const char *collection, struct import_item **out)
{
	const char *locale, *group;
	struct import_item *entry;

	*out = NULL;
	STET_TRY(variant_need(call, run, item, &locale, &group));
	entry = *out = item_begin(call, run, item);
	item_set(&entry->collection, collection);
	item_set(&entry->locale, locale);
	item_set(&entry->group, group);
	if (*item->slug != '\0')
		item_set(&entry->slug_here, text_unescape(call, item->slug));
	item_set(&entry->note, NO_COLLECTION);
	entry->outcome = OUTCOME_CREATED;
	entry->done = ITEM_IMPORTED;
	return STET_OK;
}

enum stet_status
trial_leave(struct stet_call *call, struct import_item *entry, const char *field)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const struct stet_collection *c;
	const struct stet_field *f;

	STET_TRY(schema->collection(call, entry->collection, &c));
	f = stet_field(c, field);
	if (f != NULL && f->required)
		item_set(&entry->untried,
		    stet_printf(call,
			"Not checked: its field %.63s refers to an item of the same export",
			field));
	return STET_OK;
}
