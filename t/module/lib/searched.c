/* searched.c - a site whose posts are searched, for tests of search. */
#include "searched.h"
#include <stdio.h>

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

void
state_of(struct harness *h, char out[200])
{
	char sql[400];

	snprintf(sql, sizeof(sql),
	    "SELECT sum(id), count(*), sum(length(block)) FROM search_fts_%s_data",
	    inside_ask(h, "SELECT max(id) FROM search_shard WHERE status = 'published'"));
	snprintf(out, 200, "%s", inside_ask(h, sql));
	snprintf(sql, sizeof(sql), "SELECT hex(block) FROM search_fts_%s_data WHERE id = 10",
	    inside_ask(h, "SELECT max(id) FROM search_shard WHERE status = 'published'"));
	snprintf(out + strlen(out), 200 - strlen(out), " %.150s", inside_ask(h, sql));
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
