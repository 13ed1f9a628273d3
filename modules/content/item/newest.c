/* newest.c - the newest values of an item: if it has a draft they are in its revision, not in its
 * row. */
#include "item/item.h"
#include <string.h>

void
newest_slug(struct newest *out, const char *staged)
{
	out->slug_staged = staged != NULL;
	out->slug = staged != NULL && *staged != '\0' ? staged : NULL;
}

enum stet_status
item_newest(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, struct stet_rows *rows, struct newest *out)
{
	const char *id = stet_col_str(rows, C_DRAFT);
	struct revision r;
	bool found = false;
	json_t *error;

	*out = (struct newest){ 0 };
	if (id == NULL)
		return STET_OK;
	STET_TRY(revision_read(call, id, &r, &found));
	error = found ? json_object_get(r.data, IMPORT_ERROR) : NULL;
	/* If revisions were disabled for the collection, an old pointer to a draft has no
	 * meaning. */
	if (!collection->revisions && error == NULL)
		return STET_OK;
	if (!found)
		return stet_fault(call, "draft revision %s is not there", id);
	out->data =
	    fit_overlay(call, collection, plan, fit_beneath(call, collection, plan, rows, &r), &r);
	if (error != NULL)
		json_object_set(out->data, IMPORT_ERROR, error);
	newest_slug(out, r.slug);
	out->staged = staged_of(call, r.data);
	return STET_OK;
}

enum stet_status
item_draft(struct stet_call *call, const struct stet_collection *collection, const char *id,
    const json_t **data, const char **slug)
{
	const struct plan *plan;
	struct stet_rows rows;
	struct revision r;
	const char *draft;
	bool found = false;

	*data = NULL;
	STET_TRY(plan_get(call, collection->slug, &collection, &plan));
	STET_TRY(item_any(call, plan, id, &rows));
	draft = collection->revisions ? stet_col_dup(&rows, C_DRAFT) : NULL;
	*slug = stet_col_dup(&rows, C_SLUG);
	if (draft != NULL)
		STET_TRY(revision_read(call, draft, &r, &found));
	if (!found || strcmp(r.entry, id) != 0)
		return stet_rows_end(&rows);
	*data =
	    fit_overlay(call, collection, plan, fit_beneath(call, collection, plan, &rows, &r), &r);
	if (r.slug != NULL)
		*slug = *r.slug != '\0' ? r.slug : NULL;
	return stet_rows_end(&rows);
}
