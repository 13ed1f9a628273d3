/*
 * staged.c - the bylines and terms that a draft stages. The modules bylines and taxonomies store
 * the live ones. Those of a draft are members of its revision's data until it is published:
 *
 * _bylines: [{bylineId, roleLabel}], _taxonomies: {name: [group of a term, ...]}
 *
 * If a revision lacks such a member, or a taxonomy in it, the live ones stay. So when live values
 * are replaced, the revision that has them also gets the bylines and terms that were live with them
 * (staged_publish), so that they can be restored together.
 */
#include "item/item.h"
#include <string.h>

static const struct stet_bylines_1 *
bylines(struct stet_call *call)
{
	return stet_service(call, STET_BYLINES_1);
}

static const struct stet_taxonomies_1 *
taxonomies(struct stet_call *call)
{
	return stet_service(call, STET_TAXONOMIES_1);
}

/* ---- members of a revision ---- */

json_t *
staged_of(struct stet_call *call, const json_t *data)
{
	json_t *credits = json_object_get(data, BYLINES),
	       *terms = json_object_get(data, TAXONOMIES), *out;

	if (!json_is_array(credits) && !json_is_object(terms))
		return NULL;
	out = stet_json_own(call, json_object());
	if (json_is_array(credits))
		json_object_set(out, BYLINES, credits);
	if (json_is_object(terms))
		json_object_set(out, TAXONOMIES, terms);
	return out;
}

const json_t *
staged_with(struct stet_call *call, const json_t *data, const json_t *staged)
{
	json_t *all;

	if (staged == NULL)
		return data;
	all = stet_json_own(call, json_copy((json_t *)(uintptr_t)data));
	json_object_update(all, (json_t *)(uintptr_t)staged);
	return all;
}

const json_t *
staged_terms(const json_t *staged, const char *taxonomy)
{
	const json_t *terms = json_object_get(staged, TAXONOMIES), *groups;

	if (taxonomy == NULL)
		return json_is_object(terms) ? terms : NULL;
	groups = json_object_get(terms, taxonomy);
	return json_is_array(groups) ? groups : NULL;
}

const char *
staged_primary(const json_t *staged)
{
	return json_string_value(
	    json_object_get(json_array_get(json_object_get(staged, BYLINES), 0), "bylineId"));
}

enum stet_status
staged_read(
    struct stet_call *call, const struct stet_collection *c, struct stet_rows *rows, json_t **out)
{
	const char *draft = c->revisions ? stet_col_str(rows, C_DRAFT) : NULL;
	struct revision r;
	bool found;

	*out = NULL;
	if (draft == NULL || !stet_may(call, "content:read_drafts"))
		return STET_OK;
	STET_TRY(revision_read(call, draft, &r, &found));
	if (found)
		*out = staged_of(call, r.data);
	return STET_OK;
}

/* ---- an edit ---- */

static json_t *
copy_of(struct stet_call *call, const json_t *object)
{
	return stet_json_own(
	    call, object != NULL ? json_copy((json_t *)(uintptr_t)object) : json_object());
}

static enum stet_status
edit_credits(struct stet_call *call, const struct now *now, const struct stet_credits *credits,
    json_t *staged, bool *changes)
{
	json_t *kept = bylines(call)->keep(call, credits), *was = json_object_get(staged, BYLINES);

	if (was == NULL)
		STET_TRY(bylines(call)->stored(call, now->plan->slug, now->id, &was));
	if (json_equal(kept, was))
		return STET_OK;
	*changes = true;
	json_object_set(staged, BYLINES, kept);
	return STET_OK;
}

static enum stet_status
edit_terms(struct stet_call *call, const struct now *now, const struct stet_terms *terms,
    json_t *staged, bool *changes)
{
	json_t *kept = taxonomies(call)->keep(call, terms), *nothing = json_array(), *live, *v,
	       *all = copy_of(call, staged_terms(staged, NULL));
	const char *name;

	stet_json_own(call, nothing);
	STET_TRY(taxonomies(call)->stored(call, now->plan->slug, now->group, &live));
	json_object_foreach(kept, name, v)
	{
		json_t *was = json_object_get(all, name);

		if (was == NULL)
			was = json_object_get(live, name);
		if (json_equal(v, was != NULL ? was : nothing))
			continue;
		*changes = true;
		json_object_set(all, name, v);
	}
	if (json_object_size(all) > 0)
		json_object_set(staged, TAXONOMIES, all);
	return STET_OK;
}

enum stet_status
staged_edit(struct stet_call *call, const struct now *now, const struct stet_credits *credits,
    const struct stet_terms *terms, const json_t **out, bool *changes)
{
	json_t *staged;

	*out = now->staged;
	*changes = false;
	if ((credits == NULL || bylines(call) == NULL) &&
	    (terms == NULL || taxonomies(call) == NULL))
		return STET_OK;
	staged = copy_of(call, now->staged);
	if (credits != NULL && bylines(call) != NULL)
		STET_TRY(edit_credits(call, now, credits, staged, changes));
	if (terms != NULL && taxonomies(call) != NULL)
		STET_TRY(edit_terms(call, now, terms, staged, changes));
	if (*changes)
		*out = staged;
	return STET_OK;
}

/* ---- publishing ---- */

