/* notes.t - notes of editors on items: threads, mentions, rights; and that nobody else sees them.
 */
#include "colleagues.h"
#include <sys/resource.h>

#define SECRET "zwischenruf"

static size_t
count(struct harness *h, const char *query)
{
	struct outcome *o;

	harness_ok(o, on(h, contributor, "GET", query, NULL));
	return json_array_size(harness_at(o->data, "items"));
}

/* ---- threads ---- */

static void
threads_have_replies_and_are_resolved(void **state)
{
	struct harness *h = *state;
	char first[27], reply[27], request[100];
	struct outcome *o;

	write_note(h, contributor, first, "{'body':' Is this right?\\u0007 '}");
	harness_ok(o, on(h, author, "POST", "/notes", "{'body':'Yes','threadId':'%s'}", first));
	(void)snprintf(reply, sizeof(reply), "%s", harness_text(o->data, "id"));
	harness_ok(o, on(h, contributor, "GET", "/notes", NULL));
	assert_string_equal(harness_text(o->data, "items[0].body"), "Is this right?");
	assert_string_equal(harness_text(o->data, "items[0].authorId"), contributor->id);
	assert_string_equal(harness_text(o->data, "items[0].replies[0].body"), "Yes");
	assert_int_equal(harness_int(o->data, "items[0].version"), 1);
	assert_int_equal(harness_int(o->data, "open"), 1);
	/* A reply to a reply is one of the thread. */
	harness_ok(o, on(h, editor, "POST", "/notes", "{'body':'Ok','threadId':'%s'}", reply));
	assert_string_equal(harness_text(o->data, "threadId"), first);

	(void)snprintf(request, sizeof(request), "/notes/%s", first);
	harness_ok(o, on(h, author, "PUT", request, "{'resolved':true}"));
	assert_string_equal(harness_text(o->data, "resolvedBy"), "User");
	assert_int_equal(count(h, "/notes"), 0);
	assert_int_equal(count(h, "/notes?state=resolved"), 1);
	/* A reply opens it again. */
	assert_ok(on(h, author, "POST", "/notes", "{'body':'But','threadId':'%s'}", first));
	assert_int_equal(count(h, "/notes"), 1);
	(void)snprintf(request, sizeof(request), "/notes/%s", reply);
	assert_code(on(h, author, "PUT", request, "{'resolved':true}"), "VALIDATION_ERROR");
}

static void
a_thread_stays_when_its_block_is_gone(void **state)
{
	struct harness *h = *state;
	char id[27];
	struct outcome *o;

	write_note(h, author, id, "{'body':'Here','field':'body','block':'b2'}");
	harness_ok(o, on(h, author, "GET", "/notes?block=b2", NULL));
	assert_true(json_is_false(harness_at(o->data, "items[0].blockGone")));
	assert_ok(on(h, author, "PUT", "",
	    "{'data':{'body':[{'_type':'block','_key':'b1','style':'normal','children':[]}]}}"));
	harness_ok(o, on(h, author, "GET", "/notes", NULL));
	assert_true(json_is_true(harness_at(o->data, "items[0].blockGone")));
	assert_string_equal(harness_text(o->data, "items[0].block"), "b2");
	assert_int_equal(harness_int(o->data, "items[0].version"), 1);
	/* Blocks of a staged change count, too. */
	assert_ok(on(h, author, "PUT", "", "{'status':'published'}"));
	assert_ok(on(h, author, "PUT", "",
	    "{'data':{'body':[{'_type':'block','_key':'b2','style':'normal','children':[]}]}}"));
	harness_ok(o, on(h, author, "GET", "/notes", NULL));
	assert_true(json_is_false(harness_at(o->data, "items[0].blockGone")));
}

static void
bad_notes_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{ "{}", "body" },
		{ "{'body':' \\n '}", "body" },
		{ "{'body':'x','block':'b1'}", "field" },
		{ "{'body':'x','field':'nothing'}", "field" },
		{ "{'body':'x','field':'title','block':'b1'}", "block" },
		{ "{'body':'x','field':'body','block':'b9'}", "block" },
		{ "{'body':'x','mentions':['01USERSUBSCRIBER0000000010']}", "mentions[0]" },
		{ "{'body':'x','mentions':['nobody']}", "mentions[0]" },
		{ "{'body':'x','status':'y'}", "status" },
	};
	struct harness *h = *state;

	for (size_t i = 0; i < COUNT(bad); i++) {
		struct outcome *o = on(h, author, "POST", "/notes", "%s", bad[i][0]);

		assert_code(o, "VALIDATION_ERROR");
		if (!harness_issue(o, bad[i][1]))
			fail_msg("%s: %s", bad[i][0], o->text);
	}
	assert_code(
	    on(h, author, "POST", "/notes", "{'body':'x','threadId':'01NOTHING0000000000000000A'}"),
	    "NOT_FOUND");
	assert_code(ask(h, author, "GET /content/posts/nothing/notes"), "NOT_FOUND");
	assert_code(ask(h, author, "GET /content/nothing/x/notes"), "COLLECTION_NOT_FOUND");
}

