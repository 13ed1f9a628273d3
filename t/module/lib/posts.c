/* posts.c - a site with posts, for tests of content. */
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char clock_link[64];
const char *posts_plugins;
const char *const *posts_locales;
const char *const *posts_fetch_allow;
const char *const *posts_public_read;

char *
double_quotes(char *text)
{
	for (char *p = text; *p != '\0'; p++)
		if (*p == '\'')
			*p = '"';
	return text;
}

char *
quoted(const char *fmt, va_list ap)
{
	char *text = NULL;

	if (vasprintf(&text, fmt, ap) < 0)
		abort();
	return double_quotes(text);
}

struct outcome *
say(struct harness *h, const struct harness_user *user, const char *request, const char *body, ...)
{
	struct outcome *o;
	va_list ap;
	char *text;

	va_start(ap, body);
	text = quoted(body, ap);
	va_end(ap);
	o = harness_request(h, user, request, NULL, text);
	free(text);
	return o;
}

struct outcome *
ask(struct harness *h, const struct harness_user *user, const char *request, ...)
{
	struct outcome *o;
	va_list ap;
	char *text = NULL;

	va_start(ap, request);
	if (vasprintf(&text, request, ap) < 0)
		abort();
	va_end(ap);
	o = harness_request(h, user, text, NULL, NULL);
	free(text);
	return o;
}

void
make(struct harness *h, const struct harness_user *user, char id[27], const char *body, ...)
{
	struct outcome *o;
	va_list ap;
	char *text;

	va_start(ap, body);
	text = quoted(body, ap);
	va_end(ap);
	o = harness_request(h, user, "POST " BASE, NULL, text);
	assert_ok(o);
	assert_int_equal(o->http, 201);
	snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
	free(text);
}

void
field(
    struct harness *h, const char *collection, const char *slug, const char *type, const char *more)
{
	char request[128];

	snprintf(request, sizeof(request), "POST /schema/collections/%s/fields", collection);
	assert_ok(say(h, admin, request, "{'slug':'%s','label':'%s','type':'%s'%s%s}", slug, slug,
	    type, *more != '\0' ? "," : "", more));
}

void
at(struct harness *h, int ms)
{
	const int hours = 12 + ms / 3600000;
	char time[64];

	snprintf(time, sizeof(time), "2026-06-%02dT%02d:%02d:%02d.%03dZ", 1 + hours / 24,
	    hours % 24, ms / 60000 % 60, ms / 1000 % 60, ms % 1000);
	harness_clock(h, time);
}

int
posts_begin(void **state)
{
	static const char *const locales[] = { "en", "fr", "de", "es", "it", NULL };
	const struct harness_options options = {
		.locales = posts_locales != NULL ? posts_locales : locales,
		.plugin_path = posts_plugins,
		.fetch_allow = posts_fetch_allow,
		.public_read = posts_public_read,
	};
	struct harness *h;
	char file[96];

	/* The clock reads STET_CLOCK once in a process, so it is a symbolic link to each site's
	 * file. */
	snprintf(clock_link, sizeof(clock_link), "/tmp/stet-posts-clock-%d", (int)getpid());
	setenv("STET_CLOCK", clock_link, 1);
	h = *state = harness_open(&options);
	snprintf(file, sizeof(file), "%s.clock", harness_data(h));
	unlink(clock_link);
	assert_int_equal(symlink(file, clock_link), 0);
	at(h, 0);
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'posts','label':'Posts','labelSingular':'Post'}"));
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'pages','label':'Pages','labelSingular':'Page'}"));
	field(h, "pages", "name", "string", "");
	field(h, "posts", "title", "string", "");
	field(h, "posts", "body", "portableText", "'searchable':true");
	field(h, "posts", "summary", "text", "'searchable':true");
	field(h, "posts", "year", "integer", "'indexed':true");
	field(h, "posts", "price", "number", "'indexed':true");
	field(h, "posts", "flag", "boolean", "'indexed':true");
	field(h, "posts", "day", "datetime", "'indexed':true");
	field(h, "posts", "kind", "select",
	    "'indexed':true,'validation':{'options':['news','note','essay']}");
	field(h, "posts", "code", "string", "'unique':true,'validation':{'maxLength':9}");
	field(h, "posts", "tags", "multiSelect", "'validation':{'options':['a','b','c']}");
	field(h, "posts", "near", "reference", "'options':{'collection':'posts'}");
	field(h, "posts", "extra", "json", "");
	field(h, "posts", "rank", "integer", "'defaultValue':7");
	return 0;
}

