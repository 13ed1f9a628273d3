/*
 * asking.t - lists with random filters in groups and random terms: in every order each shows what a
 * plain evaluation of the filters gives, while items change. ASKING_STEPS (600) is the number of
 * steps, ASKING_SEED the seed.
 */
#include "chance.h"
#include "engine.h"
#include "evaluate.h"
#include "posts.h"
#include "prose.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANY 640
#define TERMS 7
#define WORDED_MAX 10 /* maximum number of conditions on words in a filter */
#define KIN 4 /* the first items, to which others refer */

static const char *const kinds[] = { NULL, "news", "note", "essay" };
static const char *const words[] = { NULL, "a", "ab", "abc", "ä", "äb", "b", "\xf0\x9f\x8f\x9d" };
static const char *const labels[] = { "red", "green", "blue", "late" };
static const char *const days[] = { NULL, "2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z",
	"2026-03-01T12:00:00.000Z" };
/* Asia and Africa are below world. */
static const struct {
	const char *taxonomy, *slug, *below;
} terms[TERMS] = { { "category", "news", NULL }, { "category", "sport", NULL },
	{ "category", "world", NULL }, { "category", "asia", "world" },
	{ "category", "africa", "world" }, { "tag", "db", NULL }, { "tag", "web", NULL } };

static struct item {
	char id[27];
	const char *status, *locale;
	bool gone, has[TERMS];
	int other; /* its translation; -1: it has none */
	json_t *data; /* and createdAt, publishedAt */
} all[MANY];
static int many;

/* ---- random filters ---- */

static const char *const names[] = { "kind", "word", "day", "year", "price", "flag", "createdAt",
	"publishedAt", "labels", "kin", "prose" };

/* Returns a value that items may have, or one next to it. */
static json_t *
operand(const char *name)
{
	const struct item *item;

	if (strcmp(name, "flag") == 0)
		return json_boolean(pick(2));
	if (strcmp(name, "year") == 0)
		return json_integer(pick(9) - 4);
	if (strcmp(name, "price") == 0)
		return json_real(pick(8) / 2.0);
	if (strcmp(name, "kind") == 0)
		return json_string(kinds[1 + pick(3)]);
	if (strcmp(name, "word") == 0)
		return json_string(words[1 + pick(7)]);
	if (strcmp(name, "day") == 0)
		return json_string(days[1 + pick(3)]);
	item = &all[pick(many)];
	return json_incref(json_object_get(item->data, "createdAt"));
}

static json_t *
list(const char *name, int n)
{
	json_t *out = json_array();

	for (int i = 0; i < n; i++)
		json_array_append_new(out, operand(name));
	return out;
}

/* Returns a condition on a field with several values. */
static json_t *
condition_of_many(const char *name)
{
	if (pick(5) == 0)
		return pick(2) ? json_null() : json_pack("{s:b}", "isNull", pick(2));
	return json_pack("{s:s}", "has",
	    name[0] == 'l' ? labels[pick(4)]
	    : many > 0     ? all[pick(KIN)].id
			   : "x");
}

static json_t *
condition(const char *name)
{
	static const char *const bounds[] = { "gt", "gte", "lt", "lte" };
	static const char *const one[] = { "eq", "ne" };
	static const char *const several[] = { "in", "nin" };
	const bool boolean = strcmp(name, "flag") == 0, text = strcmp(name, "word") == 0;

	if (name[0] == 'l' || strcmp(name, "kin") == 0)
		return condition_of_many(name);
	if (strcmp(name, "prose") == 0)
		return prose_condition();
	switch (pick(boolean ? 5 : 8)) {
	case 0:
		return operand(name);
	case 1:
		return json_null();
	case 2:
		return json_pack("{s:b}", "isNull", pick(2));
	case 3:
		return json_pack("{s:o}", one[pick(2)], pick(9) ? operand(name) : json_null());
	case 4:
		return json_pack("{s:o}", several[pick(2)], list(name, 1 + pick(3)));
	case 5:
		return json_pack("{s:o}", "between", list(name, 2));
	case 6:
		return json_pack("{s:o}", text ? "startsWith" : bounds[pick(4)], operand(name));
	default:
		return json_pack("{s:o,s:o}", bounds[pick(2)], operand(name), bounds[2 + pick(2)],
		    operand(name));
	}
}

