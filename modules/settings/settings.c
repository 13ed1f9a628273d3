/*
 * settings - general settings of a site: title, address, time zone, social accounts, hints for
 * search engines.
 */
#include "settings.h"
#include <string.h>

static const struct stet_migration migrations[] = {
	{ 1, "site settings",
	    "CREATE TABLE site_setting ("
	    " name TEXT NOT NULL PRIMARY KEY," /* named as in the tools */
	    " value TEXT NOT NULL);", /* JSON */
	    NULL },
};

/* ---- shapes of requests ---- */

#define NO_CONTROLS "^[^\\x00-\\x1f\\x7f]*$"
/* A date format (Unicode TR 35, as in date-fns): letters with a meaning, text in single quotes,
 * and any characters that are not letters. */
#define DATE_FORMAT "^(?:[ADEFGHIKLMOPQRSTUVWXYZabcdehikmopqrstuwxyz]|'[^']*'|[^A-Za-z'])*$"
#define ZONE "^(?:[A-Z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2})?$"

static const struct stet_member media_in[] = {
	{ "mediaId", STET_STRING, STET_REQUIRED, .about = "Id of a media item; \"\" clears",
	    STET_RANGE(0, 64) },
	{ "alt", STET_STRING, .about = "What it shows", STET_RANGE(0, 1000) },
	{ "url", STET_STRING, STET_IGNORED },
	{ "contentType", STET_STRING, STET_IGNORED },
	{ "width", STET_INTEGER, STET_IGNORED },
	{ "height", STET_INTEGER, STET_IGNORED },
	{ 0 },
};

/* clang-format off */
#define HANDLE(network) \
	{ network, STET_STRING, .pattern = NO_CONTROLS, STET_RANGE(0, 200) }
#define VERIFICATION(name) \
	{ name, STET_STRING, .pattern = NO_CONTROLS, STET_RANGE(0, 100) }
/* clang-format on */
static const struct stet_member social_in[] = {
	HANDLE("twitter"),
	HANDLE("github"),
	HANDLE("facebook"),
	HANDLE("instagram"),
	HANDLE("linkedin"),
	HANDLE("youtube"),
	{ 0 },
};
static const struct stet_member seo_in[] = {
	{ "titleSeparator", STET_STRING, .about = "Between the titles of page and site",
	    .pattern = NO_CONTROLS, STET_RANGE(0, 10) },
	{ "defaultOgImage", STET_OBJECT, .of = media_in, .about = "Shown when pages are shared" },
	{ "robotsTxt", STET_STRING, .about = "Text of /robots.txt, instead of the built-in one",
	    STET_RANGE(0, 5000) },
	VERIFICATION("googleVerification"),
	VERIFICATION("bingVerification"),
	{ 0 },
};

/* clang-format off */
#define TITLE(name) \
	{ name, STET_STRING, .pattern = NO_CONTROLS, STET_RANGE(0, 200) }
#define MEMBERS_IN \
	{ "tagline", STET_STRING, .pattern = NO_CONTROLS, STET_RANGE(0, 500) }, \
	{ "logo", STET_OBJECT, .of = media_in }, \
	{ "favicon", STET_OBJECT, .of = media_in }, \
	{ "url", STET_STRING, .about = "Canonical address of the site, http or https", \
	    .pattern = "^$|" STET_WEB_URL, STET_RANGE(0, 2048) }, \
	{ "postsPerPage", STET_INTEGER, STET_RANGE(1, 100) }, \
	{ "dateFormat", STET_STRING, \
	    .about = "Tokens like \"MMMM d, yyyy\", other text in single quotes", \
	    .pattern = DATE_FORMAT, STET_RANGE(0, 100) }, \
	{ "timezone", STET_STRING, .about = "IANA name, like Europe/Paris", .pattern = ZONE, \
	    STET_RANGE(0, 64) }, \
	{ "social", STET_OBJECT, .of = social_in, \
	    .about = "Handles: twitter, github, facebook, instagram, linkedin, youtube; replaced " \
		     "as a whole" }, \
	{ "seo", STET_OBJECT, .of = seo_in, .about = "Replaced as a whole" }
/* clang-format on */
static const struct stet_member update_in[] = { TITLE("title"), MEMBERS_IN, { 0 } };
static const struct stet_member write_in[] = { TITLE("siteTitle"), TITLE("title"), MEMBERS_IN,
	{ 0 } };

/* ---- shapes of replies ---- */

static const struct stet_member media_out[] = {
	{ "mediaId", STET_STRING, STET_REQUIRED },
	{ "alt", STET_STRING },
	{ "url", STET_STRING, .about = "Absent when the item is gone" },
	{ "contentType", STET_STRING },
	{ "width", STET_INTEGER },
	{ "height", STET_INTEGER },
	{ 0 },
};
static const struct stet_member social_out[] = {
	{ "twitter", STET_STRING },
	{ "github", STET_STRING },
	{ "facebook", STET_STRING },
	{ "instagram", STET_STRING },
	{ "linkedin", STET_STRING },
	{ "youtube", STET_STRING },
	{ 0 },
};
static const struct stet_member seo_out[] = {
	{ "titleSeparator", STET_STRING },
	{ "defaultOgImage", STET_OBJECT, .of = media_out },
	{ "robotsTxt", STET_STRING },
	{ "googleVerification", STET_STRING },
	{ "bingVerification", STET_STRING },
	{ 0 },
};
/* clang-format off */
#define MEMBERS_OUT \
	{ "tagline", STET_STRING }, \
	{ "logo", STET_OBJECT, .of = media_out }, \
	{ "favicon", STET_OBJECT, .of = media_out }, \
	{ "url", STET_STRING }, \
	{ "postsPerPage", STET_INTEGER }, \
	{ "dateFormat", STET_STRING }, \
	{ "timezone", STET_STRING }, \
	{ "social", STET_OBJECT, .of = social_out }, \
	{ "seo", STET_OBJECT, .of = seo_out }
