/* page.h - finds parts of HTML documents: elements by an attribute, and the addresses in a text. */
#ifndef IMPORT_PAGE_H
#define IMPORT_PAGE_H

#include <stet/call.h>

/* A start tag or an end tag, in the text. */
struct page_tag {
	const char *begin, *end; /* from "<" to behind ">" */
	const char *name;
	size_t name_len;
	bool closes;
};

/* Goes to the next tag, or to the first one if tag->end is NULL. Returns false if there is none.
 * Comments, and the texts of scripts and styles, are passed over. */
bool page_next(const char *html, struct page_tag *tag);
bool page_is(const struct page_tag *, const char *name);
/* Returns the value of an attribute without entities, NULL: the tag has no such attribute. Owned by
 * the call. */
const char *page_attribute(struct stet_call *, const struct page_tag *, const char *attribute);

/* Returns the end tag of an element, or the end of the text, by its start tag. Takes time as the
 * text is long: where there may be many elements without an end, count it. */
const char *page_end(const struct page_tag *start);
/* Returns the HTML inside the element of a start tag; owned by the call. */
const char *page_inside(struct stet_call *, const struct page_tag *start);

/* Finds the first element one of whose words in this attribute is `word`. *inner: the HTML inside
 * it, owned by the call; *tag: its start tag. Returns false if there is none. */
bool page_find(struct stet_call *, const char *html, const char *attribute, const char *word,
    struct page_tag *tag, const char **inner);
/* Returns the HTML inside such an element, "" if there is none. */
const char *page_inner(
    struct stet_call *, const char *html, const char *attribute, const char *word);

/* Returns the address that takes the place of `url`; NULL: it stays. `tag`: its element. */
typedef const char *page_address_fn(void *arg, const struct page_tag *tag, const char *url);
/* Returns the HTML with other addresses in href and src of links and pictures; owned by the call.
 */
const char *page_rewrite(struct stet_call *, const char *html, page_address_fn *fn, void *arg);

#endif
