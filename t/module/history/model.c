/*
 * model.c - random sessions of an assistant, with changes of people between them, then the undo. Of
 * each value, what is there afterwards is what somebody else than the assistant has written last:
 * so nothing of others is lost, and everything of the session is back.
 *
 * UNDO_SESSIONS is the number of sessions (200; `make long`: 1000), UNDO_SEED selects the sequence.
 */
#include "chance.h"
#include "inside.h"
#include "people.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 3, MADE = 2, MENU = ITEMS + MADE, TERM, SETTINGS, THINGS };

/* A thing of this session. The first items, the menu and the term are there before it; the
 * assistant makes the items from ITEMS on. */
static struct thing {
	char path[64];
	json_t *want; /* by value: what others have written last */
	bool was, made; /* it was there before the session; the assistant has made it */
	bool touched; /* by others */
	bool gone; /* others have deleted it */
	bool published_last; /* what the public sees was changed by others, and not by the assistant
				since */
	char live[40]; /* its title for the public, then; "": none */
} things[THINGS];

static struct person bot;
static int round_no, value_no;
static struct {
	int sessions, writes, foreign, values, back, kept;
} seen_so_far;

/* ---- what is there ---- */

/* The values of a thing, flat; empty if it does not exist. */
static json_t *
values_of(struct harness *h, int i)
{
	static const char *const settings[] = { "siteTitle", "tagline", NULL };
	json_t *out = json_object(), *from, *value;
	struct outcome *o = ask(h, admin, "GET %s", things[i].path);
	const char *name;

	if (o->http != 200)
		return out;
	if (i < MENU) {
		from = harness_at(o->data, "item.data");
		json_object_set(out, "status", harness_at(o->data, "item.status"));
		json_object_foreach(from, name, value)
		{
			json_object_set(out, name, value);
		}
	} else if (i == MENU) {
		json_object_set(out, "label", harness_at(o->data, "label"));
		json_object_set_new(out, "links", json_array());
		json_t *links = harness_at(o->data, "items");
		size_t at;

		json_array_foreach(links, at, value)
		{
			json_array_append(
			    json_object_get(out, "links"), json_object_get(value, "label"));
		}
	} else if (i == TERM) {
		json_object_set(out, "label", harness_at(o->data, "term.label"));
		if (harness_at(o->data, "term.description") != NULL)
			json_object_set(
			    out, "description", harness_at(o->data, "term.description"));
	} else
		for (const char *const *s = settings; *s != NULL; s++)
			if (json_object_get(o->data, *s) != NULL)
				json_object_set(out, *s, json_object_get(o->data, *s));
	return out;
}

/* The title of an item for the public; "" if it is not public. */
static const char *
live_title(struct harness *h, int i)
{
	struct outcome *o = ask(h, subscriber, "GET %s", things[i].path);

	return o->http == 200 ? harness_text(o->data, "item.data.title") : "";
}

/* The number of changes of an item, as its _rev has it; a copy, which the caller frees. */
static char *
rev_of(struct harness *h, int i)
{
	struct outcome *o = ask(h, admin, "GET %s", things[i].path);

	return strdup(o->http == 200 ? harness_text(o->data, "_rev") : "");
}

/* ---- writing ---- */

/* Sends a request as the assistant or as an editor; returns whether it succeeded. */
static bool
write_it(struct harness *h, bool assistant, const char *request, const char *body)
{
	char *text = body != NULL ? double_quotes(strdup(body)) : NULL;
	struct outcome *o = assistant ? person_ask(h, bot.token, request, text)
				      : harness_request(h, admin, request, NULL, text);

	if (getenv("UNDO_TALK") != NULL)
		print_message("# %d %s %s %s: %d %s\n", round_no, assistant ? "bot" : "other",
		    request, text != NULL ? text : "", o->http, o->message);
	free(text);
	if (o->http >= 500)
		fail_msg("round %d: %s: %s", round_no, request, o->text);
	return o->http < 300;
}

