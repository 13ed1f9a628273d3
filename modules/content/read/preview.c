/*
 * preview.c - preview links: a link that shows the newest values of one item to anybody who has
 * it, for a limited time. The link carries a token with the item and the time of expiry, who
 * made it, and a MAC by the site's key. It ends when that user may not read drafts any more, but
 * not with the token that made it: so that needs the scope content:write.
 * Changing the site's key invalidates all links. Nothing is stored of a link, unless it is shared
 * (links.c): the token of such a link has its id, and ends when the link is withdrawn.
 */
#include "read/read.h"
#include <sodium.h>
#include <stdlib.h>
#include <stet/settings.h>
#include <stet/users.h>
#include <string.h>

#define EXPIRES_MAX (INT64_C(30) * 86400) /* seconds */
#define EXPIRES 3600
#define PATTERN_MAX 512
#define TOKEN_MAX 1024
#define PURPOSE "preview" /* the purpose of the MAC (stet_mac) */

/* clang-format off */
#define LASTS \
	{ "expiresIn", STET_ANY, \
	    .about = "Seconds, or a number and s, m, h, d or w; at most 30 days", \
	    .fallback = "\"1h\"" }
/* clang-format on */
const struct stet_member preview_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, STET_QUERY, .about = "Locale, when it is looked up by slug" },
	LASTS,
	{ "pathPattern", STET_STRING, STET_RANGE(1, PATTERN_MAX),
	    .about =
		"Path of the page, with {collection}, {id}, {slug}, {locale}, {year}, {month} and "
		"{day}; the collection's urlPattern if omitted" },
	{ 0 },
};
const struct stet_member preview_out[] = {
	{ "url", STET_STRING, STET_REQUIRED },
	{ "token", STET_STRING, STET_REQUIRED, .about = "The _preview of GET /content/…/…" },
	{ "expiresAt", STET_INTEGER, STET_REQUIRED, .about = "Seconds since 1970" },
	{ 0 },
};
const struct stet_member preview_get_in[] = {
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" },
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" },
	{ "locale", STET_STRING, .about = "Locale, when it is looked up by slug" },
	{ "slug", STET_STRING, .about = "Look up this slug, whatever `id` is" },
	{ "_preview", STET_STRING, .about = "Token of a preview link: its item's newest values" },
	VIEW_FIELDS,
	VIEW_MARKDOWN,
	INCLUDE_ARG,
	{ 0 },
};

/* ---- tokens: base64url(JSON).base64url(MAC of the first part) ---- */

