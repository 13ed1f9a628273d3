/*
 * site_navbar.c - the navigation bar of Docusaurus, which becomes the menu "navbar": the member of
 * that name in docusaurus.config.js, and for other locales the labels in their files navbar.json.
 */
#include "read/source.h"
#include "read/text.h"
#include "sources/script.h"
#include "sources/site.h"
#include <string.h>

#define DEPTH_MAX 10
#define MENU "navbar"
#define LABEL "item.label." /* begins the names of labels in navbar.json */

struct navbar {
	struct site *site;
	json_t *bar; /* {name, items}: of the settings' file; {}: there is none */
	json_t *labels; /* {locale: {LABEL and a label: {message}}} */
	const char *locale; /* of the menu that is made; "": the first one */
};

bool
site_is_navbar(const char *name)
{
	const char *base = text_base(name);

	return text_begins(base, "docusaurus.config.") ||
	       (strcmp(base, "navbar.json") == 0 &&
		   strstr(name, "/docusaurus-theme-classic/") != NULL);
}

/* ---- where entries lead ---- */

/* The path of a document's file, from the root and without its ending. */
static const char *
path_of(struct stet_call *call, const char *name)
{
	const char *base = text_base(name), *dot = strrchr(base, '.');

	return stet_printf(
	    call, "/%.*s", dot != NULL ? (int)(dot - name) : (int)strlen(name), name);
}

/* Which of two documents is first in a bar: that of the upper directory, an index, the
 * introduction, and else by name. */
static bool
is_before(const char *a, const char *b)
{
	static const char *const first[] = { "index.", "README.", "intro." };
	const char *const names[] = { text_base(a), text_base(b) };
	size_t rank[2] = { 3, 3 }, deep[2] = { 0, 0 };

	for (size_t k = 0; k < 2; k++) {
		for (size_t i = 3; i-- > 0;)
			if (text_begins(names[k], first[i]))
				rank[k] = i;
		for (const char *p = k == 0 ? a : b; *p != '\0'; p++)
			deep[k] += *p == '/';
	}
	if (deep[0] != deep[1])
		return deep[0] < deep[1];
	return rank[0] != rank[1] ? rank[0] < rank[1] : strcmp(a, b) < 0;
}

/* The address of the first document of a sidebar; "": it has none. */
static const char *
first_of(const struct navbar *n, const char *menu)
{
	const struct site *site = n->site;
	const char *directory, *name, *best = NULL;
	json_t *one, *any;
	size_t i;

	json_array_foreach(site->entries, i, one)
	{
		const char *item = text_in(one, "item");

		if (strcmp(text_in(one, "menu"), menu) == 0 && *item != '\0')
			return path_of(site->call, item);
	}
	json_object_foreach(site->shown, directory, one)
	{
		if (strcmp(text_in(one, "menu"), menu) != 0)
			continue;
		json_object_foreach(site->wanted, name, any)
		{
			if (text_begins(name, directory) && (best == NULL || is_before(name, best)))
				best = name;
		}
	}
	return best != NULL ? path_of(site->call, best) : "";
}

/* ---- entries ---- */

static const char *
label_of(const struct navbar *n, const json_t *item)
{
	const char *label = text_in(item, "label");
	const json_t *own = json_object_get(n->labels, n->locale);
	const char *message =
	    text_in(json_object_get(own, stet_printf(n->site->call, LABEL "%s", label)), "message");

	return *message != '\0' ? message : label;
}

static enum stet_status
tell(const struct navbar *n, const char *what)
{
	/* Of the bar, not of each of its languages. */
	return *n->locale != '\0'
		   ? STET_OK
		   : source_notice(n->site->source, text_in(n->bar, "name"), true, what);
}

