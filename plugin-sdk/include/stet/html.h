/*
 * html.h - HTML pages as replies, for people who have only a browser: a sign-in, a consent, an
 * unsubscribe link. Text from outside is escaped when it is added, so it cannot become markup.
 */
#ifndef STET_HTML_H
#define STET_HTML_H

#include <stet/call.h>

/* A page that is being built, owned by the call. */
struct stet_html;

STET_API struct stet_html *stet_html_new(struct stet_call *);
/* Appends markup. `fmt` is markup of the module's own; the values of its %s are escaped for text
 * and for attributes in quotes (NULL adds nothing). Other conversions: %d, %lld and %%. */
STET_API void stet_html_add(struct stet_html *, const char *fmt, ...) STET_FMT(2, 3);

/* A text for people, with a name that the code uses: so all texts of a module are in one table and
 * can be translated. This structure never gets new members. */
struct stet_word {
	const char *name, *text;
};
/* Returns the text of this name in a table that ends with a name NULL. An unknown name is a bug. */
STET_API const char *stet_word(const struct stet_word *, const char *name);
/*
 * Appends markup with texts: in `markup`, {name} is a value of the arguments, names and values in
 * pairs, or else the text of that name in the table. {name} in such a text is a value, and {b:name}
 * a value in bold. Values and texts are escaped; a value NULL is "". Ends with NULL:
 *
 *	stet_html_fill(html, words, "<p>{signed_in}</p>\n", "who", user->email, NULL);
 */
STET_API void stet_html_fill(struct stet_html *, const struct stet_word *, const char *markup, ...)
    __attribute__((sentinel));

/* Appends the text as it is. The caller must make sure that it is valid markup. */
STET_API void stet_html_raw(struct stet_html *, const char *markup);

/*
 * Replies with the page (text/html in UTF-8) with this HTTP status, and with headers that allow
 * neither scripts nor frames nor caches:
 *
 *	Content-Security-Policy: default-src 'none'; style-src 'self'; form-action 'self';
 *	    frame-ancestors 'none'; base-uri 'none'
 *	X-Frame-Options: DENY
 *	Cache-Control: no-store
 *
 * `policy` replaces that Content-Security-Policy; NULL: as above. (Browsers apply form-action to
 * redirects after a form as well: a form whose answer leads to another site needs a policy without
 * it.) Do not set Referrer-Policy: no-referrer on pages with forms: browsers then send
 * "Origin: null", which the core refuses for ops with STET_FORM.
 */
STET_API STET_MUST enum stet_status stet_html_reply(
    struct stet_call *, int http, const struct stet_html *, const char *policy);

#endif
