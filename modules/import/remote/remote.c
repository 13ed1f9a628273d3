/* remote.c - requests to the REST API of a site, and to the exporter there. */
#include "remote/remote.h"
#include <stdlib.h>
#include <stet/fetch.h>
#include <string.h>
#include <strings.h>

#define ANSWER_MAX (16u << 20) /* most bytes of a response */
#define FILE_MS 600000 /* for a whole file */

const struct exporter exporters[EXPORTERS] = {
	{ "stet/v1", "stet_exporter" },
	{ "emdash/v1", "emdash_exporter" },
};

enum stet_status
remote_address(struct stet_call *call, const char *given, const char **out)
{
	size_t len;
	char *url;

	given += strspn(given, " \t\r\n");
	url = strstr(given, "://") == NULL ? stet_printf(call, "https://%s", given)
					   : stet_strdup(call, given);
	len = strlen(url);
	while (len > 0 && strchr(" \t\r\n/", url[len - 1]) != NULL)
		url[--len] = '\0';
	if (strncasecmp(url, "https://", 8) != 0 && strncasecmp(url, "http://", 7) != 0)
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "url", "must be an http or https address");
	if (url[strcspn(url, "?# \t\r\n")] != '\0')
		return stet_fail(call, STET_VALIDATION_ERROR, "url",
		    "must be the address of a site, without a query, a fragment or blanks");
	*out = url;
	return STET_OK;
}

json_t *
remote_locales(const json_t *told)
{
	const json_t *i18n = json_object_get(told, "i18n");
	json_t *usual = json_object_get(i18n, "default_locale");

	if (usual == NULL)
		usual = json_object_get(i18n, "defaultLocale");
	return json_is_object(i18n)
		   ? json_pack("{sO* sO* sO*}", "plugin", json_object_get(i18n, "plugin"),
			 "defaultLocale", usual, "locales", json_object_get(i18n, "locales"))
		   : NULL;
}

static const char *
url_of(struct stet_call *call, const struct remote *r, const char *path, const char *query)
{
	const char *url =
	    stet_printf(call, "%s/%s%s", r->url, r->plain ? "?rest_route=/" : "wp-json/", path);

	return query == NULL ? url : stet_printf(call, "%s%s%s", url, r->plain ? "&" : "?", query);
}

/* Returns the error that a failed request is for the caller. */
static enum stet_status
fetched(
    struct stet_call *call, enum stet_status status, const struct stet_fetched *got, size_t most)
{
	if (status != STET_OK && got->refused)
		return stet_fail(call, stet_code(call, "SSRF_BLOCKED"), "url",
		    "The URL is not a public http or https address");
	if (status != STET_OK && got->cut)
		return stet_fail(call, stet_code(call, "SOURCE_ERROR"), "url",
		    "The site's answer has more than %zu bytes", most);
	if (status == STET_UPSTREAM_ERROR)
		return stet_fail(
		    call, stet_code(call, "SOURCE_ERROR"), "url", "The site does not answer");
	return status;
}

static enum stet_status
ask_once(struct stet_call *call, const struct remote *r, const char *path, const char *query,
    int64_t timeout, struct stet_fetched *got)
{
	const char *headers[] = { "Accept: application/json",
		r->token != NULL ? stet_printf(call, "Authorization: Basic %s", r->token) : NULL,
		NULL };
	const struct stet_fetch ask = { .timeout = timeout,
		.most = ANSWER_MAX,
		.plain = true,
		.redirects = 5,
		.header = "X-WP-Total",
		.headers = headers };
	enum stet_status status = stet_fetch(call, url_of(call, r, path, query), &ask, got);

	return fetched(call, status, got, ANSWER_MAX);
}

enum stet_status
remote_file(struct stet_call *call, const char *url, size_t most, struct stet_part *part)
{
	const struct stet_fetch ask = {
		.timeout = FILE_MS, .most = most, .plain = true, .redirects = 5, .to_file = true
	};
	struct stet_fetched got;

	STET_TRY(fetched(call, stet_fetch(call, url, &ask, &got), &got, most));
	if (got.path == NULL)
		return stet_fail(call, stet_code(call, "SOURCE_ERROR"), "url",
		    "The site answers %d, and no file", got.status);
	part->size = got.len;
	part->path = got.path;
	return STET_OK;
}

static int64_t
total_of(const char *text)
{
	size_t len = text != NULL ? strlen(text) : 0;

	if (len == 0 || len > 15 || strspn(text, "0123456789") != len)
		return -1;
	return strtoll(text, NULL, 10);
}

static enum stet_status
ask_form(struct stet_call *call, const struct remote *r, const char *path, const char *query,
    int64_t timeout, struct remote_answer *out)
{
	struct stet_fetched got;
	const char *why;

	*out = (struct remote_answer){ .total = -1 };
	STET_TRY(ask_once(call, r, path, query, timeout, &got));
	out->status = got.status;
	out->total = total_of(got.header);
	out->body = stet_json_parse(call, got.body, got.len, &why);
	out->json = out->body != NULL;
	if (got.status != 200)
		out->body = NULL;
	return STET_OK;
}

