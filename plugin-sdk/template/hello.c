/* hello - a plugin to begin with: a greeting from a setting, and a guest book with a table. */
#include <stet/module.h>

/* ---- the tables of the plugin; versions are never changed once they are released ---- */

static const struct stet_migration migrations[] = {
	{ 1, "guests",
	    "CREATE TABLE hello_guest ("
	    " id TEXT PRIMARY KEY,"
	    " name TEXT NOT NULL,"
	    " signed_at TEXT NOT NULL);" },
};

/* ---- GET /plugins/hello/greeting ---- */

static enum stet_status
greet(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_str(out, "text",
	    stet_printf(
		call, "%s, %s!", stet_setting_str(call, "greeting"), stet_arg(call, "name")));
	stet_close(out);
	return STET_OK;
}

static const struct stet_member greet_in[] = {
	{ "name", STET_STRING, STET_BOUNDED, .about = "Whom to greet", STET_RANGE(1, 100),
	    .fallback = "\"world\"" },
	{ 0 },
};
static const struct stet_member greet_out[] = {
	{ "text", STET_STRING, STET_REQUIRED, .about = "The greeting" },
	{ 0 },
};

/* ---- POST and GET /plugins/hello/guests ---- */

/* Also the columns of the SELECT below, in this order. */
static const struct stet_member guest[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "signedAt", STET_TIME, STET_REQUIRED },
	{ 0 },
};

static enum stet_status
sign(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	const char *id = stet_id(call), *name = stet_arg(call, "name");
	const char *now = stet_time_text(call, stet_now(call));

	STET_TRY(stet_exec(call, stet_write_tx(call),
	    "INSERT INTO hello_guest (id, name, signed_at) VALUES (?1, ?2, ?3)",
	    STET_ARGS(id, name, now)));
	stet_object(out, NULL);
	stet_put_str(out, "id", id);
	stet_put_str(out, "name", name);
	stet_put_str(out, "signedAt", now);
	stet_close(out);
	return STET_OK;
}

static const struct stet_member sign_in[] = {
	{ "name", STET_STRING, STET_REQUIRED | STET_BOUNDED, .about = "Who signs",
	    STET_RANGE(1, 100) },
	{ 0 },
};

static enum stet_status
guests(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct stet_rows rows;

	STET_TRY(stet_query(call, &rows,
	    "SELECT id, name, signed_at FROM hello_guest ORDER BY id DESC LIMIT ?1",
	    STET_ARGS(stet_arg_int(call, "limit"))));
	stet_object(out, NULL);
	STET_TRY(stet_put_rows(out, "items", &rows, guest));
	stet_close(out);
	return STET_OK;
}

static const struct stet_member guests_in[] = {
	{ "limit", STET_INTEGER, STET_BOUNDED, .about = "How many, latest first",
	    STET_RANGE(1, 100), .fallback = "50" },
	{ 0 },
};
static const struct stet_member guests_out[] = {
	{ "items", STET_ARRAY, STET_REQUIRED, .of = guest },
	{ 0 },
};

/* ---- what the plugin is ---- */

static const struct stet_permission permissions[] = {
	{ "hello:sign", 20 }, /* Contributors and above */
};

static const struct stet_setting_def settings[] = {
	{ { "greeting", STET_STRING, STET_BOUNDED, .about = "How to greet", STET_RANGE(1, 40),
	    .fallback = "\"Hello\"" } },
};

static const struct stet_op ops[] = {
	{ "greet", "Greet", .about = "A greeting for somebody.", .route = "GET /greeting",
	    .flags = STET_PUBLIC, .lane = STET_READ, .in = greet_in, .out = greet_out,
	    .run = greet },
	{ "sign", "Sign the Guest Book", .about = "Put a name into the guest book.",
	    .route = "POST /guests", .flags = STET_TOOL | STET_CREATED | STET_ADDITIVE,
	    .lane = STET_WRITE, .permission = "hello:sign", .scope = "content:write", .in = sign_in,
	    .out = guest, .run = sign },
	{ "guests", "Guest Book", .about = "Who signed the guest book, latest first.",
	    .route = "GET /guests", .flags = STET_TOOL, .lane = STET_READ,
	    .permission = "content:read", .scope = "content:read", .in = guests_in,
	    .out = guests_out, .run = guests },
};

STET_MODULE(hello) = {
	STET_MODULE_HEAD(hello),
	.version = "1.0.0",
	.summary = "A greeting and a guest book",
	.license = "MIT",
	.ops = STET_TABLE(ops),
	.migrations = STET_TABLE(migrations),
	.permissions = STET_TABLE(permissions),
	.settings = STET_TABLE(settings),
};
