/*
 * trial.c - a dry run makes the same writes as an import, in transactions that are rolled back. So
 * all checks, and the hooks that run before a save, give their real results. What later items need
 * to know of earlier ones is in the map of the run; there a rolled back item has no id.
 */
#include "item/trial.h"
#include "plan/suggest.h"
#include "state/ids.h"
#include <string.h>

/* ---- writes that are undone ---- */

struct trial {
	const struct run *run;
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
	if (t->run->ahead != NULL)
		STET_TRY(t->run->ahead(call, tx, t->run->ahead_arg));
	STET_TRY(t->fn(call, tx, t->arg));
	t->good = true;
	return stet_fail(call, STET_CONFLICT, NULL, "It is only tried");
}

enum stet_status
trial_lane(struct stet_call *call, const struct run *run,
    enum stet_status (*fn)(struct stet_call *, struct stet_tx *, void *), void *arg)
{
	struct trial t = { .run = run, .fn = fn, .arg = arg };
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
		enum stet_status status;
		const char *why = NULL;
		size_t until;

		r.at = r.from;
		status = trial_lane(call, run, run_row, &r);
		until = r.at;
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

/* ---- what is made ahead ---- */

enum stet_status
trial_find(struct stet_call *call, const struct run *run, const char *slug,
    const struct stet_collection **out)
{
	for (size_t i = 0; i < run->made_count; i++)
		if (strcmp(run->made[i]->slug, slug) == 0) {
			*out = run->made[i];
			return STET_OK;
		}
	return suggest_find(call, slug, out);
}

/* ---- what refers to rolled back items ---- */

static enum stet_status
find_slug(struct stet_call *call, const char *collection, const char *slug, const char **id)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	stet_sql_add(sql, "SELECT id FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, collection);
	stet_sql_add(sql, " WHERE slug = ");
	stet_sql_bind(sql, stet_val_str(slug));
	STET_TRY(stet_sql_query(sql, &rows));
	*id = stet_row(&rows) ? stet_col_dup(&rows, 0) : NULL;
	return stet_rows_end(&rows);
}

enum stet_status
trial_stand_in(struct stet_call *call, struct stet_tx *tx, const char *collection,
    const char *source, const char **id)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	const char *slug = stet_printf(
	    call, "stand-in-%s", ids_hash_of(call, stet_json_own(call, json_array()), source));
	enum stet_status status;

	STET_TRY(find_slug(call, collection, slug, id));
	if (*id != NULL)
		return STET_OK;
	status = content->create_failed(call, tx, collection,
	    stet_json_own(call, json_pack("{ss ss ss s{}}", "slug", slug, "status", "draft",
				    "locale", stet_locales(call)[0], "data")),
	    "It stands for an item that was rolled back", NULL, id);
	if (status == STET_OK || !stet_is_refusal(status))
		return status;
	stet_error_clear(call);
	*id = NULL;
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
