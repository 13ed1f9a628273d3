/*
 * siblings.t - random changes of the translations of one item, compared with a small model in
 * memory: two fields have one value for all translations. MODEL_STEPS (3000) is the number of
 * steps, MODEL_SEED the seed.
 */
#include "chance.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 3
#define SHARED 2
#define NONE 0 /* the field is not set */

struct values {
	int title, shared[SHARED];
};
struct item {
	bool there, trashed, published, has_draft, was_published;
	char id[27];
	struct values live, newest;
	int64_t version;
};

static const char *const locales[] = { "de", "en", "fr", NULL };
static const char *const names[SHARED] = { "pages", "size" };
static struct item items[ITEMS];
static struct harness *site;

static bool
same(const struct values *a, const struct values *b)
{
	return memcmp(a, b, sizeof(*a)) == 0;
}

/* ---- the model ---- */

/* Gives a sibling the values marked by `is`: at once, or in a draft if it is published. */
static void
model_give(struct item *to, const struct values *from, const bool *is, bool live)
{
	struct values columns = to->live, data = to->newest;
	bool row, staged = !live && to->published;

	for (int f = 0; f < SHARED; f++) {
		if (!is[f])
			continue;
		/* A draft with its own value of the field keeps it. */
		if (staged || !to->has_draft || data.shared[f] == columns.shared[f])
			data.shared[f] = from->shared[f];
		if (!staged)
			columns.shared[f] = from->shared[f];
	}
	row = !same(&columns, &to->live);
	if (!row && same(&data, &to->newest))
		return;
	to->has_draft = to->has_draft || !row;
	to->live = columns;
	to->newest = data;
	/* A draft that equals the published version is dropped. */
	if (to->published && same(&data, &columns))
		to->has_draft = false;
	to->version++;
}

/* was NULL: gives all values. */
static void
model_share(const struct item *m, const struct values *was, bool live)
{
	bool is[SHARED];

	for (int f = 0; f < SHARED; f++)
		is[f] = was == NULL || was->shared[f] != m->live.shared[f];
	for (int i = 0; i < ITEMS; i++)
		if (&items[i] != m && items[i].there && !items[i].trashed)
			model_give(&items[i], &m->live, is, live);
}

static void
model_publish(struct item *m, struct values v)
{
	if (m->published && !m->has_draft && same(&v, &m->newest))
		return;
	m->live = m->newest = v;
	m->published = m->was_published = true;
	m->has_draft = false;
	m->version++;
	model_share(m, NULL, true);
}

static void
model_edit(struct item *m, struct values v)
{
	struct values was = m->live;

	if (same(&v, &m->newest))
		return;
	if (!m->published && !m->has_draft) {
		m->live = m->newest = v;
		m->version++;
		model_share(m, &was, false);
	} else {
		m->newest = v;
		m->has_draft = true;
		m->version++;
	}
}

/* Returns the source of shared values: a published sibling first, then by locale. */
static const struct item *
model_source(const struct item *but)
{
	const struct item *first = NULL;

	for (const struct item *m = items; m < items + ITEMS; m++)
		if (m != but && m->there && !m->trashed &&
		    (first == NULL || (m->published && !first->published)))
			first = m;
	return first;
}

static void
model_restore(struct item *m)
{
	static const bool all[SHARED] = { true, true };
	const struct item *from = model_source(m);

	m->trashed = false;
	if (from != NULL)
		model_give(m, &from->live, all, from->published);
}

/* ---- comparing ---- */

static void
same_values(const json_t *data, const struct values *v, const char *what, const struct item *m)
{
	char title[16];

	assert_non_null(data);
	snprintf(title, sizeof(title), "t%d", v->title);
	assert_string_equal(json_string_value(json_object_get(data, "title")), title);
	for (int f = 0; f < SHARED; f++) {
		const json_t *value = json_object_get(data, names[f]);

		if (json_integer_value(value) != v->shared[f])
			fail_msg("%s of %s: %s is %lld instead of %d", what, locales[m - items],
			    names[f], (long long)json_integer_value(value), v->shared[f]);
	}
}

static void
compare(const struct item *m)
{
	struct outcome *o = ask(site, editor, "GET " BASE "/%s", m->id);
	json_t *item;

	if (m->trashed) {
		assert_code(o, "NOT_FOUND");
		return;
	}
	assert_ok(o);
	item = json_object_get(o->data, "item");
	same_values(json_object_get(item, "data"), &m->newest, "data", m);
	assert_int_equal(json_object_get(item, "liveData") != NULL, m->has_draft);
	if (m->has_draft)
		same_values(json_object_get(item, "liveData"), &m->live, "liveData", m);
	assert_int_equal(harness_int(item, "version"), m->version);
	assert_string_equal(harness_text(item, "status"), m->published ? "published" : "draft");
	o = ask(site, subscriber, "GET " BASE "/%s", m->id);
	if (!m->published) {
		assert_code(o, "NOT_FOUND");
		return;
	}
	assert_ok(o);
	same_values(harness_at(o->data, "item.data"), &m->live, "the public's data", m);
}

