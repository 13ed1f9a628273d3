/* written.c - each kind of write of content updates the index of uses. */
#include "used.h"
#include <stdio.h>

/* Updates a post; the body has " for each '. */
static struct outcome *
save(struct harness *h, const char *id, const char *body)
{
	char request[120];

	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	return say(h, admin, request, "%s", body);
}

#define assert_places(h, media, expected) assert_string_equal(places(h, media), expected)

static void
every_place_of_a_reference_counts(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, admin, id,
	    "{'data':{'hero':{'id':'" M1 "','darkVariant':{'id':'" M2 "'}},'manual':'" M1 "',"
	    "'shots':[{'note':'x'},{'photo':{'id':' " M1 " ','darkVariant':{'id':'" M3 "'}}}],"
	    "'body':[{'_type':'block','children':[]},{'_type':'image','asset':{'_ref':'" M1 "'}},"
	    "{'_type':'image','asset':{'_ref':'','id':'" M2 "'}},"
	    "{'_type':'gallery','images':[{'asset':{'_ref':'" M3 "'}},{'asset':{'_ref':'" M1
	    "'}}]}]}}");
	assert_places(h, M1,
	    "columns body[1].asset._ref, body[3].images[1].asset._ref, hero, manual, "
	    "shots[1].photo");
	assert_places(h, M2, "columns body[2].asset.id, hero.darkVariant");
	assert_places(h, M3, "columns body[3].images[0].asset._ref, shots[1].photo.darkVariant");
	assert_int_equal(uses(h, M1), 1);
}

/* URLs, paths, other providers, nested blocks and other members do not refer to an item. */
static void
what_only_looks_like_a_reference_does_not_count(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, admin, id,
	    "{'data':{'hero':'https://example.org/" M1 "','manual':{'id':'" M1
	    "','provider':'unsplash'},'shots':[{'photo':{'id':'/_cms/api/media/file/" M1
	    "'},'other':'" M1 "'}],'extra':{'id':'" M1 "'},"
	    "'body':[{'_type':'image','asset':'" M1 "'},{'_type':'image','asset':{'_ref':'a:" M1
	    "','provider':'local'}},{'_type':'image','asset':{'_ref':'" M1
	    "','provider':' mux '}},{'_type':'columns','columns':[{'content':[{'_type':'image',"
	    "'asset':{'_ref':'" M1 "'}}]}]},{'_type':'image','_ref':'" M1 "'}]}}");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_use"), "0");
	make(h, admin, id,
	    "{'data':{'hero':{'id':'" M1 "','provider':' local '},'manual':{'id':'" M1
	    "','provider':' '}}}");
	assert_places(h, M1, "columns hero, manual");
}

static void
an_id_that_no_item_can_have_does_not_count(void **state)
{
	struct harness *h = *state;
	char id[27], longest[101];

	memset(longest, 'x', sizeof(longest));
	longest[65] = '\0';
	make(h, admin, id, "{'data':{'hero':{'id':'%s'}}}", longest);
	assert_places(h, longest, "");
	make(h, admin, id, "{'data':{'hero':{'id':'%s'}}}", longest + 1);
	assert_places(h, longest + 1, "columns hero");
}

static void
staging_and_publishing(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, admin, id, "{'status':'published','data':{'title':'T'," HERO(M1) "}}");
	assert_places(h, M1, "columns hero");
	assert_ok(save(h, id, "{'data':{'title':'U'}}"));
	assert_places(h, M1, "columns hero; draft_overlay hero");
	assert_int_equal(uses(h, M1), 1);
	assert_ok(save(h, id, "{'data':{'hero':null,'manual':'" M2 "'}}"));
	assert_places(h, M1, "columns hero");
	assert_places(h, M2, "draft_overlay manual");
	assert_int_equal(uses(h, M2), 1);
	assert_ok(ask(h, admin, "POST " BASE "/%s/publish", id));
	assert_places(h, M1, "");
	assert_places(h, M2, "columns manual");
	assert_string_equal(
	    inside_ask(h, "SELECT count(*) FROM media_use_count WHERE media_id = '" M1 "'"), "0");
}

/* Values that are not ids, empty ids, and repeated ids. */
static void
values_without_an_id_do_not_count(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, admin, id,
	    "{'data':{'hero':{'id':'','provider':'external','src':'https://example.org/a.png'},"
	    "'manual':{'id':'  '},'body':[{'_type':'image','asset':{'_ref':7,'id':8}},"
	    "{'_type':'image','src':'/" M1 "'},{'_type':'gallery','images':{'asset':{'_ref':'" M1
	    "'}}},{'_type':'image','asset':[{'_ref':'" M1 "'}]}]}}");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM media_use"), "0");
}

/* A draft contains unchanged values, too; null removes one. */
static void
a_draft_has_all_values(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, admin, id,
	    "{'status':'published','data':{'title':'T'," HERO(M1) ",'manual':'" M2 "'}}");
	assert_ok(save(h, id, "{'data':{'title':'U','manual':null}}"));
	assert_places(h, M1, "columns hero; draft_overlay hero");
	assert_places(h, M2, "columns manual");
	assert_int_equal(uses(h, M2), 1);
	assert_ok(ask(h, admin, "POST " BASE "/%s/unpublish", id));
	assert_places(h, M2, "");
	assert_places(h, M1, "draft_overlay hero");
	assert_int_equal(uses(h, M2), 0);
}

