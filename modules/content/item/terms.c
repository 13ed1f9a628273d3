/*
 * terms.c - the terms of items, through the service of the taxonomies module. If that module is
 * disabled, items have no terms.
 */
#include "item/item.h"

static const struct stet_taxonomies_1 *
service(struct stet_call *call)
{
	return stet_service(call, STET_TAXONOMIES_1);
}

/* ---- `taxonomies` of a body ---- */

enum stet_status
terms_check(
    struct stet_call *call, const json_t *taxonomies, const char *locale, struct stet_terms **out)
{
	const struct stet_taxonomies_1 *s = service(call);

	*out = NULL;
	if (taxonomies == NULL)
		return STET_OK;
	if (s != NULL)
		return s->check(call, "taxonomies", taxonomies, locale, out);
	if (json_object_size(taxonomies) > 0)
		stet_issue(call, "taxonomies", "needs the module taxonomies, which is not enabled");
	return STET_OK;
}

enum stet_status
terms_store(struct stet_call *call, struct stet_tx *tx, const char *collection, const char *group,
    const char *id, const struct stet_terms *terms)
{
	const struct stet_taxonomies_1 *s = service(call);

	return s == NULL || terms == NULL ? STET_OK
					  : s->store_item(call, tx, collection, group, id, terms);
}
