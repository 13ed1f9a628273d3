/* searched.h - a site whose posts are searched by title, body and summary, for tests of search. */
#ifndef T_SEARCHED_H
#define T_SEARCHED_H

#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

int searched_begin(void **state);
#define searched(name) cmocka_unit_test_setup_teardown(name, searched_begin, posts_end)

/* Enable search of a collection; more members of the body, with ' for ". */
void enable(struct harness *, const char *collection, const char *more);
/* A published post; its title, a paragraph of its body. */
void post(struct harness *, char id[27], const char *title, const char *body);
/* Many published posts at once, behind the modules' back: "Zebra 1" ..., one of a thousand with the
 * summary "okapi", others with "horse". */
void many(struct harness *, int count);
/* Percent-encoded; static buffer. */
const char *encoded(const char *text);
/* GET /search; more of its query, "&limit=5". */
struct outcome *look(
    struct harness *, const struct harness_user *, const char *q, const char *more);
/* How many the public finds, up to a hundred. */
int hits(struct harness *, const char *q);
/* The snippet of the first that the public finds. */
const char *snippet(struct harness *, const char *q);
/* How many documents GET /search/stats tells of. */
int64_t indexed(struct harness *, const char *collection);
/* All that the job has to do. */
void work_all(struct harness *);
/* What the newest shard of published posts looks like on disk: another whenever it is written. */
void state_of(struct harness *, char out[200]);

#endif