/* ---- mentions ---- */

static void
handles_mention_users_who_may_read(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, on(h, author, "POST", "/notes",
			  "{'body':'@edda-editor, see @Ada-Admin. mail@otto-other @sue-reader'}"));
	assert_int_equal(json_array_size(harness_at(o->data, "mentions")), 2);
	harness_ok(o,
	    on(h, author, "POST", "/notes", "{'body':'see','mentions':['%s']}", other_author->id));
	assert_string_equal(harness_text(o->data, "mentions[0].name"), "Otto Other");
	/* A handle of two users says nothing without an id. */
	inside_sql(h, "UPDATE users SET name = 'Ada Admin' WHERE id = ?1", editor->id);
	o = on(h, author, "POST", "/notes", "{'body':'@ada-admin'}");
	assert_code(o, "VALIDATION_ERROR");
	assert_true(harness_issue(o, "body"));
	harness_ok(o,
	    on(h, author, "POST", "/notes", "{'body':'@ada-admin','mentions':['%s']}", editor->id));
	assert_int_equal(json_array_size(harness_at(o->data, "mentions")), 1);
	assert_string_equal(harness_text(o->data, "mentions[0].id"), editor->id);
}

/* Each handle is looked up once, however many users there are and however often it is said. */
static void
a_text_of_handles_is_read_once(void **state)
{
	struct harness *h = *state;
	char body[5001], *at = body;
	struct outcome *o;
	struct rusage before, after;

	inside_sql(h,
	    "INSERT INTO users (id, email, name, role, created_at, updated_at)"
	    " WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)"
	    " SELECT 'many' || i, 'many' || i || '@example.org', 'Many ' || i, 20,"
	    " '2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.000Z' FROM n",
	    NULL);
	for (int i = 0; i < 1600; i++)
		at += snprintf(at, 4, "@b ");
	(void)snprintf(at, 8, "@many-7");
	(void)getrusage(RUSAGE_SELF, &before);
	harness_ok(o, on(h, author, "POST", "/notes", "{'body':'%s'}", body));
	(void)getrusage(RUSAGE_SELF, &after);
	assert_int_equal(json_array_size(harness_at(o->data, "mentions")), 1);
	assert_string_equal(harness_text(o->data, "mentions[0].id"), "many7");
	/* Kibibytes. A slug of each handle for each user takes gigabytes. */
	assert_true(after.ru_maxrss - before.ru_maxrss < 16384);
	at = body;
	for (int i = 0; i < 21; i++)
		at += snprintf(at, 8, "@x%d ", i);
	o = on(h, author, "POST", "/notes", "{'body':'%s'}", body);
	assert_true(harness_issue(o, "body"));
}