static int worded; /* number of conditions on words in the filter */

static json_t *
filter(int depth)
{
	static const char *const groups[] = { "and", "or", "or", "not" };
	json_t *out = json_object();

	for (int n = 1 + pick(2); n > 0; n--) {
		const char *group = groups[pick(4)];
		json_t *of = json_array();

		if (depth > 0 && pick(2) == 0)
			for (int k = 1 + pick(3); k > 0; k--)
				json_array_append_new(of, filter(depth - 1));
		if (json_array_size(of) == 0) {
			const char *name = names[pick((int)COUNT(names))];

			if (strcmp(name, "prose") == 0 && ++worded > WORDED_MAX)
				name = "kind";
			json_object_set_new(out, name, condition(name));
		} else if (group[0] == 'n' && pick(2)) {
			json_object_set(out, group, json_array_get(of, 0));
		} else {
			json_object_set(out, group, of);
		}
		json_decref(of);
	}
	return out;
}

/* ---- random terms ---- */

struct wish {
	int part, term; /* -1: a term that does not exist */
	bool exclude, below;
};
struct wishes {
	struct wish wish[12];
	int count, parts;
	char text[256];
};

static void
wish(struct wishes *w)
{
	char *to = w->text, *end = to + sizeof(w->text);

	*w = (struct wishes){ .parts = pick(3) };
	for (int part = 0; part < w->parts; part++) {
		const bool tag = pick(2);

		to += snprintf(
		    to, (size_t)(end - to), "%s%s:", part > 0 ? ";" : "", tag ? "tag" : "category");
		for (int i = 0, n = 1 + pick(3); i < n; i++) {
			struct wish *x = &w->wish[w->count++];

			*x = (struct wish){ part, tag ? 5 + pick(2) : pick(5), pick(4) == 0,
				pick(4) == 0 };
			x->term = pick(12) == 0 ? -1 : x->term;
			to += snprintf(to, (size_t)(end - to), "%s%s%s%s", i > 0 ? "," : "",
			    x->exclude ? "!" : "", x->term < 0 ? "nowhere" : terms[x->term].slug,
			    x->below ? "/*" : "");
		}
	}
}

static bool
has(const struct item *item, const struct wish *x)
{
	if (x->term < 0)
		return false;
	for (int i = 0; i < TERMS; i++)
		if (item->has[i] &&
		    (i == x->term || (x->below && terms[i].below != NULL &&
					 strcmp(terms[i].below, terms[x->term].slug) == 0)))
			return true;
	return false;
}

static bool
fulfils(const struct item *item, const struct wishes *w)
{
	for (int part = 0; part < w->parts; part++) {
		bool wants = false, any = false;

		for (int i = 0; i < w->count; i++) {
			const struct wish *x = &w->wish[i];

			if (x->part != part)
				continue;
			if (x->exclude && has(item, x))
				return false;
			wants = wants || !x->exclude;
			any = any || (!x->exclude && has(item, x));
		}
		if (wants && !any)
			return false;
	}
	return true;
}

/* ---- items ---- */

static void one_list(struct harness *);

static json_t *
text(const char *s)
{
	return s != NULL ? json_string(s) : NULL;
}

static void
set(json_t *data, const char *name, json_t *v)
{
	if (v != NULL)
		json_object_set_new(data, name, v);
}

/* Returns values for a field with several: they may repeat or be empty. "late" occurs only in a few
 * old items. */
