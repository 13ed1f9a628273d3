/*
 * inline.c - the text of one block: writes spans as HTML, and brings them into the form that this
 * HTML reads back as.
 */
#include "markup/part.h"
#include <stdlib.h>
#include <string.h>

/* In the order of nesting, outermost first. */
static const struct {
	const char *name, *element;
	unsigned mark;
} marks[] = {
	{ "strong", "strong", MARK_STRONG },
	{ "em", "em", MARK_EM },
	{ "underline", "u", MARK_UNDERLINE },
	{ "strike-through", "s", MARK_STRIKE },
	{ "code", "code", MARK_CODE },
	{ "superscript", "sup", MARK_SUPER },
	{ "subscript", "sub", MARK_SUB },
};
#define MARKS (sizeof(marks) / sizeof(marks[0]))

struct span {
	const char *text;
	unsigned marks;
	const json_t *link; /* its definition; NULL: none */
	bool good; /* HTML can express all of it */
};

/* Returns the definitions by key, a new reference: a text may have a hundred thousand, too many to
 * search one by one. */
static json_t *
by_key(const json_t *defs)
{
	json_t *out = json_object(), *def;
	size_t i;

	json_array_foreach(defs, i, def)
	{
		const char *key = json_string_value(json_object_get(def, "_key"));

		if (key != NULL && json_object_get(out, key) == NULL)
			(void)json_object_set(out, key, def);
	}
	return out;
}

/* Returns true if a link has only an address and maybe `blank`, so that HTML can express it. */
static bool
is_plain_link(const json_t *def)
{
	json_t *member;
	const char *name;

	if (!is_type(def, "link") || !json_is_string(json_object_get(def, "href")))
		return false;
	json_object_foreach((json_t *)(uintptr_t)def, name, member)
	{
		if (strcmp(name, "_type") != 0 && strcmp(name, "_key") != 0 &&
		    strcmp(name, "href") != 0 &&
		    (strcmp(name, "blank") != 0 || !json_is_boolean(member)))
			return false;
	}
	return true;
}

static void
read_mark(struct span *s, const char *name, const json_t *keys)
{
	const json_t *def;

	for (size_t i = 0; i < MARKS; i++)
		if (strcmp(marks[i].name, name) == 0) {
			s->marks |= marks[i].mark;
			return;
		}
	def = json_object_get(keys, name);
	if (def == NULL || s->link != NULL || !is_plain_link(def))
		s->good = false;
	else
		s->link = def;
}

static struct span
span_of(const json_t *span, const json_t *keys)
{
	const json_t *names = json_object_get(span, "marks"), *mark;
	struct span out = { .text = member_text(span, "text"), .good = is_type(span, "span") };
	const char *name;
	json_t *member;
	size_t i;

	json_object_foreach((json_t *)(uintptr_t)span, name, member) out.good =
	    out.good && name_in(" _type _key text marks ", name, strlen(name));
	json_array_foreach(names, i, mark)
	{
		if (json_is_string(mark))
			read_mark(&out, json_string_value(mark), keys);
		else
			out.good = false;
	}
	return out;
}

/* ---- writing ---- */

static void
put_lines(struct text *out, const char *text)
{
	struct text line = { 0 };

	for (;;) {
		size_t len = strcspn(text, "\n");

		line.len = 0;
		text_add(&line, text, len);
		mk_text(out, line.s);
		text += len;
		if (*text == '\0')
			break;
		text_str(out, "<br>");
		text++;
	}
	text_free(&line);
}

static void
put_marks(struct text *out, unsigned set, bool end)
{
	for (size_t i = 0; i < MARKS; i++) {
		size_t at = end ? MARKS - 1 - i : i;

		if (!(set & marks[at].mark))
			continue;
		text_str(out, end ? "</" : "<");
		text_str(out, marks[at].element);
		text_str(out, ">");
	}
}

static void
open_link(struct text *out, const json_t *link)
{
	text_str(out, "<a");
	mk_attribute(out, "href", member_text(link, "href"));
	if (json_is_true(json_object_get(link, "blank")))
		text_str(out, " target=\"_blank\" rel=\"noreferrer noopener\"");
	text_str(out, ">");
}