int
posts_begin_seo(void **state)
{
	(void)posts_begin(state);
	assert_ok(say(*state, admin, "PUT /schema/collections/posts",
	    "{'supports':['drafts','revisions','scheduling','seo']}"));
	return 0;
}

int
posts_end(void **state)
{
	harness_close(*state, false);
	unlink(clock_link);
	return 0;
}

/* ---- lists ---- */

const char *const orders[] = { "createdAt", "updatedAt", "publishedAt", "scheduledAt", "deletedAt",
	"slug", "status", "locale", "created_at", "updated_at", "published_at", "scheduled_at",
	"title", "year", "price", "flag", "day", "kind", NULL };
void
fill(struct harness *h)
{
	char slug[16];

	for (int i = 0; i < 40; i++) {
		at(h, i / 3);
		snprintf(slug, sizeof(slug), i % 6 == 0 ? "null" : "'item-%d'", i);
		assert_ok(say(h, author, "POST " BASE,
		    "{'slug':%s,'locale':'%s','status':'%s','data':{'title':%s,'year':%s,"
		    "'price':%d.5,'flag':%s,'day':%s,'kind':%s}}",
		    slug, i % 4 == 0 ? "fr" : "en", i % 3 == 0 ? "draft" : "published",
		    i % 6 == 0   ? "null"
		    : i % 2 == 0 ? "'Even'"
				 : "'Ödd'",
		    i % 7 == 0   ? "null"
		    : i % 2 == 0 ? "1958"
				 : "-3",
		    i % 4,
		    i % 3 == 0   ? "null"
		    : i % 2 == 0 ? "true"
				 : "false",
		    i % 4 == 0 ? "null" : "'2026-01-02'", i % 3 == 0 ? "'news'" : "null"));
	}
}

void
fill_up(struct harness *h)
{
	for (int i = 0; i < 420; i++) {
		const char *body = i % 2 == 0
				       ? "{'locale':'fr','data':{}}"
				       : "{'status':'published','data':{'title':'T','year':1,"
					 "'price':1,'flag':true,'day':'2026-01-01','kind':'note'}}";

		assert_ok(say(h, author, "POST " BASE, "%s", body));
	}
}

bool
seen(const struct walk *w, const char *id)
{
	for (int i = 0; i < w->count; i++)
		if (strcmp(w->ids[i], id) == 0)
			return true;
	return false;
}

void
page(struct harness *h, const struct harness_user *user, const char *query, char cursor[2100],
    struct walk *w)
{
	struct outcome *o;
	json_t *item;
	size_t i;

	harness_ok(o,
	    ask(h, user, "GET " BASE "?%s%s%s", query, *cursor != '\0' ? "&cursor=" : "", cursor));
	json_array_foreach(json_object_get(o->data, "items"), i, item)
	{
		const char *id = harness_text(item, "id");

		if (seen(w, id))
			fail_msg("%s: %s comes twice", query, id);
		snprintf(w->ids[w->count++], 27, "%s", id);
	}
	snprintf(cursor, 2100, "%s", harness_text(o->data, "nextCursor"));
	w->pages++;
}

void
walk_all(struct harness *h, const struct harness_user *user, const char *query, struct walk *w)
{
	char cursor[2100] = "";

	*w = (struct walk){ 0 };
	do
		page(h, user, query, cursor, w);
	while (*cursor != '\0');
}

int64_t
total(struct harness *h, const struct harness_user *user, const char *query)
{
	struct outcome *o;
	struct walk w;
	int64_t n;

	harness_ok(o, ask(h, user, "GET " BASE "?includeTotal=1&limit=2&%s", query));
	n = harness_int(o->data, "total");
	walk_all(h, user, query, &w);
	assert_int_equal(w.count, n);
	return n;
}

const char *
filters(const char *text)
{
	static char out[16384];
	char *to = out;

	to += snprintf(out, sizeof(out), "fieldFilters=");
	for (; *text != '\0' && to < out + sizeof(out) - 4; text++)
		to += snprintf(to, 4, "%%%02X", *text == '\'' ? '"' : (unsigned char)*text);
	return out;
}
