/*
 * site_settings.c - the settings of the program that makes the site: its languages, the directories
 * of its content, its menus. Those that are scripts (Astro, Docusaurus) are searched for the list
 * of their locales.
 */
#include "read/text.h"
#include "sources/site.h"
#include <string.h>

/* A script names a site's locales in its first lines. */
#define SCRIPT_MAX (1u << 20)

/* ---- menus ---- */

/* Notes menus, {name: [entry]}. */
static void
note_menus(struct site *site, const json_t *menus, const char *locale)
{
	const char *name;
	json_t *list;

	json_object_foreach((json_t *)(uintptr_t)menus, name, list)
	{
		if (json_is_array(list))
			(void)json_array_append_new(site->menus,
			    json_pack("{ss ss sO}", "menu", name, "locale", locale, "list", list));
	}
}

/* ---- settings that are values ---- */

static void
note_language(struct site *site, const char *code, const json_t *language)
{
	const char *dir = text_in(language, "contentDir");

	site_add_locales(site, code);
	if (*dir != '\0')
		(void)json_object_set_new(site->roots,
		    stet_printf(site->call, "%s%s", dir, dir[strlen(dir) - 1] == '/' ? "" : "/"),
		    json_string(code));
	note_menus(site, json_object_get(language, "menu"), code);
	note_menus(site, json_object_get(language, "menus"), code);
}

/* Reads languages: {code: settings} of Hugo, [code] of a plugin of Jekyll. */
static void
note_languages(struct site *site, const json_t *languages)
{
	const char *code;
	json_t *one;
	size_t i;

	json_object_foreach((json_t *)(uintptr_t)languages, code, one)
	{
		if (!json_is_true(json_object_get(one, "disabled")))
			note_language(site, code, one);
	}
	json_array_foreach((json_t *)(uintptr_t)languages, i, one)
	{
		if (json_is_string(one))
			site_add_locales(site, json_string_value(one));
	}
}

/* Sets the locale of documents whose names have none, if this site has it. */
static void
note_first(struct site *site, const char *code)
{
	const char *const *all = stet_locales(site->call);

	for (size_t i = 0; *code != '\0' && all[i] != NULL; i++)
		if (strcmp(all[i], code) == 0)
			(void)site_code(code, strlen(code), site->locale);
}

/* Notes permalink: pattern of Jekyll, permalinks: {directory: pattern} of Hugo. */
static void
note_permalinks(struct site *site, const json_t *values)
{
	const json_t *all = json_object_get(values, "permalinks"), *jekyll;
	const json_t *pages = json_object_get(all, "page");
	const char *dir;
	json_t *pattern;

	jekyll = json_object_get(values, "permalink");
	if (json_is_string(jekyll))
		(void)json_object_set(site->permalinks, "", (json_t *)(uintptr_t)jekyll);
	if (json_is_object(pages))
		all = pages;
	json_object_foreach((json_t *)(uintptr_t)all, dir, pattern)
	{
		if (json_is_string(pattern) && *dir != '\0')
			(void)json_object_set(site->permalinks, dir, pattern);
	}
}

static void
read_values(struct site *site, const json_t *values)
{
	static const char *const first[] = { "defaultContentLanguage", "default_lang" };
	const json_t *languages = json_object_get(values, "languages");

	note_permalinks(site, values);
	note_languages(site, languages);
	for (size_t i = 0; i < 2 && languages != NULL; i++)
		note_first(site, text_in(values, first[i]));
	note_menus(site, json_object_get(values, "menu"), "");
	note_menus(site, json_object_get(values, "menus"), "");
}

/* Hugo may have a file for each part: languages.toml, menus.toml, menus.de.toml. */
static void
read_part(struct site *site, const char *base, const json_t *values)
{
	const char *dot = strchr(base, '.'), *end = strrchr(base, '.');

	if (strncmp(base, "languages.", 10) == 0)
		note_languages(site, values);
	else if (strncmp(base, "menus.", 6) == 0 || strncmp(base, "menu.", 5) == 0)
		note_menus(site, values,
		    end > dot ? stet_strndup(site->call, dot + 1, (size_t)(end - dot - 1)) : "");
	else
		read_values(site, values);
}

/* ---- settings that are scripts ---- */

/* Returns the text in quotes at this place; NULL: there is none. *end: behind it. */
static const char *
quoted(struct stet_call *call, const char *at, const char **end)
{
	const char *close;

	at += strspn(at, " \t\r\n,");
	if (*at != '\'' && *at != '"' && *at != '`')
		return NULL;
	close = strchr(at + 1, *at);
	if (close == NULL)
		return NULL;
	*end = close + 1;
	return stet_strndup(call, at + 1, (size_t)(close - at - 1));
}

static void
read_script(struct site *site, const char *text)
{
	const char *at = strstr(text, "locales:"), *code, *first = strstr(text, "defaultLocale:");

	if (at != NULL) {
		at += 8;
		at += strspn(at, " \t\r\n");
		for (at += *at == '['; (code = quoted(site->call, at, &at)) != NULL;)
			site_add_locales(site, code);
	}
	if (first != NULL && (code = quoted(site->call, first + 14, &first)) != NULL) {
		site_add_locales(site, code);
		note_first(site, code);
	}
}

/* ---- all of them ---- */

static enum stet_status
take(void *arg, const char *name, const char *text, size_t len)
{
	struct site *site = arg;
	const char *why, *base = strrchr(name, '/'), *dot = strrchr(name, '.');
	const json_t *values;

	base = base != NULL ? base + 1 : name;
	if (strstr(" .js .ts .mjs .cjs ", dot) != NULL) {
		if (len <= SCRIPT_MAX)
			read_script(site, text);
		return STET_OK;
	}
	values = front_file(site->source->call, name, text, len, &why);
	if (why != NULL)
		return source_notice(site->source, name, false, why);
	if (strstr(name, "/_default/") != NULL)
		read_part(site, base, values);
	else
		read_values(site, values);
	return STET_OK;
}

enum stet_status
site_settings(struct site *site)
{
	const char *parts = stet_printf(site->call, "%sconfig/_default/", site->base), *name;
	json_t *any, *wanted = stet_json_own(site->call, json_copy(site->settings));

	json_object_foreach(site->data, name, any)
	{
		if (strncmp(name, parts, strlen(parts)) == 0)
			(void)json_object_set(wanted, name, any);
	}
	return json_object_size(wanted) > 0
		   ? tree_some(site->source, " .toml .yaml .yml .json .js .ts .mjs .cjs ", wanted,
			 take, site)
		   : STET_OK;
}
