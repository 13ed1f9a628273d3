/* searched.c - a site whose posts are searched, for tests of search. */
#include "searched.h"
#include "call/call.h"
#include "db/rows.h"
#include <stdio.h>
#include <stet/derived.h>

void
enable(struct harness *h, const char *collection, const char *more)
{
	assert_ok(say(h, admin, "POST /search/enable", "{'collection':'%s','enabled':true%s%s}",
	    collection, *more != '\0' ? "," : "", more));
}

int
searched_begin(void **state)
{
	posts_begin(state);
	assert_ok(say(
	    *state, admin, "PUT /schema/collections/posts/fields/title", "{'searchable':true}"));
	assert_ok(say(*state, admin, "PUT /schema/collections/posts",
	    "{'supports':['drafts','revisions','search'],'publicRead':true}"));
	enable(*state, "posts", "");
	return 0;
}

void
post(struct harness *h, char id[27], const char *title, const char *body)
{
	make(h, editor, id,
	    "{'status':'published','data':{'title':'%s','body':[{'_type':'block','_key':'k1',"
	    "'style':'normal','children':[{'_type':'span','_key':'s1','text':'%s'}]}]}}",
	    title, body);
}

const char *
encoded(const char *text)
{
	static char out[65536];
	char *to = out;

	for (; *text != '\0' && to < out + sizeof(out) - 4; text++)
		to += snprintf(to, 4, "%%%02X", (unsigned char)*text);
	*to = '\0';
	return out;
}

struct outcome *
look(struct harness *h, const struct harness_user *user, const char *q, const char *more)
{
	return ask(h, user, "GET /search?q=%s%s", encoded(q), more);
}

int
hits(struct harness *h, const char *q)
{
	struct outcome *o;

	harness_ok(o, look(h, nobody, q, "&limit=100"));
	return (int)json_array_size(json_object_get(o->data, "items"));
}

const char *
snippet(struct harness *h, const char *q)
{
	struct outcome *o;

	harness_ok(o, look(h, nobody, q, ""));
	return harness_text(o->data, "items[0].snippet");
}

int64_t
indexed(struct harness *h, const char *collection)
{
	struct outcome *o;
	char path[100];

	harness_ok(o, ask(h, admin, "GET /search/stats"));
	snprintf(path, sizeof(path), "collections.%s.indexed", collection);
	return harness_int(o->data, path);
}

void
work_all(struct harness *h)
{
	while (inside_work(h, "search"))
		continue;
}

/* ---- the tables of the index ---- */

struct statement {
	const char *sql, *arg;
};

static enum stet_status
change(struct stet_call *call, struct stet_tx *tx, void *arg)
{
	const struct statement *s = arg;

	return s->arg == NULL ? stet_exec(call, tx, s->sql, STET_NO_ARGS)
			      : stet_exec(call, tx, s->sql, STET_ARGS(s->arg));
}

void
index_sql(struct harness *h, const char *sql, const char *arg)
{
	struct statement s = { sql, arg };
	struct stet_call *call;

	if (!engine_is_postgresql()) {
		inside_sql(h, sql, arg);
		return;
	}
	(void)indexed(h, "posts");
	call = inside_call(h, "search");
	assert_int_equal(stet_derived_write(call, -1, change, &s), STET_OK);
	rows_end_call(call);
	call_free(call);
}

static char answer[65536];

static enum stet_status
read_first(struct stet_call *call, void *sql)
{
	struct stet_rows rows;

	answer[0] = '\0';
	STET_TRY(stet_derived_query(call, &rows, sql, STET_NO_ARGS));
	if (stet_row(&rows) && !stet_col_null(&rows, 0))
		snprintf(answer, sizeof(answer), "%s", stet_col_str(&rows, 0));
	return stet_rows_end(&rows);
}

const char *
index_ask(struct harness *h, const char *sql)
{
	if (!engine_is_postgresql())
		return inside_ask(h, sql);
	assert_ok(ask(h, admin, "GET /search/stats"));
	assert_int_equal(inside_read(h, read_first, (void *)(uintptr_t)sql), STET_OK);
	return answer;
}

const char *
unindexed(struct harness *h)
{
	static char left[32];
	long applied;

	if (!engine_is_postgresql())
		return inside_ask(h, "SELECT count(*) FROM search_pending");
	applied = strtol(index_ask(h, "SELECT n FROM search_applied"), NULL, 10);
	snprintf(left, sizeof(left), "%ld",
	    strtol(inside_ask(h, "SELECT COALESCE(MAX(n), 0) FROM search_change"), NULL, 10) -
		applied);
	return left;
}

void
change_all(struct harness *h, const char *query)
{
	char sql[1000];

	snprintf(sql, sizeof(sql),
	    engine_is_postgresql()
		? "INSERT INTO search_change (at, kind, collection, entry) SELECT 0, 'item', x.* "
		  "FROM (%s) AS x"
		: "INSERT INTO search_pending (collection, entry) %s",
	    query);
	inside_sql(h, sql, NULL);
}

void
state_of(struct harness *h, char out[200])
{
	char sql[400];

	snprintf(sql, sizeof(sql),
	    "SELECT sum(id), count(*), sum(length(block)) FROM search_fts_%s_data",
	    index_ask(h, "SELECT max(id) FROM search_shard WHERE status = 'published'"));
	snprintf(out, 200, "%s", index_ask(h, sql));
	snprintf(sql, sizeof(sql), "SELECT hex(block) FROM search_fts_%s_data WHERE id = 10",
	    index_ask(h, "SELECT max(id) FROM search_shard WHERE status = 'published'"));
	snprintf(out + strlen(out), 200 - strlen(out), " %.150s", index_ask(h, sql));
}

void
many(struct harness *h, int count)
{
	char sql[700];

	snprintf(sql, sizeof(sql),
	    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
	    "INSERT INTO c_posts (id, slug, status, created_at, updated_at, published_at, version, "
	    "locale, translation_group, f_title, f_summary) SELECT printf('01MANY%%020d', i), 'many-' || i, "
	    "'published', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', "
	    "'2026-01-01T00:00:00.000Z', 1, 'en', printf('01MANY%%020d', i), 'Zebra ' || i, "
	    "CASE WHEN i %% 1000 = 7 THEN 'okapi' ELSE 'horse' END FROM n WHERE ?1 = 'many'",
	    count);
	inside_sql(h, sql, "many");
}
