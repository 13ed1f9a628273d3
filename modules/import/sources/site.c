/*
 * site.c - finds what a directory of Markdown has, by the names of its files: documents and their
 * locales, settings, data, documents of other formats. Nothing of it is written: the importer asks
 * for it while it reads.
 */
#include "sources/site.h"
#include "plan/suggest.h"
#include "read/source.h"
#include "read/text.h"
#include <string.h>
#include <strings.h>

/* ---- the files ---- */

/* Is the file one of the settings of such a program? */
static bool
is_settings(const char *base, bool *hugo)
{
	static const char *const names[] = { "hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json",
		"config.toml", "config.yaml", "config.yml", "config.json", "_config.yml",
		"_config.yaml", "_config.toml", "docusaurus.config.js", "docusaurus.config.ts",
		"astro.config.mjs", "astro.config.js", "astro.config.ts", "eleventy.config.js",
		"eleventy.config.mjs", "eleventy.config.cjs" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(base, names[i]) == 0) {
			*hugo = i < 8;
			return true;
		}
	return false;
}

/* Is the file a template or part of the look, or has a program written it? */
static bool
is_look(const char *path)
{
	static const char *const dirs[] = { "layouts/", "_layouts/", "_includes/", "themes/",
		"static/", "public/", "_site/", "dist/", "assets/", "archetypes/", "_sass/",
		"components/", "templates/", "node_modules/" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		const char *at = strstr(path, dirs[i]);

		if (at != NULL && (at == path || at[-1] == '/'))
			return true;
	}
	return false;
}

/* Finds the settings nearest to the top, and the directory of the program. */
static void
note_settings(struct site *site, const char *name)
{
	const char *base = text_base(name), *parts = strstr(name, "config/_default/"), *top = base;
	bool hugo = parts != NULL && (parts == name || parts[-1] == '/');

	if (hugo)
		top = parts;
	else if (is_look(name) || !is_settings(base, &hugo))
		return;
	if (site->found && (size_t)(top - name) > strlen(site->base))
		return;
	if (site->found && (size_t)(top - name) < strlen(site->base)) {
		(void)json_object_clear(site->settings);
		site->hugo = site->astro = site->jekyll = false;
	}
	site->found = true;
	site->hugo |= hugo;
	site->astro |= text_begins(base, "astro.");
	site->jekyll |= text_begins(base, "_config.");
	site->base = stet_strndup(site->call, name, (size_t)(top - name));
	(void)json_object_set_new(site->settings, name, json_true());
}

/* The settings count if they stand beside the documents, or if all documents are below their
 * directory. */
static void
check_settings(struct site *site)
{
	json_t *one;
	size_t i;
	bool all = true;

	json_array_foreach(site->names, i, one) all &=
	    text_begins(json_string_value(one), site->base);
	if (all)
		return;
	(void)json_object_clear(site->settings);
	site->hugo = site->astro = site->jekyll = false;
	site->base = "";
}

/* Settings, sidebars or data. */
static void
note_values(struct site *site, const char *name)
{
	note_settings(site, name);
	if (site_is_sidebar(name) && !is_look(name) &&
	    json_object_size(site->sidebars) < SITE_DOCUMENTS_MAX)
		(void)json_object_set_new(site->sidebars, name, json_true());
	if (site_is_navbar(name) && json_object_size(site->navbars) < SITE_DOCUMENTS_MAX)
		(void)json_object_set_new(site->navbars, name, json_true());
	if (source_ends(" .toml .yaml .yml .json ", name) &&
	    json_object_size(site->data) < SITE_DOCUMENTS_MAX)
		(void)json_object_set_new(site->data, name, json_true());
}

static void
note_name(void *arg, const char *name)
{
	struct site *site = arg;

	if (source_ends(SITE_MARKDOWN, name)) {
		site_add_document(site, name);
	} else if (source_ends(SITE_HTML, name)) {
		if (!is_look(name) && json_object_size(site->html) < SITE_DOCUMENTS_MAX)
			(void)json_object_set_new(site->html, name, json_true());
	} else if (source_ends(" .adoc .asciidoc .org .rst .textile .rmd .ipynb ", name)) {
		if (!is_look(name))
			site_note_other(site, name);
	} else if (source_ends(" .toml .yaml .yml .json .js .ts .mjs .cjs ", name)) {
		note_values(site, name);
	} else if (source_ends(" .csv .tsv ", name) && site_is_data(site, name)) {
		site_note_other(site, name);
	} else if (*suggest_media_type(name) != '\0' &&
		   json_object_size(site->files) < SITE_DOCUMENTS_MAX)
		(void)json_object_set_new(site->files, name, json_true());
}

/* ---- which documents are content ---- */

/* Hugo has all its content below one directory; what else it has are examples and notes. */
static void
choose_content(struct site *site)
{
	const char *content = stet_printf(site->call, "%scontent/", site->base);
	json_t *one;
	bool has = false;
	size_t i;

	json_array_foreach(site->names, i, one) has |= text_begins(json_string_value(one), content);
	site->content = site->hugo && has ? content : "";
}

static bool
is_content(const struct site *site, const char *name)
{
	const char *root;
	json_t *of;

	if (*site->content == '\0' || text_begins(name, site->content))
		return true;
	json_object_foreach(site->roots, root, of)
	{
		if (text_begins(name, site->base) && text_begins(name + strlen(site->base), root))
			return true;
	}
	return false;
}

/* ---- pages and slugs ---- */

/* A document, which is looked at in a scope of its own. */
struct visit {
	struct site *site;
	const char *name;
};

