/* posts.h - a site with a collection of posts that has a field of most types, for tests of content.
 */
#ifndef T_MODULE_POSTS_H
#define T_MODULE_POSTS_H

#include "harness.h"

#define BASE "/content/posts"

/* A site whose locales are en, fr, de, es and it, with the collections posts and pages, on a clock
 * that stands still at 2026-06-01T12:00:00.000Z. */
int posts_begin(void **state);
int posts_begin_seo(
    void **state); /* the same, with drafts, revisions, scheduling and seo of posts */
int posts_end(void **state);
extern const char *posts_plugins; /* the plugin path of the site; NULL: none */
extern const char *const *posts_locales; /* others than these; NULL-terminated */
extern const char *const *posts_fetch_allow; /* NULL: none */
extern const char *const *posts_public_read; /* NULL: none */

/* Writes " for ' in the text, and returns it. */
char *double_quotes(char *text);
/* Text, printf-like, with ' for "; free it. */
char *quoted(const char *fmt, va_list) STET_FMT(1, 0);
/* A request, printf-like, with ' for " in its body; NULL: none. */
struct outcome *say(struct harness *, const struct harness_user *, const char *request,
    const char *body, ...) STET_FMT(4, 5);
/* A request without a body, printf-like. */
struct outcome *ask(struct harness *, const struct harness_user *, const char *request, ...)
    STET_FMT(3, 4);
/* Create a post with these members beyond none, and keep its id. */
void make(struct harness *, const struct harness_user *, char id[27], const char *body, ...)
    STET_FMT(4, 5);
/* A field of posts or of another collection. */
void field(
    struct harness *, const char *collection, const char *slug, const char *type, const char *more);
/* Let the clock go on by so many milliseconds from where it began. */
void at(struct harness *, int ms);

/* ---- many of them ---- */

extern const char *const orders[]; /* NULL-terminated */
/* Forty items: equal values, absent values, two locales, two kinds of status. */
void fill(struct harness *);
/* 420 more: so many that no filter leads; half of them without values, and without a slug. */
void fill_up(struct harness *);

struct walk {
	char ids[200][27];
	int count, pages;
};
bool seen(const struct walk *, const char *id);
/* One page; the cursor goes on in place, "" at the end. No item may come twice. */
void page(struct harness *, const struct harness_user *, const char *query, char cursor[2100],
    struct walk *);
void walk_all(struct harness *, const struct harness_user *, const char *query, struct walk *);
/* How many there are, by the total and by a walk. */
int64_t total(struct harness *, const struct harness_user *, const char *query);
/* "fieldFilters=" of JSON with ' for "; static buffer. */
const char *filters(const char *);

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define check(name) cmocka_unit_test_setup_teardown(name, posts_begin, posts_end)

#endif
