/*
 * para.c - the text of one block: spans with marks and links. Blanks are collapsed as in a browser.
 */
#include "flow.h"
#include <string.h>

/* ---- objects ---- */

json_t *
conv_new(struct conv *c, const char *type)
{
	/* Multiplying by an odd number gives a different key for each count. */
	unsigned number = (unsigned)(++c->keys * 2654435769U);
	json_t *object = json_object();
	char key[8];

	for (size_t i = sizeof(key); i-- > 0; number >>= 4)
		key[i] = "0123456789abcdef"[number & 15];
	(void)json_object_set_new(object, "_type", json_string(type));
	(void)json_object_set_new(object, "_key", json_stringn(key, sizeof(key)));
	return object;
}

void
set_text(json_t *object, const char *name, const char *text)
{
	if (text != NULL && *text != '\0')
		(void)json_object_set_new(object, name, json_bytes(text, strlen(text)));
}

const char *
member_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text != NULL ? text : "";
}

bool
is_type(const json_t *block, const char *type)
{
	return strcmp(member_text(block, "_type"), type) == 0;
}

json_t *
last_of(const json_t *array)
{
	size_t n = json_array_size(array);

	return n > 0 ? json_array_get(array, n - 1) : NULL;
}

/* ---- marks ---- */

/* In the order in which a span names them. */
static const struct {
	unsigned mark;
	const char *name, *elements;
} marks_table[] = {
	{ MARK_STRONG, "strong", " strong b " },
	{ MARK_EM, "em", " em i " },
	{ MARK_UNDERLINE, "underline", " u " },
	{ MARK_STRIKE, "strike-through", " s strike del " },
	{ MARK_CODE, "code", " code " },
	{ MARK_SUPER, "superscript", " sup " },
	{ MARK_SUB, "subscript", " sub " },
};
#define MARKS (sizeof(marks_table) / sizeof(marks_table[0]))

unsigned
mark_of(const char *element)
{
	for (size_t i = 0; i < MARKS; i++)
		if (name_in(marks_table[i].elements, element, strlen(element)))
			return marks_table[i].mark;
	return 0;
}

/* ---- spans ---- */

void
para_begin(struct para *p, struct conv *c)
{
	*p = (struct para){ .c = c, .blank = true };
}

const char *
para_link(struct para *p, const char *href, bool blank)
{
	struct text name = { 0 };
	const char *key;
	json_t *def;

	text_str(&name, blank ? "+" : "-");
	def = json_bytes(href, strlen(href));
	text_str(&name, json_string_value(def));
	json_decref(def);
	if (p->links == NULL) {
		p->links = json_object();
		p->defs = json_array();
	}
	key = json_string_value(json_object_get(p->links, name.s));
	if (key == NULL) {
		def = conv_new(p->c, "link");
		(void)json_object_set_new(def, "href", json_string(name.s + 1));
		if (blank)
			(void)json_object_set_new(def, "blank", json_true());
		(void)json_object_set(p->links, name.s, json_object_get(def, "_key"));
		(void)json_array_append_new(p->defs, def);
		key = member_text(def, "_key");
	}
	text_free(&name);
	return key;
}

static void
end_span(struct para *p)
{
	json_t *span, *marks;

	if (p->run.len == 0)
		return;
	span = conv_new(p->c, "span");
	(void)json_object_set_new(span, "text", json_bytes(p->run.s, p->run.len));
	p->run.len = 0;
	if (p->marks != 0 || p->link != NULL) {
		marks = json_array();
		for (size_t i = 0; i < MARKS; i++)
			if (p->marks & marks_table[i].mark)
				(void)json_array_append_new(
				    marks, json_string(marks_table[i].name));
		if (p->link != NULL)
			(void)json_array_append_new(marks, json_string(p->link));
		(void)json_object_set_new(span, "marks", marks);
	}
	if (p->children == NULL)
		p->children = json_array();
	(void)json_array_append_new(p->children, span);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* Returns how many bytes stay as they are if blanks are collapsed; the first is no blank. */
static size_t
collapsed_length(const char *s, size_t len)
{
	size_t n = 1;

	while (n < len && (!is_blank(s[n]) || (s[n] == ' ' && n + 1 < len && !is_blank(s[n + 1]))))
		n++;
	return n;
}

static void
add_collapsed(struct para *p, const char *s, size_t len)
{
	size_t n;

	for (; len > 0; s += n, len -= n) {
		if (!is_blank(*s)) {
			n = collapsed_length(s, len);
			text_add(&p->run, s, n);
			p->blank = false;
			continue;
		}
		for (n = 1; n < len && is_blank(s[n]); n++)
			continue;
		if (!p->blank)
			text_add(&p->run, " ", 1);
		p->blank = true;
	}
}

void
para_text(struct para *p, const char *s, size_t len, unsigned marks, const char *link, bool exact)
{
	if (len == 0)
		return;
	if (marks != p->marks || link != p->link) {
		end_span(p);
		p->marks = marks;
		p->link = link;
	}
	if (exact) {
		text_add(&p->run, s, len);
		p->blank = false;
	} else {
		add_collapsed(p, s, len);
	}
}

void
para_split(struct para *p)
{
	end_span(p);
}

void
para_newline(struct para *p)
{
	if (p->run.len == 0 && p->children == NULL)
		return;
	if (p->run.len > 0 && p->run.s[p->run.len - 1] == ' ')
		p->run.len--;
	text_add(&p->run, "\n", 1);
	p->blank = true;
}

json_t *
para_end(struct para *p, json_t **defs)
{
	json_t *children;

	while (p->run.len > 0 && is_blank(p->run.s[p->run.len - 1]))
		p->run.len--;
	end_span(p);
	children = p->children;
	*defs = NULL;
	if (children != NULL && json_array_size(p->defs) > 0)
		*defs = json_incref(p->defs);
	json_decref(p->defs);
	json_decref(p->links);
	text_free(&p->run);
	para_begin(p, p->c);
	return children;
}
