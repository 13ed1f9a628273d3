/*
 * articles.c - imported items read back unchanged, by id and by slug, and every walk of a list has
 * each of them once while another client writes. The articles are ../shared/data/articles.jsonl, or
 * 300 that are made here if there is no such file.
 */
#include "remote.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MADE 300
#define KEPT 4 /* items of the other client that exist at the same time */
#define ENOUGH 20 /* deletions after which a walk has been tested enough */

static struct daemon *d;
static char *token;
static json_t *articles; /* by slug: {slug, status, data}, without nulls; "at" is their index */
static json_t *ids; /* index by id */

/* ---- the articles ---- */

static void
make_articles(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (int i = 0; i < MADE; i++) {
		char year[16];

		(void)snprintf(year, sizeof(year), "%d", 1940 + i % 25);
		(void)fprintf(file,
		    "{\"slug\": \"made-%d\", \"status\": \"published\", \"data\": {\"title\": \"on the "
		    "flow p\\u00e4st \\\"%d\\\"\", \"author\": \"a%d\", \"source\": \"%s\", \"year\": %s, "
		    "\"number\": %d, \"body\": [{\"_type\": \"block\", \"_key\": \"b0\", \"style\": "
		    "\"normal\", \"markDefs\": [], \"children\": [{\"_type\": \"span\", \"_key\": "
		    "\"s0\", \"text\": \"a text .\\n%0*d\", \"marks\": []}]}]}}\n",
		    i, i % 40, i % 7, i % 3 == 0 ? "" : "j. ae. scs.", i % 11 == 0 ? "null" : year,
		    i + 1, 1 + i * 5, i);
	}
	assert_int_equal(fclose(file), 0);
}

static const char *
articles_path(void)
{
	static char path[4096];

	(void)snprintf(
	    path, sizeof(path), "%s/../shared/data/articles.jsonl", getenv("STET_SOURCE"));
	if (access(path, R_OK) != 0) {
		(void)snprintf(path, sizeof(path), "%s", daemon_path(d, "articles.jsonl"));
		make_articles(path);
	}
	return path;
}

/* Removes null members, which replies leave out. */
static void
read_articles(const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t size = 0;

	assert_non_null(file);
	articles = json_object();
	while (getline(&line, &size, file) > 0) {
		json_t *article = json_loads(line, 0, NULL), *value;
		json_t *data = json_object_get(article, "data");
		const char *name;
		void *next;

		assert_non_null(data);
		json_object_foreach_safe(data, next, name, value)
		{
			if (json_is_null(value))
				json_object_del(data, name);
		}
		json_object_set_new(
		    article, "at", json_integer((json_int_t)json_object_size(articles)));
		assert_int_equal(json_object_set_new(articles,
				     json_string_value(json_object_get(article, "slug")), article),
		    0);
	}
	free(line);
	fclose(file);
}

static int
start(void **state)
{
	const char *path;
	char *said, want[64];

	(void)state;
	d = remote_new(NULL, NULL);
	path = articles_path();
	read_articles(path);
	said = COMMAND(d, "import", "jsonl", path, "--collection", "articles", "--create-schema");
	(void)snprintf(want, sizeof(want), "created %zu, updated 0, skipped 0, failed 0",
	    json_object_size(articles));
	assert_string_equal(said, want);
	free(said);
	token = remote_token(d, "admin", "content:read,content:write");
	daemon_run(d, 0);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	free(token);
	json_decref(articles);
	json_decref(ids);
	return 0;
}

/* ---- reading back ---- */

static void
assert_same(json_t *item, json_t *article)
{
	static const char *const members[] = { "slug", "status", "data" };

	for (size_t i = 0; i < 3; i++) {
		json_t *got = json_object_get(item, members[i]);
		json_t *want = json_object_get(article, members[i]);
		char *a, *b;

		if (json_equal(got, want))
			continue;
		a = json_dumps(got, JSON_ENCODE_ANY);
		b = json_dumps(want, JSON_ENCODE_ANY);
		fail_msg("%s is\n%s\ninstead of\n%s", members[i], a, b);
	}
}

static void
every_article_reads_back_by_slug_and_by_id(void **state)
{
	struct remote r;
	const char *slug;
	json_t *article;

	(void)state;
	ids = json_object();
	remote_open(&r, d, token);
	json_object_foreach(articles, slug, article)
	{
		json_t *data = remote_must(&r, 200, "GET", NULL, "/content/articles/%s", slug);
		json_t *item = json_object_get(data, "item"), *again;
		const char *id = json_string_value(json_object_get(item, "id"));

		assert_same(item, article);
		assert_non_null(id);
		assert_null(json_object_get(ids, id));
		json_object_set(ids, id, json_object_get(article, "at"));
		again = remote_must(&r, 200, "GET", NULL, "/content/articles/%s", id);
		assert_true(json_equal(data, again));
		json_decref(again);
		json_decref(data);
	}
	remote_close(&r);
}

