/*
 * definitions.c - writes the definitions of collections and fields, which WordPress has no element
 * for: JSON in elements of a namespace of stet, which other systems ignore. The module import makes
 * new collections of them.
 */
#include "export.h"

/* What import may set, in the order of the tables of the module schema. */
static const char *const collection_members[] = { "slug", "label", "labelSingular", "description",
	"icon", "supports", "urlPattern", "routable", "hasSeo", "hidden", "sortOrder", "publicRead",
	"requiredOn", "admin", "source", "titleField", "dateField", "urlPatterns", "indexes",
	"commentsEnabled", "commentsModeration", "commentsClosedAfterDays",
	"commentsAutoApproveUsers", NULL };
static const char *const field_members[] = { "slug", "label", "type", "required", "unique",
	"defaultValue", "validation", "widget", "options", "sortOrder", "searchable", "indexed",
	"translatable", NULL };
static const char *const taxonomy_members[] = { "name", "label", "labelSingular", "hierarchical",
	"collections", NULL };

static void
copy(json_t *to, const json_t *from, const char *const *names)
{
	for (; *names != NULL; names++)
		if (json_object_get(from, *names) != NULL)
			(void)json_object_set(to, *names, json_object_get(from, *names));
}

static enum stet_status
put_collection(struct stet_call *call, struct export *x, const struct rank *rank)
{
	json_t *reply, *definition = stet_json_own(call, json_object()), *fields = json_array();
	const json_t *from;
	size_t i;

	STET_TRY(stet_invoke_json(
	    call, "schema_get_collection", json_pack("{ss}", "slug", rank->slug), &reply));
	(void)json_object_set_new(definition, "type", json_string(rank->type));
	copy(definition, reply, collection_members);
	(void)json_object_set_new(definition, "fields", fields);
	json_array_foreach(json_object_get(reply, "fields"), i, from)
	{
		json_t *field = json_object();

		copy(field, from, field_members);
		(void)json_array_append_new(fields, field);
	}
	xml_cdata(x->xml, "stet:collection", export_json(call, definition));
	return STET_OK;
}

struct putting {
	struct export *x;
	const struct rank *rank;
};

static enum stet_status
put(struct stet_call *call, void *arg)
{
	const struct putting *p = arg;

	return put_collection(call, p->x, p->rank);
}

enum stet_status
export_definitions(struct export *x)
{
	const json_t *taxonomy;
	size_t i;

	for (i = 0; i < x->rank_count; i++) {
		struct putting p = { x, &x->ranks[i] };

		STET_TRY(stet_scope(x->call, put, &p));
	}
	json_array_foreach(x->taxonomies, i, taxonomy)
	{
		json_t *definition = stet_json_own(x->call, json_object());

		copy(definition, taxonomy, taxonomy_members);
		xml_cdata(x->xml, "stet:taxonomy", export_json(x->call, definition));
	}
	return STET_OK;
}
