/* relatives.t - related items, ranked by the number and the rarity of shared terms. */
#include "inside.h"
#include "posts.h"

static void
term(struct harness *h, const char *slug)
{
	assert_ok(
	    say(h, editor, "POST /taxonomies/tag/terms", "{'slug':'%s','label':'%s'}", slug, slug));
}

static void
post(struct harness *h, char id[27], const char *slug, const char *status, const char *tags)
{
	make(h, editor, id,
	    "{'slug':'%s','status':'%s','data':{'title':'T'},'taxonomies':{'tag':[%s]}}", slug,
	    status, tags);
}

static const char *
slug(struct outcome *o, size_t i)
{
	json_t *item = json_array_get(harness_at(o->data, "items"), i);

	return item != NULL ? json_string_value(json_object_get(item, "slug")) : "";
}

static void
more_and_rarer_terms_come_first(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	term(h, "common");
	term(h, "rare");
	term(h, "other");
	post(h, id, "it", "published", "'common','rare'");
	post(h, id, "one-common", "published", "'common'");
	post(h, id, "one-rare", "published", "'rare'");
	post(h, id, "both", "published", "'common','rare'");
	post(h, id, "none", "published", "'other'");
	post(h, id, "draft", "draft", "'common','rare'");
	post(h, id, "second-common", "published", "'common'");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/it/related"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 4);
	assert_string_equal(slug(o, 0), "both");
	assert_string_equal(slug(o, 1), "one-rare");
	/* Of items with equal rank the newest is first. */
	assert_string_equal(slug(o, 2), "second-common");
	assert_string_equal(slug(o, 3), "one-common");
	/* The list contains only published items, for every caller. */
	harness_ok(o, ask(h, editor, "GET " BASE "/it/related?limit=1&fields=slug"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_null(harness_at(o->data, "items[0].data"));
	assert_ok(ask(h, editor, "DELETE " BASE "/both"));
	harness_ok(o, ask(h, subscriber, "GET " BASE "/it/related"));
	assert_string_equal(slug(o, 0), "one-rare");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/none/related"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_code(ask(h, subscriber, "GET " BASE "/draft/related"), "NOT_FOUND");
	assert_code(ask(h, subscriber, "GET " BASE "/it/related?limit=51"), "VALIDATION_ERROR");
}

static void
related_items_are_in_the_locale_of_the_item(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27], en[27];

	term(h, "t");
	post(h, en, "it", "published", "'t'");
	make(h, editor, id,
	    "{'slug':'das','locale':'de','status':'published','translationOf':'%s','data':{'title':'D'}}",
	    en);
	post(h, en, "that", "published", "'t'");
	make(h, editor, id,
	    "{'slug':'jenes','locale':'de','status':'published','translationOf':'%s','data':{'title':'D'}}",
	    en);
	post(h, en, "third", "published", "'t'");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/das/related"));
	/* Each translation group once: in the locale, or else in the default locale. */
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_string_equal(slug(o, 0), "third");
	assert_string_equal(slug(o, 1), "jenes");
	harness_ok(o, ask(h, subscriber, "GET " BASE "/it/related"));
	assert_string_equal(slug(o, 1), "that");
}

static void
without_taxonomies_nothing_is_related(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char id[27];

	term(h, "t");
	post(h, id, "a", "published", "'t'");
	post(h, id, "b", "published", "'t'");
	inside_enable(h, "taxonomies", false);
	harness_ok(o, ask(h, subscriber, "GET " BASE "/a/related"));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(more_and_rarer_terms_come_first),
		check(related_items_are_in_the_locale_of_the_item),
		check(without_taxonomies_nothing_is_related),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
