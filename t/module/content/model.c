/*
 * model.t - random sequences of all transitions of items, compared with a small model in memory.
 * After every step each item is compared as an editor and as a subscriber see it, as are the lists
 * and the trash. Replaced values must be in the history. MODEL_STEPS (5000) is the number of steps,
 * MODEL_SEED the seed.
 */
#include "call/call.h"
#include "chance.h"
#include "db/db.h"
#include "db/rows.h"
#include "inside.h"
#include "posts.h"
#include "site/site.h"
#include <stdio.h>
#include <stdlib.h>

#define ITEMS 6
#define SLUGS 9
#define NONE (-1)

struct values {
	int title, year; /* year NONE: unset */
	int slug;
};
struct item {
	bool there, trashed, published, scheduled_status, has_draft, slug_staged;
	char id[27], rev[64], stale[64];
	struct values live, newest;
	int64_t version, seen; /* seen: the version that readers without drafts see */
	int64_t updated, published_at, scheduled_at, deleted_at; /* NONE: unset */
};

static struct item items[ITEMS];
static struct harness *site;
static int now;

static const char *
text_of(int64_t ms)
{
	static char out[4][40];
	static int turn;
	char *to = out[turn++ % 4];

	snprintf(to, 40, "2026-06-01T12:%02d:%02d.%03dZ", (int)(ms / 60000 % 60),
	    (int)(ms / 1000 % 60), (int)(ms % 1000));
	return ms == NONE ? "" : to;
}

static bool
taken(int slug, const struct item *but)
{
	for (int i = 0; i < ITEMS; i++)
		if (items[i].there && &items[i] != but && items[i].live.slug == slug)
			return true;
	return false;
}

/* ---- the model ---- */

static void
touch(struct item *m)
{
	m->seen = ++m->version;
	m->updated = now;
}

/* The schedule of a published item belongs to its draft. */
static void
touch_schedule(struct item *m)
{
	if (m->published)
		m->version++;
	else
		touch(m);
}

static bool
model_publish(struct item *m, struct values v, int64_t first)
{
	bool edited = memcmp(&v, &m->newest, sizeof(v)) != 0;

	if (m->published && !m->has_draft && !edited && m->scheduled_at == NONE)
		return true;
	if (taken(v.slug, m))
		return false;
	m->live = m->newest = v;
	m->published = true;
	m->has_draft = m->slug_staged = m->scheduled_status = false;
	m->published_at = m->published_at != NONE ? m->published_at : first;
	m->scheduled_at = NONE;
	touch(m);
	return true;
}

static void
model_unpublish(struct item *m)
{
	if (!m->published && !m->scheduled_status && m->scheduled_at == NONE)
		return;
	m->published = m->scheduled_status = false;
	m->scheduled_at = NONE;
	touch(m);
}

static bool
model_edit(struct item *m, struct values v, bool with_slug)
{
	bool edited = memcmp(&v, &m->newest, sizeof(v)) != 0;

	if (!edited)
		return true;
	if (m->published || m->has_draft) {
		m->has_draft = true;
		m->slug_staged |= with_slug;
		m->newest = v;
		m->version++;
		return true;
	}
	if (taken(v.slug, m))
		return false;
	m->live = m->newest = v;
	touch(m);
	return true;
}

/* ---- comparing ---- */

static void
same_values(const json_t *data, const struct values *v, const char *what)
{
	char title[16];

	snprintf(title, sizeof(title), "t%d", v->title);
	assert_non_null(data);
	if (strcmp(json_string_value(json_object_get(data, "title")), title) != 0 ||
	    json_integer_value(json_object_get(data, "year")) != (v->year == NONE ? 0 : v->year) ||
	    (json_object_get(data, "year") == NULL) != (v->year == NONE))
		fail_msg("%s: %s %lld instead of %s %d", what,
		    json_string_value(json_object_get(data, "title")),
		    (long long)json_integer_value(json_object_get(data, "year")), title, v->year);
}

static void
same_slug(const char *slug, int expected)
{
	char text[16];

	snprintf(text, sizeof(text), "s%d", expected);
	assert_string_equal(slug, text);
}

static const char *
status_of(const struct item *m)
{
	return m->published ? "published" : m->scheduled_status ? "scheduled" : "draft";
}

