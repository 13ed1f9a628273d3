/*
 * html.c - trees of gumbo: what elements are, their names, attributes and visible text. How a text
 * becomes trees is in fence.c.
 */
#include "html.h"
#include <stdlib.h>
#include <stet/call.h>
#include <string.h>
#include <strings.h>

/* ---- a text that grows ---- */

void
text_add(struct text *t, const char *s, size_t len)
{
	if (t->len + len + 1 > t->room) {
		t->room = 2 * (t->len + len + 1);
		t->s = realloc(t->s, t->room);
		if (t->s == NULL)
			stet_out_of_memory();
	}
	if (len > 0)
		memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
}

void
text_str(struct text *t, const char *s)
{
	text_add(t, s, strlen(s));
}

void
text_free(struct text *t)
{
	free(t->s);
	*t = (struct text){ 0 };
}

json_t *
json_bytes(const char *s, size_t len)
{
	json_t *string = len == 0                       ? json_string("")
			 : memchr(s, '\0', len) == NULL ? json_stringn(s, len)
							: NULL;
	struct text clean = { 0 };

	if (string != NULL)
		return string;
	/* Rare: the reader of import files accepts only UTF-8. */
	for (size_t i = 0; i < len; i++) {
		bool good = (unsigned char)s[i] < 0x80 && s[i] != '\0';

		text_add(&clean, good ? &s[i] : "\xef\xbf\xbd", good ? 1 : 3);
	}
	string = json_stringn(clean.s, clean.len);
	text_free(&clean);
	return string;
}

/* ---- trees ---- */

bool
name_in(const char *list, const char *name, size_t len)
{
	/* The first letters are compared first, for speed; 0x20 makes a letter lower case. */
	int first = len > 0 ? name[0] | 0x20 : 0;

	if (len == 0 || len > 32)
		return false;
	for (const char *p = list; p[0] != '\0' && p[1] != '\0'; p++)
		if (p[0] == ' ' && (p[1] | 0x20) == first && strncasecmp(p + 1, name, len) == 0 &&
		    p[1 + len] == ' ')
			return true;
	return false;
}

static bool
is_element(const GumboNode *node)
{
	return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
}

const char *
node_name(const GumboNode *node)
{
	static __thread char unknown[32];
	GumboStringPiece piece;

	if (!is_element(node))
		return NULL;
	if (node->v.element.tag != GUMBO_TAG_UNKNOWN)
		return gumbo_normalized_tagname(node->v.element.tag);
	piece = node->v.element.original_tag;
	gumbo_tag_from_original_text(&piece);
	if (piece.length >= sizeof(unknown))
		piece.length = sizeof(unknown) - 1;
	if (piece.length > 0)
		memcpy(unknown, piece.data, piece.length);
	unknown[piece.length] = '\0';
	return unknown;
}

bool
node_is(const GumboNode *node, const char *name)
{
	const char *is = node_name(node);

	return is != NULL && strcasecmp(is, name) == 0;
}

const char *
node_attribute(const GumboNode *node, const char *name)
{
	const GumboAttribute *a =
	    is_element(node) ? gumbo_get_attribute(&node->v.element.attributes, name) : NULL;

	return a != NULL ? a->value : NULL;
}

bool
node_has_class(const GumboNode *node, const char *word)
{
	const char *classes = node_attribute(node, "class"), *p = classes;
	size_t len = strlen(word);

	for (; p != NULL && (p = strstr(p, word)) != NULL; p += len)
		if ((p == classes || strchr(" \t\n", p[-1]) != NULL) &&
		    strchr(" \t\n", p[len]) != NULL)
			return true;
	return false;
}

const GumboVector *
node_children(const GumboNode *node)
{
	static const GumboVector none;

	return is_element(node) ? &node->v.element.children : &none;
}

const char *
node_text(const GumboNode *node)
{
	switch (node->type) {
	case GUMBO_NODE_TEXT:
	case GUMBO_NODE_WHITESPACE:
	case GUMBO_NODE_CDATA:
		return node->v.text.text;
	default:
		return NULL;
	}
}

const GumboNode *
node_find(const GumboNode *node, const char *name)
{
	const GumboVector *children = node_children(node);
	const GumboNode *found = NULL;

	if (node_is(node, name))
		return node;
	for (unsigned i = 0; i < children->length && found == NULL; i++)
		found = node_find(children->data[i], name);
	return found;
}

/* How an element is shown: in its line (the default), not at all, or on lines of its own. */
enum shown { IN_LINE, HIDDEN, APART };

