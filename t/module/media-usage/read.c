/* read.c - reading the uses of a media item: counts in lists and items, details, unused items,
 * deletion. */
#include "used.h"
#include <stdio.h>
#include <stdlib.h>

/* Inserts a media item; n makes its bytes unique. */
static void
upload(struct harness *h, int n, char id[27])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct outcome *o;

	harness_ok(o, harness_op(h, admin, "media_upload",
			  "{\"filename\":\"%d.mp4\",\"contentType\":\"video/mp4\",\"base64\":"
			  "\"AAA%c\"}",
			  n, digits[n]));
	(void)snprintf(id, 27, "%s", harness_text(o->data, "item.id"));
}

static void
counts_are_in_lists_and_items(void **state)
{
	struct harness *h = *state;
	char film[27], other[27], id[27];
	struct outcome *o;

	upload(h, 0, film);
	upload(h, 1, other);
	make(h, admin, id, "{'data':{'manual':'%s','hero':{'id':'%s'}}}", film, film);
	make(h, admin, id, "{'data':{'manual':'%s'}}", film);
	harness_ok(o, ask(h, admin, "GET /media/%s?includeUsage=1", film));
	assert_int_equal(harness_int(o->data, "item.usage.count"), 2);
	assert_string_equal(
	    harness_text(o->data, "item.usage.coverage.scope"), "all_content_collections");
	assert_string_equal(harness_text(o->data, "item.usage.coverage.status"), "never");
	activate(h);
	for (int page = 0; page < 2; page++) {
		harness_ok(o, ask(h, admin, "GET /media?includeUsage=1%s", page ? "&page=1" : ""));
		for (int i = 0; i < 2; i++) {
			json_t *item = json_array_get(harness_at(o->data, "items"), (size_t)i);
			bool is = strcmp(harness_text(item, "id"), film) == 0;

			assert_int_equal(harness_int(item, "usage.count"), is ? 2 : 0);
			assert_string_equal(
			    harness_text(item, "usage.coverage.status"), "complete");
		}
	}
	harness_ok(o, ask(h, admin, "GET /media/%s", film));
	assert_null(harness_at(o->data, "item.usage"));
	harness_ok(o, ask(h, admin, "GET /media"));
	assert_null(harness_at(o->data, "items[0].usage"));
	assert_code(ask(h, admin, "GET /media?includeUsage=true"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET /media/%s?includeUsage=0", film), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET /media/nothing?includeUsage=1"), "NOT_FOUND");
}

/* A caller without the right to drafts or a token without admin gets the coverage, but no count. */
static void
counts_are_for_those_who_may_read_drafts(void **state)
{
	static const struct harness_user reader = { "01USERREADER00000000000010", 50,
		"media:read content:read", false, 0 };
	static const struct harness_user full = { "01USERFULL0000000000000020", 20,
		"media:read admin", false, 0 };
	static const struct harness_user person = { "01USERPERSON00000000000020", 20, NULL, true,
		0 };
	const struct harness_user *told[] = { &full, &person }, *untold[] = { &reader, subscriber };
	struct harness *h = *state;
	char film[27], id[27];
	struct outcome *o;

	upload(h, 0, film);
	make(h, admin, id, "{'data':{'manual':'%s'}}", film);
	for (size_t i = 0; i < COUNT(told); i++) {
		harness_ok(o, ask(h, told[i], "GET /media/%s?includeUsage=1", film));
		assert_int_equal(harness_int(o->data, "item.usage.count"), 1);
	}
	for (size_t i = 0; i < COUNT(untold); i++) {
		harness_ok(o, ask(h, untold[i], "GET /media?includeUsage=1"));
		assert_true(json_is_null(harness_at(o->data, "items[0].usage.count")));
		assert_string_equal(
		    harness_text(o->data, "items[0].usage.coverage.status"), "never");
	}
	assert_code(ask(h, subscriber, "GET /media/%s/usage?limit=0", film), "FORBIDDEN");
	assert_code(ask(h, &reader, "GET /media/%s/usage", film), "INSUFFICIENT_SCOPE");
	assert_code(ask(h, nobody, "GET /media/%s/usage", film), "UNAUTHORIZED");
	assert_ok(ask(h, &full, "GET /media/%s/usage", film));
	assert_code(ask(h, &reader, "GET /media?unused=1"), "INSUFFICIENT_SCOPE");
	assert_code(ask(h, subscriber, "GET /media?unused=1"), "FORBIDDEN");
}

