/*
 * renew.c - items of earlier imports, found by their ids in the source: they are left as they are,
 * or updated if the source has changed. An item that was changed here since is never overwritten.
 */
#include "item/renew.h"
#include "item/settle.h"
#include "item/slug.h"
#include "item/talk.h"
#include "item/terms.h"
#include "item/variant.h"
#include "item/wait.h"
#include "plan/suggest.h"
#include "state/ids.h"
#include "state/map.h"
#include "state/outcome.h"
#include <stet/taxonomies.h>
#include <string.h>

struct renewing {
	const struct run *run;
	struct import_item *entry;
	json_t *body;
	const char *collection, *source; /* of the entry */
	const char *slug; /* its slug in the source */
	struct kept kept;
	int64_t version; /* of the item; 0: it is not there */
	bool trashed;
	bool drafted; /* it has a draft beside the public version */
};

/* ---- the item ---- */

static enum stet_status
find_item(struct stet_call *call, struct renewing *r)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;

	r->version = 0;
	stet_sql_add(sql,
	    "SELECT version, deleted_at IS NOT NULL, slug, draft_revision_id IS NOT NULL FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, r->collection);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(r->kept.item));
	STET_TRY(stet_sql_query(sql, &rows));
	if (stet_row(&rows)) {
		r->version = stet_col_int(&rows, 0);
		r->trashed = stet_col_int(&rows, 1) != 0;
		item_set(&r->entry->slug_here, stet_col_str(&rows, 2));
		r->drafted = stet_col_int(&rows, 3) != 0;
	}
	return stet_rows_end(&rows);
}

/* ---- what the source does not have any more ---- */

/* Sets fields to null that the source does not have any more. Nobody has changed the item, so their
 * values are from the import. */
static enum stet_status
clear_fields(struct stet_call *call, struct renewing *r)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	json_t *data = json_object_get(r->body, "data");
	const struct stet_collection *c;

	STET_TRY(schema->collection(call, r->collection, &c));
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];

		if (!f->required && f->default_value == NULL &&
		    json_object_get(data, f->slug) == NULL)
			(void)json_object_set_new(data, f->slug, json_null());
	}
	return STET_OK;
}

/* Removes the terms of taxonomies in which the item has no term in the source any more. */
static void
clear_terms(struct renewing *r)
{
	json_t *terms = json_object_get(r->body, "taxonomies"), *d;
	const char *taxonomy;

	if (!r->run->taxonomies)
		return;
	if (terms == NULL) {
		terms = json_object();
		(void)json_object_set_new(r->body, "taxonomies", terms);
	}
	json_object_foreach(r->run->definitions, taxonomy, d)
	{
		const char *name = json_string_value(json_object_get(d, "name"));

		if (name != NULL && json_object_get(terms, name) == NULL &&
		    terms_takes(d, r->collection))
			(void)json_object_set_new(terms, name, json_array());
	}
}

/* ---- it is changed ---- */

static enum stet_status
choose_slug(struct stet_call *call, struct renewing *r)
{
	const char *slug = r->slug;

	(void)json_object_del(r->body, "slug");
	/* A slug that the import has made from the title stays, though the title has changed. */
	if (r->entry->slug_made || (r->kept.slug != NULL && strcmp(r->kept.slug, r->slug) == 0))
		return STET_OK;
	STET_TRY(slug_free(call, r->entry, &slug));
	(void)json_object_set_new(r->body, "slug", json_string(slug));
	item_set(&r->entry->slug_here, slug);
	return STET_OK;
}

static enum stet_status
change(struct stet_call *call, struct stet_tx *tx, struct renewing *r, const char **outcome)
{
	const struct stet_content_1 *content = stet_service(call, STET_CONTENT_1);
	int64_t was = r->version;
	bool changed = false;

	/* If the update is refused, the item stays as it is: no draft with the error is made. */
	r->entry->renewed = true;
	STET_TRY(choose_slug(call, r));
	STET_TRY(clear_fields(call, r));
	clear_terms(r);
	if (json_object_get(r->body, "bylines") == NULL && stet_service(call, "bylines/1") != NULL)
		(void)json_object_set_new(r->body, "bylines", json_array());
	(void)json_object_del(r->body, "translationOf");
	/* An earlier import has made this draft, and the source may have another one, or none. */
	if (r->drafted)
		(void)json_object_set_new(r->body, "draft", json_null());
	STET_TRY(content->update(call, tx, r->collection, r->kept.item, r->body, &changed));
	STET_TRY(settle_draft(call, tx, r->entry, r->kept.item));
	STET_TRY(wait_put(call, tx, r->run, r->entry, r->kept.item));
	r->kept.slug = r->slug;
	r->kept.hash = r->entry->hash;
	STET_TRY(find_item(call, r));
	*outcome = r->version != was ? OUTCOME_UPDATED : OUTCOME_UNCHANGED;
	r->kept.version = r->version;
	return STET_OK;
}