static enum stet_status
visit_all(struct site *site, enum stet_status (*fn)(struct stet_call *, void *))
{
	struct visit v = { .site = site };
	json_t *any;

	json_object_foreach(site->wanted, v.name, any) STET_TRY(stet_scope(site->call, fn, &v));
	return STET_OK;
}

static enum stet_status
note_page(struct stet_call *call, void *arg)
{
	const struct visit *v = arg;
	struct place p;

	site_place(v->site, call, v->name, &p);
	site_note_page(v->site, call, &p);
	site_note_names(v->site, call, &p);
	return STET_OK;
}

static enum stet_status
guess_locale(struct stet_call *call, void *arg)
{
	const struct visit *v = arg;

	site_guess_locales(v->site, call, v->name);
	return STET_OK;
}

/* Notes pages, and once more if parts of names have turned out to be locales. */
static enum stet_status
note_pages(struct site *site)
{
	size_t locales = json_object_size(site->locales);

	STET_TRY(visit_all(site, note_page));
	STET_TRY(visit_all(site, guess_locale));
	if (json_object_size(site->locales) == locales)
		return STET_OK;
	(void)json_object_clear(site->pages);
	return visit_all(site, note_page);
}

static const char *
slug_key(struct stet_call *call, const struct place *p, const char *slug)
{
	return stet_printf(call, "%s %s %s", p->type, p->locale, slug);
}

static enum stet_status
count_slug(struct stet_call *call, void *arg)
{
	struct site *site = ((struct visit *)arg)->site;
	struct place p;
	const char *key, *slug;

	site_place(site, call, ((struct visit *)arg)->name, &p);
	(void)json_object_set_new(site->types, suggest_collection(call, p.type), json_true());
	slug = site_above(site, call, &p);
	key = slug_key(call, &p, slug != NULL ? slug : p.slug);
	(void)json_object_set_new(site->slugs, key,
	    json_integer(json_integer_value(json_object_get(site->slugs, key)) + 1));
	return STET_OK;
}

void
site_choose_slug(const struct site *site, struct stet_call *call, struct place *p)
{
	const char *slug = site_above(site, call, p);

	if (slug != NULL &&
	    json_integer_value(json_object_get(site->slugs, slug_key(call, p, slug))) < 2)
		p->slug = slug;
}

/* ---- all of it ---- */

static enum stet_status
refuse_empty(const struct site *site)
{
	const char *what = "", *end;
	json_t *of;

	json_object_foreach(site->others, end, of) what =
	    stet_printf(site->call, "%s%s%lld of %s", what, *what != '\0' ? ", " : "; it has ",
		(long long)json_integer_value(json_object_get(of, "count")), end);
	return stet_fail(site->call, STET_VALIDATION_ERROR, "file",
	    "There is no document here whose name ends with .md, .markdown or .mdx, and no HTML "
	    "with front matter%s",
	    what);
}

static enum stet_status
choose_documents(struct site *site)
{
	size_t i;
	json_t *one;

	check_settings(site);
	choose_content(site);
	STET_TRY(site_settings(site));
	json_array_foreach(site->names, i, one)
	{
		if (is_content(site, json_string_value(one)))
			(void)json_object_set_new(
			    site->wanted, json_string_value(one), json_true());
	}
	return json_object_size(site->wanted) > 0 ? STET_OK : refuse_empty(site);
}

static json_t *
owned(struct stet_call *call)
{
	return stet_json_own(call, json_object());
}

static enum stet_status
check_options(struct stet_call *call, const json_t *options)
{
	static const char *const ways[][3] = { { "paths", " tree joined name ",
						   "tree, joined or name" },
		{ "data", " rows no ", "rows or no" } };

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		const char *way = json_string_value(json_object_get(options, ways[i][0]));

		if (way != NULL && strstr(ways[i][1], stet_printf(call, " %s ", way)) == NULL)
			return stet_fail(call, STET_VALIDATION_ERROR,
			    stet_printf(call, "options.%s", ways[i][0]), "The option %s must be %s",
			    ways[i][0], ways[i][2]);
	}
	return STET_OK;
}

enum stet_status
site_find(struct stet_source *source, struct site **out)
{
	struct stet_call *call = source->call;
	struct site *site = *out = stet_alloc(call, sizeof(*site));
	const char *const *all = stet_locales(call), *given;

	*site = (struct site){ .source = source,
		.call = call,
		.names = stet_json_own(call, json_array()),
		.wanted = owned(call),
		.settings = owned(call),
		.data = owned(call),
		.html = owned(call),
		.others = owned(call),
		.locales = owned(call),
		.roots = owned(call),
		.permalinks = owned(call),
		.menus = stet_json_own(call, json_array()),
		.ids = owned(call),
		.pages = owned(call),
		.types = owned(call),
		.slugs = owned(call),
		.files = owned(call),
		.sidebars = owned(call),
		.categories = owned(call),
		.shown = owned(call),
		.navbars = owned(call),
		.entries = stet_json_own(call, json_array()),
		.base = "",
		.content = "" };
	for (size_t i = 0; all[i] != NULL; i++)
		site_add_locales(site, all[i]);
	STET_TRY(check_options(call, source->options));
	given = json_string_value(json_object_get(source->options, "locales"));
	site_add_locales(site, given != NULL ? given : "");
	STET_TRY(tree_names(source, note_name, site));
	STET_TRY(site_choose_html(site));
	STET_TRY(choose_documents(site));
	STET_TRY(note_pages(site));
	STET_TRY(visit_all(site, count_slug));
	return site_sidebars(site);
}
