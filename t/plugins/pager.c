/* pager - admin pages and field widgets, with the ops that they may call. A test copies their files
 * beside the plugin. */
#include <stet/module.h>

/* Returns the caller and the fields of the form. */
static enum stet_status
echo(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_str(out, "text", stet_arg(call, "text"));
	stet_put_int(out, "role", stet_principal(call)->role);
	stet_close(out);
	return STET_OK;
}

static const struct stet_member echo_in[] = {
	{ "text", STET_STRING, STET_REQUIRED | STET_BOUNDED, STET_RANGE(1, 100) },
	{ 0 },
};
static const struct stet_member echo_out[] = {
	{ "text", STET_STRING, STET_REQUIRED },
	{ "role", STET_INTEGER, STET_REQUIRED },
	{ 0 },
};
static const struct stet_op ops[] = {
	{ "echo", "Echo", .route = "POST /echo", .lane = STET_READ, .permission = "pager:see",
	    .scope = "admin", .in = echo_in, .out = echo_out, .run = echo },
};

static const struct stet_permission permissions[] = {
	{ "pager:see", 20 },
	{ "pager:manage", 50 },
};

/* Pages may not use the last two: the first does not exist, the second is outside of the API. */
static const char *const more[] = { "manifest_collection", "pager__echo", "pager__nothing",
	"admin_asset", NULL };
static const struct stet_admin_page pages[] = {
	{ "desk", "Desk", "desk.html" },
	{ "office", "Office", "inner/office.html", "pager:manage", more },
};

static const char *const numbers[] = { "integer", "number", NULL };
static const char *const texts[] = { "string", NULL };
static const struct stet_field_widget widgets[] = {
	{ "rate", "Rate", "rate.html", numbers },
	{ "silent", "Silent", "silent.html", texts, more },
};

STET_MODULE(pager) = {
	STET_MODULE_HEAD(pager),
	.version = "1.0",
	.summary = "Pages and widgets of a test",
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.admin_pages = STET_TABLE(pages),
	.field_widgets = STET_TABLE(widgets),
};