static void
compare_editor(struct item *m)
{
	struct outcome *o = ask(site, editor, "GET " BASE "/%s", m->id);
	json_t *item;

	if (m->trashed) {
		assert_code(o, "NOT_FOUND");
		return;
	}
	assert_ok(o);
	item = json_object_get(o->data, "item");
	same_values(json_object_get(item, "data"), &m->newest, "data");
	same_slug(harness_text(item, "slug"), m->newest.slug);
	assert_string_equal(harness_text(item, "status"), status_of(m));
	assert_int_equal(json_object_get(item, "liveData") != NULL, m->has_draft);
	assert_int_equal(json_is_string(json_object_get(item, "draftRevisionId")), m->has_draft);
	if (m->has_draft)
		same_values(json_object_get(item, "liveData"), &m->live, "liveData");
	if (m->has_draft && m->slug_staged)
		same_slug(harness_text(item, "liveSlug"), m->live.slug);
	assert_int_equal(harness_int(item, "version"), m->version);
	assert_string_equal(harness_text(item, "updatedAt"), text_of(m->updated));
	assert_string_equal(harness_text(item, "publishedAt"), text_of(m->published_at));
	assert_string_equal(harness_text(item, "scheduledAt"), text_of(m->scheduled_at));
	if (strcmp(m->rev, harness_text(o->data, "_rev")) != 0) {
		memcpy(m->stale, m->rev, sizeof(m->stale));
		snprintf(m->rev, sizeof(m->rev), "%s", harness_text(o->data, "_rev"));
	}
}

static void
compare_subscriber(const struct item *m)
{
	struct outcome *o = ask(site, subscriber, "GET " BASE "/%s", m->id);
	json_t *item;

	if (m->trashed || !m->published) {
		assert_code(o, "NOT_FOUND");
		return;
	}
	assert_ok(o);
	item = json_object_get(o->data, "item");
	same_values(json_object_get(item, "data"), &m->live, "the subscriber's data");
	same_slug(harness_text(item, "slug"), m->live.slug);
	assert_null(json_object_get(item, "liveData"));
	assert_null(json_object_get(item, "draftRevisionId"));
	assert_true(json_is_null(json_object_get(item, "scheduledAt")));
	assert_true(json_is_null(json_object_get(item, "liveRevisionId")));
	assert_int_equal(harness_int(item, "version"), m->seen);
	assert_string_equal(harness_text(item, "updatedAt"), text_of(m->updated));
}

static void
compare_list(const struct harness_user *user, const char *request, bool trash, bool drafts)
{
	struct outcome *o = ask(site, user, "%s", request);
	json_t *list, *entry;
	size_t i, expected = 0;

	assert_ok(o);
	list = json_object_get(o->data, "items");
	for (int k = 0; k < ITEMS; k++)
		expected +=
		    items[k].there && items[k].trashed == trash && (drafts || items[k].published);
	assert_int_equal(json_array_size(list), expected);
	json_array_foreach(list, i, entry)
	{
		const struct item *m = items;

		while (strcmp(m->id, harness_text(entry, "id")) != 0 || !m->there)
			assert_true(++m < items + ITEMS);
		same_values(json_object_get(entry, "data"), &m->live, request);
		same_slug(harness_text(entry, "slug"), m->live.slug);
		assert_string_equal(harness_text(entry, "status"), status_of(m));
		if (trash)
			assert_string_equal(
			    harness_text(entry, "deletedAt"), text_of(m->deleted_at));
		else
			assert_int_equal(
			    harness_int(entry, "version"), drafts ? m->version : m->seen);
	}
}

static void
compare_all(void)
{
	for (int i = 0; i < ITEMS; i++)
		if (items[i].there) {
			compare_editor(&items[i]);
			compare_subscriber(&items[i]);
		}
	compare_list(editor, "GET " BASE, false, true);
	compare_list(subscriber, "GET " BASE, false, false);
	compare_list(editor, "GET " BASE "/trash", true, true);
}

/* ---- steps ---- */

static struct outcome *
on(const struct item *m, const char *method, const char *rest, const char *body)
{
	char request[128];

	snprintf(request, sizeof(request), "%s " BASE "/%s%s", method, m->id, rest);
	return say(site, editor, request, "%s", body);
}

/* Writes the members of a random edit; returns the resulting values. */
static struct values
edit(const struct item *m, char *body, size_t size, bool *with_slug)
{
	struct values v = m->newest;
	int what = 1 + pick(7), n = 0;

	*with_slug = (what & 4) != 0 && pick(3) == 0;
	n = snprintf(body, size, "'data':{");
	if ((what & 1) != 0)
		n += snprintf(body + n, size - (size_t)n, "'title':'t%d'", v.title = pick(5));
	if ((what & 2) != 0 || (what & 1) == 0) {
		v.year = pick(4) == 0 ? NONE : 1 + pick(5);
		n += snprintf(body + n, size - (size_t)n, "%s'year':", (what & 1) != 0 ? "," : "");
		n += v.year == NONE ? snprintf(body + n, size - (size_t)n, "null")
				    : snprintf(body + n, size - (size_t)n, "%d", v.year);
	}
	n += snprintf(body + n, size - (size_t)n, "}");
	if (*with_slug)
		snprintf(body + n, size - (size_t)n, ",'slug':'s%d'", v.slug = pick(SLUGS));
	return v;
}