/* clang-format on */
static const struct stet_member tool_out[] = { { "title", STET_STRING }, MEMBERS_OUT, { 0 } };
static const struct stet_member rest_out[] = { { "siteTitle", STET_STRING }, MEMBERS_OUT, { 0 } };

/* ---- ops: tools name it title, REST names it siteTitle ---- */

static enum stet_status
get(struct stet_call *call)
{
	return settings_put_reply(call, false);
}

static enum stet_status
get_rest(struct stet_call *call)
{
	return settings_put_reply(call, true);
}

static enum stet_status
store(struct stet_call *call, bool rest)
{
	json_t *values;

	STET_TRY(values_take(call, rest, &values));
	STET_TRY(stored_write(call, stet_write_tx(call), values));
	return settings_put_reply(call, rest);
}

static enum stet_status
update(struct stet_call *call)
{
	return store(call, false);
}

static enum stet_status
update_rest(struct stet_call *call)
{
	return store(call, true);
}

/* clang-format off */
#define READS .lane = STET_READ, .cached = true, .permission = "settings:read", \
	.scope = "settings:read", .fault = "SETTINGS_READ_ERROR"
#define WRITES .lane = STET_WRITE, .permission = "settings:manage", .scope = "settings:manage", \
	.fault = "SETTINGS_UPDATE_ERROR"
/* clang-format on */
static const struct stet_op ops[] = {
	{ "settings_get", "Get Settings",
	    .about = "Title, address, time zone and what else is set for the site.",
	    .flags = STET_TOOL, READS, .out = tool_out, .run = get,
	    .find = "site name title timezone language logo url" },
	{ "settings_update", "Update Settings",
	    .about = "Set some of the site's settings; \"\" clears.",
	    .flags = STET_TOOL | STET_IDEMPOTENT, WRITES, .in = update_in, .out = tool_out,
	    .run = update,
	    .find = "site name title tagline timezone logo favicon social change robots" },
	{ "settings_read", "Get Settings",
	    .about = "What is set for the whole site; without credentials, what is public of it.",
	    .route = "GET /settings", READS, .out = rest_out, .run = get_rest,
	    .open = stet_public_read },
	{ "settings_write", "Update Settings",
	    .about = "Set some of the site's settings; \"\" clears.", .route = "POST /settings",
	    .flags = STET_IDEMPOTENT, WRITES, .in = write_in, .out = rest_out, .run = update_rest },
	{ "settings_robots", "Robots", .about = "What robots may do, as a text file.",
	    .route = "GET /robots.txt", .flags = STET_PUBLIC | STET_FOR_ALL | STET_AT_ROOT,
	    .lane = STET_READ, .cached = true, .run = settings_robots, .answers = "text/plain" },
};

/* ---- transfer files ---- */

static const struct stet_member row[] = { { "name", STET_STRING, STET_REQUIRED },
	{ "value", STET_ANY, STET_REQUIRED }, { 0 } };
static const struct stet_transfer transfers[] = {
	{ .kind = "settings",
	    .table = "site_setting",
	    .row = row,
	    .key = "name",
	    .name = "t.name",
	    .feed = "settings",
	    .media = "value",
	    .media_kind = "settings",
	    .media_name = "t.name" },
};

/* ---- service ---- */

static enum stet_status
set_title(struct stet_call *call, struct stet_tx *tx, const char *title, const char *tagline)
{
	json_t *values = json_pack("{ss* ss*}", "title", title, "tagline", tagline);

	return stored_write(call, tx, stet_json_own(call, values));
}

static enum stet_status
clear(struct stet_call *call, struct stet_tx *tx, const char *name)
{
	return stored_write(call, tx, stet_json_own(call, json_pack("{ss}", name, "")));
}

static const struct stet_settings_1 service = {
	.get = stored_read, .set_title = set_title, .clear = clear
};
static const struct stet_service_def services[] = { STET_SERVICE(STET_SETTINGS_1, service) };
static const char *const needs[] = { "auth", NULL };

static const struct stet_permission permissions[] = {
	{ "settings:read", 40 },
	{ "settings:manage", 50 },
};

static const struct stet_status_def statuses[] = {
	{ "SETTINGS_READ_ERROR", 500, "Failed to read settings" },
	{ "SETTINGS_UPDATE_ERROR", 500, "Failed to store settings" },
};

STET_MODULE(settings) = {
	STET_MODULE_HEAD(settings),
	.version = "1.0",
	.summary = "What a site says of itself: title, address, time zone, hints to robots",
	.license = "MIT",
	.needs = needs,
	.ops = STET_TABLE(ops),
	.permissions = STET_TABLE(permissions),
	.migrations = STET_TABLE(migrations),
	.transfers = STET_TABLE(transfers),
	.services = STET_TABLE(services),
	.statuses = STET_TABLE(statuses),
};
