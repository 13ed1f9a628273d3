/* addresses.c - addresses in values: what pages may load and link to is stored, the rest refused.
 */
#include "posts.h"
#include <string.h>

/* What stands before and after the address in the body of a request. */
#define PICTURE "{'data':{'hero':{'id':'','provider':'external','src':'", "'}}}"
#define LINK                                                                                 \
	"{'data':{'body':[{'_type':'block','markDefs':[{'_key':'a','_type':'link','href':'", \
	    "'}],'children':[{'_type':'span','text':'x','marks':['a']}]}]}}"
#define BLOCK                                                                                 \
	"{'data':{'body':[{'_type':'block','children':[]},{'_type':'image','asset':{'url':'", \
	    "'}}]}}"

/* Posts the body with each address; all must have the same result. */
static void
try_all(struct harness *h, const char *before, const char *after, const char *const *addresses,
    const char *path)
{
	for (; *addresses != NULL; addresses++) {
		struct outcome *o =
		    say(h, author, "POST " BASE, "%s%s%s", before, *addresses, after);

		if (path == NULL) {
			assert_ok(o);
			continue;
		}
		assert_code(o, "VALIDATION_ERROR");
		assert_string_equal(harness_text(o->body, "error.details.issues[0].path"), path);
	}
}

static const char *const loaded[] = { "https://a.example/b.png", "HTTP://a.example/b.png",
	" https://a.example/b.png", "/b.png", "//a.example/b.png", NULL };
static const char *const linked[] = { "https://a.example/", "mailto:a@b.example", "tel:+1", "/a",
	"#a", "?a", "a/b.html", "../a:b", NULL };
static const char *const hostile[] = { "javascript:alert(1)", "JavaScript:alert(1)",
	" javascript:alert(1)", "java\\tscript:alert(1)", "\\u0001javascript:alert(1)",
	"vbscript:x", "data:text/html,x", "file:///etc/passwd", "blob:https://a.example/1",
	"ttps://a.example/", "ftp://a.example/", NULL };
static const char *const no_source[] = { "mailto:a@b.example", "#a", "b.png", "../b.png", NULL };

static void
pictures_are_loaded_by_http_or_from_the_site(void **state)
{
	field(*state, "posts", "hero", "image", "");
	try_all(*state, PICTURE, loaded, NULL);
	try_all(*state, PICTURE, hostile, "data.hero.src");
	try_all(*state, PICTURE, no_source, "data.hero.src");
	assert_code(say(*state, author, "POST " BASE, "{'data':{'hero':'mailto:a@b.example'}}"),
	    "VALIDATION_ERROR");
}

static void
links_of_a_text_lead_to_pages_mail_and_telephones(void **state)
{
	try_all(*state, LINK, linked, NULL);
	try_all(*state, LINK, hostile, "data.body[0].markDefs[0].href");
}

static void
blocks_are_held_to_the_same(void **state)
{
	struct harness *h = *state;

	try_all(h, BLOCK, loaded, NULL);
	try_all(h, BLOCK, hostile, "data.body[1].asset.url");
	try_all(h, BLOCK, no_source, "data.body[1].asset.url");
	/* A block that the site does not know may hold any text that is no address of this kind. */
	assert_ok(say(h, author, "POST " BASE,
	    "{'data':{'body':[{'_type':'chart','link':'left','src':'a.csv','url':'',"
	    "'note':'javascript:x'}]}}"));
	assert_code(say(h, author, "POST " BASE,
			"{'data':{'body':[{'_type':'chart','rows':[{'link':'javascript:x'}]}]}}"),
	    "VALIDATION_ERROR");
}

static void
tools_and_markdown_are_held_to_it(void **state)
{
	struct harness *h = *state;

	assert_code(
	    harness_op(h, author, "content_create", "%s",
		"{\"collection\":\"posts\",\"data\":{\"body\":\"[x](file:///etc/passwd)\"}}"),
	    "VALIDATION_ERROR");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pictures_are_loaded_by_http_or_from_the_site),
		cmocka_unit_test(links_of_a_text_lead_to_pages_mail_and_telephones),
		cmocka_unit_test(blocks_are_held_to_the_same),
		cmocka_unit_test(tools_and_markdown_are_held_to_it),
	};

	return cmocka_run_group_tests_name("content/addresses", tests, posts_begin, posts_end);
}