/* Returns true if the API is not at this address: without pretty permalinks a server responds with
 * 404 or with its home page. */
static bool
is_elsewhere(const struct remote_answer *got)
{
	return got->status == 404 || (got->status == 200 && got->body == NULL);
}

enum stet_status
remote_ask(struct stet_call *call, struct remote *r, const char *path, const char *query,
    int64_t timeout, struct remote_answer *out)
{
	STET_TRY(ask_form(call, r, path, query, timeout, out));
	if (!r->sure && is_elsewhere(out)) {
		r->plain = true;
		STET_TRY(ask_form(call, r, path, query, timeout, out));
		r->plain = !is_elsewhere(out);
	}
	r->sure |= !is_elsewhere(out);
	return STET_OK;
}

/* Fails with SOURCE_ERROR unless there is JSON. The message omits the site's own text, which is not
 * trusted. */
static enum stet_status
judge(struct stet_call *call, const struct remote_answer *got, const char *path, const json_t **out)
{
	const char *hint = got->status == 401 || got->status == 403
			       ? ": are the user and the application password right, and may the "
				 "user export?"
			       : "";

	*out = got->body;
	if (got->status != 200)
		return stet_fail(call, stet_code(call, "SOURCE_ERROR"), "url",
		    "The site answers %d to %s%s", got->status, path, hint);
	if (got->body == NULL)
		return stet_fail(call, stet_code(call, "SOURCE_ERROR"), "url",
		    "The site's answer to %s is no JSON", path);
	return STET_OK;
}

enum stet_status
remote_odd(struct stet_call *call, const char *path, const char *what)
{
	return stet_fail(
	    call, stet_code(call, "SOURCE_ERROR"), "url", "The site's answer to %s %s", path, what);
}

static bool
are_objects(const json_t *list)
{
	const json_t *one;
	size_t i;

	json_array_foreach(list, i, one) if (!json_is_object(one)) return false;
	return json_is_array(list);
}

/* Fails if the response has another shape: an error that was sent with status 200, say. */
static enum stet_status
check_shape(struct stet_call *call, const struct remote_export *r, const json_t **out)
{
	const json_t *items = json_object_get(*out, "items");

	if (r->shape == REMOTE_LIST && items != NULL)
		*out = items;
	if (r->shape == REMOTE_LIST)
		return are_objects(*out) ? STET_OK
					 : remote_odd(call, r->path, "is not a list of objects");
	if (!json_is_object(*out) || (json_is_string(json_object_get(*out, "code")) &&
					 json_is_string(json_object_get(*out, "message"))))
		return remote_odd(
		    call, r->path, json_is_object(*out) ? "is an error" : "is not an object");
	if (r->shape == REMOTE_PAGE && !are_objects(items))
		return remote_odd(call, r->path, "has no list of objects, items");
	return STET_OK;
}

/* Reads a count, which may be a text. Returns false if there is none. */
static bool
count_of(const json_t *page, const char *member, int64_t *out)
{
	const json_t *v = json_object_get(page, member);

	*out = json_is_integer(v) ? json_integer_value(v) : total_of(json_string_value(v));
	return *out >= 0;
}

enum stet_status
remote_pages(
    struct stet_call *call, const char *path, const json_t *page, int64_t per_page, int64_t *out)
{
	const json_t *told = json_object_get(page, "pages");
	int64_t total;

	if (count_of(page, "pages", out))
		return STET_OK;
	if (told != NULL && !json_is_null(told))
		return remote_odd(call, path, "has a number of pages that is none");
	*out = count_of(page, "total", &total) ? (total + per_page - 1) / per_page : 1;
	return STET_OK;
}

enum stet_status
remote_export(
    struct stet_call *call, struct remote *r, const struct remote_export *ask, const json_t **out)
{
	struct remote_answer got = { .status = 404 };

	*out = NULL;
	for (size_t i = 0; i < EXPORTERS && got.status == 404; i++) {
		if (r->space != NULL && strcmp(r->space, exporters[i].space) != 0)
			continue;
		STET_TRY(
		    remote_ask(call, r, stet_printf(call, "%s/%s", exporters[i].space, ask->path),
			ask->query, ask->timeout, &got));
		if (got.status != 404)
			r->space = exporters[i].space;
	}
	if (ask->optional && got.json && (got.status == 404 || got.status == 400))
		return STET_OK;
	if (got.status == 404)
		return stet_fail(call, stet_code(call, "SOURCE_ERROR"), "url",
		    "There is no exporter at this site: install and activate its plugin");
	STET_TRY(judge(call, &got, ask->path, out));
	return check_shape(call, ask, out);
}