static json_t *
choose_many(bool of_labels)
{
	json_t *out = json_array();

	for (int n = pick(5); n > 0; n--)
		json_array_append_new(out,
		    json_string(
			of_labels ? labels[many < 30 ? pick(4) : pick(3)] : all[pick(KIN)].id));
	if (pick(5) == 0) {
		json_decref(out);
		return NULL;
	}
	return out;
}

/* Chooses the terms of the item; returns them for the request. */
static json_t *
choose_terms(struct item *item)
{
	json_t *out = json_pack("{s:[],s:[]}", "category", "tag");

	for (int i = 0; i < TERMS; i++) {
		item->has[i] = pick(i == 4 ? 40 : 4) == 0;
		if (item->has[i])
			json_array_append_new(
			    json_object_get(out, terms[i].taxonomy), json_string(terms[i].slug));
	}
	return out;
}

static struct outcome *
send(struct harness *h, const char *request, json_t *body)
{
	char *dumped = json_dumps(body, 0);
	struct outcome *o = harness_request(h, editor, request, NULL, dumped);

	free(dumped);
	json_decref(body);
	return o;
}

static void
learn(struct item *item, const struct outcome *o)
{
	const json_t *published = harness_at(o->data, "item.publishedAt");

	json_object_set(item->data, "createdAt", harness_at(o->data, "item.createdAt"));
	json_object_del(item->data, "publishedAt");
	if (json_is_string(published))
		json_object_set(item->data, "publishedAt", (json_t *)(uintptr_t)published);
	item->status =
	    strcmp(harness_text(o->data, "item.status"), "published") == 0 ? "published" : "draft";
}

static void
create(struct harness *h)
{
	struct item *item = &all[many];
	const bool tagged = pick(4) > 0;
	const int of = many > 0 && pick(3) == 0 ? pick(many) : -1;
	char slug[16];
	json_t *body;
	struct outcome *o;

	at(h, many / 3);
	item->data = json_object();
	item->locale = tagged || pick(2) ? "en" : "fr";
	set(item->data, "kind", text(kinds[pick(4)]));
	set(item->data, "word", text(words[pick(8)]));
	set(item->data, "day", text(days[pick(4)]));
	set(item->data, "year", pick(5) ? json_integer(pick(9) - 4) : NULL);
	set(item->data, "price", pick(5) ? json_real(pick(8) / 2.0) : NULL);
	set(item->data, "flag", pick(3) ? json_boolean(pick(2)) : NULL);
	set(item->data, "labels", choose_many(true));
	set(item->data, "kin", many < KIN ? NULL : choose_many(false));
	set(item->data, "prose", prose_text(6, many < 30));
	snprintf(slug, sizeof(slug), "item-%d", many);
	body = json_pack("{s:s,s:s,s:s,s:O}", "slug", slug, "locale", item->locale, "status",
	    pick(3) ? "published" : "draft", "data", item->data);
	item->other = -1;
	if (of >= 0 && all[of].other < 0 && strcmp(all[of].locale, "en") == 0) {
		item->other = of;
		all[of].other = many;
		memcpy(item->has, all[of].has, sizeof(item->has));
		item->locale = "fr";
		json_object_set_new(body, "locale", json_string("fr"));
		json_object_set_new(body, "translationOf", json_string(all[of].id));
	} else if (tagged) {
		json_object_set_new(body, "taxonomies", choose_terms(item));
	}
	o = send(h, "POST " BASE, body);
	assert_ok(o);
	snprintf(item->id, 27, "%s", harness_text(o->data, "item.id"));
	learn(item, o);
	many++;
}

/* A published item gets new values when its draft is published: until then searches do not find the
 * draft's words. */
