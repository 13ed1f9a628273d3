/* shown.t - what callers without credentials find: the collections that publicRead opens, or all if
 * the site's settings say so. Search reveals nothing of other collections. */
#include "searched.h"

#define NOTE "{'status':'published','slug':'%s','data':{'title':'%s'}}"

static char secret[27]; /* an item of the collection notes, which is not public */

static int
begin(void **state)
{
	struct harness *h;
	struct outcome *o;
	char id[27];

	searched_begin(state);
	h = *state;
	post(h, id, "Open zebra", "stripes of a zebra");
	assert_ok(say(h, admin, "POST /schema/collections",
	    "{'slug':'notes','label':'Notes','supports':['drafts','search']}"));
	field(h, "notes", "title", "string", "'searchable':true");
	enable(h, "notes", "");
	harness_ok(
	    o, say(h, editor, "POST /content/notes", NOTE, "s", "Secret zebra whistleblower"));
	snprintf(secret, sizeof(secret), "%s", harness_text(o->data, "item.id"));
	assert_ok(say(h, editor, "POST /content/notes", NOTE, "t", "Secret whistleblower"));
	return 0;
}

static int
found(struct harness *h, const struct harness_user *user, const char *request)
{
	struct outcome *o;

	harness_ok(o, ask(h, user, "%s", request));
	assert_null(user == nobody ? strstr(o->text, "whistleblower") : NULL);
	return (int)json_array_size(json_object_get(o->data, "items"));
}

static void
nothing_tells_of_collections_that_are_not_public(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char request[100];

	assert_int_equal(found(h, nobody, "GET /search?q=zebra"), 1);
	assert_int_equal(found(h, nobody, "GET /search?q=secret"), 0);
	assert_int_equal(found(h, nobody, "GET /search?q=secret&collections=notes"), 0);
	assert_int_equal(found(h, nobody, "GET /search?q=who+hides+the+secret+of+zebra"), 1);
	assert_int_equal(found(h, nobody, "GET /search/suggest?q=secr"), 0);
	assert_int_equal(found(h, nobody, "GET /search/suggest?q=zebra"), 1);
	/* A correction would reveal a word of the hidden item. */
	harness_ok(o, ask(h, nobody, "GET /search?q=whistlblower"));
	assert_null(harness_at(o->data, "corrected"));
	harness_ok(o, ask(h, nobody, "GET /search/suggest?q=whistlblower"));
	assert_null(harness_at(o->data, "corrected"));
	/* The error is word for word that for an unknown collection. */
	snprintf(request, sizeof(request), "GET /search/similar/notes/%s", secret);
	o = ask(h, nobody, "%s", request);
	assert_code(o, "NOT_FOUND");
	assert_non_null(strstr(o->text, "Collection \\\"notes\\\" not found"));
	assert_code(ask(h, nobody, "GET /content/notes?search=secret"), "UNAUTHORIZED");
	assert_int_equal(found(h, nobody, "GET " BASE "?search=zebra"), 1);
}

static void
those_who_may_read_it_find_it(void **state)
{
	static const struct harness_user delivery[1] = { { "", 10, "content:read", false, 0 } };
	static const struct harness_user media_only[1] = { { "", 10, "media:read", false, 0 } };
	struct harness *h = *state;
	struct outcome *o;
	char request[100];

	assert_int_equal(found(h, subscriber, "GET /search?q=secret"), 2);
	assert_int_equal(found(h, delivery, "GET /search?q=secret"), 2);
	assert_int_equal(found(h, subscriber, "GET /search/suggest?q=secr"), 2);
	snprintf(request, sizeof(request), "GET /search/similar/notes/%s", secret);
	assert_int_equal(found(h, subscriber, request), 1);
	harness_ok(o, look(h, subscriber, "whistlblower", ""));
	assert_string_equal(harness_text(o->data, "corrected"), "whistleblower");
	/* A token without a scope for items finds no more than an anonymous caller. */
	assert_int_equal(found(h, media_only, "GET /search?q=secret"), 0);
	assert_int_equal(found(h, media_only, "GET /search?q=zebra"), 1);
}

static void
a_change_of_the_collection_counts_at_once(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "PUT /schema/collections/notes", "{'publicRead':true}"));
	harness_ok(o, look(h, nobody, "secret", ""));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 2);
	assert_ok(say(h, admin, "PUT /schema/collections/notes", "{'publicRead':false}"));
	assert_int_equal(found(h, nobody, "GET /search?q=secret"), 0);
}

/* Words of a block count if the site defines it; addresses, times and unknown members do not. */
static void
words_in_blocks_of_the_site_are_found(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(say(h, admin, "POST /schema/blocks",
	    "{'slug':'card','label':'Card','fields':["
	    "{'slug':'head','label':'H','type':'string'},{'slug':'more','label':'M','type':'url'},"
	    "{'slug':'rows','label':'R','type':'repeater','validation':{'subFields':["
	    "{'slug':'line','label':'L','type':'string'}]}}]}"));
	harness_ok(
	    o, say(h, editor, "POST " BASE,
		   "{'status':'published','data':{'title':'Cards','body':["
		   "{'_type':'card','_key':'a','head':'walrus','more':'https://penguin.example/',"
		   "'gone':'dodo','rows':[{'line':'narwhal'}]},"
		   "{'_type':'other','head':'manatee'}]}}"));
	assert_int_equal(found(h, nobody, "GET /search?q=walrus"), 1);
	assert_int_equal(found(h, nobody, "GET /search?q=narwhal"), 1);
	assert_int_equal(found(h, nobody, "GET /search?q=penguin"), 0);
	assert_int_equal(found(h, nobody, "GET /search?q=dodo"), 0);
	assert_int_equal(found(h, nobody, "GET /search?q=manatee"), 0);
}

static void
a_site_may_let_everybody_find_all(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char request[100];

	harness_ok(o, harness_op(h, admin, "search_public", "{}"));
	assert_string_equal(harness_text(o->data, "publicSearch"), "collections");
	assert_code(harness_op(h, admin, "search_public", "{\"publicSearch\":\"some\"}"),
	    "VALIDATION_ERROR");
	assert_code(
	    harness_op(h, editor, "search_public", "{\"publicSearch\":\"all\"}"), "FORBIDDEN");
	assert_ok(harness_op(h, admin, "search_public", "{\"publicSearch\":\"all\"}"));
	assert_int_equal(hits(h, "secret"), 2);
	harness_ok(o, ask(h, nobody, "GET /search/suggest?q=secr"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 2);
	snprintf(request, sizeof(request), "GET /search/similar/notes/%s", secret);
	harness_ok(o, ask(h, nobody, "%s", request));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), 1);
	/* Drafts stay hidden. */
	assert_code(ask(h, nobody, "GET /search?q=secret&status=draft"), "UNAUTHORIZED");
	assert_ok(say(h, admin, "PUT /admin/plugins/search/settings",
	    "{'values':{'publicSearch':'collections'}}"));
	assert_int_equal(hits(h, "secret"), 0);
}

int
main(void)
{
#define each(name) cmocka_unit_test_setup_teardown(name, begin, posts_end)
	const struct CMUnitTest tests[] = {
		each(nothing_tells_of_collections_that_are_not_public),
		each(those_who_may_read_it_find_it),
		each(a_change_of_the_collection_counts_at_once),
		each(words_in_blocks_of_the_site_are_found),
		each(a_site_may_let_everybody_find_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
