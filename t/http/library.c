/* library.c - the media library: lists, folders, who may change what. */
#include "uploads.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- permissions ---- */

static void
an_author_changes_what_is_theirs(void **state)
{
	char own[27], other[27];
	struct remote by;

	(void)state;
	(void)snprintf(own, sizeof(own), "%s", make(library.daemon, library.author, "mine"));
	(void)snprintf(other, sizeof(other), "%s", make(library.daemon, library.admin, "yours"));
	remote_open(&by, library.daemon, library.author);
	json_decref(remote_must(
	    &by, 200, "PUT", "{\"alt\":\"A pixel\",\"caption\":\"\"}", "/media/%s", own));
	json_decref(remote_must(&by, 403, "PUT", "{\"alt\":\"Mine now\"}", "/media/%s", other));
	json_decref(remote_must(&by, 403, "DELETE", NULL, "/media/%s", other));
	json_decref(remote_must(&by, 404, "PUT", "{\"alt\":\"x\"}", "/media/nothing"));
	json_decref(remote_must(&by, 400, "PUT", "{\"alt\":null}", "/media/%s", own));
	json_decref(remote_must(&by, 403, "POST", "{\"name\":\"Folder\"}", "/media/folders"));
	json_decref(remote_must(&by, 200, "DELETE", NULL, "/media/%s", own));
	remote_close(&by);
}

/* ---- lists and folders ---- */

static size_t
count(const char *query)
{
	json_t *data = remote_must(&library.by_admin, 200, "GET", NULL, "/media?%s", query);
	size_t n = json_array_size(json_object_get(data, "items"));

	json_decref(data);
	return n;
}

static void
lists_are_filtered_and_paged(void **state)
{
	json_t *data, *next;
	char query[2200];
	int64_t total;

	(void)state;
	(void)make(library.daemon, library.admin, "list 1");
	(void)make(library.daemon, library.admin, "list 2");
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media?page=1&limit=2");
	total = json_integer_value(json_object_get(data, "totalCount"));
	assert_int_equal(json_array_size(json_object_get(data, "items")), 2);
	assert_null(json_object_get(data, "nextCursor"));
	json_decref(data);
	assert_int_equal(count("limit=100"), total);
	assert_int_equal(count("page=99"), 0);
	assert_int_equal(count("limit=100&mimeType=image/"), count("limit=100&mimeType=image/png"));
	assert_int_equal(count("limit=100&mimeType=image/,%20VIDEO/mp4"), total);
	assert_int_equal(count("limit=100&mimeType=text/"), 0);
	assert_int_equal(count("limit=100&q=A.PN"), total);
	assert_int_equal(count("limit=100&q=%25"), 0);
	assert_int_equal(count("limit=100&folderId=unfiled"), total);
	assert_int_equal(count("limit=100&folderId=nothing"), 0);

	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media?limit=2");
	assert_null(json_object_get(data, "totalCount"));
	(void)snprintf(
	    query, sizeof(query), "/media?limit=2&cursor=%s", text_of(data, "nextCursor"));
	next = remote_must(&library.by_admin, 200, "GET", NULL, "%s", query);
	assert_false(json_equal(json_array_get(json_object_get(data, "items"), 0),
	    json_array_get(json_object_get(next, "items"), 0)));
	json_decref(data);
	json_decref(next);
	json_decref(remote_must(&library.by_admin, 400, "GET", NULL, "/media?page=1&cursor="));
	json_decref(remote_must(&library.by_admin, 400, "GET", NULL, "/media?page=0"));
	json_decref(remote_must(&library.by_admin, 400, "GET", NULL, "/media?limit=101"));
	json_decref(remote_must(&library.by_admin, 400, "GET", NULL, "/media?q=%%20"));
	json_decref(remote_must(&library.by_admin, 400, "GET", NULL, "/media?cursor=nonsense"));
}

