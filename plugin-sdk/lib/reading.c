/* reading.c - who may read the items of a collection. */
#include <stet/content.h>
#include <stet/module.h>

bool
stet_may_read(struct stet_call *call, const struct stet_collection *collection)
{
	return collection->public_read || stet_may(call, "content:read");
}

bool
stet_collection_open(struct stet_call *call)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = stet_route_arg(call, "collection");
	const struct stet_collection *collection;

	if (schema == NULL || slug == NULL)
		return false;
	if (schema->collection(call, slug, &collection) == STET_OK)
		return collection->public_read;
	stet_error_clear(call);
	return false;
}
