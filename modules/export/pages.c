/* pages.c - calls list ops page by page, each page in a scope of its own. */
#include "export.h"
#include <stdlib.h>
#include <string.h>

struct paging {
	struct export *x;
	const char *op, *list;
	json_t *args;
	export_fn *fn;
	bool more;
};

static enum stet_status
page(struct stet_call *call, void *arg)
{
	struct paging *p = arg;
	const char *cursor;
	json_t *reply, *list, *item;
	size_t i;
	enum stet_status status = stet_invoke_json(call, p->op, json_copy(p->args), &reply);

	p->more = false;
	if (status != STET_OK && stet_error_status(call) == STET_NOT_FOUND) {
		stet_error_clear(call); /* the op's module is disabled */
		return STET_OK;
	}
	STET_TRY(status);
	list = p->list != NULL ? json_object_get(reply, p->list) : reply;
	json_array_foreach(list, i, item) STET_TRY(p->fn(call, p->x, item));
	cursor = json_string_value(json_object_get(reply, "nextCursor"));
	p->more = cursor != NULL;
	if (p->more)
		(void)json_object_set_new(p->args, "cursor", json_string(cursor));
	return STET_OK;
}

enum stet_status
export_pages(struct export *x, const char *op, json_t *args, const char *list, export_fn *fn)
{
	struct paging p = { .x = x, .op = op, .list = list, .args = args, .fn = fn };

	stet_json_own(x->call, args);
	do
		STET_TRY(stet_scope(x->call, page, &p));
	while (p.more);
	return STET_OK;
}
