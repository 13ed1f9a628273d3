/*
 * elementor.c - layouts of Elementor: JSON, [{elType, widgetType?, settings, elements: [...]}]. The
 * text of the item has the words of a layout, but not its columns.
 */
#include "layout/layout.h"
#include "layout/module.h"
#include <string.h>

#define DEPTH_MAX 40

struct place {
	const json_t *elements;
	int depth;
};

static void put_elements(struct writing *, const void *arg);

static const char *
text_at(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

static bool
is_kind(const json_t *element, const char *kind)
{
	return strcmp(text_at(element, "elType"), kind) == 0;
}

/* A section holds columns; a container does if its direction is a row. */
static bool
has_columns(const json_t *element)
{
	const json_t *inner = json_object_get(element, "elements"), *one;
	const json_t *settings = json_object_get(element, "settings");
	bool grid = strcmp(text_at(settings, "container_type"), "grid") == 0;
	bool row = grid || strncmp(text_at(settings, "flex_direction"), "row", 3) == 0;
	size_t i, columns = 0;

	json_array_foreach(inner, i, one) columns +=
	    is_kind(one, "column") || (row && is_kind(one, "container"));
	return columns > 1 && columns == json_array_size(inner);
}

static void
put_columns(struct writing *w, const json_t *elements, int depth)
{
	const json_t *column;
	size_t i;

	layout_columns(w, true);
	json_array_foreach(elements, i, column)
	{
		json_t *one = stet_json_own(w->call, json_pack("[O]", (json_t *)(uintptr_t)column));
		const struct place at = { one, depth + 1 };

		layout_column(w, true);
		put_elements(w, &at);
		layout_column(w, false);
	}
	layout_columns(w, false);
}

static void
put_element(struct writing *w, const json_t *element, int depth)
{
	const json_t *settings = json_object_get(element, "settings");
	const struct place inside = { json_object_get(element, "elements"), depth + 1 };
	const struct module m = { text_at(element, "widgetType"), settings, put_elements, &inside,
		"" };
	const char *href, *around;

	if (is_kind(element, "widget")) {
		module_put(w, &m);
		return;
	}
	module_background(w, settings);
	href = module_address(w, settings);
	around = layout_around(w, href);
	if (has_columns(element))
		put_columns(w, inside.elements, depth);
	else
		put_elements(w, &inside);
	layout_behind(w, href, around);
}

static void
put_elements(struct writing *w, const void *arg)
{
	const struct place *at = arg;
	const json_t *element;
	size_t i;

	json_array_foreach(at->elements, i, element)
	{
		if (at->depth < DEPTH_MAX && json_is_object(element))
			put_element(w, element, at->depth);
		else
			layout_count(w->idle, "too deep");
	}
}

bool
layout_elementor(struct stet_call *call, const char *text, struct layout *l)
{
	const char *why;
	const struct place at = { stet_json_parse(call, text, strlen(text), &why), 0 };
	struct writing w;
	char *markup;
	size_t len;

	if (json_array_size(at.elements) == 0)
		return false;
	l->builder = "Elementor";
	layout_begin(&w, call, &markup, &len);
	put_elements(&w, &at);
	layout_end(&w, &markup, l);
	return true;
}