static void
colleagues_are_found_by_a_part_of_their_name(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	harness_ok(o, on(h, contributor, "GET", "/people", NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 5);
	harness_ok(o, on(h, contributor, "GET", "/people?search=EDDA", NULL));
	assert_int_equal(json_array_size(harness_at(o->data, "items")), 1);
	assert_string_equal(harness_text(o->data, "items[0].handle"), "edda-editor");
	assert_true(json_is_true(harness_at(o->data, "items[0].mayReview")));
	assert_null(strstr(o->text, "example.org"));
}

/* ---- rights ---- */

static void
notes_are_changed_by_their_author_and_deleted_by_editors(void **state)
{
	struct harness *h = *state;
	char id[27], request[100];
	struct outcome *o;

	write_note(h, contributor, id, "{'body':'one'}");
	(void)snprintf(request, sizeof(request), "/notes/%s", id);
	assert_code(on(h, author, "PUT", request, "{'body':'two'}"), "FORBIDDEN");
	assert_code(on(h, admin, "PUT", request, "{'body':'two'}"), "FORBIDDEN");
	harness_ok(o, on(h, contributor, "PUT", request, "{'body':'two'}"));
	assert_string_equal(harness_text(o->data, "body"), "two");
	assert_false(json_is_null(harness_at(o->data, "editedAt")));
	assert_code(on(h, author, "DELETE", request, NULL), "FORBIDDEN");
	assert_ok(on(h, author, "POST", "/notes", "{'body':'re','threadId':'%s'}", id));
	assert_code(on(h, contributor, "DELETE", request, NULL), "CONFLICT");
	assert_ok(on(h, editor, "DELETE", request, NULL));
	assert_int_equal(count(h, "/notes?state=all"), 0);
	write_note(h, contributor, id, "{'body':'own'}");
	(void)snprintf(request, sizeof(request), "/notes/%s", id);
	assert_ok(on(h, contributor, "DELETE", request, NULL));
	assert_code(on(h, contributor, "DELETE", request, NULL), "NOT_FOUND");
}

static void
the_tool_writes_answers_and_resolves(void **state)
{
	struct harness *h = *state;
	char id[27];
	struct outcome *o;

	harness_ok(o, harness_op(h, contributor, "note_write",
			  "{\"collection\":\"posts\",\"id\":\"%s\",\"body\":\"a\"}", draft));
	(void)snprintf(id, sizeof(id), "%s", harness_text(o->data, "id"));
	harness_ok(o, harness_op(h, author, "note_write",
			  "{\"collection\":\"posts\",\"id\":\"%s\",\"body\":\"b\","
			  "\"threadId\":\"%s\",\"resolved\":true}",
			  draft, id));
	assert_string_equal(harness_text(o->data, "id"), id);
	assert_string_equal(harness_text(o->data, "replies[0].body"), "b");
	assert_int_equal(count(h, "/notes"), 0);
	assert_ok(harness_op(h, author, "note_write",
	    "{\"collection\":\"posts\",\"id\":\"%s\",\"threadId\":\"%s\",\"resolved\":false}",
	    draft, id));
	assert_int_equal(count(h, "/notes"), 1);
	assert_code(harness_op(h, author, "note_write",
			"{\"collection\":\"posts\",\"id\":\"%s\",\"threadId\":\"%s\"}", draft, id),
	    "VALIDATION_ERROR");
}

/* ---- presence ---- */

static void
two_tabs_of_a_person_are_one_person(void **state)
{
	struct harness *h = *state;
	struct outcome *o;

	assert_ok(
	    on(h, author, "POST", "/presence", "{'tab':'tab-1','field':'body','block':'b1'}"));
	assert_ok(on(h, author, "POST", "/presence", "{'tab':'tab-2'}"));
	harness_ok(o, on(h, editor, "POST", "/presence", "{'tab':'tab-1','field':'title'}"));
	assert_int_equal(json_array_size(harness_at(o->data, "people")), 2);
	assert_string_equal(harness_text(o->data, "people[0].id"), author->id);
	assert_int_equal(harness_int(o->data, "people[0].tabs"), 2);
	assert_string_equal(harness_text(o->data, "people[0].places[0].block"), "b1");
	assert_string_equal(harness_text(o->data, "people[1].places[0].field"), "title");
	harness_ok(o, on(h, author, "DELETE", "/presence?tab=tab-1", NULL));
	assert_int_equal(harness_int(o->data, "people[0].tabs"), 1);
	assert_code(on(h, subscriber, "POST", "/presence", "{'tab':'tab-1'}"), "FORBIDDEN");
	assert_code(on(h, nobody, "POST", "/presence", "{'tab':'tab-1'}"), "UNAUTHORIZED");
	assert_code(on(h, author, "POST", "/presence", "{'tab':'../x'}"), "VALIDATION_ERROR");
	/* A person cannot have any number of tabs. */
	for (int i = 2; i < 9; i++)
		assert_ok(on(h, author, "POST", "/presence", "{'tab':'more-%d'}", i));
	assert_code(on(h, author, "POST", "/presence", "{'tab':'more-9'}"), "RATE_LIMITED");
	assert_ok(on(h, author, "POST", "/presence", "{'tab':'more-2','field':'title'}"));
}

/* Nor one tab at any number of items, which would take the room of others. */
static void
a_tab_is_not_at_many_items(void **state)
{
	struct harness *h = *state;
	char id[27];

	for (int i = 0; i < 21; i++) {
		struct outcome *o;
		char request[100];

		make(h, author, id, "{'data':{'title':'P%d'}}", i);
		(void)snprintf(request, sizeof(request), "POST /content/posts/%s/presence", id);
		o = say(h, contributor, request, "{'tab':'tab-1'}");
		if (i < 20)
			assert_ok(o);
		else
			assert_code(o, "RATE_LIMITED");
	}
}

/* ---- with their item ---- */

static void
notes_are_kept_in_the_trash_and_go_with_the_item(void **state)
{
	struct harness *h = *state;
	char id[27];

	write_note(h, author, id, "{'body':'kept'}");
	assert_ok(on(h, author, "DELETE", "", NULL));
	assert_code(on(h, author, "GET", "/notes", NULL), "NOT_FOUND");
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM note"), "1");
	assert_ok(on(h, author, "POST", "/restore", NULL));
	assert_int_equal(count(h, "/notes"), 1);
	assert_ok(on(h, author, "DELETE", "", NULL));
	assert_ok(on(h, admin, "DELETE", "/permanent", NULL));
	assert_string_equal(inside_ask(h, "SELECT count(*) FROM note"), "0");
}

/* ---- nobody else sees them ---- */

/* Sends the request of each op that this caller may read. */
static void
read_all(struct harness *h, const struct harness_user *user, int *answered)
{
	static const char *const faces[] = { "/content/posts", "/content/posts/@",
		"/content/posts/@?include=*", "/content/posts/@/notes", "/content/posts/@/review",
		"/content/posts/@/people", "/content/posts/@/revisions",
		"/content/posts/@/translations", "/content/posts/@/related",
		"/content/posts/@/neighbors", "/content/posts/@/compare", "/comments/posts/@",
		"/reviews?for=all", "/reviews/counts", "/search?q=" SECRET,
		"/search/suggest?q=" SECRET, "/changes", "/feeds/posts/atom", "/feeds/posts/json",
		"/manifest", "/openapi.json", "/schema", "/menus", "/settings" };
	char request[200] = "GET ";

	for (size_t i = 0; i < COUNT(faces); i++) {
		size_t len = strcspn(faces[i], "@"); /* where the id of the draft is */
		bool has = faces[i][len] != '\0';
		struct outcome *o;

		(void)snprintf(request + 4, sizeof(request) - 4, "%.*s%s%s", (int)len, faces[i],
		    has ? draft : "", faces[i] + len + has);
		o = harness_request(h, user, request, NULL, NULL);
		*answered += *o->code == '\0';
		/* The search says what was searched for. */
		if (strstr(o->text, SECRET " yes") != NULL || strstr(o->text, "\"review\"") != NULL)
			fail_msg("%s: %s", request, o->text);
	}
}

static void
no_public_face_shows_a_note_or_a_request(void **state)
{
	struct harness *h = *state;
	char id[27], since[2100];
	struct outcome *o;
	int answered = 0;

	harness_ok(o, ask(h, subscriber, "GET /changes"));
	(void)snprintf(since, sizeof(since), "%s", harness_text(o->data, "cursor"));
	assert_ok(say(h, admin, "POST /search/enable", "{'collection':'posts','enabled':true}"));
	write_note(h, author, id, "{'body':'" SECRET " yes','field':'body','block':'b1'}");
	assert_ok(on(h, author, "POST", "/review", "{'message':'" SECRET " yes'}"));
	assert_ok(on(h, editor, "POST", "/review/approve", "{'message':'" SECRET " yes'}"));
	assert_ok(on(h, author, "PUT", "", "{'status':'published'}"));
	read_all(h, nobody, &answered);
	read_all(h, subscriber, &answered);
	assert_true(answered > 10);
	assert_code(on(h, nobody, "GET", "/notes", NULL), "UNAUTHORIZED");
	assert_code(on(h, subscriber, "GET", "/notes", NULL), "FORBIDDEN");
	assert_code(on(h, subscriber, "GET", "/people", NULL), "FORBIDDEN");
	assert_code(ask(h, subscriber, "GET /reviews"), "FORBIDDEN");
	assert_code(harness_op(h, subscriber, "note_list",
			"{\"collection\":\"posts\",\"id\":\"%s\"}", draft),
	    "FORBIDDEN");
	/* The feed tells only readers of drafts. */
	harness_ok(o, ask(h, subscriber, "GET /changes?since=%s", since));
	assert_null(strstr(o->text, "note"));
	assert_null(strstr(o->text, "review"));
	harness_ok(o, ask(h, contributor, "GET /changes?since=%s", since));
	assert_non_null(strstr(o->text, "\"kind\":\"note\""));
	assert_non_null(strstr(o->text, "\"kind\":\"review\""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		with_colleagues(threads_have_replies_and_are_resolved),
		with_colleagues(a_thread_stays_when_its_block_is_gone),
		with_colleagues(bad_notes_are_refused),
		with_colleagues(handles_mention_users_who_may_read),
		with_colleagues(a_text_of_handles_is_read_once),
		with_colleagues(colleagues_are_found_by_a_part_of_their_name),
		with_colleagues(notes_are_changed_by_their_author_and_deleted_by_editors),
		with_colleagues(the_tool_writes_answers_and_resolves),
		with_colleagues(two_tabs_of_a_person_are_one_person),
		with_colleagues(a_tab_is_not_at_many_items),
		with_colleagues(notes_are_kept_in_the_trash_and_go_with_the_item),
		with_colleagues(no_public_face_shows_a_note_or_a_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