static void
revalue(struct harness *h, struct item *item)
{
	json_t *labels_now = choose_many(true), *prose_now = prose_text(6, many < 30);
	char request[128];
	struct outcome *o;

	if (labels_now == NULL)
		labels_now = json_null();
	if (prose_now == NULL)
		prose_now = json_null();
	snprintf(request, sizeof(request), "PUT " BASE "/%s", item->id);
	assert_ok(send(h, request,
	    json_pack("{s:{s:O,s:O}}", "data", "labels", labels_now, "prose", prose_now)));
	if (strcmp(item->status, "published") == 0 && pick(3) == 0)
		one_list(h);
	if (strcmp(item->status, "published") == 0) {
		snprintf(request, sizeof(request), "POST " BASE "/%s/publish", item->id);
		o = send(h, request, json_object());
		assert_ok(o);
		learn(item, o);
	}
	json_object_set_new(item->data, "labels", labels_now);
	json_object_set_new(item->data, "prose", prose_now);
	if (json_is_null(labels_now))
		json_object_del(item->data, "labels");
	if (json_is_null(prose_now))
		json_object_del(item->data, "prose");
}

static void
change(struct harness *h)
{
	static const char *const verbs[] = { "publish", "unpublish", "restore" };
	struct item *item = &all[pick(many)];
	char request[128];
	struct outcome *o;
	const int what = pick(6);

	if (what == 3 && !item->gone) {
		assert_ok(ask(h, editor, "DELETE " BASE "/%s", item->id));
		item->gone = true;
	} else if (what == 5 && !item->gone) {
		revalue(h, item);
	} else if (what == 4 && !item->gone && strcmp(item->locale, "en") == 0) {
		snprintf(request, sizeof(request), "PUT " BASE "/%s", item->id);
		o = send(h, request,
		    json_pack(
			"{s:o,s:s}", "taxonomies", choose_terms(item), "status", item->status));
		assert_ok(o);
		learn(item, o);
		if (item->other >= 0)
			memcpy(all[item->other].has, item->has, sizeof(item->has));
	} else if (what < 3 && item->gone == (what == 2)) {
		snprintf(request, sizeof(request), "POST " BASE "/%s/%s", item->id, verbs[what]);
		o = send(h, request, json_object());
		assert_ok(o);
		item->gone = false;
		if (what < 2)
			learn(item, o);
	}
}

static void
begin(struct harness *h)
{
	char id[27] = "";

	field(h, "posts", "word", "string", "'indexed':true");
	field(h, "posts", "labels", "multiSelect",
	    "'indexed':true,'validation':{'options':['red','green','blue','late']}");
	field(h, "posts", "kin", "reference",
	    "'indexed':true,'options':{'collection':'posts','allowMultiple':true}");
	field(h, "posts", "prose", "text", "'searchable':true");
	assert_ok(say(h, admin, "PUT /schema/collections/posts",
	    "{'supports':['drafts','revisions','search']}"));
	assert_ok(say(h, admin, "POST /search/enable", "{'collection':'posts','enabled':true}"));
	for (int i = 0; i < TERMS; i++) {
		char request[64];
		struct outcome *o;

		snprintf(request, sizeof(request), "POST /taxonomies/%s/terms", terms[i].taxonomy);
		o = say(h, editor, request, "{'slug':'%s','label':'%s'%s%s%s}", terms[i].slug,
		    terms[i].slug, terms[i].below != NULL ? ",'parentId':'" : "",
		    terms[i].below != NULL ? id : "", terms[i].below != NULL ? "'" : "");
		assert_ok(o);
		if (strcmp(terms[i].slug, "world") == 0)
			snprintf(id, 27, "%s", harness_text(o->data, "term.id"));
	}
	many = 0;
	memset(all, 0, sizeof(all));
	while (many < MANY)
		create(h);
	engine_analyze(harness_data(h));
}

/* ---- lists ---- */

static bool shown[MANY];

static int
index_of(const char *id)
{
	for (int i = 0; i < many; i++)
		if (strcmp(all[i].id, id) == 0)
			return i;
	return -1;
}

