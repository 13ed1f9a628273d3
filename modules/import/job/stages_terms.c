/*
 * stages_terms.c - adds collections to taxonomies. A taxonomy lists the collections whose items may
 * have its terms. In the source more types may use it; without this, their items would lose these
 * terms.
 */
#include "item/terms.h"
#include "job/stages.h"
#include "state/ops.h"
#include <stet/taxonomies.h>
#include <string.h>

#define NAMES_MAX 1000 /* taxonomies of one type */

void
stages_note_terms(struct stet_call *call, json_t *type, const struct wxr_item *item)
{
	json_t *used = json_object_get(type, "taxonomies");

	if (used == NULL) {
		used = json_object();
		(void)json_object_set_new(type, "taxonomies", used);
	}
	for (size_t i = 0; i < item->label_count; i++) {
		const char *name = terms_taxonomy(item->labels[i].taxonomy);

		if (name != NULL && json_object_size(used) < NAMES_MAX)
			(void)json_object_set_new(used, terms_definition(call, name), json_true());
	}
}

/* Returns the collections of the import whose items have terms of this taxonomy, but which its
 * definition does not list. */
static json_t *
left_out(const struct stages *s, const json_t *definition)
{
	const char *name = json_string_value(json_object_get(definition, "name")), *type,
		   *collection;
	json_t *out = json_array(), *found;

	json_object_foreach(s->types, type, found)
	{
		collection = json_string_value(json_object_get(found, "collection"));
		if (collection != NULL && !terms_takes(definition, collection) &&
		    json_object_get(json_object_get(found, "taxonomies"), name) != NULL)
			(void)json_array_append_new(out, json_string(collection));
	}
	return out;
}

static enum stet_status
update(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	json_t *reply;

	(void)tx;
	return stet_invoke_json(call, "taxonomy_update", json_incref(arg), &reply);
}

static enum stet_status
widen(struct stages *s, const json_t *definition)
{
	const char *name = json_string_value(json_object_get(definition, "name"));
	json_t *more = stet_json_own(s->call, left_out(s, definition)), *all, *collection;
	size_t i;

	json_array_foreach(more, i, collection)
	{
		const char *slug = json_string_value(collection);

		s->says(s, STAGE_PREPARE, name,
		    s->run.tries
			? stet_printf(s->call,
			      "Not checked, since the import makes it: terms of items of %s", slug)
			: stet_printf(s->call, "Items of %s may have its terms from now on", slug));
	}
	if (s->run.tries || json_array_size(more) == 0)
		return STET_OK;
	all = json_deep_copy(json_object_get(definition, "collections"));
	(void)json_array_extend(all, more);
	return stet_write_lane(s->call, update,
	    stet_json_own(s->call, json_pack("{ss sO so}", "name", name, "locale",
				       json_object_get(definition, "locale"), "collections", all)));
}

enum stet_status
stages_taxonomies(struct stages *s)
{
	json_t *reply, *definition;
	size_t i;

	if (!s->run.taxonomies || stet_service(s->call, STET_TAXONOMIES_1) == NULL)
		return STET_OK;
	STET_TRY(stet_invoke_json(s->call, "taxonomy_list", json_object(), &reply));
	json_array_foreach(json_object_get(reply, "taxonomies"), i, definition)
	    STET_TRY(widen(s, definition));
	return STET_OK;
}
