/*
 * schema.c - the schemas of tools, for assistants, who pay by the word. Arguments are said in full,
 * but for what only a wrong one learns: lengths and patterns. Of results some members that are
 * always there; they are open, and read when they come.
 */
#include "mcp.h"
#include <string.h>

/* The same in every tool, and said once: in the instructions of the server. */
static const char *
about(void *arg, const struct stet_member *m)
{
	static const char *const known[] = { "_rev", "collection", "cursor", "dry_run", "fields",
		"limit", "locale", "markdown" };

	(void)arg;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(m->name, known[i]) == 0)
			return NULL;
	return m->about;
}

static const struct stet_schema_style brief = { .brief = true, .about = about };

static size_t
length(const struct stet_member *list)
{
	size_t n = 0;

	while (list != NULL && list[n].name != NULL)
		n++;
	return n;
}

void
schema_put_in(struct stet_call *call, struct stet_json *out, const struct stet_op_info *tool)
{
	const struct stet_member *in = tool->op->in;
	size_t n = length(in);
	struct stet_member *all = stet_alloc(call, (n + 2) * sizeof(*all));

	if (in == NULL) {
		stet_object(out, "inputSchema");
		stet_put_str(out, "type", "object");
		stet_close(out);
		return;
	}
	memcpy(all, in, n * sizeof(*all));
	if (dry_offered(tool))
		all[n] = dry_member;
	stet_put_schema_as(out, "inputSchema", all, &brief);
}

#define OUT_MEMBERS 4 /* of a result: the first ones say what it is */

/* A member of a result that is always there, or leads on. */
static bool
told(const struct stet_member *m)
{
	if (strcmp(m->name, "nextCursor") == 0)
		return true;
	return (m->flags & STET_REQUIRED) != 0 && (m->flags & STET_NULLABLE) == 0;
}

void
schema_put_out(struct stet_json *out, const struct stet_op *op)
{
	static const struct stet_member items[] = {
		{ "items", STET_ARRAY, STET_REQUIRED },
		{ 0 },
	};
	struct stet_member first[OUT_MEMBERS + 1] = { 0 };
	const struct stet_member *m = (op->flags & STET_OUT_LIST) != 0 ? items : op->out;

	for (int n = 0; m != NULL && m->name != NULL && n < OUT_MEMBERS; m++)
		if (told(m))
			first[n++] = (struct stet_member){ m->name,
				m->type == STET_TIME ? STET_STRING : m->type };
	stet_put_schema_as(out, "outputSchema", first, &brief);
}
