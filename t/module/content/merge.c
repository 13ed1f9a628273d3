/* merge.t - the details of the CONFLICT for a stale _rev, from which a page can show a three-way
 * merge. */
#include "chance.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

#define SEEN_MAX 400

static char id[27];
/* Each _rev of the item, and the title of that version. */
static struct {
	char rev[64];
	int title;
} seen_as[SEEN_MAX];
static int seen_count;

/* Stores the current _rev and title of the item. */
static void
look(struct harness *h)
{
	struct outcome *o;

	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
	assert_true(seen_count < SEEN_MAX);
	(void)snprintf(seen_as[seen_count].rev, 64, "%s", harness_text(o->data, "_rev"));
	seen_as[seen_count++].title =
	    (int)strtol(harness_text(o->data, "item.data.title") + 1, NULL, 10);
}

static void
new_item(struct harness *h, const char *status)
{
	seen_count = 0;
	make(h, editor, id, "{'status':'%s','data':{'title':'t0'}}", status);
	look(h);
}

static struct outcome *put(
    struct harness *h, const struct harness_user *user, const char *body, ...) STET_FMT(3, 4);
static struct outcome *
put(struct harness *h, const struct harness_user *user, const char *body, ...)
{
	char path[64], *text;
	struct outcome *o;
	va_list ap;

	(void)snprintf(path, sizeof(path), "PUT " BASE "/%s", id);
	va_start(ap, body);
	text = quoted(body, ap);
	va_end(ap);
	o = harness_request(h, user, path, NULL, text);
	free(text);
	return o;
}

static void
save(struct harness *h, int title, bool replaces)
{
	assert_ok(put(h, editor, "{'data':{'title':'t%d'}%s}", title,
	    replaces ? ",'skipRevision':true" : ""));
	look(h);
}

static void
act(struct harness *h, const char *action)
{
	assert_ok(ask(h, editor, "POST " BASE "/%s/%s", id, action));
	look(h);
}

/* Saves with a stale _rev, and checks the conflict. */
static struct outcome *
conflict(struct harness *h, const char *rev)
{
	struct outcome *o = put(h, editor, "{'_rev':'%s','data':{'title':'mine'}}", rev);

	assert_code(o, "CONFLICT");
	assert_string_equal(harness_text(o->details, "field"), "_rev");
	return o;
}

/* Returns the number in the title of a revision, or -1 if the details name none. */
static int
title_of(struct harness *h, struct outcome *o, const char *member)
{
	char *revision = strdup(harness_text(o->details, member));
	int title = -1;

	if (*revision != '\0') {
		harness_ok(o, ask(h, editor, "GET /revisions/%s", revision));
		assert_string_equal(harness_text(o->data, "item.entryId"), id);
		title = (int)strtol(harness_text(o->data, "item.data.title") + 1, NULL, 10);
	}
	free(revision);
	return title;
}

static int
base_of(struct harness *h, int i)
{
	return title_of(h, conflict(h, seen_as[i].rev), "baseRevisionId");
}

static int
current_of(struct harness *h, int i)
{
	return title_of(h, conflict(h, seen_as[i].rev), "currentRevisionId");
}

/* ---- three sides ---- */

static void
a_draft_that_was_never_live_has_three_sides(void **state)
{
	new_item(*state, "draft");
	save(*state, 1, false);
	assert_int_equal(base_of(*state, 0), 0);
	assert_int_equal(current_of(*state, 0), 1);
	save(*state, 2, false);
	assert_int_equal(base_of(*state, 0), 0);
	assert_int_equal(base_of(*state, 1), 1);
	assert_int_equal(current_of(*state, 1), 2);
}

static void
a_draft_of_what_is_live_has_three_sides(void **state)
{
	new_item(*state, "published");
	save(*state, 1, false);
	save(*state, 2, false);
	assert_int_equal(base_of(*state, 0), 0);
	assert_int_equal(base_of(*state, 1), 1);
	assert_int_equal(current_of(*state, 1), 2);
}

static void
the_rev_it_tells_is_the_one_to_save_with(void **state)
{
	struct harness *h = *state;
	char rev[64];

	new_item(h, "draft");
	save(h, 1, false);
	(void)snprintf(rev, sizeof(rev), "%s",
	    harness_text(conflict(h, seen_as[0].rev)->details, "currentRev"));
	assert_string_equal(rev, seen_as[1].rev);
	assert_ok(put(h, editor, "{'_rev':'%s','data':{'title':'t2'}}", rev));
}

static void
publishing_and_scheduling_keep_the_base(void **state)
{
	struct harness *h = *state;
	char path[64];

	new_item(h, "draft");
	save(h, 1, false);
	act(h, "publish");
	save(h, 2, false);
	(void)snprintf(path, sizeof(path), "POST " BASE "/%s/schedule", id);
	assert_ok(say(h, editor, path, "{'scheduledAt':'2030-01-01T00:00:00Z'}"));
	look(h);
	save(h, 3, false);
	assert_int_equal(base_of(h, 1), 1);
	assert_int_equal(base_of(h, 2), 1);
	assert_int_equal(base_of(h, 3), 2);
	assert_int_equal(base_of(h, 4), 2);
}