static bool
write_item(struct harness *h, bool assistant, int i)
{
	static const char *const names[] = { "title", "summary" };
	char request[500], body[160];
	struct thing *t = &things[i];

	if (i >= ITEMS && assistant && !t->made && !t->gone) {
		snprintf(body, sizeof(body), "{'slug':'%s','data':{'title':'v%d'}}",
		    strrchr(t->path, '/') + 1, ++value_no);
		return t->made = write_it(h, true, "POST " BASE, body);
	}
	switch (pick(8)) {
	case 0:
		snprintf(request, sizeof(request), "POST %s/publish", t->path);
		return write_it(h, assistant, request, NULL);
	case 1:
		snprintf(request, sizeof(request), "POST %s/unpublish", t->path);
		return write_it(h, assistant, request, NULL);
	case 2:
		snprintf(request, sizeof(request), "POST %s/discard-draft", t->path);
		return write_it(h, assistant, request, NULL);
	case 3:
		if (pick(2) == 0) {
			snprintf(request, sizeof(request), "DELETE %s", t->path);
			return write_it(h, assistant, request, NULL);
		}
		snprintf(body, sizeof(body), "{'data':{'%s':'v%d'},'status':'published'}",
		    names[pick(2)], ++value_no);
		break;
	case 4:
		snprintf(body, sizeof(body), "{'data':{'year':%d}}", ++value_no);
		break;
	default:
		snprintf(body, sizeof(body), "{'data':{'%s':'v%d'}%s}", names[pick(2)], ++value_no,
		    !assistant && pick(2) == 0 ? ",'skipRevision':true" : "");
	}
	snprintf(request, sizeof(request), "PUT %s", t->path);
	return write_it(h, assistant, request, body);
}

static bool
write_other(struct harness *h, bool assistant, int i)
{
	char request[500], body[160];
	const int way = pick(4);

	snprintf(request, sizeof(request), "%s %s", "PUT", things[i].path);
	value_no++;
	if (i == MENU && way == 0)
		snprintf(body, sizeof(body), "{'label':'v%d'}", value_no);
	else if (i == MENU && way == 1 && assistant)
		snprintf(request, sizeof(request), "DELETE %s", things[i].path);
	else if (i == MENU) {
		snprintf(request, sizeof(request), "PUT %s/items", things[i].path);
		snprintf(body, sizeof(body),
		    "{'items':[{'type':'custom','label':'v%d','customUrl':'/'}]}", value_no);
	} else if (i == TERM && way == 1 && assistant)
		snprintf(request, sizeof(request), "DELETE %s", things[i].path);
	else if (i == TERM)
		snprintf(body, sizeof(body), "{'%s':'v%d'}", way < 3 ? "label" : "description",
		    value_no);
	else {
		snprintf(request, sizeof(request), "POST /settings");
		snprintf(body, sizeof(body), "{'%s':'v%d'}", way < 2 ? "siteTitle" : "tagline",
		    value_no);
	}
	return write_it(h, assistant, request, *request == 'D' ? NULL : body);
}

static bool
write_thing(struct harness *h, bool assistant, int i)
{
	return i < MENU ? write_item(h, assistant, i) : write_other(h, assistant, i);
}

/* Writes as somebody else, and notes what that has changed. */
static void
write_foreign(struct harness *h, int i)
{
	struct thing *t = &things[i];
	json_t *before = values_of(h, i), *after, *value;
	char live[40] = "", *rev = rev_of(h, i), *now;
	const char *name;

	if (i < MENU)
		snprintf(live, sizeof(live), "%s", live_title(h, i));
	if (json_object_size(before) > 0 && write_thing(h, false, i)) {
		after = values_of(h, i);
		seen_so_far.foreign++;
		now = rev_of(h, i);
		if (strcmp(now, rev) != 0 || !json_equal(before, after))
			t->touched = true;
		free(now);
		t->gone = json_object_size(after) == 0;
		json_object_foreach(after, name, value)
		{
			if (!json_equal(value, json_object_get(before, name)))
				json_object_set(t->want, name, value);
		}
		json_object_foreach(before, name, value)
		{
			if (!t->gone && json_object_get(after, name) == NULL)
				json_object_del(t->want, name);
		}
		if (i < MENU && strcmp(live, live_title(h, i)) != 0) {
			t->published_last = true;
			snprintf(t->live, sizeof(t->live), "%s", live_title(h, i));
		}
		json_decref(after);
	}
	json_decref(before);
	free(rev);
}

static void
write_own(struct harness *h, int i)
{
	char live[40] = "";

	if (i < MENU)
		snprintf(live, sizeof(live), "%s", live_title(h, i));
	if (!write_thing(h, true, i))
		return;
	seen_so_far.writes++;
	if (i < MENU && strcmp(live, live_title(h, i)) != 0)
		things[i].published_last = false;
}

/* ---- one session ---- */