static void
details_say_where(void **state)
{
	struct harness *h = *state;
	char film[27], id[27], request[100];
	struct outcome *o;
	json_t *group;

	upload(h, 0, film);
	make(h, admin, id,
	    "{'slug':'one','status':'published','data':{'title':'One','manual':'%s','body':[{"
	    "'_type':'image','asset':{'_ref':'%s'}}]}}",
	    film, film);
	(void)snprintf(request, sizeof(request), "PUT " BASE "/%s", id);
	assert_ok(say(h, admin, request, "{'slug':'two','data':{'title':'Two'}}"));
	harness_ok(o, ask(h, admin, "GET /media/%s/usage", film));
	assert_null(json_object_get(o->body, "success"));
	assert_null(harness_at(o->data, "nextCursor"));
	assert_string_equal(harness_text(o->data, "coverage.status"), "never");
	group = harness_at(o->data, "items[0]");
	assert_int_equal(json_object_size(group), 9);
	assert_string_equal(harness_text(group, "collection"), "posts");
	assert_string_equal(harness_text(group, "contentId"), id);
	assert_string_equal(harness_text(group, "title"), "Two");
	assert_string_equal(harness_text(group, "slug"), "two");
	assert_string_equal(harness_text(group, "locale"), "en");
	assert_string_equal(harness_text(group, "status"), "published");
	assert_true(json_is_null(harness_at(group, "deletedAt")));
	assert_string_equal(harness_text(group, "sources[0].variant"), "columns");
	assert_string_equal(
	    harness_text(group, "sources[0].occurrences[0].fieldPath"), "body[0].asset._ref");
	assert_string_equal(harness_text(group, "sources[0].occurrences[0].fieldSlug"), "body");
	assert_int_equal(harness_int(group, "sources[0].occurrences[0].occurrenceIndex"), 0);
	assert_string_equal(
	    harness_text(group, "sources[0].occurrences[1].referenceType"), "file_field");
	assert_string_equal(harness_text(group, "sources[1].variant"), "draft_overlay");
	/* the title and slug do not come from a draft that does not use the item */
	assert_ok(say(h, admin, request, "{'data':{'title':'Three','manual':null,'body':null}}"));
	harness_ok(o, ask(h, admin, "GET /media/%s/usage", film));
	assert_string_equal(harness_text(o->data, "items[0].title"), "One");
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	harness_ok(o, ask(h, admin, "GET /media/%s/usage", film));
	assert_string_equal(
	    harness_text(o->data, "items[0].deletedAt"), "2026-06-01T12:00:00.000Z");
	upload(h, 1, film);
	harness_ok(o, ask(h, admin, "GET /media/%s/usage", film));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_code(ask(h, admin, "GET /media/nothing/usage"), "NOT_FOUND");
}

/* An unused item has an empty list; responses to changes have no usage. */
static void
what_nothing_uses_is_told_as_such(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	char film[27], request[80];

	upload(h, 0, film);
	harness_ok(o, ask(h, admin, "GET /media/%s/usage", film));
	assert_true(json_is_array(harness_at(o->data, "items")));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 0);
	assert_string_equal(harness_text(o->data, "coverage.status"), "never");
	assert_null(harness_at(o->data, "nextCursor"));
	assert_code(ask(h, admin, "POST /media/%s/usage", film), "METHOD_NOT_ALLOWED");
	(void)snprintf(request, sizeof(request), "PUT /media/%s", film);
	harness_ok(o, say(h, admin, request, "{'alt':'A'}"));
	assert_null(harness_at(o->data, "item.usage"));
	assert_null(harness_at(o->data, "usage"));
}

