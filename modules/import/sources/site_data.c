/*
 * site_data.c - files of data (data/team.yaml, _data/team.json). A list of objects, or an object of
 * objects, is a table: each is an item, unless it is a menu (site_nav.c). So is an object that is
 * alone in a file of a directory below (data/authors/ann.yaml). Others are told.
 */
#include "plan/suggest.h"
#include "sources/site.h"
#include <string.h>

struct rows {
	const struct site *site;
	struct stet_call *call;
	const char *name; /* of the file */
	const char *type, *locale, *group;
};

/* Returns the path below the directory of data; NULL: it is not in one. */
static const char *
below_data(const struct site *site, const char *name)
{
	static const char *const dirs[] = { "data/", "_data/", "src/_data/", "src/data/" };
	size_t base = strlen(site->base);

	if (strncmp(name, site->base, base) != 0)
		return NULL;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		if (strncmp(name + base, dirs[i], strlen(dirs[i])) == 0)
			return name + base + strlen(dirs[i]);
	/* Astro has collections of data beside those of documents. */
	if (site->astro && strncmp(name + base, "src/content/", 12) == 0)
		return name + base + 12;
	return NULL;
}

bool
site_is_data(const struct site *site, const char *name)
{
	return below_data(site, name) != NULL;
}

/* Removes a directory that is a locale from the front of the path. */
static const char *
without_locale(struct rows *r, const char *path)
{
	const char *slash = strchr(path, '/');

	r->locale = "";
	if (slash == NULL || !site_is_locale(r->site, path, (size_t)(slash - path)))
		return path;
	r->locale = stet_strndup(r->call, path, (size_t)(slash - path));
	return slash + 1;
}

/* Returns the type of rows: the path as a name, which no type of documents has. */
static const char *
type_of(const struct rows *r, const char *path, size_t len)
{
	char *text = stet_strndup(r->call, path, len);
	const char *type;

	for (char *c = text; *c != '\0'; c++)
		if (*c == '/')
			*c = '_';
	type = suggest_slug(r->call, text);
	return json_object_get(r->site->types, suggest_collection(r->call, type)) != NULL
		   ? stet_printf(r->call, "data_%s", type)
		   : type;
}

static enum stet_status
put_row(const struct rows *r, const char *key, const json_t *object)
{
	static const char *const titles[] = { "title", "name", "label" };
	const char *title = NULL, *slug;
	json_t *item, *fields = json_copy((json_t *)(uintptr_t)object);

	for (size_t i = 0; title == NULL && i < sizeof(titles) / sizeof(titles[0]); i++)
		title = json_string_value(json_object_get(object, titles[i]));
	(void)json_object_del(fields, "title");
	(void)json_object_del(fields, "slug");
	slug = title != NULL && key[strspn(key, "0123456789")] == '\0' ? title : key;
	slug = stet_slugify(r->call, slug);
	item = json_pack("{ss ss ss ss ss so}", "type", r->type, "id",
	    stet_printf(r->call, "%s#%s", r->name, key), "slug", slug, "title",
	    title != NULL ? title : key, "status", "published", "fields", fields);
	if (*r->locale != '\0') {
		(void)json_object_set_new(item, "locale", json_string(r->locale));
		(void)json_object_set_new(
		    item, "group", json_string(stet_printf(r->call, "%s#%s", r->group, key)));
	}
	return stet_source_put(r->site->source, STET_SOURCE_ITEM, item);
}

/* Are all its values objects? */
static bool
is_table(const json_t *value)
{
	const char *key;
	json_t *one;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)value, i, one)
	{
		if (!json_is_object(one))
			return false;
	}
	json_object_foreach((json_t *)(uintptr_t)value, key, one)
	{
		if (!json_is_object(one))
			return false;
	}
	return json_array_size(value) + json_object_size(value) > 0;
}

/* Returns the key of a row of a list: its own, or its place. */
static const char *
key_of(const struct rows *r, const json_t *row, size_t i)
{
	static const char *const keys[] = { "id", "slug", "key" };

	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
		if (json_string_length(json_object_get(row, keys[k])) > 0)
			return json_string_value(json_object_get(row, keys[k]));
	return stet_printf(r->call, "%zu", i + 1);
}

static enum stet_status
put_table(const struct rows *r, const json_t *table)
{
	const char *key;
	json_t *row;
	size_t i;

	json_array_foreach((json_t *)(uintptr_t)table, i, row)
	    STET_TRY(put_row(r, key_of(r, row, i), row));
	json_object_foreach((json_t *)(uintptr_t)table, key, row) STET_TRY(put_row(r, key, row));
	return STET_OK;
}

/* Is it an object of lists of objects? */
static bool
has_tables(const json_t *value)
{
	const char *key;
	json_t *one;

	json_object_foreach((json_t *)(uintptr_t)value, key, one)
	{
		if (!json_is_array(one) || !is_table(one))
			return false;
	}
	return json_object_size(value) > 0;
}

static enum stet_status
put_tables(struct rows *r, const char *path, const json_t *tables)
{
	const char *key, *all, *name = r->name, *group = r->group;
	json_t *table;

	json_object_foreach((json_t *)(uintptr_t)tables, key, table)
	{
		all = stet_printf(r->call, "%s/%s", path, key);
		r->type = type_of(r, all, strlen(all));
		r->name = stet_printf(r->call, "%s#%s", name, key);
		r->group = stet_printf(r->call, "%s#%s", group, key);
		STET_TRY(put_table(r, table));
	}
	return STET_OK;
}

static enum stet_status
take(void *arg, const char *name, const char *text, size_t len)
{
	struct rows r = { .site = arg, .name = name };
	const char *path, *slash, *dot, *why;
	const json_t *value;

	r.call = r.site->source->call;
	path = without_locale(&r, below_data(r.site, name));
	r.group = path;
	dot = strrchr(path, '.');
	slash = strrchr(path, '/');
	value = front_file(r.call, name, text, len, &why);
	if (why != NULL)
		return source_notice(r.site->source, name, true, why);
	if (dot > path) {
		const struct site_data data = { name,
			stet_strndup(r.call, path, (size_t)(dot - path)), r.locale, value };

		if (site_is_nav(r.site, &data))
			return site_put_nav(r.site, &data);
	}
	if (is_table(value)) {
		r.type = type_of(&r, path, (size_t)(dot - path));
		return put_table(&r, value);
	}
	if (has_tables(value))
		return put_tables(&r, stet_strndup(r.call, path, (size_t)(dot - path)), value);
	if (slash == NULL || !json_is_object(value))
		return source_notice(
		    r.site->source, name, true, "It is no table of objects, so it is not imported");
	r.type = type_of(&r, path, (size_t)(slash - path));
	return put_row(&r, stet_strndup(r.call, slash + 1, (size_t)(dot - slash - 1)), value);
}

enum stet_status
site_put_data(struct site *site)
{
	const char *how = json_string_value(json_object_get(site->source->options, "data"));
	json_t *wanted = stet_json_own(site->call, json_object()), *any;
	const char *name;

	if (how != NULL && strcmp(how, "no") == 0)
		return STET_OK;
	json_object_foreach(site->data, name, any)
	{
		if (site_is_data(site, name))
			(void)json_object_set(wanted, name, any);
	}
	return json_object_size(wanted) > 0
		   ? tree_some(site->source, " .toml .yaml .yml .json ", wanted, take, site)
		   : STET_OK;
}