/* Adds comments that are new in the source, even if the item was changed here. */
static enum stet_status
add_comments(struct stet_call *call, struct stet_tx *tx, struct renewing *r)
{
	const json_t *comments = r->entry->comments;
	int64_t added = 0;

	STET_TRY(
	    talk_store(call, tx, r->collection, r->kept.item, comments, r->kept.comment, &added));
	r->entry->comment_count = added;
	r->entry->comments_known = talk_known(comments, r->kept.comment);
	if (talk_last(comments) > r->kept.comment)
		r->kept.comment = talk_last(comments);
	return STET_OK;
}

/* *out: the item lacks terms that the source has, since no taxonomy here took them when the item
 * was imported. */
static enum stet_status
lacks_terms(struct stet_call *call, const struct renewing *r, bool *out)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	const json_t *terms = json_object_get(r->body, "taxonomies");
	const char *taxonomy, *id, *group;
	json_t *slugs, *slug, *groups;
	size_t i, count = 0;

	*out = false;
	json_object_foreach((json_t *)(uintptr_t)terms, taxonomy, slugs) count +=
	    json_array_size(slugs);
	if (count == 0 || taxonomies == NULL)
		return STET_OK;
	STET_TRY(taxonomies->groups(call, r->collection, r->kept.item, &groups));
	if (json_array_size(groups) >= count)
		return STET_OK;
	json_object_foreach((json_t *)(uintptr_t)terms, taxonomy, slugs)
	{
		json_array_foreach(slugs, i, slug)
		{
			STET_TRY(taxonomies->by_slug(call, taxonomy, json_string_value(slug),
			    r->entry->locale, &id, &group));
			*out |= group != NULL && !terms_in(groups, group);
		}
	}
	return STET_OK;
}

/* *out: a field of the item has no value that refers to another item, since that was not there when
 * the item was imported, and it is now. */
static enum stet_status
lacks_links(struct stet_call *call, const struct renewing *r, bool *out)
{
	struct stet_sql *sql = stet_sql_new(call);
	struct stet_rows rows;
	const json_t *data = json_object_get(r->body, "data");
	const char *slug;
	json_t *link;
	bool any = false;

	stet_sql_add(sql, "SELECT 1 FROM ");
	stet_sql_ident(sql, STET_ITEM_TABLE, r->collection);
	stet_sql_add(sql, " WHERE id = ");
	stet_sql_bind(sql, stet_val_str(r->kept.item));
	stet_sql_add(sql, " AND (");
	json_object_foreach(r->entry->links, slug, link)
	{
		if (json_is_true(json_object_get(link, "file")) ||
		    json_object_get(data, slug) == NULL)
			continue;
		stet_sql_add(sql, any ? " OR " : "");
		stet_sql_ident(sql, STET_FIELD_COLUMN, slug);
		stet_sql_add(sql, " IS NULL");
		any = true;
	}
	stet_sql_add(sql, ")");
	if (!any || r->drafted)
		return STET_OK;
	STET_TRY(stet_sql_query(sql, &rows));
	*out |= stet_row(&rows);
	return stet_rows_end(&rows);
}

static enum stet_status
renew(struct stet_call *call, struct stet_tx *tx, struct renewing *r, const char **outcome)
{
	struct kept was = r->kept;
	bool lacks = false;

	*outcome = OUTCOME_UNCHANGED;
	if (was.version == r->version) {
		STET_TRY(lacks_terms(call, r, &lacks));
		STET_TRY(lacks_links(call, r, &lacks));
	}
	if (lacks || strcmp(was.hash, r->entry->hash) != 0) {
		if (was.version == r->version) {
			STET_TRY(change(call, tx, r, outcome));
		} else {
			*outcome = OUTCOME_CONFLICT;
			item_set(&r->entry->note, was.version == 0
						      ? "It was here before it was imported"
						      : "It was changed here, and in the source");
		}
	} else if (was.version == r->version && !item_has_draft(r->entry))
		/* What it refers to may come later, or is told once more. */
		STET_TRY(wait_put(call, tx, r->run, r->entry, r->kept.item));
	STET_TRY(add_comments(call, tx, r));
	if (!lacks && strcmp(was.hash, r->kept.hash) == 0 && was.comment == r->kept.comment)
		return STET_OK;
	return ids_put(call, tx, r->run, r->source, &r->kept);
}

/* ---- is it there? ---- */