static void
step_create(struct item *m)
{
	struct outcome *o;
	bool live = pick(3) == 0;
	struct values v = { pick(5), 1 + pick(5), pick(SLUGS) };

	o = say(site, author, "POST " BASE,
	    "{'slug':'s%d','status':'%s','data':{'title':'t%d','year':%d}}", v.slug,
	    live ? "published" : "draft", v.title, v.year);
	if (taken(v.slug, NULL)) {
		assert_code(o, "SLUG_CONFLICT");
		return;
	}
	assert_ok(o);
	*m = (struct item){ .there = true,
		.published = live,
		.live = v,
		.newest = v,
		.version = 1,
		.seen = 1,
		.updated = now,
		.published_at = live ? now : NONE,
		.scheduled_at = NONE };
	snprintf(m->id, sizeof(m->id), "%s", harness_text(o->data, "item.id"));
	snprintf(m->rev, sizeof(m->rev), "%s", harness_text(o->data, "_rev"));
}

static void
step_put(struct item *m)
{
	static const char *const statuses[] = { "", "", "", ",'status':'published'",
		",'status':'draft'" };
	int status = pick(5);
	bool with_slug, good;
	char changes[200], body[320];
	struct item after = *m;
	struct values v = edit(m, changes, sizeof(changes), &with_slug);
	struct outcome *o;

	snprintf(body, sizeof(body), "{%s%s}", changes, statuses[status]);
	o = on(m, "PUT", "", body);
	if (m->trashed) {
		assert_code(o, "NOT_FOUND");
		return;
	}
	if (status == 3) {
		good = model_publish(m, v, now);
	} else {
		good = model_edit(m, v, with_slug);
		if (good && status == 4)
			model_unpublish(m);
	}
	assert_code(o, good ? "" : "SLUG_CONFLICT");
	if (!good)
		*m = after;
}

static void
step_stale(struct item *m)
{
	static const char *const requests[][2] = { { "PUT", "" }, { "POST", "/publish" },
		{ "POST", "/unpublish" }, { "POST", "/discard-draft" } };
	int i = pick(4);
	char body[200];

	if (m->stale[0] == '\0' || m->trashed)
		return;
	snprintf(body, sizeof(body), "{%s'_rev':'%s'}", i == 0 ? "'data':{'title':'no'}," : "",
	    m->stale);
	assert_code(on(m, requests[i][0], requests[i][1], body), "CONFLICT");
}

static void
step_schedule(struct item *m)
{
	int64_t at_ms = now + 1 + pick(60);
	char body[80];

	snprintf(body, sizeof(body), "{'scheduledAt':'%s'}", text_of(at_ms));
	if (m->trashed) {
		assert_code(on(m, "POST", "/schedule", body), "NOT_FOUND");
		return;
	}
	assert_ok(on(m, "POST", "/schedule", body));
	m->scheduled_at = at_ms;
	m->scheduled_status = !m->published;
	touch_schedule(m);
}

static void
step_simple(struct item *m, int which)
{
	static const char *const requests[][2] = { { "POST", "/publish" }, { "POST", "/unpublish" },
		{ "POST", "/discard-draft" }, { "DELETE", "/schedule" } };
	struct outcome *o = on(m, requests[which][0], requests[which][1], "");
	bool good = true;

	if (m->trashed) {
		assert_code(o, "NOT_FOUND");
		return;
	}
	if (which == 0)
		good = model_publish(m, m->newest, now);
	else if (which == 1)
		model_unpublish(m);
	else if (which == 2 && m->has_draft) {
		m->has_draft = m->slug_staged = false;
		m->newest = m->live;
		m->version++;
		if (m->published)
			m->scheduled_at = NONE;
	} else if (which == 3 && m->scheduled_at != NONE) {
		m->scheduled_at = NONE;
		touch_schedule(m);
	}
	if (which == 2 && !m->published && m->published_at == NONE)
		assert_code(o, "CONFLICT"); /* the item was never published */
	else
		assert_code(o, good ? "" : "SLUG_CONFLICT");
}

static void
step_trash(struct item *m)
{
	int which = pick(4);

	if (!m->trashed && which != 1 && which != 2) {
		assert_ok(on(m, "DELETE", "", ""));
		m->trashed = true;
		m->deleted_at = now;
		m->scheduled_at = NONE;
		m->seen = ++m->version;
	} else if (m->trashed && which != 0) {
		assert_ok(on(m, "POST", "/restore", ""));
		m->trashed = false;
	} else if (m->trashed) {
		assert_ok(ask(site, admin, "DELETE " BASE "/%s/permanent", m->id));
		m->there = false;
	} else
		assert_code(ask(site, admin, "DELETE " BASE "/%s/permanent", m->id), "NOT_FOUND");
}

