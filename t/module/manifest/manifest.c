/* manifest.t - the manifest, which admin pages request first: for each role, for tokens, and for
 * many collections. */
#include "inside.h"
#include "posts.h"
#include <stdio.h>
#include <stdlib.h>

static const struct harness_user *const everybody[] = { subscriber, contributor, author, editor,
	admin };

static struct outcome *
manifest(struct harness *h, const struct harness_user *user)
{
	struct outcome *o;

	harness_ok(o, ask(h, user, "GET /admin/manifest"));
	return o;
}

static json_t *
collection(struct outcome *o, const char *slug)
{
	json_t *all = harness_at(o->data, "collections"), *c;
	size_t i;

	json_array_foreach(all, i, c)
	{
		if (strcmp(harness_text(c, "slug"), slug) == 0)
			return c;
	}
	return NULL;
}

static bool
holds(json_t *array, const char *text)
{
	json_t *v;
	size_t i;

	json_array_foreach(array, i, v)
	{
		if (strcmp(json_string_value(v), text) == 0)
			return true;
	}
	return false;
}

/* ---- rights are what requests find ---- */

static bool
passes(const struct outcome *o)
{
	if (o->http != 200 && o->http != 201 && o->http != 403)
		fail_msg("%d %s", o->http, o->text);
	return o->http != 403;
}

/* Creates a draft of this user; each attempt gets a new one. */
static void
draft_of(struct harness *h, const char *owner, char id[27])
{
	char sql[128];

	make(h, admin, id, "{'data':{'title':'A'}}");
	(void)snprintf(sql, sizeof(sql), "UPDATE c_posts SET author_id = ?1 WHERE id = '%s'", id);
	inside_sql(h, sql, owner);
}

/* Returns true if the user may do this to an item of the owner. */
static bool
tries(struct harness *h, const struct harness_user *user, const char *action, const char *owner)
{
	char id[27], put[64];

	draft_of(h, owner, id);
	(void)snprintf(put, sizeof(put), "PUT " BASE "/%s", id);
	if (strcmp(action, "edit") == 0)
		return passes(say(h, user, put, "{'data':{'year':1}}"));
	if (strcmp(action, "publish") == 0)
		return passes(ask(h, user, "POST " BASE "/%s/publish", id));
	return passes(ask(h, user, "DELETE " BASE "/%s", id));
}

static void
check_extents(struct harness *h, const struct harness_user *user, json_t *rights)
{
	static const char *const actions[] = { "edit", "publish", "delete" };

	for (size_t i = 0; i < COUNT(actions); i++) {
		bool own = tries(h, user, actions[i], user->id),
		     any = tries(h, user, actions[i], other_author->id);

		assert_string_equal(harness_text(rights, actions[i]), any   ? "any"
								      : own ? "own"
									    : "none");
	}
}

static void
check_others(struct harness *h, const struct harness_user *user, json_t *rights)
{
	char id[27];

	assert_string_equal(
	    harness_text(rights, "read"), passes(ask(h, user, "GET " BASE "/trash")) ? "all"
					  : passes(ask(h, user, "GET " BASE))        ? "published"
										     : "none");
	assert_int_equal(json_is_true(harness_at(rights, "create")),
	    passes(say(h, user, "POST " BASE, "{'data':{'title':'N'}}")));
	draft_of(h, user->id, id);
	assert_ok(ask(h, admin, "DELETE " BASE "/%s", id));
	assert_int_equal(json_is_true(harness_at(rights, "deletePermanently")),
	    passes(ask(h, user, "DELETE " BASE "/%s/permanent", id)));
}

static void
check_rights(struct harness *h, const struct harness_user *user)
{
	json_t *rights =
	    json_deep_copy(harness_at(collection(manifest(h, user), "posts"), "rights"));

	check_extents(h, user, rights);
	check_others(h, user, rights);
	json_decref(rights);
}

static void
rights_are_what_requests_of_each_role_find(void **state)
{
	for (size_t i = 0; i < COUNT(everybody); i++)
		check_rights(*state, everybody[i]);
}