static void
begin_things(struct harness *h)
{
	char body[160];

	if (round_no > 1) { /* a site has at most 500 menus */
		snprintf(body, sizeof(body), "DELETE /menus/m%d", round_no - 1);
		(void)write_it(h, false, body, NULL);
	}
	for (int i = 0; i < THINGS; i++) {
		struct thing *t = &things[i];

		json_decref(t->want);
		*t = (struct thing){ .was = i < ITEMS || i >= MENU };
		if (i < MENU) {
			snprintf(t->path, sizeof(t->path), BASE "/r%d-%d", round_no, i);
			snprintf(body, sizeof(body),
			    "{'slug':'r%d-%d','data':{'title':'o%d','summary':'o','year':0}%s}",
			    round_no, i, i, i > 0 ? ",'status':'published'" : "");
			if (t->was)
				assert_true(write_it(h, false, "POST " BASE, body));
		} else if (i == MENU) {
			snprintf(t->path, sizeof(t->path), "/menus/m%d", round_no);
			snprintf(body, sizeof(body), "{'name':'m%d','label':'o'}", round_no);
			assert_true(write_it(h, false, "POST /menus", body));
		} else if (i == TERM) {
			snprintf(
			    t->path, sizeof(t->path), "/taxonomies/category/terms/t%d", round_no);
			snprintf(body, sizeof(body), "{'slug':'t%d','label':'o'}", round_no);
			assert_true(write_it(h, false, "POST /taxonomies/category/terms", body));
		} else
			snprintf(t->path, sizeof(t->path), "/settings");
		t->want = values_of(h, i);
	}
	if (pick(2) == 0)
		write_foreign(h, 1); /* a draft, perhaps */
	for (int i = 0; i < THINGS; i++)
		things[i].touched = false;
}

static void
check_thing(struct harness *h, int i, const char *how)
{
	struct thing *t = &things[i];
	json_t *is = values_of(h, i), *value;
	const bool there = json_object_size(is) > 0;
	const char *name;

	if (t->gone || (!t->was && !t->touched)) {
		if (there)
			fail_msg("round %d: %s is there: %s", round_no, t->path, how);
		json_decref(is);
		return;
	}
	if (!there)
		fail_msg("round %d: %s is gone: %s", round_no, t->path, how);
	json_object_foreach(t->want, name, value)
	{
		/* Who has published what somebody else works on is told, and stays so. */
		if (strcmp(name, "status") == 0 && t->touched)
			continue;
		seen_so_far.values++;
		if (!json_equal(value, json_object_get(is, name)))
			fail_msg("round %d: %s: %s is %s, not %s: %s", round_no, t->path, name,
			    json_dumps(json_object_get(is, name), JSON_ENCODE_ANY),
			    json_dumps(value, JSON_ENCODE_ANY), how);
	}
	if (i < MENU && t->published_last && strcmp(t->live, live_title(h, i)) != 0)
		fail_msg("round %d: %s: the public sees %s, not %s: %s", round_no, t->path,
		    live_title(h, i), t->live, how);
	json_decref(is);
}

static void
undo(struct harness *h, char **how)
{
	char request[100];
	struct outcome *o;
	json_t *item;
	size_t n;

	snprintf(request, sizeof(request), "POST /assistant-sessions/%s/undo",
	    inside_ask(h, "SELECT id FROM assistant_session ORDER BY id DESC LIMIT 1"));
	harness_ok(o, harness_request(h, admin, request, NULL, "{}"));
	*how = strdup(o->text);
	if (getenv("UNDO_TALK") != NULL)
		print_message("# undo %s\n", *how);
	json_array_foreach(harness_at(o->data, "items"), n, item)
	{
		if (strcmp(harness_text(item, "result"), "undone") == 0)
			seen_so_far.back++;
		else if (json_object_get(item, "kept") != NULL)
			seen_so_far.kept++;
	}
}

static void
nothing_of_others_is_lost(void **state)
{
	struct harness *h = *state;
	int64_t first;
	char *how;

	chance_from("UNDO_SEED", "UNDO_SESSIONS", 200);
	for (round_no = 1; round_no <= chance.steps; round_no++) {
		const int others = pick(3);

		at(h, round_no * 31 * 60000); /* a session of its own */
		begin_things(h);
		first = seen_so_far.writes;
		for (int n = 4 + pick(8); n > 0; n--) {
			write_own(h, pick(THINGS));
			if (others > 0 && pick(3) < others)
				write_foreign(h, pick(THINGS));
		}
		if (seen_so_far.writes == first)
			continue;
		undo(h, &how);
		for (int i = 0; i < THINGS; i++)
			check_thing(h, i, how);
		free(how);
		seen_so_far.sessions++;
	}
	print_message("# %d sessions, %d writes, %d of others; %d values are right; %d records are"
		      " back, %d are partly somebody else's\n",
	    seen_so_far.sessions, seen_so_far.writes, seen_so_far.foreign, seen_so_far.values,
	    seen_so_far.back, seen_so_far.kept);
	assert_true(seen_so_far.back > chance.steps && seen_so_far.kept > 0);
}

static int
begin(void **state)
{
	if (posts_begin_seo(state) != 0)
		return -1;
	bot = person_make(*state, "bot@example.org", "admin", "[\"admin\"]", NULL);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nothing_of_others_is_lost, begin, posts_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
