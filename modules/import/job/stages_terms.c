/*
 * stages_terms.c - makes taxonomies, and adds collections to those that are here. A taxonomy lists
 * the collections whose items may have its terms. In the source more types may use it; without
 * this, their items would lose these terms.
 */
#include "item/terms.h"
#include "item/trial.h"
#include "job/stages.h"
#include "plan/definition.h"
#include "read/text.h"
#include "state/ops.h"
#include <ctype.h>
#include <stet/taxonomies.h>
#include <string.h>

#define NAMES_MAX 1000 /* taxonomies of one type */
#define LABEL_MAX 200

/* The taxonomies of a type, {name: name in the source}. */
static json_t *
taxonomies_of(json_t *type)
{
	json_t *used = json_object_get(type, "taxonomies");

	if (used == NULL) {
		used = json_object();
		(void)json_object_set_new(type, "taxonomies", used);
	}
	return used;
}

/* Adds a taxonomy to the type whose definition has this slug. */
static void
note_defined(struct stages *s, const char *taxonomy, const json_t *slug)
{
	json_t *definition;
	const char *type;

	json_object_foreach(json_object_get(s->definitions, "collection"), type, definition)
	{
		if (json_equal(json_object_get(definition, "slug"), slug) &&
		    json_object_get(s->types, type) != NULL)
			(void)json_object_set_new(taxonomies_of(json_object_get(s->types, type)),
			    names_taxonomy(s->call, s->run.names, taxonomy), json_string(taxonomy));
	}
}

void
stages_note_defined(struct stages *s)
{
	const char *taxonomy;
	json_t *definition, *slug;
	size_t i;

	json_object_foreach(json_object_get(s->definitions, "taxonomy"), taxonomy, definition)
	{
		json_array_foreach(json_object_get(definition, "collections"), i, slug)
		{
			note_defined(s, taxonomy, slug);
		}
	}
}

void
stages_note_terms(struct stages *s, json_t *type, const struct wxr_item *item)
{
	json_t *used = taxonomies_of(type);

	for (size_t i = 0; i < item->label_count; i++) {
		const char *name = terms_taxonomy(item->labels[i].taxonomy);

		if (name != NULL && json_object_size(used) < NAMES_MAX)
			(void)json_object_set_new(
			    used, names_taxonomy(s->call, s->run.names, name), json_string(name));
	}
}

void
stages_note_parent(struct stages *s, const struct wxr_term *term)
{
	const char *name = terms_taxonomy(term->taxonomy);

	if (name != NULL && *term->parent != '\0' && json_object_size(s->nested) < NAMES_MAX)
		(void)json_object_set_new(
		    s->nested, names_taxonomy(s->call, s->run.names, name), json_true());
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
		    !terms_in(out, collection) &&
		    json_object_get(json_object_get(found, "taxonomies"), name) != NULL)
			(void)json_array_append_new(out, json_string(collection));
	}
	return out;
}

/* An op that makes or changes a taxonomy. */
struct change {
	const char *op;
	json_t *args, *reply;
};

static enum stet_status
carry_out(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	struct change *c = arg;

	(void)tx;
	return stet_invoke_json(call, c->op, json_incref(c->args), &c->reply);
}

/* Runs the op. A dry run notes it, to run it again before its items. */
static enum stet_status
change(struct stages *s, const char *op, const char *name, json_t *args)
{
	struct change c = { .op = op, .args = stet_json_own(s->call, args) };

	STET_TRY(trial_lane(s->call, &s->run, carry_out, &c));
	if (!s->run.tries)
		return STET_OK;
	(void)json_array_append_new(s->ahead, json_pack("{ss sO}", "op", op, "args", args));
	(void)json_object_set_new(
	    s->taxonomies, name, json_deep_copy(json_object_get(c.reply, "taxonomy")));
	return STET_OK;
}

static enum stet_status
widen(struct stages *s, const json_t *definition)
{
	const char *name = json_string_value(json_object_get(definition, "name"));
	json_t *more = stet_json_own(s->call, left_out(s, definition)), *all, *collection;
	size_t i;

	if (json_array_size(more) == 0)
		return STET_OK;
	json_array_foreach(more, i, collection) s->says(s, STAGE_PREPARE, name,
	    stet_printf(s->call, "Items of %s may have its terms from now on",
		json_string_value(collection)));
	all = json_deep_copy(json_object_get(definition, "collections"));
	(void)json_array_extend(all, more);
	return change(s, "taxonomy_update", name,
	    json_pack("{ss sO so}", "name", name, "locale", json_object_get(definition, "locale"),
		"collections", all));
}