static void
rights_of_a_token_are_those_of_its_scopes(void **state)
{
	static const struct harness_user reads[] = { { .id = "01USERADMIN000000000000050",
	    .role = 50,
	    .scopes = "content:read schema:read" } };
	static const struct harness_user writes[] = { { .id = "01USERADMIN000000000000050",
	    .role = 50,
	    .scopes = "content:read content:write" } };
	struct harness *h = *state;
	json_t *rights = harness_at(collection(manifest(h, reads), "posts"), "rights");

	assert_string_equal(harness_text(rights, "read"), "all");
	assert_string_equal(harness_text(rights, "edit"), "none");
	assert_string_equal(harness_text(rights, "publish"), "none");
	assert_string_equal(harness_text(rights, "delete"), "none");
	assert_true(json_is_false(harness_at(rights, "create")));
	assert_true(json_is_false(harness_at(rights, "deletePermanently")));
	assert_string_equal(
	    harness_text(manifest(h, reads)->data, "user.scopes[1]"), "schema:read");
	check_rights(h, writes);
}

static void
a_token_without_scopes_for_content_sees_no_collections(void **state)
{
	static const struct harness_user none[] = {
		{ .id = "01USERADMIN000000000000050", .role = 50, .scopes = "" }
	};
	static const struct harness_user menus[] = {
		{ .id = "01USERADMIN000000000000050", .role = 50, .scopes = "menus:manage" }
	};
	struct outcome *o = manifest(*state, none);

	assert_int_equal(json_array_size(harness_at(o->data, "collections")), 0);
	assert_int_equal(json_array_size(harness_at(o->data, "user.scopes")), 0);
	o = manifest(*state, menus);
	assert_int_equal(json_array_size(harness_at(o->data, "collections")), 0);
}

static void
who_is_not_signed_in_learns_nothing(void **state)
{
	struct outcome *o = ask(*state, nobody, "GET /admin/manifest");

	assert_code(o, "UNAUTHORIZED");
	assert_int_equal(o->http, 401);
	assert_null(strstr(o->text, "posts"));
}

/* ---- what else it says ---- */

static void
it_tells_of_the_caller_and_the_site(void **state)
{
	struct outcome *o = manifest(*state, author);
	json_t *posts = collection(o, "posts");

	assert_string_equal(harness_text(o->data, "user.id"), author->id);
	assert_string_equal(harness_text(o->data, "user.name"), "User");
	assert_int_equal(harness_int(o->data, "user.role"), 30);
	assert_null(harness_at(o->data, "user.scopes"));
	assert_string_equal(harness_text(o->data, "version"), stet_version());
	assert_string_equal(harness_text(o->data, "defaultLocale"), "en");
	assert_int_equal(json_array_size(harness_at(o->data, "locales")), 5);
	assert_string_equal(harness_text(o->data, "locales[1]"), "fr");
	assert_true(holds(harness_at(o->data, "modules"), "manifest"));
	assert_string_not_equal(harness_text(posts, "label"), "");
	assert_true(json_is_array(harness_at(posts, "supports")));
	assert_null(harness_at(posts, "icon"));
	assert_null(harness_at(posts, "hidden"));
}

static void
a_collection_shows_what_navigation_needs(void **state)
{
	json_t *c;

	assert_ok(say(*state, admin, "POST /schema/collections",
	    "{'slug':'notes','label':'Notes','labelSingular':'Note','icon':'pen','hidden':true,"
	    "'supports':['drafts','search']}"));
	c = collection(manifest(*state, subscriber), "notes");
	assert_string_equal(harness_text(c, "label"), "Notes");
	assert_string_equal(harness_text(c, "labelSingular"), "Note");
	assert_string_equal(harness_text(c, "icon"), "pen");
	assert_true(json_is_true(harness_at(c, "hidden")));
	assert_true(holds(harness_at(c, "supports"), "search"));
	assert_null(harness_at(c, "fields"));
}

static void
permissions_are_those_of_the_role(void **state)
{
	struct outcome *o = manifest(*state, subscriber);

	assert_true(holds(harness_at(o->data, "permissions"), "content:read"));
	assert_false(holds(harness_at(o->data, "permissions"), "content:create"));
	o = manifest(*state, editor);
	assert_true(holds(harness_at(o->data, "permissions"), "schema:read"));
	assert_false(holds(harness_at(o->data, "permissions"), "schema:manage"));
	o = manifest(*state, admin);
	assert_true(holds(harness_at(o->data, "permissions"), "schema:manage"));
}

static void
a_module_is_there_while_it_is_enabled(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_true(holds(harness_at(manifest(h, admin)->data, "modules"), "menus"));
	inside_enable(h, "menus", false);
	o = manifest(h, admin);
	assert_false(holds(harness_at(o->data, "modules"), "menus"));
	assert_false(holds(harness_at(o->data, "permissions"), "menus:manage"));
	inside_enable(h, "menus", true);
	o = manifest(h, admin);
	assert_true(holds(harness_at(o->data, "modules"), "menus"));
	assert_true(holds(harness_at(o->data, "permissions"), "menus:manage"));
}