static void
names_of_folders_are_compared_without_case(void **state)
{
	char id[27], item[27];
	json_t *data;

	(void)state;
	data = remote_must(&library.by_admin, 201, "POST", "{\"name\":\" Pho\\u0074os\\u00a0\"}",
	    "/media/folders");
	assert_string_equal(text_of(json_object_get(data, "item"), "name"), "Photos");
	(void)snprintf(id, sizeof(id), "%s", text_of(json_object_get(data, "item"), "id"));
	json_decref(data);
	json_decref(
	    remote_must(&library.by_admin, 409, "POST", "{\"name\":\"photos\"}", "/media/folders"));
	json_decref(remote_must(&library.by_admin, 409, "POST",
	    "{\"name\":\"\\uff30\\uff28\\uff2f\\uff34\\uff2f\\uff33\"}", "/media/folders"));
	json_decref(remote_must(
	    &library.by_admin, 400, "POST", "{\"name\":\" \\ufeff \"}", "/media/folders"));
	json_decref(remote_must(
	    &library.by_admin, 201, "POST", "{\"name\":\"Archive\"}", "/media/folders"));
	json_decref(remote_must(
	    &library.by_admin, 200, "PUT", "{\"name\":\"PHOTOS\"}", "/media/folders/%s", id));
	json_decref(remote_must(
	    &library.by_admin, 409, "PUT", "{\"name\":\"archive\"}", "/media/folders/%s", id));
	json_decref(remote_must(
	    &library.by_admin, 404, "PUT", "{\"name\":\"x\"}", "/media/folders/nothing"));
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/folders");
	assert_int_equal(json_array_size(json_object_get(data, "items")), 2);
	assert_string_equal(
	    text_of(json_array_get(json_object_get(data, "items"), 0), "name"), "Archive");
	json_decref(data);
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/folders?q=HOT");
	assert_int_equal(json_array_size(json_object_get(data, "items")), 1);
	json_decref(data);
	json_decref(remote_must(&library.by_admin, 400, "GET", NULL, "/media/folders?cursor=x"));

	/* An item is moved into the folder. When the folder is deleted, the item is in none. */
	(void)snprintf(item, sizeof(item), "%s", make(library.daemon, library.admin, "filed"));
	json_decref(remote_must(&library.by_admin, 404, "PUT",
	    "{\"alt\":\"lost\",\"folderId\":\"nothing\"}", "/media/%s", item));
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/%s", item);
	assert_true(json_is_null(json_object_get(json_object_get(data, "item"), "alt")));
	json_decref(data);
	{
		char body[100], query[100];

		(void)snprintf(body, sizeof(body), "{\"folderId\":\"%s\"}", id);
		json_decref(remote_must(&library.by_admin, 200, "PUT", body, "/media/%s", item));
		(void)snprintf(query, sizeof(query), "folderId=%s", id);
		assert_int_equal(count(query), 1);
		json_decref(remote_must(&library.by_admin, 200, "PUT", "{\"folderId\":\"unfiled\"}",
		    "/media/%s", item));
		assert_int_equal(count(query), 0);
		json_decref(remote_must(&library.by_admin, 200, "PUT", body, "/media/%s", item));
	}
	json_decref(remote_must(&library.by_admin, 200, "DELETE", NULL, "/media/folders/%s", id));
	json_decref(remote_must(&library.by_admin, 404, "GET", NULL, "/media/folders/%s", id));
	data = remote_must(&library.by_admin, 200, "GET", NULL, "/media/%s", item);
	assert_true(json_is_null(json_object_get(json_object_get(data, "item"), "folderId")));
	json_decref(data);
}

/* ---- many at once ---- */

static void
many_go_together_or_stay(void **state)
{
	char id[3][27], body[300];
	json_t *data;

	(void)state;
	for (int i = 0; i < 3; i++) {
		char tail[8];

		(void)snprintf(tail, sizeof(tail), "many%d", i);
		(void)snprintf(id[i], 27, "%s",
		    make(library.daemon, i < 2 ? library.author : library.admin, tail));
	}
	data = remote_must(&library.by_admin, 201, "POST", "{\"name\":\"Many\"}", "/media/folders");
	(void)snprintf(body, sizeof(body), "{\"ids\":[\"%s\",\"%s\",\"%s\"],\"folderId\":\"%s\"}",
	    id[0], id[2], id[0], text_of(json_object_get(data, "item"), "id"));
	json_decref(data);
	data = remote_must(&library.by_admin, 200, "POST", body, "/media/bulk/move");
	assert_int_equal(json_integer_value(json_object_get(data, "moved")), 2);
	json_decref(data);
	assert_int_equal(count("limit=100&folderId=unfiled") + 2, count("limit=100"));
	json_decref(remote_must(
	    &library.by_admin, 400, "POST", "{\"ids\":[],\"folderId\":null}", "/media/bulk/move"));
}

static void
what_one_may_not_keeps_all(void **state)
{
	char own[27], other[27], body[300];
	size_t before;
	struct remote by;
	json_t *data;

	(void)state;
	(void)snprintf(own, sizeof(own), "%s", make(library.daemon, library.author, "bulk own"));
	(void)snprintf(
	    other, sizeof(other), "%s", make(library.daemon, library.admin, "bulk other"));
	before = count("limit=100");
	remote_open(&by, library.daemon, library.author);
	(void)snprintf(body, sizeof(body), "{\"ids\":[\"%s\",\"%s\"]}", own, other);
	json_decref(remote_must(&by, 403, "POST", body, "/media/bulk/delete"));
	(void)snprintf(body, sizeof(body), "{\"ids\":[\"%s\",\"nothing\"]}", own);
	json_decref(remote_must(&by, 404, "POST", body, "/media/bulk/delete"));
	assert_int_equal(count("limit=100"), before);
	(void)snprintf(body, sizeof(body), "{\"ids\":[\"%s\",\"%s\"]}", own, own);
	data = remote_must(&by, 200, "POST", body, "/media/bulk/delete");
	assert_int_equal(json_integer_value(json_object_get(data, "deleted")), 1);
	json_decref(data);
	assert_int_equal(count("limit=100"), before - 1);
	remote_close(&by);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_author_changes_what_is_theirs),
		cmocka_unit_test(lists_are_filtered_and_paged),
		cmocka_unit_test(names_of_folders_are_compared_without_case),
		cmocka_unit_test(many_go_together_or_stay),
		cmocka_unit_test(what_one_may_not_keeps_all),
	};

	return cmocka_run_group_tests(tests, library_start, library_stop);
}
