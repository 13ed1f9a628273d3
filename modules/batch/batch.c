/*
 * batch.c - many operations in one call. Reads run in one snapshot; writes run all or nothing,
 * or each by itself. Each operation has the checks of a request of its own (stet_invoke_alone),
 * so a batch allows nothing that single requests would not.
 */
#include <stdlib.h>
#include <stet/limit.h>
#include <stet/mcp.h>
#include <stet/module.h>
#include <string.h>

#define CALLS_MAX 100
#define ANSWER_MAX ((size_t)8 << 20) /* bytes of all results together */

/* ---- shapes ---- */

static const struct stet_member one[] = {
	{ "op", STET_STRING, STET_REQUIRED, .about = "Name of the operation or tool",
	    STET_RANGE(1, 128) },
	{ "arguments", STET_OBJECT, .about = "What it takes" },
	{ 0 },
};
static const struct stet_member batch_in[] = {
	{ "calls", STET_ARRAY, STET_REQUIRED, .of = one, .about = "Done in their order",
	    STET_RANGE(1, CALLS_MAX) },
	{ "atomic", STET_BOOLEAN, .about = "All or nothing: the first that fails undoes the others",
	    .fallback = "false" },
	{ 0 },
};
static const struct stet_member error_shape[] = {
	{ "code", STET_STRING, STET_REQUIRED },
	{ "message", STET_STRING, STET_REQUIRED },
	{ "details", STET_OBJECT },
	{ 0 },
};
static const struct stet_member result_shape[] = {
	{ "ok", STET_BOOLEAN, STET_REQUIRED },
	{ "data", STET_ANY, .about = "What the operation answers" },
	{ "error", STET_OBJECT, .of = error_shape, .about = "Why it failed; it wrote nothing" },
	{ 0 },
};
static const struct stet_member batch_out[] = {
	{ "results", STET_ARRAY, STET_REQUIRED, .of = result_shape,
	    .about = "One for each call, in the order of the calls" },
	{ "failed", STET_INTEGER, STET_REQUIRED, .about = "How many of them failed" },
	{ 0 },
};

/* ---- the lane ---- */

static int
by_name(const void *name, const void *info)
{
	return strcmp(name, (*(const struct stet_op_info *const *)info)->name);
}

/* Runs in the write lane if the batch has a write that the caller may make, otherwise in the
 * read lane. */
static enum stet_lane
choose(struct stet_call *call)
{
	const json_t *calls = stet_arg_json(call, "calls"), *value;
	const struct stet_op_info *const *all, *const *op;
	size_t count = stet_ops(call, &all), i;

	json_array_foreach((json_t *)(uintptr_t)calls, i, value)
	{
		const char *name = json_string_value(json_object_get(value, "op"));

		op = name != NULL ? bsearch(name, all, count, sizeof(*all), by_name) : NULL;
		if (op != NULL && (*op)->op->lane == STET_WRITE && stet_op_open(call, *op, NULL))
			return STET_WRITE;
	}
	return STET_READ;
}

/* ---- one operation ---- */

/* The error as an object. If the batch is called as a tool, with the code that tools use. */
static json_t *
error_of(struct stet_call *call, enum stet_status status)
{
	const struct stet_mcp_1 *mcp = stet_nested(call) ? stet_service(call, STET_MCP_1) : NULL;
	json_t *error = stet_error_json(call);

	if (mcp != NULL)
		json_object_set_new(error, "code", json_string(mcp->code(status)));
	return error;
}

/* Returns true for errors that all further operations would have too, which end the batch. */
static bool
ends_all(enum stet_status status)
{
	return status == STET_INSUFFICIENT_STORAGE || status == STET_UNAVAILABLE ||
	       status == STET_REQUEST_TIMEOUT || status == STET_MIGRATION_FAILED;
}

struct batch {
	struct stet_json *out;
	size_t left; /* bytes that are left for results */
	bool atomic;
	int failed;
};

static enum stet_status
run(struct stet_call *call, struct batch *b, size_t i, const json_t *asked)
{
	const char *op = json_string_value(json_object_get(asked, "op")), *data;
	enum stet_status status;
	size_t len;

	status =
	    stet_invoke_alone(call, op, json_object_get(asked, "arguments"), b->left, &data, &len);
	if (status != STET_OK && (b->atomic || ends_all(status))) {
		stet_error_within(call, stet_printf(call, "calls[%zu] (%.64s)", i, op),
		    stet_printf(call, "calls[%zu].arguments", i));
		stet_detail(call, "index", stet_printf(call, "%zu", i));
		return status;
	}
	stet_object(b->out, NULL);
	stet_put_bool(b->out, "ok", status == STET_OK);
	if (status == STET_OK) {
		stet_put_raw(b->out, "data", data, len);
		b->left -= len;
	} else {
		stet_put_json(b->out, "error", error_of(call, status));
		stet_error_clear(call);
		b->failed++;
	}
	stet_close(b->out);
	return STET_OK;
}

static enum stet_status
batch(struct stet_call *call)
{
	struct batch b = {
		.out = stet_reply(call), .left = ANSWER_MAX, .atomic = stet_arg_bool(call, "atomic")
	};
	const json_t *calls = stet_arg_json(call, "calls"), *asked;
	size_t i;

	STET_TRY(stet_token_take(call, STET_LIMIT_ITEMS, (int)json_array_size(calls)));
	stet_object(b.out, NULL);
	stet_array(b.out, "results");
	json_array_foreach((json_t *)(uintptr_t)calls, i, asked) STET_TRY(run(call, &b, i, asked));
	stet_close(b.out);
	stet_put_int(b.out, "failed", b.failed);
	stet_close(b.out);
	return STET_OK;
}

/* ---- tables ---- */

static const struct stet_op ops[] = {
	/* No record of the batch itself: the operations in it are recorded. */
	{ "batch", "Batch",
	    .about = "Up to 100 reads and writes in one call, in order, with a result for each.",
	    .route = "POST /batch",
	    .flags = STET_TOOL | STET_ANY_SCOPE | STET_UNTOLD | STET_BATCH | STET_DESTRUCTIVE,
	    .lane = STET_WRITE, .in = batch_in, .out = batch_out, .run = batch, .choose = choose,
	    .find = "several many together bulk at once transaction" },
};

static const char *const needs[] = { "auth", NULL };

STET_MODULE(batch) = {
	STET_MODULE_HEAD(batch),
	.version = "1.0",
	.summary = "Many operations in one call",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
};
