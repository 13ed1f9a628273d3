/* searched.h - a site whose posts are searched by title, body and summary, for tests of search. */
#ifndef T_SEARCHED_H
#define T_SEARCHED_H

#include "engine.h"
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

int searched_begin(void **state);
#define searched(name) cmocka_unit_test_setup_teardown(name, searched_begin, posts_end)

/* Enables search of a collection; `more`: further members of the body, with " for each '. */
void enable(struct harness *, const char *collection, const char *more);
/* Creates a published post with this title and one paragraph. */
void post(struct harness *, char id[27], const char *title, const char *body);
/* Inserts many published posts without the modules' code: "Zebra 1" and up. One in a thousand has
 * the summary "okapi", others have "horse". */
void many(struct harness *, int count);
/* Returns the text percent-encoded; static buffer. */
const char *encoded(const char *text);
/* Sends GET /search; `more` extends the query, for example "&limit=5". */
struct outcome *look(
    struct harness *, const struct harness_user *, const char *q, const char *more);
/* Returns the number of hits of an anonymous search, at most 100. */
int hits(struct harness *, const char *q);
/* Returns the snippet of the first hit of an anonymous search. */
const char *snippet(struct harness *, const char *q);
/* Returns the number of documents that GET /search/stats reports. */
int64_t indexed(struct harness *, const char *collection);
/* Runs the job of the module until it has nothing to do. */
void work_all(struct harness *);
/* Like inside_sql and inside_ask, for the tables of the index: beside the database if that is
 * PostgreSQL, and then it is brought up to date first. */
void index_sql(struct harness *, const char *sql, const char *arg);
const char *index_ask(struct harness *, const char *sql);
/* Returns as text how many changes of items are not indexed. */
const char *unindexed(struct harness *);
/* Makes the items of a query, such as "SELECT 'posts', id FROM c_posts", changes that are to be
 * indexed. */
void change_all(struct harness *, const char *query);
/* Describes the newest shard of published posts on disk; the text changes if the shard is
 * written. */
void state_of(struct harness *, char out[200]);

#endif
