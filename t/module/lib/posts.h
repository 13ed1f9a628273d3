/* posts.h - a site with a collection of posts that has a field of most types, for tests of content.
 */
#ifndef T_MODULE_POSTS_H
#define T_MODULE_POSTS_H

#include "harness.h"

#define BASE "/content/posts"

/* Opens a site with the locales en, fr, de, es, it and the collections posts and pages. Its clock
 * is stopped at 2026-06-01T12:00:00.000Z. */
int posts_begin(void **state);
int posts_begin_seo(void **state); /* posts with drafts, revisions, scheduling, seo */
int posts_end(void **state);
extern const char *posts_plugins; /* the plugin path of the site; NULL: none */
extern const char *const *posts_locales; /* instead of en, fr, de, es, it; NULL: these */
extern const char *const *posts_fetch_allow; /* NULL: none */
extern const char *const *posts_public_read; /* NULL: none */

/* Replaces ' by " in the text, and returns it. */
char *double_quotes(char *text);
/* Returns text, printf-like, with " for each '; the caller frees it. */
char *quoted(const char *fmt, va_list) STET_FMT(1, 0);
/* Sends a request, printf-like, with " for each ' in its body; NULL: no body. */
struct outcome *say(struct harness *, const struct harness_user *, const char *request,
    const char *body, ...) STET_FMT(4, 5);
/* Sends a request without a body, printf-like. */
struct outcome *ask(struct harness *, const struct harness_user *, const char *request, ...)
    STET_FMT(3, 4);
/* Creates a post with these members, and stores its id. */
void make(struct harness *, const struct harness_user *, char id[27], const char *body, ...)
    STET_FMT(4, 5);
/* Adds a field to a collection. */
void field(
    struct harness *, const char *collection, const char *slug, const char *type, const char *more);
/* Sets the clock to `ms` milliseconds after its start. */
void at(struct harness *, int ms);

/* ---- lists ---- */

extern const char *const orders[]; /* NULL-terminated */
/* Creates 40 items: equal values, missing values, two locales, two states. */
void fill(struct harness *);
/* Creates 420 more items, half of them without values and slug: too many for a plan that starts at
 * a filter. */
void fill_up(struct harness *);

struct walk {
	char ids[200][27];
	int count, pages;
};
bool seen(const struct walk *, const char *id);
/* Requests one page, and replaces the cursor by the next, or "" at the end. Fails if an item comes
 * twice. */
void page(struct harness *, const struct harness_user *, const char *query, char cursor[2100],
    struct walk *);
void walk_all(struct harness *, const struct harness_user *, const char *query, struct walk *);
/* Returns the number of items; the total and a walk over all pages must agree. */
int64_t total(struct harness *, const struct harness_user *, const char *query);
/* Returns "fieldFilters=" and the JSON, with " for each '; static buffer. */
const char *filters(const char *);

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define check(name) cmocka_unit_test_setup_teardown(name, posts_begin, posts_end)

#endif