static void
pages_of_details_are_whole(void **state)
{
	struct harness *h = *state;
	char film[27], id[27], cursor[2100] = "", before[60] = "", now[60];
	struct outcome *o;
	int found = 0, pages = 0;

	upload(h, 0, film);
	for (int i = 0; i < 5; i++) {
		make(h, admin, id, "{'data':{'manual':'%s','hero':{'id':'%s'}}}", film, film);
		assert_ok(
		    say(h, admin, "POST /content/plain", "{'data':{'hero':{'id':'%s'}}}", film));
	}
	do {
		harness_ok(o, ask(h, admin, "GET /media/%s/usage?limit=3%s%s", film,
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		for (size_t i = 0; i < json_array_size(harness_at(o->data, "items")); i++) {
			json_t *group = json_array_get(harness_at(o->data, "items"), i);

			(void)snprintf(now, sizeof(now), "%s %s", harness_text(group, "collection"),
			    harness_text(group, "contentId"));
			assert_true(strcmp(now, before) > 0);
			memcpy(before, now, sizeof(before));
			found++;
		}
		(void)snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
	} while (*cursor != '\0' && ++pages < 10);
	assert_int_equal(found, 10);
	assert_int_equal(pages, 3);
	harness_ok(o, ask(h, admin, "GET /media/%s/usage?limit=10", film));
	assert_null(harness_at(o->data, "nextCursor"));
	assert_code(ask(h, admin, "GET /media/%s/usage?limit=101", film), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET /media/%s/usage?cursor=", film), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET /media/%s/usage?cursor=x", film), "INVALID_CURSOR");
}

/* A page of unused items examines 5000 items, so it may be short or empty, and the list
 * continues. */
static void
few_unused_of_many_are_found_page_by_page(void **state)
{
	struct harness *h = *state;
	char cursor[2100] = "", oldest[27];
	int pages = 0, found = 0;
	struct outcome *o;

	upload(h, 1, oldest);
	activate(h);
	inside_sql(h, "UPDATE media_items SET created_at = '2020-01-01T00:00:00.000Z'", NULL);
	inside_sql(h,
	    "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 11999) "
	    "INSERT INTO media_items (id, filename, mime_type, size, storage_key, created_at) "
	    "SELECT printf('01M%023d', i), 'a.png', 'image/png', 1, 'k' || i, "
	    "'2026-01-01T00:00:00.000Z' FROM n",
	    NULL);
	inside_sql(h,
	    "INSERT INTO media_use_count (media_id, collection_id, active, uses) SELECT m.id, c.id, "
	    "1, 1 FROM media_items m, collection c WHERE c.slug = 'plain' AND m.created_at > '2021'",
	    NULL);
	inside_sql(
	    h, "DELETE FROM media_use_count WHERE media_id = '01M00000000000000000006000'", NULL);
	do {
		json_t *list;

		harness_ok(o, ask(h, admin, "GET /media?unused=1&limit=1%s%s",
				  *cursor != '\0' ? "&cursor=" : "", cursor));
		list = harness_at(o->data, "items");
		if (json_array_size(list) > 0)
			assert_string_equal(harness_text(o->data, "items[0].id"),
			    found++ == 0 ? "01M00000000000000000006000" : oldest);
		(void)snprintf(cursor, sizeof(cursor), "%s", harness_text(o->data, "nextCursor"));
		pages++;
	} while (*cursor != '\0' && pages < 10);
	assert_int_equal(found, 2);
	assert_int_equal(pages, 3);
	assert_code(ask(h, admin, "GET /media?unused=1&cursor=x"), "INVALID_CURSOR");
}

static void
what_is_unused_is_told_when_it_is_known(void **state)
{
	struct harness *h = *state;
	char used_one[27], trashed[27], logo[27], avatar[27], unused[27], id[27];
	struct outcome *o;

	upload(h, 0, used_one);
	upload(h, 1, trashed);
	upload(h, 2, logo);
	upload(h, 3, avatar);
	upload(h, 4, unused);
	assert_code(ask(h, admin, "GET /media?unused=1"), "CONFLICT");
	activate(h);
	make(h, admin, id, "{'data':{'manual':'%s'}}", used_one);
	make(h, admin, id, "{'data':{'manual':'%s'}}", trashed);
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	assert_ok(say(h, admin, "POST /settings", "{'logo':{'mediaId':'%s'}}", logo));
	assert_ok(say(h, admin, "POST /admin/bylines",
	    "{'slug':'ann','displayName':'Ann','avatarMediaId':'%s'}", avatar));
	harness_ok(o, ask(h, admin, "GET /media?unused=1&page=1"));
	assert_int_equal(harness_int(o->data, "totalCount"), 1);
	assert_string_equal(harness_text(o->data, "items[0].id"), unused);
	harness_ok(o, ask(h, admin, "GET /media?unused=true&page=1"));
	assert_int_equal(harness_int(o->data, "totalCount"), 1);
	harness_ok(o, ask(h, admin, "GET /media?unused=0&page=1"));
	assert_int_equal(harness_int(o->data, "totalCount"), 5);
	assert_code(ask(h, admin, "GET /media?unused=yes"), "VALIDATION_ERROR");
	inside_enable(h, "media-usage", false);
	assert_code(ask(h, admin, "GET /media?unused=1"), "CONFLICT");
	harness_ok(o, ask(h, admin, "GET /media/%s?includeUsage=1", unused));
	assert_true(json_is_null(harness_at(o->data, "item.usage.count")));
	assert_string_equal(harness_text(o->data, "item.usage.coverage.status"), "unknown");
	assert_code(ask(h, admin, "GET /media/%s/usage", unused), "NOT_FOUND");
	/* once enabled again, the module has not yet scanned the missed changes */
	inside_enable(h, "media-usage", true);
	assert_code(ask(h, admin, "GET /media?unused=1"), "CONFLICT");
	harness_ok(o, ask(h, admin, "GET /media/%s?includeUsage=1", unused));
	assert_string_equal(harness_text(o->data, "item.usage.coverage.status"), "stale");
}

static void
a_deletion_names_the_uses(void **state)
{
	struct harness *h = *state;
	char film[27], id[27];
	struct outcome *o;

	activate(h);
	upload(h, 0, film);
	for (int i = 0; i < 25; i++)
		make(h, admin, id, "{'data':{'title':'N','manual':'%s'}}", film);
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	assert_ok(
	    say(h, admin, "POST /settings", "{'seo':{'defaultOgImage':{'mediaId':'%s'}}}", film));
	o = ask(h, admin, "DELETE /media/%s?ifUnused=1", film);
	assert_code(o, "CONFLICT");
	assert_int_equal(o->http, 409);
	assert_int_equal(harness_int(o->details, "uses.count"), 24);
	assert_code(ask(h, admin, "DELETE /media/%s?ifUnused=true", film), "CONFLICT");
	assert_ok(ask(h, admin, "GET /media/%s", film));
	harness_ok(o, ask(h, admin, "DELETE /media/%s", film));
	assert_true(json_is_true(harness_at(o->data, "deleted")));
	assert_int_equal(harness_int(o->data, "uses.count"), 24);
	assert_int_equal(json_array_size(harness_at(o->data, "uses.content")), 20);
	assert_string_equal(harness_text(o->data, "uses.content[0].title"), "N");
	assert_string_equal(harness_text(o->data, "uses.others[0].kind"), "settings");
	assert_string_equal(harness_text(o->data, "uses.others[0].name"), "seo");
	assert_string_equal(harness_text(o->data, "uses.coverage.status"), "complete");
	upload(h, 1, film);
	harness_ok(o, ask(h, admin, "DELETE /media/%s?ifUnused=1", film));
	assert_int_equal(harness_int(o->data, "uses.count"), 0);
}

/* GET ignores a parameter that only the deletion has. */
static void
a_deletion_of_what_is_unused_heeds_if_match(void **state)
{
	struct harness *h = *state;
	char film[27], request[80], headers[200];

	activate(h);
	upload(h, 0, film);
	snprintf(request, sizeof(request), "DELETE /media/%s?ifUnused=1", film);
	assert_code(harness_request(h, admin, request, "X-CMS-Request: 1\r\nIf-Match: \"x\"", NULL),
	    "PRECONDITION_FAILED");
	snprintf(headers, sizeof(headers), "X-CMS-Request: 1\r\nIf-Match: %s",
	    ask(h, admin, "GET /media/%s", film)->etag);
	assert_ok(harness_request(h, admin, request, headers, NULL));
}

static void
a_deletion_says_no_more_than_the_caller_may_know(void **state)
{
	static const struct harness_user writer = { "01USERWRITER00000000000050", 50,
		"media:read media:write", false, 0 };
	struct harness *h = *state;
	char film[27], id[27];
	struct outcome *o;

	upload(h, 0, film);
	assert_code(ask(h, admin, "DELETE /media/%s?ifUnused=1", film), "CONFLICT");
	activate(h);
	make(h, admin, id, "{'data':{'manual':'%s'}}", film);
	o = ask(h, &writer, "DELETE /media/%s?ifUnused=1", film);
	assert_code(o, "CONFLICT");
	assert_true(json_is_null(harness_at(o->details, "uses.count")));
	assert_int_equal(json_array_size(harness_at(o->details, "uses.content")), 0);
	inside_enable(h, "media-usage", false);
	assert_code(ask(h, admin, "DELETE /media/%s?ifUnused=1", film), "CONFLICT");
	harness_ok(o, ask(h, admin, "DELETE /media/%s", film));
	assert_null(harness_at(o->data, "uses"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		used(counts_are_in_lists_and_items),
		used(counts_are_for_those_who_may_read_drafts),
		used(details_say_where),
		used(what_nothing_uses_is_told_as_such),
		used(pages_of_details_are_whole),
		used(few_unused_of_many_are_found_page_by_page),
		used(what_is_unused_is_told_when_it_is_known),
		used(a_deletion_names_the_uses),
		used(a_deletion_of_what_is_unused_heeds_if_match),
		used(a_deletion_says_no_more_than_the_caller_may_know),
	};

	return cmocka_run_group_tests_name("media-usage/read", tests, NULL, NULL);
}
