/* purges.c - the event cache.purge: which names caches in front of the site are told to purge. */
#include "told.h"
#include <stdio.h>

#define EVENTS ",'events':['cache.purge']"

static struct hook cache;

/* Checks that one delivery with these names is sent. */
static void
assert_purged(struct harness *h, const char *want)
{
	char said[200] = "";
	json_t *b, *key;
	size_t i;

	assert_int_equal(sent(h), 1);
	b = heard_body(&here);
	assert_string_equal(harness_text(b, "event"), "cache.purge");
	json_array_foreach(harness_at(b, "data.keys"), i, key)
	{
		size_t len = strlen(said);

		(void)snprintf(said + len, sizeof(said) - len, "%s%s", i > 0 ? " " : "",
		    json_string_value(key));
	}
	json_decref(b);
	assert_string_equal(said, want);
}

static void
public_is(struct harness *h, const char *yes)
{
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'publicRead':%s}", yes));
}

static void
what_the_public_sees_is_purged_when_it_changes(void **state)
{
	static const struct {
		const char *method, *rest, *body;
		bool purges;
	} steps[] = {
		{ "POST", "/publish", "{}", true },
		{ "PUT", "", "{'data':{'title':'Staged'}}", false },
		{ "POST", "/discard-draft", "{}", false },
		{ "PUT", "", "{'data':{'title':'Staged'}}", false },
		{ "POST", "/publish", "{}", true },
		{ "POST", "/unpublish", "{}", true },
		{ "POST", "/publish", "{}", true },
		{ "DELETE", "", "{}", true },
		{ "POST", "/restore", "{}", true },
		{ "DELETE", "", "{}", true },
		{ "DELETE", "/permanent", "{}", false },
	};
	struct harness *h = *state;
	char id[27], request[100], keys[80];

	public_is(h, "true");
	make(h, editor, id, "{'slug':'one','data':{'title':'One'}}");
	(void)snprintf(keys, sizeof(keys), "i:%s l:posts", id);
	hook(h, &here, EVENTS, &cache);
	for (size_t i = 0; i < COUNT(steps); i++) {
		(void)snprintf(request, sizeof(request), "%s " BASE "/%s%s", steps[i].method, id,
		    steps[i].rest);
		assert_ok(say(h, admin, request, "%s", steps[i].body));
		if (steps[i].purges)
			assert_purged(h, keys);
		else
			assert_int_equal(sent(h), 0);
	}
}

static void
lists_are_purged_when_an_item_gets_other_terms(void **state)
{
	struct harness *h = *state;
	char id[27], request[100], body[80];
	struct outcome *o;

	public_is(h, "true");
	harness_ok(o, say(h, admin, "POST /taxonomies/category/terms", "{'slug':'a','label':'A'}"));
	(void)snprintf(body, sizeof(body), "{'termIds':['%s']}", harness_text(o->data, "term.id"));
	make(h, editor, id, "{'status':'published','data':{'title':'One'}}");
	hook(h, &here, EVENTS, &cache);
	(void)snprintf(request, sizeof(request), "POST " BASE "/%s/terms/category", id);
	assert_ok(say(h, admin, request, "%s", body));
	assert_purged(h, "k:taxonomies l:posts");
	/* Terms changed with a save are purged when the draft is published. */
	(void)snprintf(body, sizeof(body), "PUT " BASE "/%s", id);
	assert_ok(say(h, admin, body, "{'taxonomies':{'category':[]}}"));
	assert_int_equal(sent(h), 0);
	(void)snprintf(body, sizeof(body), "POST " BASE "/%s/publish", id);
	assert_ok(say(h, admin, body, "{}"));
	(void)snprintf(body, sizeof(body), "i:%s l:posts", id);
	assert_purged(h, body);
	public_is(h, "false");
	assert_purged(h, "c:posts l:posts k:schema");
	assert_ok(say(h, admin, request, "{'termIds':[]}"));
	assert_int_equal(sent(h), 0);
}

static void
what_nobody_reads_is_not_purged(void **state)
{
	struct harness *h = *state;
	char id[27];

	hook(h, &here, EVENTS, &cache);
	make(h, editor, id, "{'status':'published','data':{'title':'One'}}");
	assert_int_equal(sent(h), 0);
	/* When a collection is closed, caches must drop it, too. */
	public_is(h, "true");
	assert_purged(h, "c:posts l:posts k:schema");
	public_is(h, "false");
	assert_purged(h, "c:posts l:posts k:schema");
}

static void
other_modules_are_purged_as_a_whole(void **state)
{
	struct harness *h = *state;

	hook(h, &here, EVENTS, &cache);
	assert_ok(say(h, admin, "POST /menus", "{'name':'main','label':'Main'}"));
	assert_purged(h, "k:menus");
	assert_ok(say(h, admin, "PUT /menus/main/items",
	    "{'items':[{'type':'custom','label':'Home','customUrl':'/'}]}"));
	assert_purged(h, "k:menus");
	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'T'}"));
	assert_purged(h, "k:settings");
	assert_ok(say(h, admin, "POST /taxonomies/category/terms", "{'slug':'a','label':'A'}"));
	assert_purged(h, "k:taxonomies");
	assert_ok(say(h, admin, "POST /sections",
	    "{'slug':'s','title':'S','content':[{'_type':'block','children':[]}]}"));
	assert_purged(h, "k:sections");
	assert_ok(say(h, admin, "POST /widget-areas", "{'name':'side','label':'Side'}"));
	assert_purged(h, "k:widgets");
	assert_ok(say(h, admin, "POST /bylines", "{'slug':'ann','displayName':'Ann'}"));
	assert_purged(h, "k:bylines");
	/* Changes that the public does not see, and refused requests, purge nothing. */
	assert_ok(say(h, admin, "POST /media/folders", "{'name':'F'}"));
	assert_code(say(h, admin, "POST /menus", "{'name':'main','label':'Main'}"), "CONFLICT");
	assert_int_equal(sent(h), 0);
}

static void
only_who_asks_for_it_is_told(void **state)
{
	struct harness *h = *state;
	struct hook all, posts;

	public_is(h, "true");
	hook(h, &there, "", &all);
	hook(h, &here, ",'events':['cache.*'],'collections':['posts']", &posts);
	assert_ok(say(h, editor, "POST " BASE, "{'status':'published','data':{'title':'One'}}"));
	assert_ok(say(h, admin, "POST /settings", "{'siteTitle':'T'}"));
	assert_int_equal(sent(h), 3);
	assert_string_equal(heard_header(&here, "X-Stet-Event"), "cache.purge");
	assert_string_equal(heard_header(&there, "X-Stet-Event"), "content.publish");
}

int
main(void)
{
#define t(name) cmocka_unit_test_setup_teardown(name, told_begin, told_end)
	const struct CMUnitTest tests[] = {
		t(what_the_public_sees_is_purged_when_it_changes),
		t(lists_are_purged_when_an_item_gets_other_terms),
		t(what_nobody_reads_is_not_purged),
		t(other_modules_are_purged_as_a_whole),
		t(only_who_asks_for_it_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
