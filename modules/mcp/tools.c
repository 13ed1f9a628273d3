/* tools.c - the ops of all modules as tools: which a caller may call, and how each is described. */
#include "mcp.h"
#include <stdlib.h>
#include <string.h>

static int
by_name(const void *name, const void *info)
{
	return strcmp(name, (*(const struct stet_op_info *const *)info)->name);
}

const struct stet_op_info *
tool_op(struct stet_call *call, const char *name)
{
	const struct stet_op_info *const *all, *const *found;
	size_t count = stet_ops(call, &all);

	found = bsearch(name, all, count, sizeof(*all), by_name);
	return found != NULL ? *found : NULL;
}

bool
tool_open(struct stet_call *call, const struct stet_op_info *tool)
{
	return stet_op_open(
	    call, tool, tool->bundled ? NULL : stet_printf(call, "mcp:tools:%s", tool->module));
}

const struct stet_op_info *const *
tools_open_of(struct stet_call *call, const char *const *plugins, size_t *n)
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
	*out = tools_open_of(call, plugins, n);
	return STET_OK;
}

/* Writes whether the tool only reads and, if not, whether it may do more than add. Leaves out the
 * protocol's defaults: repeating a call may have further effects, and a tool may reach beyond the
 * site. */
void
tool_put_annotations(struct stet_json *out, const struct stet_op *op, bool whole)
{
	stet_object(out, "annotations");
	if (op->lane == STET_READ)
		stet_put_bool(out, "readOnlyHint", true);
	else
		stet_put_bool(out, "destructiveHint", (op->flags & STET_ADDITIVE) == 0);
	if (whole && (op->flags & STET_IDEMPOTENT) != 0)
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
tool_put(struct stet_call *call, struct stet_json *out, const struct stet_op_info *tool, bool whole)
{
	stet_object(out, NULL);
	if (whole)
		tool_put_name(out, tool);
	else {
		stet_put_str(out, "name", tool->name);
		stet_put_str(out, "description", tool->op->about);
	}
	schema_put_in(call, out, tool, whole);
	if ((tool->op->flags & STET_BLOCKS) == 0)
		schema_put_out(out);
	tool_put_annotations(out, tool->op, whole);
	stet_close(out);
}