/* A scheduled publication is a publication. */
static void
a_schedule_that_is_due(void **state)
{
	struct harness *h = *state;
	char id[27], request[120];

	make(h, admin, id, "{'status':'published','data':{'title':'T'," HERO(M1) "}}");
	assert_ok(save(h, id, "{'data':{" HERO(M2) "}}"));
	(void)snprintf(request, sizeof(request), "POST " BASE "/%s/schedule", id);
	assert_ok(say(h, admin, request, "{'scheduledAt':'2026-06-01T12:00:01.000Z'}"));
	assert_places(h, M1, "columns hero");
	at(h, 2000);
	inside_sweep(h);
	assert_places(h, M1, "");
	assert_places(h, M2, "columns hero");
}

static void
unpublishing_and_discarding(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, admin, id, "{'status':'published','data':{'title':'T'," HERO(M1) "}}");
	assert_ok(save(h, id, "{'data':{" HERO(M2) "}}"));
	assert_ok(ask(h, admin, "POST " BASE "/%s/unpublish", id));
	/* the columns are hidden by the draft */
	assert_places(h, M1, "");
	assert_places(h, M2, "draft_overlay hero");
	make(h, admin, id, "{'status':'published','data':{'title':'T'," HERO(M1) "}}");
	assert_ok(save(h, id, "{'data':{" HERO(M3) "}}"));
	assert_int_equal(uses(h, M3), 1);
	assert_ok(ask(h, admin, "POST " BASE "/%s/discard-draft", id));
	assert_places(h, M1, "columns hero");
	assert_places(h, M3, "");
}

static void
the_trash_does_not_count(void **state)
{
	struct harness *h = *state;
	char id[27], second[27];

	make(h, admin, id, "{'data':{" HERO(M1) "}}");
	make(h, admin, second, "{'status':'published','data':{'title':'T'," HERO(M1) "}}");
	assert_int_equal(uses(h, M1), 2);
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	assert_places(h, M1, "trash: columns hero\ncolumns hero");
	assert_int_equal(uses(h, M1), 1);
	assert_ok(ask(h, admin, "POST " BASE "/%s/restore", id));
	assert_int_equal(uses(h, M1), 2);
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	assert_ok(ask(h, admin, "DELETE " BASE "/%s/permanent", id));
	assert_places(h, M1, "columns hero");
	assert_int_equal(uses(h, M1), 1);
}

static void
copies_translations_and_shared_values(void **state)
{
	struct harness *h = *state;
	char id[27], second[27];

	make(h, admin, id, "{'slug':'a','data':{" HERO(M1) ",'other':{'id':'" M2 "'}}}");
	assert_ok(ask(h, admin, "POST " BASE "/%s/duplicate", id));
	assert_int_equal(uses(h, M1), 2);
	make(h, admin, second, "{'slug':'b','locale':'fr','translationOf':'%s','data':{}}", id);
	assert_int_equal(uses(h, M2), 3);
	assert_int_equal(uses(h, M1), 2);
	/* the field `other` is shared by all translations */
	assert_ok(save(h, second, "{'data':{'other':{'id':'" M3 "'}}}"));
	assert_int_equal(uses(h, M2), 1);
	assert_int_equal(uses(h, M3), 2);
}

static void
restoring_a_revision(void **state)
{
	struct harness *h = *state;
	char id[27];
	struct outcome *o;

	make(h, admin, id, "{'data':{" HERO(M1) "}}");
	assert_ok(save(h, id, "{'data':{" HERO(M2) "}}"));
	assert_places(h, M1, "");
	harness_ok(o, ask(h, admin, "GET " BASE "/%s/revisions", id));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 2);
	assert_ok(
	    ask(h, admin, "POST /revisions/%s/restore", harness_text(o->data, "items[1].id")));
	assert_places(h, M1, "columns hero");
	assert_places(h, M2, "");
}

static void
a_collection_without_revisions(void **state)
{
	struct harness *h = *state;
	char request[120];
	struct outcome *o;

	harness_ok(o, say(h, admin, "POST /content/plain",
			  "{'status':'published','data':{'title':'T'," HERO(M1) "}}"));
	(void)snprintf(
	    request, sizeof(request), "PUT /content/plain/%s", harness_text(o->data, "item.id"));
	assert_ok(say(h, admin, request, "{'data':{" HERO(M2) "}}"));
	assert_places(h, M1, "");
	assert_places(h, M2, "columns hero");
}

/* A refused write leaves nothing; a write without changed references writes nothing. */
static void
a_refused_write_changes_nothing(void **state)
{
	struct harness *h = *state;
	char id[27];

	make(h, admin, id, "{'slug':'a','data':{'code':'x'," HERO(M1) "}}");
	assert_code(say(h, admin, "POST " BASE, "{'data':{'code':'x'," HERO(M2) "}}"), "CONFLICT");
	assert_places(h, M2, "");
	assert_int_equal(uses(h, M1), 1);
	inside_sql(h,
	    "CREATE TRIGGER t BEFORE UPDATE ON media_use BEGIN SELECT RAISE(ABORT, 'x'); "
	    "END",
	    NULL);
	assert_ok(save(h, id, "{'data':{'title':'New'}}"));
	assert_code(save(h, id, "{'data':{'manual':'" M1 "'}}"), "CONTENT_HOOK_ERROR");
	assert_places(h, M1, "columns hero");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		used(every_place_of_a_reference_counts),
		used(what_only_looks_like_a_reference_does_not_count),
		used(an_id_that_no_item_can_have_does_not_count),
		used(staging_and_publishing),
		used(values_without_an_id_do_not_count),
		used(a_draft_has_all_values),
		used(a_schedule_that_is_due),
		used(unpublishing_and_discarding),
		used(the_trash_does_not_count),
		used(copies_translations_and_shared_values),
		used(restoring_a_revision),
		used(a_collection_without_revisions),
		used(a_refused_write_changes_nothing),
	};

	return cmocka_run_group_tests_name("media-usage/written", tests, NULL, NULL);
}
