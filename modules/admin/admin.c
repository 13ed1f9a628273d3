/*
 * admin - the pages for editors and administrators, below /_cms/admin.
 *
 * The pages are files that `make web` makes of web/: index.html, and scripts and a style sheet
 * whose names hold a hash of their bytes. They use the REST API like any other client, so this
 * module has no rights of its own, and no data but the saved views of lists. Every path below
 * /_cms/admin is answered with index.html, which shows the page that the path names. A daemon that
 * was built without the pages says so there. Browsers that ask for the root of the site are led to
 * them.
 */
#include "admin.h"
#include <errno.h>
#include <stet/admin.h>
#include <stet/file.h>
#include <string.h>
#include <unistd.h>

#define INDEX_MAX 65536

/* ---- index.html ---- */

static void
add_missing(struct stet_call *call, struct stet_html *html)
{
	const struct stet_words *w = stet_words(call, admin_languages);

	stet_html_add(html,
	    "<!doctype html>\n<html lang=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    "<title>stet</title>\n</head>\n",
	    w->language);
	stet_html_fill(html, w->words,
	    "<body>\n<main>\n<h1>{title}</h1>\n<p>{why}</p>\n"
	    "<p>{works} <a href=\"/_cms/account\">{account}</a></p>\n</main>\n</body>\n</html>\n",
	    "command", "make -C build web", NULL);
}

/* The file, to its end or INDEX_MAX. */
static enum stet_status
read_index(struct stet_call *call, int fd, const char **text)
{
	char *bytes = stet_alloc(call, INDEX_MAX + 1);
	size_t len = 0;
	ssize_t n;

	while ((n = read(fd, bytes + len, INDEX_MAX - len)) > 0)
		len += (size_t)n;
	close(fd);
	if (n == -1)
		return stet_fault(call, "index.html: %s", strerror(errno));
	bytes[len] = '\0';
	*text = bytes;
	return STET_OK;
}

static enum stet_status
page(struct stet_call *call)
{
	struct stet_html *html = stet_html_new(call);
	const char *text = NULL, *policy;
	int fd;

	STET_TRY(bundle_open(call, "", "index.html", "", &fd));
	if (fd != -1)
		STET_TRY(read_index(call, fd, &text));
	if (text != NULL)
		stet_html_raw(html, text);
	else
		add_missing(call, html);
	stet_header(call, "Cross-Origin-Opener-Policy", "same-origin");
	STET_TRY(policy_make(call, &policy));
	return stet_html_reply(call, text == NULL ? 404 : 200, html, policy);
}

/* Its path is given up for the one without the slash, which the pages read. */
static enum stet_status
without_slash(struct stet_call *call)
{
	const char *query = stet_request_query(call);

	return stet_redirect(
	    call, 308, stet_printf(call, "/_cms/admin%s%s", *query != '\0' ? "?" : "", query));
}

/* The address of the site as people type it. Browsers are led to the pages; programs, which do not
 * ask for HTML, are told that nothing is there. */
static enum stet_status
root(struct stet_call *call)
{
	const char *accept = stet_request_header(call, "accept");

	stet_header(call, "Vary", "Accept");
	if (accept == NULL || strcasestr(accept, "text/html") == NULL)
		return stet_fail(call, STET_NOT_FOUND, NULL, "Not found");
	return stet_redirect(call, 302, "/_cms/admin");
}

/* ---- assets ---- */

/* A name is never used for other bytes, so caches may keep them without asking. */
static enum stet_status
asset(struct stet_call *call)
{
	struct stet_file_answer answer = { .cache = "public, max-age=31536000, immutable",
		.show = STET_FILE_SHOW,
		.policy = "default-src 'none'; frame-ancestors 'none'" };
	const char *name = stet_arg(call, "name");
	struct coding codings[CODINGS];
	size_t i = 0;
	int fd = -1;

	answer.type = type_of_file(name);
	codings_accepted(stet_request_header(call, "accept-encoding"), codings);
	/* A sibling may be missing; the file itself is tried last. */
	for (; answer.type != NULL; i++) {
		STET_TRY(bundle_open(call, "assets/", name, codings[i].ending, &fd));
		if (fd != -1 || codings[i].name == NULL)
			break;
	}
	if (fd == -1)
		return stet_fail(call, STET_NOT_FOUND, NULL, "File not found");
	stet_header(call, "Vary", "Accept-Encoding");
	if (codings[i].name != NULL)
		stet_header(call, "Content-Encoding", codings[i].name);
	answer.tag = stet_printf(call, "%s%s", name, codings[i].ending);
	return stet_reply_file(call, fd, &answer);
}

/* ---- the module ---- */

static const struct stet_member file_in[] = {
	{ "plugin", STET_STRING, STET_REQUIRED, .about = "Name of the plugin" },
	{ "folder", STET_STRING, .about = "Folder of the file" },
	{ "file", STET_STRING, STET_REQUIRED },
	{ 0 },
};

static const struct stet_member asset_in[] = {
	{ "name", STET_STRING, STET_REQUIRED, .about = "As index.html names it" },
	{ 0 },
};
/* The segments of a page's path. The script reads them; here each is as good as another. */
static const struct stet_member page_in[] = {
	{ "a", STET_STRING, .about = "The first segment of the page's path" },
	{ "b", STET_STRING, .about = "The second" },
	{ "c", STET_STRING, .about = "The third" },
	{ "d", STET_STRING, .about = "The fourth" },
	{ "e", STET_STRING, .about = "The fifth" },
	{ 0 },
};