/* ---- where there is no base ---- */

static void
an_autosave_that_was_replaced_is_no_base(void **state)
{
	new_item(*state, "published");
	save(*state, 1, false);
	save(*state, 2, true);
	assert_int_equal(base_of(*state, 1), -1);
	assert_int_equal(base_of(*state, 0), 0);
	assert_int_equal(current_of(*state, 1), 2);
}

static void
what_is_no_rev_has_no_base(void **state)
{
	static const char *const bad[] = { "%%", "bm9wZQ==", "",
		"MTo=", "OTk5OTk5OTk5OTk5OTk5OTk5OTk5Og==", "LTE6", "AAAA" };

	new_item(*state, "draft");
	save(*state, 1, false);
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = conflict(*state, bad[i]);

		assert_string_equal(harness_text(o->details, "currentRev"), seen_as[1].rev);
		/* "1:" names a version nevertheless. */
		if (strcmp(bad[i], "MTo=") != 0)
			assert_string_equal(harness_text(o->details, "baseRevisionId"), "");
	}
}

static void
a_collection_without_revisions_tells_the_rev_alone(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char rev[64];

	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'plain','label':'P','supports':['drafts']}"));
	field(h, "plain", "title", "string", "");
	harness_ok(o, say(h, editor, "POST /content/plain", "{'slug':'a','data':{'title':'t0'}}"));
	(void)snprintf(rev, sizeof(rev), "%s", harness_text(o->data, "_rev"));
	assert_ok(say(h, editor, "PUT /content/plain/a", "{'data':{'title':'t1'}}"));
	o = say(h, editor, "PUT /content/plain/a", "{'_rev':'%s','data':{'title':'t2'}}", rev);
	assert_code(o, "CONFLICT");
	assert_string_not_equal(harness_text(o->details, "currentRev"), "");
	assert_null(harness_at(o->details, "currentRevisionId"));
	assert_null(harness_at(o->details, "baseRevisionId"));
}

static void
who_may_not_read_is_told_nothing(void **state)
{
	static const struct harness_user writes[] = {
		{ .id = "01USERADMIN000000000000050", .role = 50, .scopes = "content:write" }
	};
	struct outcome *o;

	new_item(*state, "published");
	save(*state, 1, false);
	save(*state, 2, false);
	o = put(*state, writes, "{'_rev':'%s','data':{'title':'mine'}}", seen_as[1].rev);
	assert_code(o, "CONFLICT");
	assert_null(harness_at(o->details, "currentRev"));
	assert_null(harness_at(o->details, "currentRevisionId"));
	assert_null(harness_at(o->details, "baseRevisionId"));
	/* A caller without permission gets FORBIDDEN, whatever the _rev. */
	o = put(*state, subscriber, "{'_rev':'%s','data':{'title':'mine'}}", seen_as[1].rev);
	assert_code(o, "FORBIDDEN");
	assert_null(strstr(o->text, "Rev"));
}

/* ---- any history ---- */

static void
step(struct harness *h, int title)
{
	switch (pick(9)) {
	case 0:
		act(h, "publish");
		break;
	case 1:
		act(h, "unpublish");
		break;
	case 2:
		(void)ask(h, editor, "POST " BASE "/%s/discard-draft", id);
		look(h);
		break;
	case 3:
		assert_ok(put(h, editor, "{'publishedAt':'2026-01-0%dT00:00:00Z'}", 1 + pick(9)));
		look(h);
		break;
	case 4:
		assert_ok(put(h, editor, "{'status':'published','data':{'title':'t%d'}}", title));
		look(h);
		break;
	case 5:
		save(h, title, true);
		break;
	default:
		save(h, title, false);
	}
}

/* The base revision has the values that the caller had read, or none is named. */
static void
a_base_is_never_a_wrong_one(void **state)
{
	struct harness *h = *state;
	int found = 0, asked = 0;

	chance_begin(120);
	new_item(h, "draft");
	for (int i = 1; i <= chance.steps; i++) {
		int k, base;

		step(h, i);
		k = seen_count - 1 - pick(seen_count < 12 ? seen_count : 12);
		if (strcmp(seen_as[k].rev, seen_as[seen_count - 1].rev) == 0)
			continue;
		base = base_of(h, k);
		asked++;
		found += base >= 0;
		if (base >= 0 && base != seen_as[k].title)
			fail_msg("step %d: the base has t%d, and t%d was read", i, base,
			    seen_as[k].title);
		assert_true(
		    current_of(h, k) == -1 || current_of(h, k) == seen_as[seen_count - 1].title);
	}
	assert_true(asked > chance.steps / 2);
	assert_true(found > asked / 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(a_draft_that_was_never_live_has_three_sides),
		check(a_draft_of_what_is_live_has_three_sides),
		check(the_rev_it_tells_is_the_one_to_save_with),
		check(publishing_and_scheduling_keep_the_base),
		check(an_autosave_that_was_replaced_is_no_base),
		check(what_is_no_rev_has_no_base),
		check(a_collection_without_revisions_tells_the_rev_alone),
		check(who_may_not_read_is_told_nothing),
		check(a_base_is_never_a_wrong_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