static char *
base64(struct stet_call *call, const void *bytes, size_t len)
{
	size_t size = sodium_base64_encoded_len(len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
	char *out = stet_alloc(call, size);

	return sodium_bin2base64(out, size, bytes, len, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

enum stet_status
preview_token(struct stet_call *call, const struct preview *p, char **out)
{
	struct stet_json *json = stet_json_new(call);
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	const char *text, *said, *maker = stet_principal(call)->id;
	unsigned char mac[STET_MAC_SIZE];
	size_t len;
	int role; /* 0: the caller is a command, or a principal who is no user */

	STET_TRY(users->role(call, maker, &role));

	stet_object(json, NULL);
	stet_put_str(json, "cid", p->subject);
	stet_put_int(json, "exp", p->end);
	stet_put_int(json, "iat", p->begin);
	if (p->link != NULL)
		stet_put_str(json, "lid", p->link);
	if (role > 0)
		stet_put_str(json, "by", maker);
	stet_close(json);
	text = stet_json_text(json, &len);
	said = base64(call, text, len);
	STET_TRY(stet_mac(call, PURPOSE, said, strlen(said), mac));
	*out = stet_printf(call, "%s.%s", said, base64(call, mac, sizeof(mac)));
	return STET_OK;
}

static enum stet_status
refuse(struct stet_call *call)
{
	return stet_fail(call, STET_UNAUTHORIZED, NULL, "The preview link is not valid any more");
}

/* Fails if the user who made the link may not read drafts any more. id NULL: a command made it. */
static enum stet_status
check_maker(struct stet_call *call, const char *id)
{
	const struct stet_users_1 *users = stet_service(call, STET_USERS_1);
	int role;

	if (id == NULL)
		return STET_OK;
	STET_TRY(users->role(call, id, &role));
	return stet_role_may(call, role, "content:read_drafts") ? STET_OK : refuse(call);
}

/* Fails if the shared link was withdrawn. id NULL: it is not a shared one. */
static enum stet_status
check_link(struct stet_call *call, const char *id, const char *subject)
{
	struct stet_rows rows;
	bool there;

	if (id == NULL)
		return STET_OK;
	STET_TRY(stet_query(call, &rows,
	    "SELECT 1 FROM preview_link WHERE id = ?1 AND subject = ?2", STET_ARGS(id, subject)));
	there = stet_row(&rows);
	STET_TRY(stet_rows_end(&rows));
	return there ? STET_OK : refuse(call);
}

enum stet_status
preview_check(struct stet_call *call, const char *token, const char **subject, const char **maker)
{
	unsigned char mac[STET_MAC_SIZE], given[STET_MAC_SIZE];
	const char *dot = strchr(token, '.'), *said;
	char text[TOKEN_MAX];
	size_t len;
	json_t *payload;

	if (dot == NULL || strlen(token) >= TOKEN_MAX)
		return refuse(call);
	said = stet_strndup(call, token, (size_t)(dot - token));
	if (sodium_base642bin(given, sizeof(given), dot + 1, strlen(dot + 1), NULL, &len, NULL,
		sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0 ||
	    len != sizeof(given))
		return refuse(call);
	STET_TRY(stet_mac(call, PURPOSE, said, strlen(said), mac));
	if (sodium_memcmp(mac, given, sizeof(mac)) != 0)
		return refuse(call);
	if (sodium_base642bin((unsigned char *)text, sizeof(text), said, strlen(said), NULL, &len,
		NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING) != 0)
		return refuse(call);
	payload = stet_json_own(call, json_loadb(text, len, 0, NULL));
	*subject = json_string_value(json_object_get(payload, "cid"));
	*maker = json_string_value(json_object_get(payload, "by"));
	if (*subject == NULL ||
	    json_integer_value(json_object_get(payload, "exp")) <= stet_now(call) / 1000)
		return refuse(call);
	STET_TRY(check_maker(call, *maker));
	return check_link(call, json_string_value(json_object_get(payload, "lid")), *subject);
}

/* ---- creating a link ---- */

/* Returns the seconds of a number or of a text such as "30m"; -1 for anything else. */
static int64_t
seconds(const json_t *v)
{
	static const char units[] = "smhdw";
	static const int64_t of[] = { 1, 60, 3600, 86400, 604800 };
	const char *s = json_string_value(v), *unit;
	int64_t n = 0;

	if (v == NULL || json_is_null(v))
		return EXPIRES;
	if (json_is_integer(v))
		return json_integer_value(v);
	if (s == NULL || *s < '0' || *s > '9')
		return -1;
	for (; *s >= '0' && *s <= '9' && n <= EXPIRES_MAX; s++)
		n = n * 10 + (*s - '0');
	if (*s == '\0')
		return n;
	unit = strchr(units, *s);
	return unit != NULL && s[1] == '\0' ? n * of[unit - units] : -1;
}

/* Returns the date of the item's address: that of its publication, or when it would be published.
 */
static const char *
date_of(struct stet_call *call, const struct now *now)
{
	if (now->published != NULL)
		return now->published;
	return now->scheduled != NULL ? now->scheduled : stet_time_text(call, stet_now(call));
}

/* Returns the path of the page: from the argument, or from the collection's pattern (as the sitemap
 * does), or from the id. */
static const char *
path_of(struct stet_call *call, const struct now *now)
{
	const struct stet_collection *c = now->collection;
	const char *slug = now->newest_slug, *pattern = stet_arg(call, "pathPattern"), *path;

	path = pattern != NULL
		   ? stet_pattern_address(
			 call, pattern, c, now->id, slug, now->locale, date_of(call, now))
		   : stet_item_address(call, c, now->id, slug, now->locale, date_of(call, now));
	if (path != NULL)
		return path;
	return stet_path_fill(call, pattern != NULL ? pattern : "/{collection}/{id}",
	    (const char *const[]){ "collection", c->slug, "id", now->id, "slug",
		slug != NULL ? slug : now->id, "locale", now->locale, NULL });
}

void
preview_lasts(struct stet_call *call, struct preview *p)
{
	const int64_t lasts = seconds(stet_arg_json(call, "expiresIn"));

	if (lasts < 1 || lasts > EXPIRES_MAX)
		stet_issue(call, "expiresIn",
		    "must be seconds, or a number and s, m, h, d or w: 1 second to 30 days");
	p->begin = stet_now(call) / 1000;
	p->end = p->begin + lasts;
}

enum stet_status
preview_put(
    struct stet_call *call, struct stet_json *out, const struct preview *p, const char *path)
{
	const char *site;
	char *token;

	STET_TRY(preview_token(call, p, &token));
	STET_TRY(stet_site_address(call, &site));
	stet_put_str(out, "url",
	    stet_printf(call, "%s%s%s_preview=%s", site, path,
		strchr(path, '?') != NULL ? "&" : "?", token));
	stet_put_str(out, "token", token);
	stet_put_int(out, "expiresAt", p->end);
	return STET_OK;
}

enum stet_status
preview_read(struct stet_call *call, struct preview *p, const char **path)
{
	const char *pattern = stet_arg(call, "pathPattern"), *const nothing[] = { NULL };
	struct now now = { 0 };

	preview_lasts(call, p);
	if (pattern != NULL && stet_path_fill(call, pattern, nothing) == NULL)
		stet_issue(call, "pathPattern", "must be a path on this site");
	STET_TRY(now_find(call, &now));
	p->subject = preview_subject(call, now.plan->slug, now.id);
	*path = path_of(call, &now);
	return STET_OK;
}

const char *
preview_subject(struct stet_call *call, const char *collection, const char *id)
{
	return stet_printf(call, "%s:%s", collection, id);
}

enum stet_status
content_preview_url(struct stet_call *call)
{
	struct stet_json *out = stet_reply(call);
	struct preview p = { 0 };
	const char *path;

	STET_TRY(preview_read(call, &p, &path));
	stet_object(out, NULL);
	STET_TRY(preview_put(call, out, &p, path));
	stet_close(out);
	return STET_OK;
}

/* ---- reading with a token ---- */

static bool
same(const char *name, const char *slug)
{
	return slug != NULL && strcmp(name, slug) == 0;
}

/* Finds the item of the token if the request asks for that item; any other request fails as if
 * the item did not exist. The newest values are shown, so their staged slug is accepted too. */
static enum stet_status
find_previewed(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, const char *item, struct stet_rows *rows, struct newest *newest)
{
	const char *slug = stet_arg(call, "slug");
	const char *name = slug != NULL && *slug != '\0' ? slug : stet_arg(call, "id");
	const char *prefix = stet_printf(call, "%s:", plan->slug);
	const char *locale = stet_locale(call, stet_arg(call, "locale"));

	STET_TRY(stet_issues(call));
	if (strncmp(item, prefix, strlen(prefix)) != 0)
		return item_not_found(call, name);
	item += strlen(prefix);
	STET_TRY(stet_query(call, rows, plan->by_id, STET_ARGS(item)));
	if (stet_row(rows)) {
		STET_TRY(item_newest(call, collection, plan, rows, newest));
		if (newest->data != NULL)
			json_object_del(newest->data, IMPORT_ERROR);
		if (strcmp(name, item) == 0)
			return STET_OK;
		if ((same(name, stet_col_str(rows, C_SLUG)) || same(name, newest->slug)) &&
		    (locale == NULL || strcmp(locale, stet_col_str(rows, C_LOCALE)) == 0))
			return STET_OK;
	}
	STET_TRY(stet_rows_end(rows));
	return item_not_found(call, name);
}

static enum stet_status
show(struct stet_call *call, const char *token)
{
	struct stet_json *out = stet_reply(call);
	const struct stet_collection *collection;
	const struct plan *plan;
	struct newest newest;
	struct shown shown;
	struct view view;
	struct stet_rows rows;
	struct item_more *more;
	struct beside beside;
	const char *item = NULL, *maker;

	STET_TRY(preview_check(call, token, &item, &maker));
	STET_TRY(plan_get(call, stet_arg(call, "collection"), &collection, &plan));
	STET_TRY(view_read(call, collection, &view));
	STET_TRY(get_beside(call, collection, plan, &view, &beside, &more));
	STET_TRY(find_previewed(call, collection, plan, item, &rows, &newest));
	STET_TRY(byline_read_row(call, plan->slug, &rows, newest.staged, &shown));
	stet_object(out, NULL);
	item_put(
	    out, "item", &rows, plan, false, newest.data != NULL ? &newest : NULL, &shown, &view);
	stet_put_str(out, "_rev",
	    item_rev(
		call, row_version(&rows, newest.data != NULL), stet_col_str(&rows, C_UPDATED)));
	if (more != NULL)
		STET_TRY(more->put(more, call, &rows, newest.data != NULL ? &newest : NULL));
	stet_close(out);
	stet_header(call, "X-Robots-Tag", "noindex");
	stet_header(call, "Cache-Control", "private, no-store");
	return stet_rows_end(&rows);
}

/* Anonymous callers reach this handler too: with the token of a preview link. */
enum stet_status
content_read(struct stet_call *call)
{
	const char *token = stet_arg(call, "_preview");

	if (token != NULL && *token != '\0')
		return show(call, token);
	/* Callers who are signed in were checked before the handler ran. */
	if (!stet_is_open(call) && !stet_may(call, "content:read"))
		return stet_fail(call, STET_UNAUTHORIZED, NULL, "Authentication required");
	return content_get(call);
}