/* Walks the list; fails if an item comes twice. */
static int
read_list(struct harness *h, const struct harness_user *user, const char *query)
{
	char cursor[2100] = "";
	struct outcome *o;
	json_t *item;
	int count = 0;
	size_t i;

	memset(shown, 0, sizeof(shown));
	do {
		harness_ok(o, ask(h, user, "GET " BASE "?%s%s%s", query,
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		json_array_foreach(json_object_get(o->data, "items"), i, item)
		{
			const int at = index_of(harness_text(item, "id"));

			assert_true(at >= 0);
			if (shown[at])
				fail_msg("%s: an item comes twice", query);
			shown[at] = true;
			count++;
		}
		snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0');
	return count;
}

/* Returns true if a list in fr contains the item: it is in fr, or stands in for a missing
 * translation. */
static bool
speaks(const struct item *item, bool fallback, bool drafts)
{
	const struct item *other = item->other >= 0 ? &all[item->other] : NULL;

	if (strcmp(item->locale, "fr") == 0)
		return true;
	return fallback && (other == NULL || other->gone ||
			       (!drafts && strcmp(other->status, "published") != 0));
}

/* The parameters of one list. */
struct question {
	const struct harness_user *user;
	json_t *filter;
	char *told; /* the filter as text */
	bool drafts, french, fallback;
	struct wishes terms;
	char query[16384];
};

static void
make_question(struct question *q)
{
	static const char *const order[] = { "createdAt", "publishedAt", "createdAt", "publishedAt",
		"updatedAt", "word", "year", "kind", "slug", "status" };
	const char *locale;

	q->user = pick(2) ? editor : subscriber;
	worded = 0;
	q->filter = pick(5) ? filter(pick(4)) : json_object();
	q->told = json_dumps(q->filter, 0);
	q->drafts = q->user == editor && pick(2);
	q->french = pick(4) == 0;
	q->fallback = q->french && pick(2);
	locale = q->fallback ? "&locale=fr&localeFallback=1" : q->french ? "&locale=fr" : "";
	wish(&q->terms);
	snprintf(q->query, sizeof(q->query), "%s&limit=%d&orderBy=%s&order=%s%s%s%s%s",
	    filters(q->told), 40 + pick(61), order[pick((int)COUNT(order))],
	    pick(2) ? "asc" : "desc", q->terms.parts > 0 ? "&terms=" : "", q->terms.text, locale,
	    q->user == editor && !q->drafts ? "&status=published" : "");
}

static bool
should_show(const struct question *q, const struct item *item)
{
	if (item->gone || (!q->drafts && strcmp(item->status, "published") != 0))
		return false;
	if (q->french && !speaks(item, q->fallback, q->drafts))
		return false;
	return passes(item->data, q->filter) && fulfils(item, &q->terms);
}

static void
one_list(struct harness *h)
{
	static struct question q;
	int expected = 0, count;
	struct outcome *o;

	make_question(&q);
	count = read_list(h, q.user, q.query);
	for (int i = 0; i < many; i++) {
		const bool should = should_show(&q, &all[i]);

		expected += should;
		if (should != shown[i])
			fail_msg("%s (%s, seed %u): item %d is %s\n%s", q.told, q.terms.text,
			    chance.seed, i, shown[i] ? "shown" : "missing", q.query);
	}
	assert_int_equal(count, expected);
	harness_ok(o, ask(h, q.user, "GET " BASE "?includeTotal=1&%s", q.query));
	assert_int_equal(harness_int(o->data, "total"), expected);
	free(q.told);
	json_decref(q.filter);
}

static void
filters_show_what_a_plain_evaluation_shows(void **state)
{
	struct harness *h = *state;

	chance_from("ASKING_SEED", "ASKING_STEPS", 600);
	begin(h);
	for (int i = 0; i < chance.steps; i++) {
		one_list(h);
		for (int k = pick(3); k > 0; k--)
			change(h);
	}
	for (int i = 0; i < many; i++)
		json_decref(all[i].data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(filters_show_what_a_plain_evaluation_shows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
