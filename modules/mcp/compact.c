/*
 * compact.c - three tools in place of all, for clients for which the complete list is too long:
 * one finds tools, one describes a tool, one runs it. The first two are ops. The third,
 * tools_call, is no op: invoke.c replaces it by the tool that it names.
 */
#include "mcp.h"
#include <stdlib.h>
#include <string.h>

/* ---- the tool that runs others ---- */

static const struct stet_member call_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Of the tool" },
	{ "arguments", STET_OBJECT, .about = "As tools_describe says" },
	{ 0 },
};
/* It can run any tool, so its hints are those of the most dangerous one. */
static const struct stet_op call_row = { "tools_call", "Call Tool",
	.about =
	    "Run a tool that tools_search found, with the arguments that tools_describe says. Mind "
	    "its annotations.",
	.flags = STET_DESTRUCTIVE, .lane = STET_SLOW, .in = call_in };
const struct stet_op_info compact_call = { "tools_call", "mcp", &call_row, true, 0 };

bool
compact_is(const struct stet_op_info *tool)
{
	return tool == &compact_call || tool->op->run == compact_search ||
	       tool->op->run == compact_describe;
}

const struct stet_op_info *
compact_find(struct stet_call *call, const char *name)
{
	const struct stet_op_info *tool = tool_op(call, name);

	return tool != NULL && ((tool->op->flags & STET_TOOL) != 0 || compact_is(tool)) ? tool
											: NULL;
}

size_t
compact_tools(struct stet_call *call, const struct stet_op_info *const **out)
{
	const struct stet_op_info **three = stet_alloc(call, 3 * sizeof(struct stet_op_info *));

	three[0] = &compact_call;
	three[1] = tool_op(call, "tools_describe");
	three[2] = tool_op(call, "tools_search");
	*out = three;
	return 3;
}

/* ---- finding ---- */

const struct stet_member compact_search_in[] = {
	{ "words", STET_STRING, STET_REQUIRED, .about = "What to do, like: publish item",
	    STET_RANGE(0, 500) },
	{ "limit", STET_INTEGER, STET_RANGE(1, 50), .fallback = "10" },
	{ 0 },
};
static const struct stet_member found_shape[] = {
	{ "name", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING, STET_REQUIRED },
	{ "description", STET_STRING, STET_REQUIRED },
	{ "annotations", STET_OBJECT },
	{ 0 },
};
const struct stet_member compact_search_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = found_shape },
	{ 0 },
};

struct found {
	const struct stet_op_info *tool;
	double score;
};

static int
by_score(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->score != y->score)
		return x->score < y->score ? 1 : -1;
	return strcmp(x->tool->name, y->tool->name);
}

/* Sorts the tools by how well they match; without words, all match. */
static enum stet_status
rank(struct stet_call *call, struct found *found, const char *words, size_t *out)
{
	const struct stet_op_info *const *open;
	size_t count, n = 0;
	double *score;
	bool asked;

	STET_TRY(tools_open(call, &open, &count));
	score = stet_alloc(call, (count + 1) * sizeof(*score));
	asked = find_score(open, count, words, score);
	for (size_t i = 0; i < count; i++)
		if (!asked || score[i] > 0)
			found[n++] = (struct found){ open[i], score[i] };
	qsort(found, n, sizeof(*found), by_score);
	*out = n;
	return STET_OK;
}

enum stet_status
compact_search(struct stet_call *call)
{
	const struct stet_op_info *const *all;
	struct found *found = stet_alloc(call, (stet_ops(call, &all) + 1) * sizeof(*found));
	size_t count, limit = (size_t)stet_arg_int(call, "limit");
	struct stet_json *out = stet_reply(call);

	STET_TRY(rank(call, found, stet_arg(call, "words"), &count));
	stet_object(out, NULL);
	stet_array(out, "items");
	for (size_t i = 0; i < count && i < limit; i++) {
		stet_object(out, NULL);
		tool_put_name(out, found[i].tool);
		tool_put_annotations(out, found[i].tool->op, false);
		stet_close(out);
	}
	stet_close(out);
	stet_close(out);
	return STET_OK;
}

/* ---- describing ---- */

const struct stet_member compact_describe_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "Of the tool" },
	{ 0 },
};
const struct stet_member compact_describe_out[] = {
	{ "name", STET_STRING, STET_REQUIRED },
	{ "title", STET_STRING, STET_REQUIRED },
	{ "description", STET_STRING, STET_REQUIRED },
	{ "inputSchema", STET_OBJECT, STET_REQUIRED },
	{ "outputSchema", STET_OBJECT, .about = "None: its result is made of blocks" },
	{ "annotations", STET_OBJECT },
	{ 0 },
};

enum stet_status
compact_describe(struct stet_call *call)
{
	const char *name = stet_arg(call, "name");
	const struct stet_op_info *tool = compact_find(call, name);

	bool shown = false;

	if (tool != NULL)
		STET_TRY(surface_shows(call, tool, &shown));
	if (!shown || !tool_open(call, tool))
		return stet_fail(call, STET_NOT_FOUND, "name",
		    "There is no tool \"%.64s\" that you may call: find one with tools_search",
		    name);
	tool_put(call, stet_reply(call), tool, true);
	return STET_OK;
}
