/*
 * probe.c - finds out what runs at the address of a site: requests its REST index, and asks the
 * exporter, if there is one. A site with plain permalinks answers to ?rest_route= only. No
 * credentials are sent, so counts are those of public content.
 */
#include "remote/probe.h"
#include "remote/remote.h"
#include <string.h>

#define TIMEOUT 10000 /* milliseconds, for each request */
#define COUNT_TIMEOUT 5000 /* milliseconds, for a request that only counts */

const struct stet_member probe_in[] = {
	{ "url", STET_STRING, STET_REQUIRED | STET_BOUNDED,
	    .about = "Address of the site; https:// if it names no scheme",
	    STET_RANGE(1, REMOTE_ADDRESS_MAX) },
	{ 0 },
};

static const struct stet_member result_shape[] = {
	{ "url", STET_STRING, STET_REQUIRED, .about = "The address, normalised" },
	{ "isWordPress", STET_BOOLEAN, STET_REQUIRED },
	{ "bestMatch", STET_OBJECT, STET_REQUIRED | STET_NULLABLE },
	{ "allMatches", STET_ARRAY, STET_REQUIRED, .item = STET_OBJECT,
	    .about = "Sources that can be imported from, the most certain first" },
	{ 0 },
};

const struct stet_member probe_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "result", STET_OBJECT, STET_REQUIRED, .of = result_shape },
	{ 0 },
};

/* ---- requests ---- */

/* Requests a path. *out: the object in the response; NULL: there is none. *failed: set to a message
 * if the status says that the site fails (401, 403, 5xx). */
static enum stet_status
ask_object(struct stet_call *call, struct remote *site, const char *path, const json_t **out,
    const char **failed)
{
	struct remote_answer got;

	*out = NULL;
	STET_TRY(remote_ask(call, site, path, NULL, TIMEOUT, &got));
	if (got.status == 401 || got.status == 403 || got.status >= 500)
		*failed = stet_printf(call, "The site answers %d", got.status);
	*out = json_is_object(got.body) ? got.body : NULL;
	return STET_OK;
}

/* ---- matches ---- */

static bool
has_space(const json_t *index, const char *space)
{
	const json_t *one, *spaces = json_object_get(index, "namespaces");
	size_t i;

	json_array_foreach(spaces, i,
	    one) if (json_is_string(one) && strcmp(json_string_value(one), space) == 0) return true;
	return false;
}

static json_t *
copy_text(const json_t *from, const char *name)
{
	json_t *value = json_object_get(from, name);

	return json_is_string(value) ? json_incref(value) : NULL;
}

static json_t *
capabilities(bool private)
{
	return json_pack("{sb sb sb sb sb}", "publicContent", 1, "privateContent", private,
	    "customPostTypes", private, "allMeta", private, "mediaStream", 1);
}

/* Returns the numbers of posts, pages and media in an exporter's response, {post_types: [{name,
 * total or count}], media_count}. */
static json_t *
preview(const json_t *told)
{
	const json_t *type;
	json_t *out = json_object();
	size_t i;

	json_array_foreach(json_object_get(told, "post_types"), i, type)
	{
		const char *name = json_string_value(json_object_get(type, "name"));
		json_t *total = json_object_get(type, "total");

		if (total == NULL)
			total = json_object_get(type, "count");
		if (name != NULL && json_is_integer(total) && strcmp(name, "post") == 0)
			(void)json_object_set(out, "posts", total);
		if (name != NULL && json_is_integer(total) && strcmp(name, "page") == 0)
			(void)json_object_set(out, "pages", total);
	}
	if (json_is_integer(json_object_get(told, "media_count")))
		(void)json_object_set(out, "media", json_object_get(told, "media_count"));
	return out;
}

static json_t *
exporter_match(const json_t *told, const struct remote *site)
{
	const json_t *about = json_object_get(told, "site");
	json_t *url = copy_text(about, "url");

	return json_pack("{ss ss s:{ss so* so* so} so s:{ss ss ss} s:{ss} so so*}", "sourceId",
	    "platform-plugin", "confidence", "definite", "detected", "platform", "wordpress",
	    "version", copy_text(told, "wordpress_version"), "siteTitle", copy_text(about, "title"),
	    "siteUrl", url != NULL ? url : json_string(site->url), "capabilities",
	    capabilities(true), "auth", "type", "password", "provider", "wordpress", "instructions",
	    "Create an application password for a user of the site who may export.",
	    "suggestedAction", "type", "proceed", "preview", preview(told), "i18n",
	    remote_locales(told));
}

/* Returns how many posts, pages and media are public. A count that cannot be fetched is left
 * out. */
static json_t *
count_public(struct stet_call *call, struct remote *site)
{
	static const char *const kinds[] = { "posts", "pages", "media" };
	json_t *counts = json_object();
	struct remote_answer got;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (remote_ask(call, site, stet_printf(call, "wp/v2/%s", kinds[i]), "per_page=1",
			COUNT_TIMEOUT, &got) != STET_OK)
			stet_error_clear(call);
		else if (got.status == 200 && got.total >= 0)
			(void)json_object_set_new(counts, kinds[i], json_integer(got.total));
	return counts;
}

static json_t *
rest_match(struct stet_call *call, const json_t *index, struct remote *site)
{
	json_t *url = copy_text(index, "url");

	return json_pack("{ss ss s:{ss so* so} so s:{ss} s:{ss ss} so}", "sourceId",
	    "platform-rest", "confidence", "definite", "detected", "platform", "wordpress",
	    "siteTitle", copy_text(index, "name"), "siteUrl",
	    url != NULL ? url : json_string(site->url), "capabilities", capabilities(false), "auth",
	    "type", "none", "suggestedAction", "type", "upload", "instructions",
	    "In the site's administration choose Tools, Export, All content, and upload the file.",
	    "preview", count_public(call, site));
}

/* ---- the op ---- */

static enum stet_status
ask_exporters(struct stet_call *call, struct remote *site, const json_t *index, json_t *matches)
{
	for (size_t i = 0; i < EXPORTERS; i++) {
		const struct exporter *e = &exporters[i];
		const json_t *told = NULL;
		const char *ignored;

		if (index != NULL && !has_space(index, e->space))
			continue;
		STET_TRY(ask_object(
		    call, site, stet_printf(call, "%s/probe", e->space), &told, &ignored));
		if (json_object_get(told, e->member) != NULL)
			(void)json_array_append_new(matches, exporter_match(told, site));
	}
	return STET_OK;
}

static void
answer(struct stet_call *call, const struct remote *site, const json_t *matches)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_object(out, "result");
	stet_put_str(out, "url", site->url);
	stet_put_bool(out, "isWordPress", json_array_size(matches) > 0);
	stet_put_json(out, "bestMatch", json_array_get(matches, 0));
	stet_put_json(out, "allMatches", matches);
	stet_close(out);
	stet_close(out);
}

enum stet_status
import_probe(struct stet_call *call)
{
	struct remote site = { .plain = false };
	json_t *matches = stet_json_own(call, json_array());
	const json_t *index = NULL;
	const char *failed = NULL;

	STET_TRY(remote_address(call, stet_arg(call, "url"), &site.url));
	STET_TRY(ask_object(call, &site, "", &index, &failed));
	STET_TRY(ask_exporters(call, &site, index, matches));
	if (has_space(index, "wp/v2"))
		(void)json_array_append_new(matches, rest_match(call, index, &site));
	if (json_array_size(matches) == 0 && failed != NULL)
		return stet_fail(call, stet_code(call, "SOURCE_ERROR"), "url", "%s", failed);
	answer(call, &site, matches);
	return STET_OK;
}
