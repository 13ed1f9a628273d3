/*
 * mobiledoc.c - documents of Mobiledoc 0.3, the editor of Ghost 1 to 4, as HTML. Sections refer to
 * cards, atoms (what stands in a line) and markups by their places in lists.
 */
#include "sources/cards.h"
#include "sources/lexical.h"
#include "sources/markup.h"
#include <string.h>

#define OPEN_MAX 64 /* markups that are open at a time */

enum section { SECTION_MARKUP = 1, SECTION_IMAGE = 2, SECTION_LIST = 3, SECTION_CARD = 10 };

struct mobiledoc {
	struct cards cards;
	const json_t *document;
	const char
	    *open[OPEN_MAX]; /* elements of the markups that are open; "": it is not written */
	size_t count;
};

static const char *
text_at(const json_t *list, size_t i)
{
	const char *text = json_string_value(json_array_get(list, i));

	return text != NULL ? text : "";
}

/* Returns the member of a list of the document to which a place refers; NULL: there is none. */
static const json_t *
referred(const struct mobiledoc *m, const char *list, const json_t *place)
{
	json_int_t i = json_is_integer(place) ? json_integer_value(place) : -1;

	return i >= 0 ? json_array_get(json_object_get(m->document, list), (size_t)i) : NULL;
}

/* Returns the name if it is in the list, else NULL. */
static const char *
known(const char *const *names, const char *name)
{
	for (; *names != NULL; names++)
		if (strcmp(*names, name) == 0)
			return *names;
	return NULL;
}

/* ---- what stands in a line ---- */

static void
open_markup(struct mobiledoc *m, const json_t *markup)
{
	static const char *const names[] = { "a", "strong", "b", "em", "i", "u", "s", "strike",
		"code", "sub", "sup", "mark", NULL };
	const char *name = known(names, text_at(markup, 0));
	const json_t *attributes = json_array_get(markup, 1);

	if (m->count == OPEN_MAX)
		return;
	m->open[m->count++] = name != NULL ? name : "";
	if (name == NULL)
		return;
	(void)fprintf(m->cards.out, "<%s", name);
	for (size_t i = 0; i + 1 < json_array_size(attributes); i += 2)
		if (strcmp(text_at(attributes, i), "href") == 0)
			markup_attribute(m->cards.out, "href", text_at(attributes, i + 1));
	(void)fputc('>', m->cards.out);
}

static void
close_markups(struct mobiledoc *m, json_int_t count)
{
	for (; count > 0 && m->count > 0; count--)
		if (*m->open[--m->count] != '\0')
			(void)fprintf(m->cards.out, "</%s>", m->open[m->count]);
}

/* Writes an atom: a line break, or its text. */
static void
put_atom(struct mobiledoc *m, const json_t *atom)
{
	if (strcmp(text_at(atom, 0), "soft-return") == 0)
		(void)fputs("<br>", m->cards.out);
	else
		markup_text(m->cards.out, text_at(atom, 1));
}

/* A marker: [0 for text or 1 for an atom, markups that open, number of those that close, text]. */
static void
put_markers(struct mobiledoc *m, const json_t *markers)
{
	const json_t *marker, *place;
	size_t i, k;

	json_array_foreach(markers, i, marker)
	{
		const json_t *value = json_array_get(marker, 3);

		json_array_foreach(json_array_get(marker, 1), k, place)
		    open_markup(m, referred(m, "markups", place));
		if (json_integer_value(json_array_get(marker, 0)) == 1)
			put_atom(m, referred(m, "atoms", value));
		else
			markup_text(m->cards.out, text_at(marker, 3));
		close_markups(m, json_integer_value(json_array_get(marker, 2)));
	}
	close_markups(m, OPEN_MAX);
}

/* ---- sections ---- */

static void
put_text(struct mobiledoc *m, const json_t *section)
{
	static const char *const names[] = { "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote",
		NULL };
	const char *name = known(names, text_at(section, 1));

	if (name == NULL) /* aside, pull-quote */
		name = strcmp(text_at(section, 1), "div") == 0 ? "p" : "blockquote";
	(void)fprintf(m->cards.out, "<%s>", name);
	put_markers(m, json_array_get(section, 2));
	(void)fprintf(m->cards.out, "</%s>", name);
}

static void
put_list(struct mobiledoc *m, const json_t *section)
{
	const char *name = strcmp(text_at(section, 1), "ol") == 0 ? "ol" : "ul";
	const json_t *markers;
	size_t i;

	(void)fprintf(m->cards.out, "<%s>", name);
	json_array_foreach(json_array_get(section, 2), i, markers)
	{
		(void)fputs("<li>", m->cards.out);
		put_markers(m, markers);
		(void)fputs("</li>", m->cards.out);
	}
	(void)fprintf(m->cards.out, "</%s>", name);
}

/* Cards have the members of those of Lexical; the names of some differ. */
static void
put_card(struct mobiledoc *m, const json_t *card)
{
	static const char *const names[][2] = { { "hr", "horizontalrule" }, { "code", "codeblock" },
		{ "card-markdown", "markdown" } };
	const char *name = text_at(card, 0);
	json_t *node = stet_json_own(m->cards.call, json_object());

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i][0], name) == 0)
			name = names[i][1];
	if (json_is_object(json_array_get(card, 1)))
		(void)json_object_update(node, json_array_get(card, 1));
	(void)json_object_set_new(node, "type", json_string(name));
	if (!cards_put(&m->cards, node))
		(void)json_object_set_new(
		    m->cards.left, *name != '\0' ? name : "without a name", json_true());
}

static void
put_section(struct mobiledoc *m, const json_t *section)
{
	json_int_t kind = json_integer_value(json_array_get(section, 0));

	if (kind == SECTION_MARKUP)
		put_text(m, section);
	else if (kind == SECTION_LIST)
		put_list(m, section);
	else if (kind == SECTION_CARD)
		put_card(m, referred(m, "cards", json_array_get(section, 1)));
	else if (kind == SECTION_IMAGE) {
		(void)fputs("<figure><img", m->cards.out);
		markup_attribute(m->cards.out, "src", text_at(section, 1));
		(void)fputs(" alt=\"\"></figure>", m->cards.out);
	} else
		(void)json_object_set_new(m->cards.left, "section of another kind", json_true());
}

const char *
mobiledoc_html(struct stet_call *call, const char *json, json_t *left, json_t *lost)
{
	struct mobiledoc m = { .cards = { .call = call, .left = left, .lost = lost },
		.document = stet_json_own(call, json_loads(json, 0, NULL)) };
	const char *version = json_string_value(json_object_get(m.document, "version"));
	const json_t *section;
	char *text;
	size_t len, i;

	if (version == NULL || strncmp(version, "0.3", 3) != 0)
		return NULL;
	m.cards.out = markup_begin(&text, &len);
	json_array_foreach(json_object_get(m.document, "sections"), i, section)
	    put_section(&m, section);
	return markup_end(call, m.cards.out, &text);
}
