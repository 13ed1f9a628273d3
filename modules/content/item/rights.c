/*
 * rights.c - the rights of a caller to the items of a collection, for pages that show only the
 * buttons that work.
 *
 * There is no list of roles here. The caller has a right if the role and scope checks would let
 * the caller call the op of that right; and for items of other authors, if the caller also has
 * the permission that the op's handler requires for them.
 */
#include "item/item.h"
#include <string.h>

static const struct {
	uint32_t may;
	const char *op;
	const char
	    *others; /* the permission for items of others; NULL: the handler requires none */
} asked[] = {
	{ STET_MAY_READ, "content_list", NULL },
	{ STET_MAY_READ_DRAFTS, "content_list_trashed", NULL },
	{ STET_MAY_CREATE, "content_add", NULL },
	{ STET_MAY_EDIT_OWN, "content_put", NULL },
	{ STET_MAY_EDIT_ANY, "content_put", "content:edit_any" },
	{ STET_MAY_PUBLISH_OWN, "content_publish_now", NULL },
	{ STET_MAY_PUBLISH_ANY, "content_publish_now", "content:publish_any" },
	{ STET_MAY_DELETE_OWN, "content_delete", NULL },
	{ STET_MAY_DELETE_ANY, "content_delete", "content:delete_any" },
	{ STET_MAY_DELETE_PERMANENTLY, "content_permanent_delete", NULL },
};

/* Returns the rights that the op grants, if the caller may call it. */
static uint32_t
opened(struct stet_call *call, const struct stet_op_info *op)
{
	uint32_t may = 0;

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
		if (strcmp(asked[i].op, op->name) == 0 && stet_op_open(call, op, NULL) &&
		    (asked[i].others == NULL || stet_may(call, asked[i].others)))
			may |= asked[i].may;
	return may;
}

/* Rights are equal in all collections at present, so they are computed once for a call. */
uint32_t
item_rights(struct stet_call *call, const struct stet_collection *collection)
{
	static const char key;
	uint32_t **kept = (uint32_t **)stet_call_slot(call, &key);
	const struct stet_op_info *const *ops;
	size_t count;

	(void)collection;
	if (*kept != NULL)
		return **kept;
	*kept = stet_alloc(call, sizeof(**kept));
	count = stet_ops(call, &ops);
	for (size_t i = 0; i < count; i++)
		if (strncmp(ops[i]->name, "content_", 8) == 0)
			**kept |= opened(call, ops[i]);
	return **kept;
}
