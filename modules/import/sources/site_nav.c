/*
 * site_nav.c - menus in files of data (_data/navigation.yml of Jekyll and Eleventy): a list of
 * entries, or an object of such lists, for one locale or by locales. An entry has a label, and an
 * address or entries below it, under one of several names.
 */
#include "read/text.h"
#include "sources/site.h"
#include <string.h>

#define DEPTH_MAX 10

static const char *const labels[] = { "title", "name", "label", "text", NULL };
static const char *const addresses[] = { "url", "link", "href", "to", "path", "page", NULL };
static const char *const belows[] = { "children", "items", "subitems", "submenu", "sublinks",
	"links", "pages", NULL };

/* The menus of a file while they are handed on. */
struct nav {
	const struct site *site;
	const char *menu, *locale;
	json_t *left; /* {member of entries that menus do not have: true} */
};

/* Returns the first of these members that an object has; *name: which. NULL: it has none. */
static const json_t *
first(const json_t *object, const char *const *names, const char **name)
{
	for (; *names != NULL; names++) {
		const json_t *value = json_object_get(object, *names);

		if (value != NULL && !json_is_null(value)) {
			*name = *names;
			return value;
		}
	}
	*name = "";
	return NULL;
}

static const char *
text(const json_t *object, const char *const *names, const char **name)
{
	const char *value = json_string_value(first(object, names, name));

	return value != NULL ? value : "";
}

static bool
is_list(const json_t *list, int depth)
{
	const json_t *one;
	const char *name;
	size_t i;

	json_array_foreach(list, i, one)
	{
		if (depth == DEPTH_MAX || *text(one, labels, &name) == '\0' ||
		    (*text(one, addresses, &name) == '\0' &&
			!is_list(first(one, belows, &name), depth + 1)))
			return false;
	}
	return json_array_size(list) > 0;
}

/* Is it a list of entries, or an object of such lists? `locales`: names may be locales. */
static bool
is_menus(const struct site *site, const json_t *value, bool locales)
{
	const char *name;
	json_t *one;

	json_object_foreach((json_t *)(uintptr_t)value, name, one)
	{
		if (!is_list(one, 0) && !(locales && site_is_locale(site, name, strlen(name)) &&
					    is_menus(site, one, false)))
			return false;
	}
	return json_object_size(value) > 0 || is_list(value, 0);
}

/* Returns the bytes of the name without a locale at its end (navigation.de, nav_de). */
static size_t
name_length(const struct site *site, const char *base, const char **locale)
{
	size_t len = strcspn(base, "._-");

	if (base[len] != '\0' && site_is_locale(site, base + len + 1, strlen(base + len + 1))) {
		*locale = base + len + 1;
		return len;
	}
	return strlen(base);
}

bool
site_is_nav(const struct site *site, const struct site_data *data)
{
	static const char *const names[] = { "menu", "menus", "nav", "navbar", "navigation" };
	const char *base = text_base(data->path), *locale;
	size_t len = name_length(site, base, &locale);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == len && strncmp(names[i], base, len) == 0)
			return is_menus(site, data->value, true);
	return false;
}

static void
note_left(const struct nav *n, const json_t *entry, const char *const *known)
{
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)entry, name, value)
	{
		if (strcmp(name, known[0]) != 0 && strcmp(name, known[1]) != 0 &&
		    strcmp(name, known[2]) != 0 && !json_is_null(value))
			(void)json_object_set_new(n->left, name, json_true());
	}
}

static enum stet_status
put_list(const struct nav *n, const json_t *list, const char *parent)
{
	struct stet_call *call = n->site->source->call;
	const json_t *one, *below;
	const char *known[3];
	size_t i;

	json_array_foreach(list, i, one)
	{
		const char *label = text(one, labels, &known[0]);
		const char *url = text(one, addresses, &known[1]);
		const char *id = stet_printf(call, "%s.%zu", parent, i + 1);
		const struct site_entry e = { .menu = n->menu,
			.locale = n->locale,
			.entry = stet_json_own(call,
			    json_pack("{ss ss ss ss sI}", "name", label, "url", url, "identifier",
				id, "parent", parent, "weight", (json_int_t)i + 1)) };

		below = first(one, belows, &known[2]);
		note_left(n, one, known);
		STET_TRY(site_put_entry(n->site, &e));
		STET_TRY(put_list(n, below, id));
	}
	return STET_OK;
}

static enum stet_status
put_menus(const struct nav *n, const json_t *value)
{
	struct nav named = *n;
	json_t *one;

	json_object_foreach((json_t *)(uintptr_t)value, named.menu, one)
	    STET_TRY(put_list(&named, one, ""));
	return put_list(n, value, "");
}

enum stet_status
site_put_nav(const struct site *site, const struct site_data *data)
{
	struct stet_call *call = site->source->call;
	const char *base = text_base(data->path), *locale = data->locale, *name, *all = NULL;
	struct nav n = { .site = site, .left = stet_json_own(call, json_object()) };
	json_t *one;

	n.menu = stet_strndup(call, base, name_length(site, base, &locale));
	n.locale = locale;
	if (!is_menus(site, data->value, false))
		json_object_foreach((json_t *)(uintptr_t)data->value, name, one)
		{
			struct nav own = n;

			own.locale = site_is_locale(site, name, strlen(name)) ? name : locale;
			own.menu = own.locale == name ? n.menu : name;
			STET_TRY(put_menus(&own, one));
		}
	else
		STET_TRY(put_menus(&n, data->value));
	json_object_foreach(n.left, name, one) all =
	    stet_printf(call, "%s%s%.60s", all != NULL ? all : "", all != NULL ? ", " : "", name);
	return all == NULL
		   ? STET_OK
		   : source_notice(site->source, data->name, true,
			 stet_printf(call,
			     "Its entries have members for which menus have no place: %s", all));
}