/* ---- size, tag, pages ---- */

static char *
tag(struct harness *h, const struct harness_user *user)
{
	return strdup(manifest(h, user)->etag);
}

static void
the_tag_changes_with_the_caller_and_with_what_is_told(void **state)
{
	struct harness *h = *state;
	char *first = tag(h, editor), *other = tag(h, author), *again = tag(h, editor), *later;

	assert_string_not_equal(first, other);
	assert_string_equal(first, again);
	assert_ok(say(h, admin, "PUT /schema/collections/posts", "{'icon':'star'}"));
	later = tag(h, editor);
	assert_string_not_equal(first, later);
	free(first);
	free(other);
	free(again);
	free(later);
}

static void
more_collections(struct harness *h, int from, int to)
{
	for (int i = from; i < to; i++)
		assert_ok(say(h, admin, "POST /schema/collections",
		    "{'slug':'kind%d','label':'Kind %d','labelSingular':'Kind','icon':'file'}", i,
		    i));
}

static void
five_collections_are_two_kilobytes(void **state)
{
	more_collections(*state, 0, 3);
	assert_in_range(strlen(manifest(*state, editor)->text), 1000, 2600);
	assert_in_range(strlen(manifest(*state, contributor)->text), 1000, 2200);
}

/* Pages of seven return each of 203 collections once. */
static void
many_collections_come_in_pages(void **state)
{
	struct harness *h = *state;
	char path[2200] = "GET /admin/manifest";
	int count = 0, pages = 0;
	struct outcome *o;

	more_collections(h, 0, 201); /* besides posts and pages */
	o = manifest(h, admin);
	assert_int_equal(json_array_size(harness_at(o->data, "collections")), 200);
	assert_true(strlen(o->text) < 64 << 10);
	do {
		harness_ok(o, harness_request(h, admin, path, NULL, NULL));
		count += (int)json_array_size(harness_at(o->data, "collections"));
		pages++;
		assert_true(snprintf(path, sizeof(path), "GET /admin/manifest?limit=150&cursor=%s",
				harness_text(o->data, "nextCursor")) < (int)sizeof(path));
	} while (*harness_text(o->data, "nextCursor") != '\0');
	assert_int_equal(count, 203);
	assert_int_equal(pages, 2);
}

static void
a_page_goes_on_where_a_collection_is_gone(void **state)
{
	struct harness *h = *state;
	char path[2200], gone[64], next[64];
	struct outcome *o;

	more_collections(h, 0, 4);
	harness_ok(o, ask(h, admin, "GET /admin/manifest?limit=3"));
	(void)snprintf(path, sizeof(path), "GET /admin/manifest?limit=1&cursor=%s",
	    harness_text(o->data, "nextCursor"));
	(void)snprintf(gone, sizeof(gone), "%s", harness_text(o->data, "collections[2].slug"));
	harness_ok(o, harness_request(h, admin, path, NULL, NULL));
	(void)snprintf(next, sizeof(next), "%s", harness_text(o->data, "collections[0].slug"));
	assert_ok(ask(h, admin, "DELETE /schema/collections/%s", gone));
	harness_ok(o, harness_request(h, admin, path, NULL, NULL));
	assert_string_equal(harness_text(o->data, "collections[0].slug"), next);
}

static void
limits_and_cursors_that_are_none_are_refused(void **state)
{
	struct harness *h = *state;

	assert_code(ask(h, admin, "GET /admin/manifest?limit=0"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET /admin/manifest?limit=501"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET /admin/manifest?fields=slug"), "VALIDATION_ERROR");
	assert_code(ask(h, admin, "GET /admin/manifest?cursor=x"), "INVALID_CURSOR");
}