/* Would these two be read as one span? */
static bool
are_like(const struct span *a, const struct span *b)
{
	return *a->text != '\0' && *b->text != '\0' && a->marks == b->marks &&
	       (a->link == NULL) == (b->link == NULL);
}

bool
mk_spans(struct text *out, const json_t *spans, const json_t *defs)
{
	const json_t *open = NULL, *one;
	struct span before = { .text = "" };
	json_t *keys = by_key(defs);
	bool good = true;
	size_t i;

	json_array_foreach(spans, i, one)
	{
		struct span s = span_of(one, keys);

		good = good && s.good;
		if (are_like(&before, &s))
			text_str(out, "<!--stet:span-->");
		before = s;
		if (open != NULL && open != s.link)
			text_str(out, "</a>");
		if (s.link != NULL && open != s.link)
			open_link(out, s.link);
		open = s.link;
		put_marks(out, s.marks, false);
		put_lines(out, s.text);
		put_marks(out, s.marks, true);
	}
	text_str(out, open != NULL ? "</a>" : "");
	json_decref(keys);
	return good;
}

/* ---- comparing ---- */

/* Returns a definition without its key as JSON text. It stands for the key among the marks. */
static json_t *
link_mark(const json_t *def)
{
	json_t *bare = json_copy((json_t *)(uintptr_t)def), *mark;
	char *text;

	(void)json_object_del(bare, "_key");
	if (json_is_false(json_object_get(bare, "blank")))
		(void)json_object_del(bare, "blank");
	text = json_dumps(bare, JSON_COMPACT | JSON_SORT_KEYS);
	mark = json_string(text != NULL ? text : "");
	free(text);
	json_decref(bare);
	return mark;
}

static json_t *
bare_span(const json_t *span, const json_t *keys)
{
	json_t *out = json_copy((json_t *)(uintptr_t)span), *names, *mark;
	size_t i;

	(void)json_object_del(out, "_key");
	names = json_array();
	json_array_foreach(json_object_get(span, "marks"), i, mark)
	{
		const char *name = json_string_value(mark);
		const json_t *def = name != NULL ? json_object_get(keys, name) : NULL;

		(void)json_array_append_new(
		    names, def != NULL ? link_mark(def) : json_incref(mark));
	}
	(void)json_object_del(out, "marks");
	if (json_array_size(names) > 0)
		(void)json_object_set(out, "marks", names);
	json_decref(names);
	return out;
}

json_t *
mk_bare_spans(const json_t *spans, const json_t *defs)
{
	json_t *out = json_array(), *keys = by_key(defs);
	const json_t *span;
	size_t i;

	json_array_foreach(spans, i, span)(void) json_array_append_new(out, bare_span(span, keys));
	json_decref(keys);
	return out;
}

/* Adds a span to the paragraph that a reader of the HTML would make. */
static void
add_span(struct para *p, const struct span *s)
{
	const char *key = NULL, *text = s->text;

	if (s->link != NULL && *text != '\0')
		key = para_link(p, member_text(s->link, "href"),
		    json_is_true(json_object_get(s->link, "blank")));
	for (;;) {
		size_t len = strcspn(text, "\n");

		para_text(p, text, len, s->marks, key, false);
		text += len;
		if (*text == '\0')
			return;
		para_newline(p);
		text++;
	}
}

json_t *
mk_canon_spans(const json_t *spans, const json_t *defs)
{
	struct conv c = { 0 };
	json_t *read, *links, *out = NULL, *keys = by_key(defs);
	const json_t *one;
	struct para p;
	bool good = json_is_array(spans);
	size_t i;

	para_begin(&p, &c);
	json_array_foreach(spans, i, one)
	{
		struct span s = span_of(one, keys);

		good = good && s.good;
		para_split(&p);
		add_span(&p, &s);
	}
	read = para_end(&p, &links);
	if (good)
		out = mk_bare_spans(read, links);
	json_decref(keys);
	json_decref(read);
	json_decref(links);
	return out;
}
