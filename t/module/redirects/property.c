/*
 * property.t - random writes of a few items that fight for a few slugs, compared with a model: an
 * address leads to the item that was public there last, if that is public elsewhere now, or else
 * nowhere. It never leads to a draft, and who follows it arrives.
 */
#include "chance.h"
#include "posts.h"
#include <stdio.h>
#include <string.h>

#define ITEMS 5
#define SLUGS 7
#define LOCALES 2
#define NONE (-1)

static const char *const locales[LOCALES] = { "en", "de" };

static struct {
	char id[27]; /* "": there is none */
	int locale, slug; /* slug: at which the public sees it, or NONE */
} item[ITEMS];
static int last[SLUGS][LOCALES]; /* the item that was public there last, or NONE */

/* ---- the model ---- */

static int
public_at(int slug, int locale)
{
	for (int i = 0; i < ITEMS; i++)
		if (*item[i].id != '\0' && item[i].slug == slug && item[i].locale == locale)
			return i;
	return NONE;
}

static void
forget(int i)
{
	item[i].id[0] = '\0';
	item[i].slug = NONE;
	for (int s = 0; s < SLUGS; s++)
		for (int l = 0; l < LOCALES; l++)
			if (last[s][l] == i)
				last[s][l] = NONE;
}

/* Looks where the public sees each item. */
static void
observe(struct harness *h)
{
	for (int i = 0; i < ITEMS; i++) {
		struct outcome *o;

		item[i].slug = NONE;
		if (*item[i].id == '\0')
			continue;
		o = ask(h, subscriber, "GET " BASE "/%s", item[i].id);
		if (o->http == 200)
			item[i].slug = harness_text(o->data, "item.slug")[1] - '0';
		if (item[i].slug != NONE)
			last[item[i].slug][item[i].locale] = i;
	}
}

/* Returns the item to which the address leads, or NONE. */
static int
leads_to(int slug, int locale)
{
	int i = public_at(slug, locale) == NONE ? last[slug][locale] : NONE;

	return i != NONE && item[i].slug != NONE ? i : NONE;
}

/* ---- comparing ---- */

static void
compare(struct harness *h, const struct harness_user *user, int slug, int locale)
{
	struct outcome *o =
	    ask(h, user, "GET " BASE "/x?slug=s%d&locale=%s", slug, locales[locale]);
	int here = public_at(slug, locale), to = leads_to(slug, locale);
	char moved[64];

	if (here != NONE) {
		harness_ok(o, o);
		assert_string_equal(harness_text(o->data, "item.id"), item[here].id);
		return;
	}
	assert_code(o, "NOT_FOUND");
	assert_int_equal(o->http, 404);
	if (to == NONE) {
		assert_null(harness_at(o->details, "moved"));
		return;
	}
	assert_string_equal(harness_text(o->details, "moved.id"), item[to].id);
	assert_string_equal(harness_text(o->details, "moved.locale"), locales[locale]);
	(void)snprintf(moved, sizeof(moved), "%s", harness_text(o->details, "moved.slug"));
	harness_ok(o, ask(h, user, "GET " BASE "/%s?locale=%s", moved, locales[locale]));
	assert_string_equal(harness_text(o->data, "item.id"), item[to].id);
}

/* Editors see drafts, too: an address leads to an item with another slug, or nowhere. */
static void
compare_inside(struct harness *h, int slug, int locale)
{
	struct outcome *o =
	    ask(h, editor, "GET " BASE "/x?slug=s%d&locale=%s", slug, locales[locale]);
	char id[27];

	if (o->http == 200 || harness_at(o->details, "moved") == NULL)
		return;
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->details, "moved.id"));
	assert_int_not_equal(harness_text(o->details, "moved.slug")[1] - '0', slug);
	assert_string_equal(item[last[slug][locale]].id, id);
	harness_ok(o, ask(h, editor, "GET " BASE "/%s", id));
}

/* The list for site builders has each address that leads on, once. */
static void
compare_list(struct harness *h)
{
	struct outcome *o;
	size_t i, count = 0;
	json_t *row;

	for (int s = 0; s < SLUGS; s++)
		for (int l = 0; l < LOCALES; l++)
			count += leads_to(s, l) != NONE;
	harness_ok(o, ask(h, subscriber, "GET /redirects/posts?limit=1000"));
	assert_int_equal(json_array_size(json_object_get(o->data, "items")), count);
	json_array_foreach(json_object_get(o->data, "items"), i, row)
	{
		int slug = harness_text(row, "slug")[1] - '0',
		    locale = strcmp(harness_text(row, "locale"), "de") == 0;
		int to = leads_to(slug, locale);

		assert_true(to != NONE);
		assert_string_equal(harness_text(row, "id"), item[to].id);
	}
}

static void
compare_all(struct harness *h)
{
	observe(h);
	for (int s = 0; s < SLUGS; s++)
		for (int l = 0; l < LOCALES; l++) {
			compare(h, subscriber, s, l);
			compare(h, nobody, s, l);
			compare_inside(h, s, l);
		}
	compare_list(h);
}

/* ---- writing ---- */

static void
create(struct harness *h, int i)
{
	int locale = pick(LOCALES);
	struct outcome *o = say(h, editor, "POST " BASE,
	    "{'slug':'s%d','locale':'%s','status':'%s','data':{'title':'T'}}", pick(SLUGS),
	    locales[locale], pick(3) > 0 ? "published" : "draft");

	if (o->http != 201) {
		assert_code(o, "SLUG_CONFLICT");
		return;
	}
	(void)snprintf(item[i].id, sizeof(item[i].id), "%s", harness_text(o->data, "item.id"));
	item[i].locale = locale;
}

static void
purge(struct harness *h, int i)
{
	struct outcome *o = ask(h, admin, "DELETE " BASE "/%s/permanent", item[i].id);

	if (o->http == 200)
		forget(i);
}

static void
put(struct harness *h, int i, const char *more)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "PUT " BASE "/%s", item[i].id);
	(void)say(h, editor, path, "{'slug':'s%d'%s}", pick(SLUGS), more);
}

/* Each may be refused, which then changes nothing. */
static void
write(struct harness *h, int i)
{
	switch (pick(11)) {
	case 0:
	case 1:
		put(h, i, "");
		break;
	case 2:
	case 3:
		put(h, i, ",'status':'published'");
		break;
	case 4:
		put(h, i, ",'status':'draft'");
		break;
	case 5:
	case 6:
		(void)ask(h, editor, "POST " BASE "/%s/publish", item[i].id);
		break;
	case 7:
		(void)ask(h, editor, "POST " BASE "/%s/unpublish", item[i].id);
		break;
	case 8:
		(void)ask(h, editor, "DELETE " BASE "/%s", item[i].id);
		break;
	case 9:
		(void)ask(h, editor, "POST " BASE "/%s/restore", item[i].id);
		break;
	default:
		purge(h, i);
	}
}

static void
addresses_lead_to_who_was_there_last(void **state)
{
	struct harness *h = *state;

	chance_begin(400);
	print_message("# seed %u\n", chance.seed);
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'publicRead':true}"));
	for (int s = 0; s < SLUGS; s++)
		for (int l = 0; l < LOCALES; l++)
			last[s][l] = NONE;
	for (int n = 0; n < chance.steps; n++) {
		int i = pick(ITEMS);

		at(h, n * 10);
		if (*item[i].id == '\0')
			create(h, i);
		else
			write(h, i);
		compare_all(h);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = { check(addresses_lead_to_who_was_there_last) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