enum stet_status
staged_store(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *group,
    const char *id, const json_t *staged)
{
	const json_t *credits = json_object_get(staged, BYLINES),
		     *terms = staged_terms(staged, NULL);
	struct stet_credits *credited;
	struct stet_terms *tagged;

	if (terms != NULL && taxonomies(call) != NULL) {
		STET_TRY(taxonomies(call)->kept(call, terms, &tagged));
		STET_TRY(terms_store(call, tx, collection, group, id, tagged));
	}
	if (credits == NULL || bylines(call) == NULL)
		return STET_OK;
	STET_TRY(bylines(call)->kept(call, credits, &credited));
	return byline_store(call, tx, collection, id, credited);
}

/* Adds to the data of the live revision those live bylines and terms that the draft changes and the
 * revision lacks. */
static enum stet_status
add_live(struct stet_call *call, const struct now *now, const json_t *staged, json_t *data)
{
	json_t *live, *all, *v;
	const char *name;

	if (json_object_get(staged, BYLINES) != NULL && json_object_get(data, BYLINES) == NULL &&
	    bylines(call) != NULL) {
		STET_TRY(bylines(call)->stored(call, now->plan->slug, now->id, &live));
		json_object_set(data, BYLINES, live);
	}
	if (staged_terms(staged, NULL) == NULL || taxonomies(call) == NULL)
		return STET_OK;
	STET_TRY(taxonomies(call)->stored(call, now->plan->slug, now->group, &live));
	all = copy_of(call, staged_terms(data, NULL));
	json_object_foreach((json_t *)(uintptr_t)staged_terms(staged, NULL), name, v)
	{
		if (json_object_get(all, name) == NULL && json_object_get(live, name) != NULL)
			json_object_set(all, name, json_object_get(live, name));
		else if (json_object_get(all, name) == NULL)
			json_object_set_new(all, name, json_array());
	}
	json_object_set(data, TAXONOMIES, all);
	return STET_OK;
}

enum stet_status
staged_publish(
    struct stet_call *call, struct stet_tx *tx, const struct now *now, const json_t *staged)
{
	const char *live = now->live;
	struct revision r;
	json_t *data;
	bool found;

	if (staged == NULL)
		return STET_OK;
	if (now->is_published && now->collection->revisions) {
		if (live == NULL)
			STET_TRY(revision_keep(call, tx, now, &live));
		STET_TRY(revision_read(call, live, &r, &found));
		if (!found)
			return stet_fault(call, "live revision %s is not there", live);
		data = stet_json_own(call, json_copy(r.data));
		STET_TRY(add_live(call, now, staged, data));
		if (!json_equal(data, r.data))
			STET_TRY(revision_amend(call, tx, now->id, live, data));
	}
	return staged_store(call, tx, now->plan->slug, now->group, now->id, staged);
}

enum stet_status
staged_drop_terms(
    struct stet_call *call, struct stet_tx *tx, const char *draft, const char *taxonomy)
{
	struct revision r;
	json_t *data, *terms;
	bool found;

	STET_TRY(revision_read(call, draft, &r, &found));
	if (!found || staged_terms(r.data, taxonomy) == NULL)
		return STET_OK;
	data = stet_json_own(call, json_copy(r.data));
	terms = copy_of(call, staged_terms(r.data, NULL));
	json_object_del(terms, taxonomy);
	json_object_set(data, TAXONOMIES, terms);
	if (json_object_size(terms) == 0)
		json_object_del(data, TAXONOMIES);
	return revision_amend(call, tx, r.entry, draft, data);
}

/* ---- comparing ---- */

static enum stet_status
compare_credits(struct stet_call *call, const struct now *now, json_t *live, json_t *draft)
{
	struct stet_credited item[2] = { { now->id, now->locale, now->author,
	    json_object_get(now->staged, BYLINES) } };
	struct shown shown;

	item[1] = (struct stet_credited){ now->id, now->locale, now->author };
	STET_TRY(byline_begin(call, &shown));
	STET_TRY(byline_read(call, now->plan->slug, item, 2, &shown));
	json_object_set(draft, BYLINES, byline_json(call, &shown, 0));
	json_object_set(live, BYLINES, byline_json(call, &shown, 1));
	return STET_OK;
}

static enum stet_status
compare_terms(struct stet_call *call, const struct now *now, json_t *live, json_t *draft)
{
	const json_t *kept = staged_terms(now->staged, NULL);
	json_t *stored, *had = stet_json_own(call, json_object()), *slugs, *v;
	const char *name;

	STET_TRY(taxonomies(call)->stored(call, now->plan->slug, now->group, &stored));
	json_object_foreach((json_t *)(uintptr_t)kept, name, v)
	{
		json_t *groups = json_object_get(stored, name);

		json_object_set_new(had, name, groups != NULL ? json_incref(groups) : json_array());
	}
	STET_TRY(taxonomies(call)->slugs(call, kept, now->locale, &slugs));
	json_object_set(draft, TAXONOMIES, slugs);
	STET_TRY(taxonomies(call)->slugs(call, had, now->locale, &slugs));
	json_object_set(live, TAXONOMIES, slugs);
	return STET_OK;
}

enum stet_status
staged_compare(struct stet_call *call, const struct now *now, json_t **live, json_t **draft)
{
	*live = stet_json_own(call, json_object());
	*draft = stet_json_own(call, json_object());
	if (json_object_get(now->staged, BYLINES) != NULL && bylines(call) != NULL)
		STET_TRY(compare_credits(call, now, *live, *draft));
	if (staged_terms(now->staged, NULL) != NULL && taxonomies(call) != NULL)
		STET_TRY(compare_terms(call, now, *live, *draft));
	return STET_OK;
}