/* ---- walks ---- */

/* The other client: creates and deletes items, in the order of no list, until it is stopped. */
static struct {
	atomic_bool stop;
	atomic_int created, deleted;
} churn;

static json_t *
body_of_churn(unsigned n)
{
	return json_pack("{s:s,s:{s:o,s:i,s:i,s:s}}", "status", n % 5 == 0 ? "draft" : "published",
	    "data", "title",
	    n % 5 == 0 ? json_null() : json_sprintf("%c churn %u", 'a' + (int)(n * 7 % 26), n),
	    "year", 1935 + (int)(n * 13 % 40), "number", (int)(n * 31 % 1500), "author", "b");
}

static void *
write_all_the_time(void *arg)
{
	char at[KEPT][27] = { { 0 } };
	struct remote r;

	remote_open(&r, d, token);
	for (unsigned n = 0; !atomic_load(&churn.stop); n++) {
		char *id = at[n % KEPT];
		json_t *body, *data;
		char *text;

		if (*id != '\0') {
			json_decref(
			    remote_must(&r, 200, "DELETE", NULL, "/content/articles/%s", id));
			atomic_fetch_add(&churn.deleted, 1);
		}
		body = body_of_churn(n);
		text = json_dumps(body, 0);
		data = remote_must(&r, 201, "POST", text, "/content/articles");
		(void)snprintf(id, 27, "%s",
		    json_string_value(json_object_get(json_object_get(data, "item"), "id")));
		atomic_fetch_add(&churn.created, 1);
		free(text);
		json_decref(body);
		json_decref(data);
	}
	remote_close(&r);
	return arg;
}

/* Counts how often each article occurs; ignores the other client's items. */
static void
walk(struct remote *r, const char *by, const char *order, int limit, unsigned char *seen)
{
	char cursor[2100] = "";

	do {
		json_t *data = remote_must(r, 200, "GET", NULL,
		    "/content/articles?orderBy=%s&order=%s&limit=%d%s%s", by, order, limit,
		    *cursor != '\0' ? "&cursor=" : "", cursor);
		const char *next = json_string_value(json_object_get(data, "nextCursor"));
		json_t *item, *index;
		size_t i;

		json_array_foreach(json_object_get(data, "items"), i, item)
		{
			index =
			    json_object_get(ids, json_string_value(json_object_get(item, "id")));
			if (index != NULL)
				seen[json_integer_value(index)]++;
		}
		(void)snprintf(cursor, sizeof(cursor), "%s", next != NULL ? next : "");
		json_decref(data);
	} while (*cursor != '\0');
}

static void
every_walk_sees_each_article_once_while_another_client_writes(void **state)
{
	static const char *const orders[] = { "createdAt", "updatedAt", "publishedAt",
		"scheduledAt", "deletedAt", "slug", "status", "locale", "title", "year", "number" };
	static const char *const ways[] = { "asc", "desc" };
	size_t count = json_object_size(articles);
	size_t ways_count = 2 * sizeof(orders) / sizeof(orders[0]);
	unsigned char *seen = calloc(1, count);
	pthread_t other;
	struct remote r;

	(void)state;
	assert_non_null(seen);
	assert_int_equal(json_object_size(ids), count);
	assert_int_equal(pthread_create(&other, NULL, write_all_the_time, NULL), 0);
	remote_open(&r, d, token);
	/* Walks until each article was seen once, and again while the other client has changed too
	 * little. */
	for (size_t i = 0; i < ways_count || atomic_load(&churn.deleted) < ENOUGH; i++) {
		const char *by = orders[i % ways_count / 2], *order = ways[i % 2];

		memset(seen, 0, count);
		walk(&r, by, order, i % 3 == 0 ? 37 : 100, seen);
		for (size_t k = 0; k < count; k++)
			if (seen[k] != 1)
				fail_msg("by %s %s: article %zu is seen %d times", by, order, k,
				    seen[k]);
	}
	atomic_store(&churn.stop, true);
	assert_int_equal(pthread_join(other, NULL), 0);
	print_message("# %d created and %d deleted meanwhile\n", atomic_load(&churn.created),
	    atomic_load(&churn.deleted));
	remote_close(&r);
	free(seen);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_article_reads_back_by_slug_and_by_id),
		cmocka_unit_test(every_walk_sees_each_article_once_while_another_client_writes),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
