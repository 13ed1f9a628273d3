/*
 * exporter_analyze.c - analyzes a site through its exporter. The result has the form of the
 * analysis of a file.
 */
#include "item/terms.h"
#include "plan/analyze.h"
#include "read/text.h"
#include "remote/exporter.h"
#include <string.h>

#define TIMEOUT 30000
#define MEDIA_PAGE 500
#define MEDIA_PAGES 200 /* most pages that are read */

const struct stet_member exporter_analyze_out[] = {
	{ "success", STET_BOOLEAN, STET_REQUIRED },
	{ "analysis", STET_OBJECT, STET_REQUIRED,
	    .about = "As of an export file, and what the exporter alone knows: sourceId, i18n, "
		     "navMenus, customTaxonomies, reusableBlocks" },
	{ 0 },
};

struct looking {
	struct stet_call *call;
	struct remote remote;
	struct wxr_sink sink;
	struct analysis *analysis;
};

/* ---- counts of the exporter ---- */

static void
take_types(struct looking *l, const json_t *types)
{
	const json_t *type, *field;
	size_t i, k;

	json_array_foreach(types, i, type)
	{
		const json_t *fields = json_object_get(type, "custom_fields");
		int64_t total = source_number(type, "total");

		if (total <= 0)
			continue;
		analysis_type(l->analysis, text_member(l->call, type, "name"), total,
		    json_object_get(json_object_get(type, "supports"), "thumbnail") != NULL);
		json_array_foreach(fields, k, field)
		    analysis_field(l->analysis, text_member(l->call, field, "key"),
			source_number(field, "count"), text_member(l->call, field, "sample"));
	}
}

static enum stet_status
take_authors(struct looking *l, const json_t *authors)
{
	const json_t *author;
	size_t i;

	json_array_foreach(authors, i, author)
	{
		const struct wxr_author who = { .id = source_number(author, "id"),
			.login = text_member(l->call, author, "login"),
			.email = text_member(l->call, author, "email"),
			.display_name = text_member(l->call, author, "display_name") };

		STET_TRY(l->sink.author(l->sink.arg, &who));
		analysis_posts(l->analysis, who.login, source_number(author, "post_count"));
	}
	return STET_OK;
}

static void
take_terms(struct looking *l, const json_t *taxonomies)
{
	int64_t categories = 0, tags = 0;
	const json_t *one;
	size_t i;

	json_array_foreach(taxonomies, i, one)
	{
		const char *name = text_member(l->call, one, "name");

		if (strcmp(name, "category") == 0)
			categories = source_number(one, "term_count");
		else if (strcmp(name, "post_tag") == 0)
			tags = source_number(one, "term_count");
	}
	analysis_terms(l->analysis, categories, tags);
}

static enum stet_status
take_all(struct looking *l, const json_t *told)
{
	const json_t *about = json_object_get(told, "site");
	const struct wxr_site site = { .title = text_member(l->call, about, "title"),
		.link = l->remote.url,
		.base_blog = text_member(l->call, about, "url") };

	STET_TRY(l->sink.site(l->sink.arg, &site));
	take_types(l, json_object_get(told, "post_types"));
	take_terms(l, json_object_get(told, "taxonomies"));
	return take_authors(l, json_object_get(told, "authors"));
}

/* ---- attachments ---- */

static enum stet_status
take_media(struct looking *l, const json_t *items)
{
	const json_t *one;
	size_t i;

	json_array_foreach(items, i, one)
	{
		const struct wxr_meta alt = { WXR_ALT, text_member(l->call, one, "alt") };
		const struct wxr_item item = { .id = source_number(one, "id"),
			.type = "attachment",
			.title = text_member(l->call, one, "title"),
			.attachment_url = text_member(l->call, one, "url"),
			.excerpt = text_member(l->call, one, "caption"),
			.meta = &alt,
			.meta_count = 1,
			.guid = "",
			.author = "" };

		STET_TRY(l->sink.item(l->sink.arg, &item));
	}
	return STET_OK;
}

struct page {
	struct looking *l;
	int64_t number, count;
};

static enum stet_status
read_media(struct stet_call *call, void *arg)
{
	struct page *p = arg;
	const struct remote_export ask = { .path = "media",
		.query =
		    stet_printf(call, "per_page=%d&page=%lld", MEDIA_PAGE, (long long)p->number),
		.timeout = TIMEOUT,
		.shape = REMOTE_PAGE,
		.optional = true };
	const json_t *got;

	STET_TRY(remote_export(call, &p->l->remote, &ask, &got));
	if (got == NULL)
		return STET_OK;
	STET_TRY(remote_pages(call, ask.path, got, MEDIA_PAGE, &p->count));
	return take_media(p->l, json_object_get(got, "items"));
}