/* ---- a new taxonomy ---- */

/* Taxonomies in which WordPress and its plugins keep notes of their own. */
static bool
is_bookkeeping(const char *source)
{
	static const char *const names[] = { "post_format", "link_category", "wp_theme",
		"wp_template_part_area", "wp_pattern_category", "product_type",
		"product_visibility", "author", "ef_usergroup", "following_users",
		"elementor_library_type", "elementor_library_category", "translation_priority" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], source) == 0)
			return true;
	return false;
}

/* "product_cat" becomes "Product cat". */
static const char *
label_of(struct stet_call *call, const char *source)
{
	char *label = stet_strdup(call, text_cut(call, source, LABEL_MAX));

	for (char *p = label; *p != '\0'; p++)
		if (*p == '_' || *p == '-')
			*p = ' ';
	*label = (char)toupper((unsigned char)*label);
	return label;
}

/* The definition of a new taxonomy, a new reference: that of an export of stet, or one by its name
 * and terms. */
static json_t *
definition(struct stages *s, const char *name, const char *source, json_t *collections)
{
	static const char *const members[] = { "label", "labelSingular", "hierarchical" };
	const json_t *own = definition_of(s->definitions, "taxonomy", source);
	json_t *out = json_pack("{ss ss sb sO}", "name", name, "label", label_of(s->call, source),
	    "hierarchical", json_object_get(s->nested, name) != NULL, "collections", collections);

	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (json_object_get(own, members[i]) != NULL)
			(void)json_object_set(out, members[i], json_object_get(own, members[i]));
	return out;
}

/* Makes a taxonomy for these collections. A refusal is told: its terms are then left out. */
static enum stet_status
make(struct stages *s, const char *name, const char *source, json_t *collections)
{
	struct stet_call *call = s->call;
	const char *slugs = "";
	enum stet_status status;
	json_t *collection;
	size_t i;

	json_array_foreach(collections, i, collection) slugs =
	    stet_printf(call, "%s%s%s", slugs, i > 0 ? ", " : "", json_string_value(collection));
	status = change(s, "taxonomy_create", name, definition(s, name, source, collections));
	if (status != STET_OK && stet_status_http(status) >= 500)
		return status;
	s->says(s, STAGE_PREPARE, name,
	    status == STET_OK
		? stet_printf(call, "A new taxonomy, for items of %s", slugs)
		: stet_printf(call, "The taxonomy cannot be made: %s", stet_error_text(call)));
	stet_error_clear(call);
	return STET_OK;
}

/* Returns the taxonomies of the items that are imported, {name here: name in the source}. */
static json_t *
used(const struct stages *s)
{
	json_t *out = json_object(), *found;
	const char *type;

	json_object_foreach(s->types, type, found)
	{
		if (json_object_get(found, "collection") != NULL)
			(void)json_object_update_missing(out, json_object_get(found, "taxonomies"));
	}
	return out;
}

static enum stet_status
make_missing(struct stages *s, json_t *missing)
{
	const char *name;
	json_t *source;

	json_object_foreach(missing, name, source)
	{
		const char *text = json_string_value(source);
		json_t *as;

		/* An analysis that an earlier version has stored does not name them. */
		if (text == NULL || *name == '\0' || (s->run.from == NULL && is_bookkeeping(text)))
			continue;
		as =
		    stet_json_own(s->call, json_pack("{ss s[s]}", "name", name, "collections", ""));
		STET_TRY(make(s, name, text, stet_json_own(s->call, left_out(s, as))));
	}
	return STET_OK;
}

enum stet_status
stages_taxonomies(struct stages *s)
{
	struct change read = { .op = "taxonomy_list",
		.args = stet_json_own(s->call, json_object()) };
	json_t *definition, *missing;
	size_t i;

	if (!s->run.taxonomies || stet_service(s->call, STET_TAXONOMIES_1) == NULL)
		return STET_OK;
	missing = stet_json_own(s->call, used(s));
	/* Of their collections, the answer names those that exist: in a dry run, within it alone.
	 */
	STET_TRY(s->run.tries ? trial_lane(s->call, &s->run, carry_out, &read)
			      : carry_out(s->call, NULL, &read));
	json_array_foreach(json_object_get(read.reply, "taxonomies"), i, definition)
	{
		(void)json_object_del(
		    missing, json_string_value(json_object_get(definition, "name")));
		STET_TRY(widen(s, definition));
	}
	return make_missing(s, missing);
}
