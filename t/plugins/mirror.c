/* mirror - a plugin for tests of the response cache. Its reads return how often they ran, and one
 * property of the call that the argument `ask` names. */
#include <stdatomic.h>
#include <stet/module.h>
#include <string.h>

static const struct stet_member in[] = {
	{ "ask", STET_STRING, STET_CHOICES("nothing", "user", "role", "time", "header", "client") },
	{ "size", STET_INTEGER, STET_RANGE(0, 1e7) },
	{ "control", STET_STRING, .about = "Cache-Control" },
	{ "type", STET_STRING, .about = "bytes of this type instead of JSON" }, { 0 }
};

static const char *
answer(struct stet_call *call, const char *ask)
{
	const struct stet_principal *p;
	const char *header;

	if (strcmp(ask, "user") == 0)
		return (p = stet_principal(call)) != NULL ? p->email : "nobody";
	if (strcmp(ask, "role") == 0)
		return stet_may(call, "mirror:more") ? "more" : "less";
	if (strcmp(ask, "time") == 0)
		return stet_time_text(call, stet_now(call));
	if (strcmp(ask, "client") == 0)
		return stet_client(call);
	if (strcmp(ask, "header") != 0)
		return "nothing";
	header = stet_request_header(call, "x-mirror");
	return header != NULL ? header : "none";
}

static enum stet_status
look(struct stet_call *call)
{
	static atomic_int runs;
	struct stet_json *out = stet_reply(call);
	size_t size = (size_t)stet_arg_int(call, "size");
	const char *ask = stet_arg(call, "ask");
	char *fill = stet_alloc(call, size + 1);
	struct stet_rows rows;

	memset(fill, 'x', size);
	if (stet_has(call, "control"))
		stet_header(call, "Cache-Control", stet_arg(call, "control"));
	if (stet_has(call, "type")) {
		stet_reply_type(call, stet_arg(call, "type"));
		return stet_write(call, fill, size);
	}
	STET_TRY(
	    stet_one(call, &rows, STET_FAULT, "SELECT count(*) FROM mirror_image", STET_NO_ARGS));
	stet_object(out, NULL);
	stet_put_int(out, "images", stet_col_int(&rows, 0));
	stet_put_str(out, "said", answer(call, ask != NULL ? ask : "nothing"));
	stet_put_int(out, "runs", atomic_fetch_add(&runs, 1) + 1);
	if (size > 0)
		stet_put_str(out, "fill", fill);
	stet_close(out);
	return stet_rows_end(&rows);
}

static enum stet_status
paint(struct stet_call *call)
{
	STET_TRY(stet_exec(call, stet_write_tx(call), "INSERT INTO mirror_image (id) VALUES (?1)",
	    STET_ARGS(stet_id(call))));
	stet_put_str(stet_reply(call), NULL, "painted");
	return STET_OK;
}

static enum stet_status
refuse(struct stet_call *call)
{
	STET_TRY(paint(call));
	return stet_fail(call, STET_SAVE_REJECTED, NULL, "painted in vain");
}

static const struct stet_op ops[] = {
	{ "look", "Look", .route = "GET /look", .lane = STET_READ, .scope = "content:read",
	    .in = in, .run = look, .cached = true },
	{ "glance", "Look, each time", .route = "GET /glance", .flags = STET_PUBLIC,
	    .lane = STET_READ, .in = in, .run = look },
	{ "open", "Look, whoever it is", .route = "GET /open", .flags = STET_PUBLIC,
	    .lane = STET_READ, .in = in, .run = look, .cached = true },
	{ "paint", "Paint", .route = "POST /paint", .flags = STET_BODY_OPTIONAL, .lane = STET_WRITE,
	    .run = paint },
	{ "splash", "Paint, whoever it is", .route = "POST /splash",
	    .flags = STET_PUBLIC | STET_BODY_OPTIONAL, .lane = STET_WRITE, .run = paint },
	{ "refuse", "Paint in vain", .route = "POST /refuse", .flags = STET_BODY_OPTIONAL,
	    .lane = STET_WRITE, .run = refuse },
};

static const struct stet_permission permissions[] = { { "mirror:more", 40 } };

static const struct stet_migration migrations[] = {
	{ 1, "images", "CREATE TABLE mirror_image (id TEXT NOT NULL PRIMARY KEY);" },
};

STET_MODULE(mirror) = {
	STET_MODULE_HEAD(mirror),
	.version = "1.0",
	.summary = "What a read depends on",
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.migrations = STET_TABLE(migrations),
};
