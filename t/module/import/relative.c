/* relative.c - links of a source to itself become relative, wherever they occur. */
#include "../../../modules/import/item/relative.h"
#include "harness.h"
#include "inside.h"
#include <stdlib.h>
#include <string.h>

static int
begin(void **state)
{
	*state = harness_open(NULL);
	return 0;
}

static int
end(void **state)
{
	harness_close(*state, false);
	return 0;
}

/* Fails unless the first value, as JSON, becomes the second. */
static void
becomes(struct harness *h, const char *site, const char *from, const char *to)
{
	struct stet_call *call = inside_call(h, "import");
	json_t *value = json_loads(from, 0, NULL);
	char *got;

	assert_non_null(value);
	relative_links(call, site, value);
	got = json_dumps(value, JSON_COMPACT | JSON_PRESERVE_ORDER);
	assert_string_equal(got, to);
	free(got);
	json_decref(value);
	call_free(call);
}

#define LINK(url) "[{\"markDefs\":[{\"_type\":\"link\",\"href\":\"" url "\"}]}]"
#define SITE "https://www.old.example/blog"

static void
links_of_texts_are(void **state)
{
	struct harness *h = *state;

	becomes(h, SITE, LINK("https://old.example/a/?b=1#c"), LINK("/a/?b=1#c"));
	becomes(h, SITE, LINK("HTTP://WWW.Old.Example"), LINK("/"));
	becomes(h, SITE, LINK("http://old.example?p=1"), LINK("/?p=1"));
	becomes(h, SITE, LINK("https://old.example/wp-content/uploads/a.pdf"),
	    LINK("https://old.example/wp-content/uploads/a.pdf"));
	becomes(h, SITE, LINK("https://old.example.org/a"), LINK("https://old.example.org/a"));
	becomes(h, SITE, LINK("https://old.example@evil.example/"),
	    LINK("https://old.example@evil.example/"));
	becomes(h, SITE, LINK("https://older.example/"), LINK("https://older.example/"));
	becomes(h, SITE, LINK("mailto:a@old.example"), LINK("mailto:a@old.example"));
	becomes(h, "no address", LINK("https://old.example/a"), LINK("https://old.example/a"));
}

static void
they_are_in_all_that_nests(void **state)
{
	struct harness *h = *state;

	becomes(h, SITE,
	    "[{\"_type\":\"columns\",\"columns\":[{\"content\":" LINK(
		"https://old.example/a") "}]},"
					 "{\"_type\":\"table\",\"rows\":[{\"cells\":[{\"markDefs\":[{\"href\":"
					 "\"https://old.example/b\"}]}]}]},{\"_type\":\"button\",\"url\":\"https://old.example/c\"},"
					 "{\"_type\":\"image\",\"asset\":{\"url\":\"https://old.example/d.png\"}}]",
	    "[{\"_type\":\"columns\",\"columns\":[{\"content\":" LINK(
		"/a") "}]},"
		      "{\"_type\":\"table\",\"rows\":[{\"cells\":[{\"markDefs\":[{\"href\":\"/b\"}]}]}]},"
		      "{\"_type\":\"button\",\"url\":\"/c\"},"
		      "{\"_type\":\"image\",\"asset\":{\"url\":\"https://old.example/d.png\"}}]");
}

#define HTML(text) "[{\"_type\":\"htmlBlock\",\"html\":\"" text "\"}]"

static void
those_of_html_are(void **state)
{
	struct harness *h = *state;

	becomes(h, SITE,
	    HTML("<a href='https://old.example/a'>x</a><A HREF=https://old.example>y</A>"),
	    HTML("<a href='/a'>x</a><A HREF=/>y</A>"));
	becomes(h, SITE, HTML("<a href = \\\"http://www.old.example#top\\\">x</a>"),
	    HTML("<a href = \\\"/#top\\\">x</a>"));
	becomes(h, SITE,
	    HTML("<img src='https://old.example/a.png'> https://old.example/ data-href='x'"),
	    HTML("<img src='https://old.example/a.png'> https://old.example/ data-href='x'"));
	becomes(h, SITE, HTML("href=https://old.example/a http"),
	    HTML("href=https://old.example/a http"));
	becomes(h, SITE, HTML("<a href='https://old.example/wp-content/a.zip'>x</a>"),
	    HTML("<a href='https://old.example/wp-content/a.zip'>x</a>"));
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(links_of_texts_are),
		TEST(they_are_in_all_that_nests),
		TEST(those_of_html_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