static enum stet_status
read_all_media(struct looking *l)
{
	struct page p = { l, 1, 1 };

	for (; p.number <= p.count && p.number <= MEDIA_PAGES; p.number++)
		STET_TRY(stet_scope(l->call, read_media, &p));
	return STET_OK;
}

/* ---- data that export files lack ---- */

static enum stet_status
put_menus(struct looking *l, struct stet_json *out)
{
	static const struct remote_export ask = { "menus", NULL, TIMEOUT, REMOTE_LIST, true };
	const json_t *got, *menu;
	size_t i;

	STET_TRY(remote_export(l->call, &l->remote, &ask, &got));
	stet_array(out, "navMenus");
	json_array_foreach(got, i, menu)
	{
		const char *slug = text_member(l->call, menu, "slug");

		stet_object(out, NULL);
		stet_put_str(
		    out, "name", *slug != '\0' ? slug : text_member(l->call, menu, "name"));
		stet_put_str(out, "label", text_member(l->call, menu, "name"));
		stet_put_int(
		    out, "itemCount", (int64_t)json_array_size(json_object_get(menu, "items")));
		stet_close(out);
	}
	stet_close(out);
	return STET_OK;
}

static void
put_taxonomies(const struct looking *l, struct stet_json *out, const json_t *taxonomies)
{
	const json_t *one;
	size_t i;

	stet_array(out, "customTaxonomies");
	json_array_foreach(taxonomies, i, one)
	{
		const char *name = text_member(l->call, one, "name");

		if (strcmp(name, "category") == 0 || strcmp(name, "post_tag") == 0 ||
		    strcmp(name, "post_format") == 0 || terms_taxonomy(name) == NULL)
			continue;
		stet_object(out, NULL);
		stet_put_str(out, "slug", name);
		stet_put_int(out, "termCount", source_number(one, "term_count"));
		stet_array(out, "sampleTerms");
		stet_close(out);
		stet_close(out);
	}
	stet_close(out);
}

static enum stet_status
put_blocks(struct looking *l, struct stet_json *out)
{
	static const struct remote_export ask = { "content",
		"post_type=wp_block&status=any&per_page=100&page=1", TIMEOUT, REMOTE_PAGE, true };
	const json_t *got, *one;
	size_t i;

	STET_TRY(remote_export(l->call, &l->remote, &ask, &got));
	stet_array(out, "reusableBlocks");
	json_array_foreach(json_object_get(got, "items"), i, one)
	{
		stet_object(out, NULL);
		stet_put_int(out, "id", source_number(one, "id"));
		stet_put_str(out, "title", text_member(l->call, one, "title"));
		stet_put_str(out, "slug", text_member(l->call, one, "slug"));
		stet_close(out);
	}
	stet_close(out);
	return STET_OK;
}

static void
put_locales(struct looking *l, struct stet_json *out, const json_t *told)
{
	json_t *locales = remote_locales(told);

	if (locales != NULL)
		stet_put_json(out, "i18n", stet_json_own(l->call, locales));
}

enum stet_status
exporter_analyze(struct stet_call *call)
{
	struct looking l = { .call = call, .remote = { .token = stet_arg(call, "token") } };
	struct stet_json *out = stet_reply(call);
	static const struct remote_export ask = { "analyze", NULL, TIMEOUT, REMOTE_OBJECT, false };
	const json_t *told;

	l.analysis = analysis_new(call);
	l.sink = analysis_sink(l.analysis);
	STET_TRY(remote_address(call, stet_arg(call, "url"), &l.remote.url));
	STET_TRY(remote_export(call, &l.remote, &ask, &told));
	if (!json_is_array(json_object_get(told, "post_types")))
		return remote_odd(call, ask.path, "has no list post_types");
	STET_TRY(take_all(&l, told));
	STET_TRY(read_all_media(&l));
	stet_object(out, NULL);
	stet_put_bool(out, "success", true);
	stet_object(out, "analysis");
	stet_put_str(out, "sourceId", "platform-plugin");
	STET_TRY(analysis_put(l.analysis, out));
	put_locales(&l, out, told);
	STET_TRY(put_menus(&l, out));
	put_taxonomies(&l, out, json_object_get(told, "taxonomies"));
	STET_TRY(put_blocks(&l, out));
	stet_close(out);
	stet_close(out);
	return STET_OK;
}
