/* blunderer.c - a plugin that passes invalid arguments to the core, and calls functions that it may
 * not call. */
#include <stet/content.h>
#include <stet/module.h>
#include <string.h>

#define NO_STATUS ((enum stet_status)4711)

static enum stet_status
number(struct stet_call *call)
{
	(void)call;
	return NO_STATUS;
}

static enum stet_status
bare(struct stet_call *call)
{
	(void)call;
	return STET_FAULT;
}

static enum stet_status
told(struct stet_call *call)
{
	return stet_fault(call, "told of by itself");
}

/* Sets headers, including some that only the core may set. */
static enum stet_status
frame(struct stet_call *call)
{
	stet_header(call, "Content-Length", "3");
	stet_header(call, "transfer-encoding", "identity");
	stet_header(call, "Connection", "upgrade");
	stet_header(call, "Keep-Alive", "timeout=9");
	stet_header(call, "Content-Type", "text/html");
	stet_header(call, "X-Blunder", "none");
	stet_put_str(stet_reply(call), NULL, "framed");
	return STET_OK;
}

static enum stet_status
before_save(struct stet_call *call, struct stet_tx *tx, struct stet_entry *entry)
{
	(void)call;
	(void)tx;
	(void)entry;
	return NO_STATUS;
}

static enum stet_status
authenticate(struct stet_call *call)
{
	const char *who = stet_request_header(call, "x-blunder");

	return who != NULL && strcmp(who, "number") == 0 ? NO_STATUS : STET_DECLINED;
}

static const struct stet_op ops[] = {
	{ "number", "Number", .route = "GET /number", .lane = STET_READ, .flags = STET_PUBLIC,
	    .run = number, .fault = "BLUNDER_ERROR" },
	{ "bare", "Bare", .route = "GET /bare", .lane = STET_READ, .flags = STET_PUBLIC,
	    .run = bare },
	{ "told", "Told", .route = "GET /told", .lane = STET_READ, .flags = STET_PUBLIC,
	    .run = told },
	{ "frame", "Frame", .route = "GET /frame", .lane = STET_READ, .flags = STET_PUBLIC,
	    .run = frame },
};
static const struct stet_hook hooks[] = {
	STET_ON(entry_before_save, 0, before_save),
	STET_ON(request_authenticate, -100, authenticate),
};
static const struct stet_status_def statuses[] = { { "BLUNDER_ERROR", 500, "Blundered" } };

STET_MODULE(blunderer) = {
	STET_MODULE_HEAD(blunderer),
	.ops = STET_TABLE(ops),
	.hooks = STET_TABLE(hooks),
	.statuses = STET_TABLE(statuses),
};