/* The address of an entry; "": it leads to what is not here, which is told. */
static enum stet_status
address_of(const struct navbar *n, const json_t *item, const char **url)
{
	struct stet_call *call = n->site->call;
	const char *type = text_in(item, "type"), *id = text_in(item, "docId");
	const char *bar = text_in(item, "sidebarId"), *file = text_in(n->bar, "name");

	*url = *text_in(item, "to") != '\0' ? text_in(item, "to") : text_in(item, "href");
	if (strcmp(type, "doc") == 0) {
		*url = stet_printf(call, "/%.*sdocs/%s", (int)(text_base(file) - file), file, id);
		if (site_target(n->site, call, "", *url) == NULL)
			*url = "";
	} else if (strcmp(type, "docSidebar") == 0)
		*url = first_of(n, bar);
	if (**url != '\0' || json_array_size(json_object_get(item, "items")) > 0)
		return STET_OK;
	return tell(n,
	    stet_printf(call, "The navigation bar has \"%.60s\", which leads to no document here",
		*text_in(item, "label") != '\0' ? text_in(item, "label") : type));
}

/* Entries that do something in a page of Docusaurus: search, versions, languages. */
static bool
is_control(const char *type)
{
	return strcmp(type, "search") == 0 || strcmp(type, "localeDropdown") == 0 ||
	       text_begins(type, "docsVersion");
}

static enum stet_status
put_list(const struct navbar *n, const json_t *list, const char *parent, int depth)
{
	struct stet_call *call = n->site->call;
	const json_t *item;
	size_t i;

	if (depth == DEPTH_MAX)
		return tell(n, "The navigation bar has entries of more than 10 levels");
	json_array_foreach(list, i, item)
	{
		const json_t *below = json_object_get(item, "items");
		const char *id = stet_printf(call, "%s.%zu", parent, i + 1), *url;

		if (is_control(text_in(item, "type")))
			continue;
		STET_TRY(address_of(n, item, &url));
		if (*url == '\0' && json_array_size(below) == 0)
			continue;
		(void)json_array_append_new(n->site->entries,
		    json_pack("{ss ss s{ss ss ss ss sI}}", "menu", MENU, "locale", n->locale,
			"entry", "name", label_of(n, item), "url", url, "identifier", id, "parent",
			parent, "weight", (json_int_t)i + 1));
		STET_TRY(put_list(n, below, id, depth + 1));
	}
	return STET_OK;
}

/* ---- files ---- */

/* The locale of i18n/LOCALE/docusaurus-theme-classic/navbar.json. */
static const char *
locale_of(struct stet_call *call, const char *name)
{
	const char *end = strstr(name, "/docusaurus-theme-classic/"), *begin = end;

	while (begin > name && begin[-1] != '/')
		begin--;
	return stet_strndup(call, begin, (size_t)(end - begin));
}

static enum stet_status
take(void *arg, const char *name, const char *text, size_t len)
{
	struct navbar *n = arg;
	struct stet_call *call = n->site->call;
	const char *why = NULL, *bar = NULL;
	const json_t *value;

	if (strcmp(text_base(name), "navbar.json") == 0) {
		value = front_file(call, name, text, len, &why);
		if (value != NULL && why == NULL)
			(void)json_object_set(
			    n->labels, locale_of(call, name), (json_t *)(uintptr_t)value);
		return STET_OK;
	}
	bar = script_object(call, text, MENU);
	if (bar == NULL)
		return STET_OK;
	value = front_file(call, "navbar.yaml", bar, strlen(bar), &why);
	if (value == NULL || why != NULL || !json_is_array(json_object_get(value, "items")))
		return source_notice(
		    n->site->source, name, true, "Its navigation bar is a program, not an object");
	(void)json_object_set_new(n->bar, "name", json_string(name));
	(void)json_object_set(n->bar, "items", json_object_get(value, "items"));
	return STET_OK;
}

enum stet_status
site_navbar(struct site *site)
{
	struct navbar n = {
		.site = site,
		.bar = stet_json_own(site->call, json_object()),
		.labels = stet_json_own(site->call, json_object()),
		.locale = "",
	};
	json_t *items, *any;

	if (json_object_size(site->navbars) == 0)
		return STET_OK;
	STET_TRY(tree_some(site->source, " .json .js .ts .mjs .cjs ", site->navbars, take, &n));
	items = json_object_get(n.bar, "items");
	STET_TRY(put_list(&n, items, "", 0));
	json_object_foreach(n.labels, n.locale, any)
	{
		if (site_here(site, n.locale) != NULL && strcmp(n.locale, site->locale) != 0)
			STET_TRY(put_list(&n, items, "", 0));
	}
	return STET_OK;
}
