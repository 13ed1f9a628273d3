/*
 * html.h - parses untrusted HTML with gumbo, in pieces that bound the parser's cost, and reads the
 * resulting trees. Also a text buffer that grows.
 */
#ifndef HTML_TREE_H
#define HTML_TREE_H

#include <gumbo.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- a text that grows ---- */

struct text {
	char *s; /* NUL-terminated, if anything was added */
	size_t len, room;
};
void text_add(struct text *, const char *, size_t);
void text_str(struct text *, const char *);
void text_free(struct text *);
/* Returns the first non-blank character of an address. *len: its length without trailing blanks. */
const char *address_trim(const char *, size_t *len);
/* Returns the bytes as a JSON string. If they are not UTF-8 or contain NUL, each NUL and each
 * non-ASCII byte becomes U+FFFD. */
json_t *json_bytes(const char *, size_t);

/* ---- parsing ---- */

/*
 * Parses HTML and calls `tree` for each piece, in the order of the text. There is one piece, unless
 * the text is large or nested too deep. An element that is open at the end of a piece is closed
 * there. The root is an element; its children are the content.
 *
 * The parser's time is quadratic in the depth, in the number of attributes, and in formatting
 * elements that nobody closes. So the text is cut where one of these grows too large. Tags without
 * a meaning in a post are left out (html, body, form, select), and svg and template with their
 * content.
 */
struct piece {
	const GumboNode *root;
	const char *html; /* as the parser got it */
	size_t len;
};
/* Cache of the text that contains the HTML, or NULL. A piece in it is not parsed again. */
struct trees;
void html_each(
    struct trees *, const char *, size_t, void (*tree)(void *, const struct piece *), void *arg);

/* ---- trees ---- */

/* The name of an element, in lower case; NULL: a text or a comment. Static buffer of the thread. */
const char *node_name(const GumboNode *);
bool node_is(const GumboNode *, const char *name);
/* An attribute; NULL: it has none. */
const char *node_attribute(const GumboNode *, const char *name);
/* Returns true if the attribute `class` has this word. */
bool node_has_class(const GumboNode *, const char *word);
const GumboVector *node_children(const GumboNode *); /* empty, if it is no element */
/* The characters of a text node; NULL: not a text node. */
const char *node_text(const GumboNode *);
/* The first element of this name below a node, or the node itself; NULL: none. */
const GumboNode *node_find(const GumboNode *, const char *name);
/* Returns true if the element's content is never shown (script, style). */
bool node_is_hidden(const GumboNode *);
/* Returns true if the element begins a new line. */
bool node_is_block(const GumboNode *);
/* Returns true if the list has this name, ignoring case. Its names are between blanks: " a b ". */
bool name_in(const char *list, const char *name, size_t len);
/* Returns the address of a picture: `src`, or `data-src` and the like if `src` is no address, as in
 * pages that load pictures late. NULL: it has none. */
const char *node_picture(const GumboNode *);
/* Appends the visible text below a node. Blocks and br begin a new line. */
void node_write(const GumboNode *, struct text *);
/* Replaces each run of blanks by one space and trims both ends, in place. */
void text_collapse(struct text *);
/* Returns the visible text of a node, in one line, or with its blanks if `exact`. A new reference;
 * NULL: no text. */
json_t *text_of(const GumboNode *, bool exact);

#endif