/* Restores a listed revision, which becomes the newest values. */
static void
step_restore_revision(struct item *m)
{
	struct outcome *o = ask(site, editor, "GET " BASE "/%s/revisions", m->id);
	struct values v = m->newest;
	const char *slug;
	json_t *r;
	char id[27];
	bool good, slugged;

	if (m->trashed || json_array_size(json_object_get(o->data, "items")) == 0)
		return;
	r = json_array_get(json_object_get(o->data, "items"),
	    (size_t)pick((int)json_array_size(json_object_get(o->data, "items"))));
	snprintf(id, sizeof(id), "%s", harness_text(r, "id"));
	v.title = (int)strtol(harness_text(r, "data.title") + 1, NULL, 10);
	v.year = json_object_get(json_object_get(r, "data"), "year") != NULL
		     ? (int)harness_int(r, "data.year")
		     : NONE;
	slug = harness_text(r, "data._slug");
	slugged = *slug != '\0';
	v.slug = slugged ? (int)strtol(slug + 1, NULL, 10) : m->live.slug;
	good = m->published || m->has_draft || !taken(v.slug, m);
	o = ask(site, editor, "POST /revisions/%s/restore", id);
	assert_code(o, good ? "" : "SLUG_CONFLICT");
	if (!good)
		return;
	m->newest = v;
	if (m->published || m->has_draft) {
		m->slug_staged = slugged;
		m->has_draft = true;
		m->version++;
	} else {
		m->live = v;
		touch(m);
	}
}

/* Runs the job of the content module, in the site and in the model. */
static void
step_sweep(void)
{
	struct stet_call *call = call_new();
	struct stet_job job = { 0 };

	call_enter(call, harness_site(site));
	for (size_t i = 0; i < call->gen->module_count; i++)
		if (strcmp(call->gen->module[i]->m.name, "content") == 0) {
			call->owner = call->gen->module[i];
			stet_table_row(&call->owner->m.jobs, 0, &job, sizeof(job));
		}
	call->principal = (struct stet_principal){
		.id = "", .email = "", .name = "", .role = 50, .via = STET_VIA_SYSTEM
	};
	call->has_principal = true;
	assert_int_equal(job.run(call), STET_OK);
	rows_end_call(call);
	call_free(call);
	/* Publishes due items, oldest first; items that cannot be published keep their schedule. */
	for (struct item *done[ITEMS] = { 0 }, *next;; done[next - items] = next) {
		next = NULL;
		for (struct item *m = items; m < items + ITEMS; m++)
			if (m->there && !m->trashed && m->scheduled_at != NONE &&
			    m->scheduled_at <= now && done[m - items] == NULL &&
			    (next == NULL || m->scheduled_at < next->scheduled_at ||
				(m->scheduled_at == next->scheduled_at &&
				    strcmp(m->id, next->id) < 0)))
				next = m;
		if (next == NULL)
			break;
		(void)model_publish(next, next->newest, next->scheduled_at);
	}
}

static void
step(void)
{
	struct item *m = &items[pick(ITEMS)];
	int what = pick(20);

	now += pick(30);
	at(site, now);
	if (!m->there)
		step_create(m);
	else if (what < 7)
		step_put(m);
	else if (what < 11)
		step_simple(m, what - 7);
	else if (what < 13)
		step_schedule(m);
	else if (what < 15)
		step_trash(m);
	else if (what < 16)
		step_restore_revision(m);
	else if (what < 17)
		step_stale(m);
	else
		step_sweep();
}

/* Checks that the history contains the values that the step replaced. */
static void
compare_history(const struct item *was, const struct item *is)
{
	struct outcome *o;
	const json_t *r;
	size_t i;

	if (!was->there || !is->there || is->trashed ||
	    (was->live.title == is->live.title && was->live.year == is->live.year))
		return;
	harness_ok(o, ask(site, editor, "GET " BASE "/%s/revisions?limit=100", is->id));
	json_array_foreach(harness_at(o->data, "items"), i, r)
	{
		const json_t *data = json_object_get(r, "data");
		const json_t *year = json_object_get(data, "year");
		const char *title = json_string_value(json_object_get(data, "title"));

		if ((int)strtol(title + 1, NULL, 10) == was->live.title &&
		    (year != NULL ? json_integer_value(year) : NONE) == was->live.year)
			return;
	}
	fail_msg("what %s held is not in its history", is->id);
}

static void
items_go_as_the_model_goes(void **state)
{
	site = *state;
	chance_begin(5000);
	for (int i = 0; i < chance.steps; i++) {
		struct item was[ITEMS];

		memcpy(was, items, sizeof(was));
		step();
		compare_all();
		for (int k = 0; k < ITEMS; k++)
			compare_history(&was[k], &items[k]);
	}
	print_message("# %d steps\n", chance.steps);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { check(items_go_as_the_model_goes) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
