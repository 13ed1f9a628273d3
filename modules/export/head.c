/* head.c - writes the elements before the items: the site, authors and terms. */
#include "export.h"
#include <stet/bylines.h>
#include <stet/settings.h>
#include <stet/taxonomies.h>
#include <string.h>

/* ---- the site ---- */

static enum stet_status
put_site(struct stet_call *call, void *arg)
{
	const struct stet_settings_1 *service = stet_service(call, STET_SETTINGS_1);
	struct export *x = arg;
	const json_t *settings = NULL;

	if (service != NULL)
		STET_TRY(service->get(call, &settings));
	xml_text(x->xml, "title", export_text(settings, "title"));
	xml_text(x->xml, "link", x->base);
	xml_text(x->xml, "description", export_text(settings, "tagline"));
	xml_text(x->xml, "pubDate", export_mail_time(call, stet_time_text(call, stet_now(call))));
	xml_text(x->xml, "language", x->locale);
	xml_text(x->xml, "wp:wxr_version", "1.2");
	xml_text(x->xml, "wp:base_site_url", x->base);
	xml_text(x->xml, "wp:base_blog_url", x->base);
	return STET_OK;
}

/* ---- authors ---- */

static void
put_author(struct stet_call *call, struct export *x, const char *login, const char *email,
    const char *name)
{
	xml_open(x->xml, "wp:author");
	xml_number(x->xml, "wp:author_id", ++x->done.authors);
	xml_cdata(x->xml, "wp:author_login", login);
	xml_cdata(x->xml, "wp:author_email", email);
	xml_cdata(x->xml, "wp:author_display_name", escape_entities(call, name));
	xml_cdata(x->xml, "wp:author_first_name", "");
	xml_cdata(x->xml, "wp:author_last_name", "");
	xml_close(x->xml);
}

static enum stet_status
put_byline(struct stet_call *call, struct export *x, const json_t *byline)
{
	put_author(call, x, export_text(byline, "slug"), "", export_text(byline, "displayName"));
	return STET_OK;
}

static enum stet_status
put_user(struct stet_call *call, struct export *x, const json_t *user)
{
	const char *email = export_text(user, "email"), *name = export_text(user, "name");

	put_author(call, x, email, email, *name != '\0' ? name : email);
	return STET_OK;
}

/* ---- terms ---- */

/* Looks up the slug of a term's parent; "": none. */
static enum stet_status
find_parents(struct stet_call *call, const struct export *x, const json_t *term, const char **slug)
{
	const struct stet_taxonomies_1 *taxonomies = stet_service(call, STET_TAXONOMIES_1);
	const char *group = json_string_value(json_object_get(term, "parentId"));
	struct stet_term_found found = { 0 };
	struct stet_table table;

	*slug = "";
	if (group == NULL)
		return STET_OK;
	STET_TRY(taxonomies->find(call, &group, 1, x->locale, &table));
	stet_table_row(&table, 0, &found, sizeof(found));
	if (found.slug != NULL)
		*slug = found.slug;
	return STET_OK;
}

static enum stet_status
put_term(struct stet_call *call, struct export *x, const json_t *term)
{
	const char *taxonomy = export_text(term, "name"), *slug = export_text(term, "slug");
	const char *name = escape_entities(call, export_text(term, "label")), *parent;
	const char *about = escape_plain(call, export_text(term, "description"));
	bool category = strcmp(taxonomy, "category") == 0, tag = strcmp(taxonomy, "tag") == 0;

	STET_TRY(find_parents(call, x, term, &parent));
	STET_TRY(export_remember(x, export_name(call, "term", taxonomy, slug), x->done.terms + 1));
	xml_open(x->xml, category ? "wp:category" : tag ? "wp:tag" : "wp:term");
	xml_number(x->xml, "wp:term_id", ++x->done.terms);
	if (!category && !tag)
		xml_cdata(x->xml, "wp:term_taxonomy", taxonomy);
	xml_cdata(x->xml,
	    category ? "wp:category_nicename"
	    : tag    ? "wp:tag_slug"
		     : "wp:term_slug",
	    slug);
	if (!tag)
		xml_cdata(x->xml, category ? "wp:category_parent" : "wp:term_parent", parent);
	xml_cdata(x->xml, category ? "wp:cat_name" : tag ? "wp:tag_name" : "wp:term_name", name);
	if (*about != '\0')
		xml_cdata(x->xml,
		    category ? "wp:category_description"
		    : tag    ? "wp:tag_description"
			     : "wp:term_description",
		    about);
	xml_close(x->xml);
	return STET_OK;
}