static const unsigned char shown[GUMBO_TAG_LAST + 1] = {
	[GUMBO_TAG_ADDRESS] = APART,
	[GUMBO_TAG_ARTICLE] = APART,
	[GUMBO_TAG_ASIDE] = APART,
	[GUMBO_TAG_AUDIO] = APART,
	[GUMBO_TAG_BLOCKQUOTE] = APART,
	[GUMBO_TAG_BODY] = APART,
	[GUMBO_TAG_CAPTION] = APART,
	[GUMBO_TAG_CENTER] = APART,
	[GUMBO_TAG_DATALIST] = HIDDEN,
	[GUMBO_TAG_DD] = APART,
	[GUMBO_TAG_DETAILS] = APART,
	[GUMBO_TAG_DIR] = APART,
	[GUMBO_TAG_DIV] = APART,
	[GUMBO_TAG_DL] = APART,
	[GUMBO_TAG_DT] = APART,
	[GUMBO_TAG_FIELDSET] = APART,
	[GUMBO_TAG_FIGCAPTION] = APART,
	[GUMBO_TAG_FIGURE] = APART,
	[GUMBO_TAG_FOOTER] = APART,
	[GUMBO_TAG_FORM] = APART,
	[GUMBO_TAG_H1] = APART,
	[GUMBO_TAG_H2] = APART,
	[GUMBO_TAG_H3] = APART,
	[GUMBO_TAG_H4] = APART,
	[GUMBO_TAG_H5] = APART,
	[GUMBO_TAG_H6] = APART,
	[GUMBO_TAG_HEAD] = HIDDEN,
	[GUMBO_TAG_HEADER] = APART,
	[GUMBO_TAG_HGROUP] = APART,
	[GUMBO_TAG_HR] = APART,
	[GUMBO_TAG_HTML] = APART,
	[GUMBO_TAG_IFRAME] = APART,
	[GUMBO_TAG_LEGEND] = APART,
	[GUMBO_TAG_LI] = APART,
	[GUMBO_TAG_MAIN] = APART,
	[GUMBO_TAG_MENU] = APART,
	[GUMBO_TAG_NAV] = APART,
	[GUMBO_TAG_OL] = APART,
	[GUMBO_TAG_OPTION] = APART,
	[GUMBO_TAG_P] = APART,
	[GUMBO_TAG_PRE] = APART,
	[GUMBO_TAG_SCRIPT] = HIDDEN,
	[GUMBO_TAG_SECTION] = APART,
	[GUMBO_TAG_STYLE] = HIDDEN,
	[GUMBO_TAG_SUMMARY] = APART,
	[GUMBO_TAG_SVG] = HIDDEN,
	[GUMBO_TAG_TABLE] = APART,
	[GUMBO_TAG_TBODY] = APART,
	[GUMBO_TAG_TD] = APART,
	[GUMBO_TAG_TEMPLATE] = HIDDEN,
	[GUMBO_TAG_TFOOT] = APART,
	[GUMBO_TAG_TH] = APART,
	[GUMBO_TAG_THEAD] = APART,
	[GUMBO_TAG_TITLE] = HIDDEN,
	[GUMBO_TAG_TR] = APART,
	[GUMBO_TAG_UL] = APART,
	[GUMBO_TAG_VIDEO] = APART,
};

bool
node_is_hidden(const GumboNode *node)
{
	return is_element(node) && shown[node->v.element.tag] == HIDDEN;
}

bool
node_is_block(const GumboNode *node)
{
	return is_element(node) &&
	       (shown[node->v.element.tag] == APART ||
		   (node->v.element.tag == GUMBO_TAG_UNKNOWN &&
		       (node_is(node, "dialog") || node_is(node, "stet-embed"))));
}

/* The source of a quote is on a line of its own, but not in a table cell. */
static bool
is_citation(const GumboNode *node)
{
	if (!node_is(node, "cite"))
		return false;
	for (node = node->parent; node != NULL; node = node->parent) {
		if (node_is(node, "td") || node_is(node, "th"))
			return false;
		if (node_is(node, "blockquote"))
			return true;
	}
	return false;
}

/* "../../a.png" is "/a.png": the page that holds the text may be at any depth. */
static const char *
from_root(const char *src)
{
	const char *at = src;

	while (at != NULL && strncmp(at, "../", 3) == 0)
		at += 3;
	return at != src ? at - 1 : src;
}

const char *
node_picture(const GumboNode *node)
{
	static const char *const names[] = { "src", "data-src", "data-lazy-src", "data-orig-file",
		"data-full-url" };
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *src = node_attribute(node, names[i]);

		if (src == NULL || *src == '\0')
			continue;
		if (stet_is_source(src))
			return src;
		if (first == NULL)
			first = src;
	}
	return from_root(first);
}

void
node_write(const GumboNode *node, struct text *out)
{
	const GumboVector *children = node_children(node);
	const char *text = node_text(node);
	bool apart = node_is_block(node) || node_is(node, "br") || is_citation(node) ||
		     node_has_class(node, "wp-block-file__button");

	if (text != NULL)
		text_str(out, text);
	if (node_is_hidden(node))
		return;
	if (apart)
		text_str(out, "\n");
	/* The content of an iframe is a fallback for old browsers. */
	for (unsigned i = 0; i < children->length && !node_is(node, "iframe"); i++)
		node_write(children->data[i], out);
	if (apart && !node_is(node, "br"))
		text_str(out, "\n");
}

/* ---- addresses ---- */

const char *
address_trim(const char *address, size_t *len)
{
	static const char blanks[] = " \t\r\n\f";

	address += strspn(address, blanks);
	for (*len = strlen(address); *len > 0 && strchr(blanks, address[*len - 1]) != NULL;)
		--*len;
	return address;
}

/* ---- visible text ---- */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

void
text_collapse(struct text *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->len; i++) {
		if (!is_blank(t->s[i]))
			t->s[n++] = t->s[i];
		else if (n > 0 && t->s[n - 1] != ' ')
			t->s[n++] = ' ';
	}
	t->len = n > 0 && t->s[n - 1] == ' ' ? n - 1 : n;
}

/* Cuts empty lines at the ends. */
static void
trim_lines(struct text *t)
{
	size_t from = 0;

	while (from < t->len && t->s[from] == '\n')
		from++;
	while (t->len > from && is_blank(t->s[t->len - 1]))
		t->len--;
	if (from > 0)
		memmove(t->s, t->s + from, t->len - from);
	t->len -= from;
}

json_t *
text_of(const GumboNode *node, bool exact)
{
	struct text t = { 0 };
	json_t *string = NULL;

	node_write(node, &t);
	if (exact)
		trim_lines(&t);
	else
		text_collapse(&t);
	if (t.len > 0)
		string = json_bytes(t.s, t.len);
	text_free(&t);
	return string;
}