static enum stet_status
settle(struct stet_call *call, struct stet_tx *tx, struct renewing *r, const char *outcome,
    const char *note)
{
	if (note != NULL)
		item_set(&r->entry->note, note);
	item_set(&r->entry->id_here, r->kept.item);
	r->entry->done = outcome;
	if (r->version > 0)
		STET_TRY(settle_remember(call, tx, r->run, r->entry, r->kept.item));
	else
		r->entry->gone = true;
	return settle_entry(call, tx, r->run, r->entry, outcome);
}

/* Stores the source id for the item that has the slug of the entry, and skips the entry. *there is
 * false if the item belongs to another source id. */
static enum stet_status
adopt(struct stet_call *call, struct stet_tx *tx, struct renewing *r, const char *item, bool *there)
{
	bool others;

	STET_TRY(ids_taken(call, r->run, r->source, r->collection, item, &others));
	*there = !others;
	if (others)
		return STET_OK;
	r->kept = (struct kept){ r->collection, item, r->slug, "", 0, 0 };
	STET_TRY(ids_put(call, tx, r->run, r->source, &r->kept));
	STET_TRY(find_item(call, r));
	return settle(call, tx, r, OUTCOME_SKIPPED, NULL);
}

enum stet_status
renew_stays(struct stet_call *call, struct run *run, const struct wxr_item *item,
    const char *collection, struct import_item **entry)
{
	struct renewing r = { .run = run, .collection = collection };
	const char *locale, *wanted, *group;
	const struct stet_collection *c;

	*entry = NULL;
	if (run->origin == NULL || !run->skip_existing || run->updates)
		return STET_OK;
	r.source = map_item(call, item);
	STET_TRY(ids_find(call, run, r.source, &r.kept));
	if (r.kept.item == NULL || strcmp(r.kept.collection, collection) != 0)
		return STET_OK;
	STET_TRY(suggest_find(call, collection, &c));
	if (c == NULL) /* a dry run has made it, and rolled it back */
		return STET_OK;
	r.entry = item_begin(call, run, item);
	STET_TRY(find_item(call, &r));
	if (r.version == 0) {
		item_free(r.entry);
		return STET_OK;
	}
	STET_TRY(variant_of(call, run, item, &locale, &wanted, &group));
	item_set(&r.entry->collection, collection);
	item_set(&r.entry->id_here, r.kept.item);
	item_set(&r.entry->locale, locale != NULL ? locale : wanted);
	item_set(&r.entry->group, group);
	r.entry->outcome = OUTCOME_SKIPPED;
	r.entry->done = OUTCOME_SKIPPED;
	*entry = r.entry;
	return STET_OK;
}

enum stet_status
renew_made(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    const struct import_item *entry, const char *id)
{
	struct kept k = { .collection = entry->collection,
		.item = id,
		.slug = item_slug(entry),
		.hash = entry->hash,
		.version = 1,
		.comment = talk_last(entry->comments) };

	/* Draft and schedule are separate writes, which raise the version. */
	if (item_has_draft(entry))
		STET_TRY(ids_version(call, k.collection, id, &k.version));
	return ids_put(call, tx, run, entry->id, &k);
}

enum stet_status
renew_known(struct stet_call *call, struct stet_tx *tx, const struct run *run,
    struct import_item *entry, json_t *body, const char *by_slug, bool *there)
{
	struct renewing r = { .run = run,
		.entry = entry,
		.body = body,
		.collection = entry->collection,
		.source = entry->id,
		.slug = item_slug(entry) };
	const char *outcome = OUTCOME_SKIPPED;

	STET_TRY(ids_find(call, run, r.source, &r.kept));
	if (r.kept.item == NULL && by_slug != NULL) {
		STET_TRY(ids_move(call, tx, run, r.source, r.collection, by_slug));
		STET_TRY(ids_find(call, run, r.source, &r.kept));
	}
	*there = r.kept.item != NULL && strcmp(r.kept.collection, r.collection) == 0;
	if (*there)
		STET_TRY(find_item(call, &r));
	/* Without --update, what was deleted for good is made again. */
	if (*there && r.version == 0 && !run->updates)
		*there = false;
	if (!*there)
		return by_slug != NULL ? adopt(call, tx, &r, by_slug, there) : STET_OK;
	if (!run->updates)
		return settle(call, tx, &r, outcome, NULL);
	if (r.version == 0)
		return settle(call, tx, &r, outcome, "It was deleted here");
	if (r.trashed)
		return settle(call, tx, &r, outcome, "It is in the trash here");
	STET_TRY(renew(call, tx, &r, &outcome));
	return settle(call, tx, &r, outcome, NULL);
}