/* Checks that the public sees one value of each shared field. */
static void
compare_public(void)
{
	json_t *list, *entry, *first;
	struct outcome *o;
	size_t i;

	harness_ok(o, ask(site, subscriber, "GET " BASE));
	list = json_object_get(o->data, "items");
	first = json_object_get(json_array_get(list, 0), "data");
	json_array_foreach(list, i, entry)
	{
		for (int f = 0; f < SHARED; f++)
			assert_int_equal(json_integer_value(json_object_get(
					     json_object_get(entry, "data"), names[f])),
			    json_integer_value(json_object_get(first, names[f])));
	}
}

/* ---- steps ---- */

static struct outcome *
on(const struct item *m, const char *method, const char *rest, const char *body)
{
	char request[128];

	snprintf(request, sizeof(request), "%s " BASE "/%s%s", method, m->id, rest);
	return say(site, editor, request, "%s", body);
}

/* Writes some members of `data`; returns the resulting values. */
static struct values
edit(struct values v, char *body, size_t size, bool null)
{
	int n;

	v.title = pick(4);
	n = snprintf(body, size, "'data':{'title':'t%d'", v.title);
	for (int f = 0; f < SHARED; f++) {
		if (pick(2) == 0)
			continue;
		v.shared[f] = pick(3) + (null ? 0 : 1);
		n += v.shared[f] == NONE
			 ? snprintf(body + n, size - (size_t)n, ",'%s':null", names[f])
			 : snprintf(body + n, size - (size_t)n, ",'%s':%d", names[f], v.shared[f]);
	}
	snprintf(body + n, size - (size_t)n, "}");
	return v;
}

static void
step_create(struct item *m)
{
	const struct item *from = model_source(m);
	struct values v = { 0 };
	bool live = pick(3) == 0;
	char data[128], of[64] = "";

	for (int i = 0; from == NULL && i < ITEMS; i++)
		if (items[i].there)
			return; /* all are in the trash, so this would be a new group */
	if (from != NULL) {
		v = from->live;
		snprintf(of, sizeof(of), ",'translationOf':'%s'", from->id);
	}
	v = edit(v, data, sizeof(data), from == NULL);
	*m = (struct item){ .there = true, .published = live, .was_published = live, .version = 1 };
	m->live = m->newest = v;
	make(site, editor, m->id, "{'locale':'%s','status':'%s',%s%s}", locales[m - items],
	    live ? "published" : "draft", data, of);
	if (from != NULL)
		model_share(m, NULL, live);
}

static void
step_put(struct item *m)
{
	bool publishes = pick(4) == 0;
	char data[128], body[160];
	struct values v = edit(m->newest, data, sizeof(data), true);

	snprintf(body, sizeof(body), "{%s%s}", data, publishes ? ",'status':'published'" : "");
	assert_ok(on(m, "PUT", "", body));
	if (publishes)
		model_publish(m, v);
	else
		model_edit(m, v);
}

static void
step_simple(struct item *m, int which)
{
	static const char *const rest[] = { "/publish", "/unpublish", "/discard-draft" };

	assert_code(
	    on(m, "POST", rest[which], ""), which == 2 && !m->was_published ? "CONFLICT" : "");
	if (which == 0) {
		model_publish(m, m->newest);
	} else if (which == 1 && m->published) {
		m->published = false;
		m->version++;
	} else if (which == 2 && m->has_draft) {
		m->has_draft = false;
		m->newest = m->live;
		m->version++;
	}
}

static void
step_trash(struct item *m)
{
	if (!m->trashed) {
		assert_ok(on(m, "DELETE", "", ""));
		m->trashed = true;
		m->version++;
	} else if (pick(4) == 0) {
		assert_ok(ask(site, admin, "DELETE " BASE "/%s/permanent", m->id));
		m->there = false;
	} else {
		assert_ok(on(m, "POST", "/restore", ""));
		model_restore(m);
	}
}

static void
step(void)
{
	struct item *m = &items[pick(ITEMS)];
	int what = pick(12);

	if (!m->there)
		step_create(m);
	else if (m->trashed || what == 0)
		step_trash(m);
	else if (what < 7)
		step_put(m);
	else
		step_simple(m, what < 9 ? 0 : what < 11 ? 1 : 2);
}

static void
translations_go_as_the_model_goes(void **state)
{
	site = *state;
	chance_begin(3000);
	for (int f = 0; f < SHARED; f++)
		field(site, "posts", names[f], "integer", "'translatable':false");
	for (int i = 0; i < chance.steps; i++) {
		step();
		for (int k = 0; k < ITEMS; k++)
			if (items[k].there)
				compare(&items[k]);
		compare_public();
	}
	print_message("# %d steps\n", chance.steps);
}

static int
begin(void **state)
{
	posts_locales = locales;
	return posts_begin(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    translations_go_as_the_model_goes, begin, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