/* A writer gets the fields of a collection, although the schema itself is closed to writers. */
static void
a_collection_has_its_fields_for_writers_of_its_items(void **state)
{
	static const struct harness_user scoped[] = { { "01J00000000000000000000095", 50,
	    "menus:manage", false, 0 } };
	static const struct harness_user other = { "01J00000000000000000000096", 10, "media:read",
		false, 0 };
	struct harness *h = *state;
	struct outcome *o;
	size_t i;
	json_t *fields, *f;

	assert_code(ask(h, author, "GET /schema/collections/posts"), "FORBIDDEN");
	/* A caller who only reads published items gets no fields. */
	assert_code(ask(h, subscriber, "GET /admin/manifest/posts"), "FORBIDDEN");
	assert_code(ask(h, &other, "GET /admin/manifest/posts"), "COLLECTION_NOT_FOUND");
	for (size_t who = 1; who < sizeof(everybody) / sizeof(everybody[0]); who++) {
		harness_ok(o, ask(h, everybody[who], "GET /admin/manifest/posts"));
		assert_string_equal(harness_text(o->data, "item.slug"), "posts");
	}
	assert_string_equal(harness_text(o->data, "item.rights.edit"), "any");
	fields = harness_at(o->data, "item.fields");
	assert_true(json_array_size(fields) > 1);
	json_array_foreach(fields, i, f)
	{
		assert_true(*harness_text(f, "type") != '\0');
		assert_true(json_is_boolean(json_object_get(f, "required")));
		assert_true(json_is_boolean(json_object_get(f, "sortable")));
	}
	assert_code(ask(h, admin, "GET /admin/manifest/none"), "COLLECTION_NOT_FOUND");
	assert_code(ask(h, nobody, "GET /admin/manifest/posts"), "UNAUTHORIZED");
	assert_code(ask(h, scoped, "GET /admin/manifest/posts"), "COLLECTION_NOT_FOUND");
}

static void
the_title_of_the_site_is_told(void **state)
{
	struct outcome *o = manifest(*state, subscriber);

	assert_null(json_object_get(o->data, "siteTitle"));
	assert_ok(say(*state, admin, "POST /settings", "{'title':'Mine'}"));
	o = manifest(*state, subscriber);
	assert_string_equal(harness_text(o->data, "siteTitle"), "Mine");
	assert_null(json_object_get(o->data, "siteUrl"));
	assert_ok(say(*state, admin, "POST /settings", "{'url':'https://www.example.org/x'}"));
	o = manifest(*state, subscriber);
	assert_string_equal(harness_text(o->data, "siteUrl"), "https://www.example.org/x");
	assert_null(json_object_get(o->data, "siteTimezone"));
	assert_ok(say(*state, admin, "POST /settings", "{'timezone':'Europe/Berlin'}"));
	o = manifest(*state, subscriber);
	assert_string_equal(harness_text(o->data, "siteTimezone"), "Europe/Berlin");
}

/* ---- forms: field types and importers ---- */

/* The row of this name in an answer's items, or NULL. */
static json_t *
row(struct outcome *o, const char *name)
{
	json_t *v;
	size_t i;

	json_array_foreach(harness_at(o->data, "items"), i, v)
	{
		if (strcmp(harness_text(v, "name"), name) == 0)
			return v;
	}
	return NULL;
}

static json_t *
form(struct harness *h, const char *list, const char *name)
{
	struct outcome *o;

	harness_ok(o, ask(h, admin, "GET /admin/manifest/%s", list));
	return row(o, name);
}

#define TYPES "field-types"
#define IMPORTERS "import-formats"

static void
bundled_types_and_importers_have_a_name_and_a_form(void **state)
{
	json_t *text = form(*state, TYPES, "string"), *one;

	assert_string_equal(harness_text(text, "label"), "Short text");
	assert_string_equal(harness_text(text, "kind"), "string");
	assert_null(json_object_get(text, "plugin"));
	assert_true(json_is_true(json_object_get(text, "searchable")));
	assert_string_equal(harness_text(text, "validation.properties.maxLength.type"), "integer");
	assert_string_equal(harness_text(form(*state, TYPES, "image"), "kind"), "json");
	assert_string_equal(harness_text(form(*state, TYPES, "boolean"), "kind"), "boolean");
	one = form(*state, TYPES, "select");
	assert_string_equal(harness_text(one, "validation.required[0]"), "options");
	one = form(*state, IMPORTERS, "ghost");
	assert_string_equal(harness_text(one, "files[0]"), ".json");
	assert_string_equal(harness_text(one, "options.properties.url.type"), "string");
}