/* Writes the taxonomies in the order of WordPress; `turn` 0: categories, 1: tags, 2: the others. */
static enum stet_status
put_terms(struct export *x, int turn)
{
	const json_t *taxonomy;
	size_t i;

	json_array_foreach(x->taxonomies, i, taxonomy)
	{
		const char *name = export_text(taxonomy, "name");
		int its = strcmp(name, "category") == 0 ? 0 : strcmp(name, "tag") == 0 ? 1 : 2;

		if (its == turn)
			STET_TRY(export_pages(x, "taxonomy_list_terms",
			    json_pack(
				"{ss ss si}", "taxonomy", name, "locale", x->locale, "limit", 100),
			    "items", put_term));
	}
	return STET_OK;
}

/* Writes a term of a taxonomy that stet stores in another way (menus, languages). own: data that
 * WordPress has no element for, or NULL. */
static void
put_other(
    struct export *x, const char *taxonomy, const char *slug, const char *name, const char *own)
{
	xml_open(x->xml, "wp:term");
	xml_number(x->xml, "wp:term_id", ++x->done.terms);
	xml_cdata(x->xml, "wp:term_taxonomy", taxonomy);
	xml_cdata(x->xml, "wp:term_slug", slug);
	xml_cdata(x->xml, "wp:term_parent", "");
	xml_cdata(x->xml, "wp:term_name", name);
	if (own != NULL) {
		xml_open(x->xml, "wp:termmeta");
		xml_cdata(x->xml, "wp:meta_key", "_stet");
		xml_cdata(x->xml, "wp:meta_value", own);
		xml_close(x->xml);
	}
	xml_close(x->xml);
}

static enum stet_status
put_menu(struct stet_call *call, struct export *x, const json_t *menu)
{
	const char *name = export_text(menu, "name"), *slug = menu_slug(call, x, menu);
	const char *own = NULL;

	if (strcmp(name, slug) != 0)
		own = export_json(call,
		    stet_json_own(call,
			json_pack("{ss ss}", "name", name, "locale", export_text(menu, "locale"))));
	put_other(x, "nav_menu", slug, escape_entities(call, export_text(menu, "label")), own);
	return STET_OK;
}

static enum stet_status
put_all_terms(struct export *x)
{
	const char *const *locales = stet_locales(x->call);

	for (int turn = 0; turn < 3; turn++)
		STET_TRY(put_terms(x, turn));
	for (size_t i = 0; x->locales && locales[i] != NULL; i++)
		put_other(x, "language", locales[i], locales[i], NULL);
	return export_pages(x, "menu_list", json_object(), NULL, put_menu);
}

/* ---- all ---- */

enum stet_status
export_taxonomies(struct export *x)
{
	json_t *reply;

	x->taxonomies = NULL;
	if (stet_service(x->call, STET_TAXONOMIES_1) == NULL)
		return STET_OK;
	STET_TRY(stet_invoke_json(
	    x->call, "taxonomy_list", json_pack("{ss}", "locale", x->locale), &reply));
	x->taxonomies = json_object_get(reply, "taxonomies");
	return STET_OK;
}

enum stet_status
export_head(struct export *x)
{
	STET_TRY(export_taxonomies(x));
	STET_TRY(stet_scope(x->call, put_site, x));
	if (stet_service(x->call, STET_BYLINES_1) != NULL)
		STET_TRY(export_pages(
		    x, "byline_list", json_pack("{si}", "limit", 100), "items", put_byline));
	STET_TRY(
	    export_pages(x, "admin_user_list", json_pack("{si}", "limit", 100), "items", put_user));
	STET_TRY(put_all_terms(x));
	xml_text(x->xml, "generator", "stet");
	return STET_OK;
}