/* clang-format off */
#define PAGE(name_, path_)                                                                       \
	{ name_, "Admin Pages",                                                                  \
	    .about = "The pages for editors and administrators: one document, which shows the "  \
		     "page that the path names.",                                                \
	    .route = "GET /_cms/admin" path_, .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT, \
	    .lane = STET_READ, .in = page_in, .answers = "text/html", .run = page }
#define FRAME_FILE(name_, path_)                                                                 \
	{ name_, "File of a Plugin's Page",                                                      \
	    .about = "A file of the pages and field widgets of a plugin that is in use.",        \
	    .route = "GET " FRAME_FILES path_,                                                   \
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT | STET_FILE | STET_ANY_ORIGIN,    \
	    .lane = STET_READ, .in = file_in,                                                    \
	    .answers = "text/html text/javascript text/css image/svg+xml", .run = frame_file }
/* clang-format on */

static const struct stet_op ops[] = {
	PAGE("admin_page", ""),
	PAGE("admin_page_1", "/:a"),
	PAGE("admin_page_2", "/:a/:b"),
	PAGE("admin_page_3", "/:a/:b/:c"),
	PAGE("admin_page_4", "/:a/:b/:c/:d"),
	PAGE("admin_page_5", "/:a/:b/:c/:d/:e"),
	{ "admin_page_slash", "Admin Pages",
	    .about = "Leads to the same path without the slash at its end.",
	    .route = "GET /_cms/admin/", .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT,
	    .lane = STET_READ, .answers = "text/plain", .run = without_slash },
	{ "admin_root", "Root of the Site",
	    .about = "Leads browsers to the admin pages. Other clients get NOT_FOUND.",
	    .route = "GET /", .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT, .lane = STET_READ,
	    .answers = "text/plain", .run = root },
	{ "admin_asset", "File of the Admin Pages",
	    .about = "A script or style sheet of the admin pages, compressed if the client accepts "
		     "it.",
	    .route = "GET /_cms/admin/assets/:name",
	    .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT | STET_FILE, .lane = STET_READ,
	    .in = asset_in, .answers = "text/javascript text/css", .run = asset },
	{ "view_list", "List Views",
	    .about = "The saved views of a collection's list: one's own, and those of everybody.",
	    .route = "GET /views/:collection", .lane = STET_READ, .permission = "content:read",
	    .scope = "admin", .in = views_in, .out = views_out, .run = view_list },
	{ "view_save", "Save View",
	    .about = "Save a view of a list under a name; one of the same name is replaced.",
	    .route = "POST /views/:collection", .flags = STET_IDEMPOTENT, .lane = STET_WRITE,
	    .permission = "content:read", .scope = "admin", .in = view_in, .out = view_out,
	    .run = view_save, .body_max = 65536 },
	{ "view_delete", "Delete View",
	    .about = "Delete a view of one's own, or with schema:manage one of everybody.",
	    .route = "DELETE /views/:collection/:id", .flags = STET_DESTRUCTIVE, .lane = STET_WRITE,
	    .permission = "content:read", .scope = "admin", .in = view_by_id,
	    .out = view_deleted_out, .run = view_delete },
	FRAME_FILE("admin_plugin_file", "/:plugin/:file"),
	FRAME_FILE("admin_plugin_file_in", "/:plugin/:folder/:file"),
};

static bool
has_pages(struct stet_call *call)
{
	int fd;

	if (bundle_open(call, "", "index.html", "", &fd) != STET_OK || fd == -1)
		return false;
	close(fd);
	return true;
}

static const struct stet_admin_1 service = { .has_pages = has_pages };
static const struct stet_service_def services[] = { STET_SERVICE(STET_ADMIN_1, service) };

static const char *const needs[] = { "auth", "manifest", "schema", "content", NULL };

static const struct stet_migration migrations[] = {
	{ 1, "saved views of lists",
	    "CREATE TABLE admin_view ("
	    " id TEXT NOT NULL PRIMARY KEY,"
	    " owner_id TEXT NOT NULL," /* a user; empty: the site */
	    " collection TEXT NOT NULL," /* slug */
	    " name TEXT NOT NULL,"
	    " query TEXT NOT NULL," /* JSON: texts by name */
	    " columns TEXT NOT NULL," /* JSON: slugs of fields */
	    " updated_at TEXT NOT NULL,"
	    " UNIQUE (owner_id, collection, name));"
	    "CREATE INDEX admin_view_collection ON admin_view (collection);",
	    NULL, STET_ADDITIVE },
};
static const struct stet_hook hooks[] = { STET_ON(schema_changing, 0, view_follow_schema) };
static const struct stet_status_def statuses[] = {
	{ "VIEWS_FULL", 409, "There are too many views" },
};

STET_MODULE(admin) = {
	STET_MODULE_HEAD(admin),
	.version = "1.0",
	.summary = "The pages for editors and administrators",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.services = STET_TABLE(services),
	.migrations = STET_TABLE(migrations),
	.hooks = STET_TABLE(hooks),
	.statuses = STET_TABLE(statuses),
};