static void
a_type_and_an_importer_of_a_plugin_come_with_its_forms_while_it_is_on(void **state)
{
	struct harness *h = *state;
	json_t *mood, *diary;

	assert_null(form(h, TYPES, "mood"));
	assert_ok(ask(h, admin, "POST /admin/plugins/diary/enable"));
	mood = form(h, TYPES, "mood");
	assert_string_equal(harness_text(mood, "label"), "Mood of a day");
	assert_string_equal(harness_text(mood, "description"), "How a day was, in a few words.");
	assert_string_equal(harness_text(mood, "plugin"), "diary");
	assert_string_equal(harness_text(mood, "kind"), "string");
	assert_true(json_is_true(json_object_get(mood, "indexable")));
	assert_true(json_is_false(json_object_get(mood, "searchable")));
	assert_int_equal(harness_int(mood, "options.properties.most.maximum"), 40);
	assert_string_equal(harness_text(mood, "options.properties.scale.enum[1]"), "sea");
	diary = form(h, IMPORTERS, "diary");
	assert_string_equal(harness_text(diary, "label"), "Diary of somebody");
	assert_string_equal(harness_text(diary, "plugin"), "diary");
	assert_string_equal(harness_text(diary, "files[1]"), "text/plain");
	assert_string_equal(harness_text(diary, "options.properties.title.type"), "string");
	assert_ok(ask(h, admin, "POST /admin/plugins/diary/disable"));
	assert_null(form(h, TYPES, "mood"));
	assert_null(form(h, IMPORTERS, "diary"));
}

static void
forms_are_for_those_who_may_use_them(void **state)
{
	static const struct harness_user reader[] = { { "01J00000000000000000000097", 50,
	    "schema:read content:read", false, 0 } };
	struct harness *h = *state;

	assert_ok(ask(h, editor, "GET /admin/manifest/" TYPES));
	assert_code(ask(h, author, "GET /admin/manifest/" TYPES), "FORBIDDEN");
	assert_code(ask(h, reader, "GET /admin/manifest/" TYPES), "INSUFFICIENT_SCOPE");
	assert_code(ask(h, nobody, "GET /admin/manifest/" TYPES), "UNAUTHORIZED");
	assert_code(ask(h, editor, "GET /admin/manifest/" IMPORTERS), "FORBIDDEN");
	assert_code(ask(h, reader, "GET /admin/manifest/" IMPORTERS), "INSUFFICIENT_SCOPE");
	assert_code(ask(h, nobody, "GET /admin/manifest/" IMPORTERS), "UNAUTHORIZED");
	assert_ok(ask(h, admin, "POST /admin/plugins/import/disable"));
	assert_code(ask(h, admin, "GET /admin/manifest/" IMPORTERS), "FORBIDDEN");
}

static void
a_field_says_what_its_value_is(void **state)
{
	struct harness *h = *state;
	struct outcome *o;
	json_t *f;
	size_t i;

	assert_ok(ask(h, admin, "POST /admin/plugins/diary/enable"));
	field(h, "posts", "mood", "mood", "");
	harness_ok(o, ask(h, author, "GET /admin/manifest/posts"));
	json_array_foreach(harness_at(o->data, "item.fields"), i, f)
	{
		const char *type = harness_text(f, "type"), *kind = harness_text(f, "kind");

		if (strcmp(type, "mood") == 0 || strcmp(type, "string") == 0)
			assert_string_equal(kind, "string");
		else if (strcmp(type, "integer") == 0 || strcmp(type, "boolean") == 0)
			assert_string_equal(kind, type);
		else if (strcmp(type, "portableText") == 0 || strcmp(type, "json") == 0)
			assert_string_equal(kind, "json");
		else
			assert_true(*kind != '\0');
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		check(rights_are_what_requests_of_each_role_find),
		check(rights_of_a_token_are_those_of_its_scopes),
		check(a_token_without_scopes_for_content_sees_no_collections),
		check(who_is_not_signed_in_learns_nothing),
		check(it_tells_of_the_caller_and_the_site),
		check(a_collection_shows_what_navigation_needs),
		check(permissions_are_those_of_the_role),
		check(a_module_is_there_while_it_is_enabled),
		check(the_tag_changes_with_the_caller_and_with_what_is_told),
		check(five_collections_are_two_kilobytes),
		check(many_collections_come_in_pages),
		check(a_page_goes_on_where_a_collection_is_gone),
		check(limits_and_cursors_that_are_none_are_refused),
		check(a_collection_has_its_fields_for_writers_of_its_items),
		check(the_title_of_the_site_is_told),
		check(bundled_types_and_importers_have_a_name_and_a_form),
		check(a_type_and_an_importer_of_a_plugin_come_with_its_forms_while_it_is_on),
		check(forms_are_for_those_who_may_use_them),
		check(a_field_says_what_its_value_is),
	};

	posts_plugins = "t/plugins/diary/.libs";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
