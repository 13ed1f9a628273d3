/* tools.c - lists the ops of all modules as tools. */
#include "mcp.h"
#include <stdlib.h>
#include <string.h>

static int
by_name(const void *name, const void *info)
{
	return strcmp(name, (*(const struct stet_op_info *const *)info)->name);
}

const struct stet_op_info *
tool_find(struct stet_call *call, const char *name)
{
	const struct stet_op_info *const *all, *const *found;
	size_t count = stet_ops(call, &all);

	found = bsearch(name, all, count, sizeof(*all), by_name);
	if (found == NULL || ((*found)->op->flags & STET_TOOL) == 0)
		return found != NULL && compact_is(*found) ? *found : NULL;
	return *found;
}

bool
tool_open(struct stet_call *call, const struct stet_op_info *tool)
{
	return stet_op_open(
	    call, tool, tool->bundled ? NULL : stet_printf(call, "mcp:tools:%s", tool->module));
}

/* Those of bundled modules and of these plugins. */
static const struct stet_op_info *const *
open_of(struct stet_call *call, const char *const *plugins, size_t *n)
{
	const struct stet_op_info *const *all, **open;
	size_t count = stet_ops(call, &all);

	open = stet_alloc(call, (count + 1) * sizeof(struct stet_op_info *));
	*n = 0;
	for (size_t i = 0; i < count; i++)
		if ((all[i]->op->flags & STET_TOOL) != 0 && surface_holds(plugins, all[i]) &&
		    tool_open(call, all[i]))
			open[(*n)++] = all[i];
	return open;
}

enum stet_status
tools_open(struct stet_call *call, const struct stet_op_info *const **out, size_t *n)
{
	const char *const *plugins;

	STET_TRY(surface_plugins(call, &plugins));
	*out = open_of(call, plugins, n);
	return STET_OK;
}

/* Every tool says whether it only reads and, if not, whether it may do more than add. Left out is
 * what the protocol assumes by itself: that a call repeated may do more than one call, and that a
 * tool may reach beyond the site. */
void
tool_put_annotations(struct stet_json *out, const struct stet_op *op)
{
	stet_object(out, "annotations");
	if (op->lane == STET_READ)
		stet_put_bool(out, "readOnlyHint", true);
	else
		stet_put_bool(out, "destructiveHint", (op->flags & STET_ADDITIVE) == 0);
	if ((op->flags & STET_IDEMPOTENT) != 0)
		stet_put_bool(out, "idempotentHint", true);
	stet_close(out);
}

void
tool_put_name(struct stet_json *out, const struct stet_op_info *tool)
{
	stet_put_str(out, "name", tool->name);
	stet_put_str(out, "title", tool->op->title);
	stet_put_str(out, "description", tool->op->about);
}

void
tool_put(struct stet_call *call, struct stet_json *out, const struct stet_op_info *tool)
{
	stet_object(out, NULL);
	tool_put_name(out, tool);
	schema_put_in(call, out, tool);
	if ((tool->op->flags & STET_BLOCKS) == 0)
		schema_put_out(out, tool->op);
	tool_put_annotations(out, tool->op);
	stet_close(out);
}

static void
put_tools(struct stet_call *call, struct stet_json *out, const struct stet_op_info *const *open,
    size_t count)
{
	stet_array(out, NULL);
	for (size_t i = 0; i < count; i++)
		tool_put(call, out, open[i]);
	stet_close(out);
}

/* The list of all tools, or the compact one. It is kept. */
static void
put_all(struct stet_call *call, struct stet_json *out, bool compact, const char *const *plugins)
{
	const char *key = listed_key(call, compact, plugins), *text;
	const struct stet_op_info *const *open;
	struct stet_json *list;
	size_t count, len;

	if (listed_put(call, out, key))
		return;
	count = 0;
	if (compact)
		count = compact_tools(call, &open);
	else
		open = open_of(call, plugins, &count);
	list = stet_json_new(call);
	put_tools(call, list, open, count);
	text = stet_json_text(list, &len);
	listed_keep(call, key, text, len);
	stet_put_raw(out, "tools", text, len);
}

enum stet_status
tools_list(struct stet_call *call, struct exchange *x, const struct message *m)
{
	const char *const *plugins = NULL;
	struct stet_json *out;

	if (json_object_get(m->params, "cursor") != NULL) { /* the list has a single page */
		reply_error(
		    call, x, m->id, RPC_INVALID_PARAMS, "Invalid params: unknown cursor", NULL);
		return STET_OK;
	}
	if (!x->compact)
		STET_TRY(surface_plugins(call, &plugins));
	out = reply_open(call, x, m->id);
	reply_result(out, x);
	put_all(call, out, x->compact, plugins);
	if (x->era.modern) {
		/* Short, since the enabled modules and the rights of the token can change at any
		 * time. */
		stet_put_int(out, "ttlMs", 60000);
		stet_put_str(out, "cacheScope", "private");
		stet_object(out, "_meta");
		reply_server(out, META "serverInfo");
		stet_close(out);
	}
	stet_close(out);
	reply_close(out);
	return STET_OK;
}
