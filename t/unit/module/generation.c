/* generation.c - generations: the ops, hook chains and conflicts of enabled modules, and calls
 * during a change. */
#include "base/arena.h"
#include "base/log.h"
#include "call/call.h"
#include "call/principal.h"
#include "call/site.h"
#include "db/db.h"
#include "db/rows.h"
#include "harness.h"
#include "http/router.h"
#include "module/module.h"
#include <stdlib.h>
#include <string.h>

static struct harness *h;

static int
open_site(void **state)
{
	(void)state;
	h = harness_open(&(struct harness_options){ .plugin_path = "t/plugins/good/.libs" });
	return 0;
}

static int
close_site(void **state)
{
	(void)state;
	harness_close(h, false);
	return 0;
}

static void
enable(const char *name)
{
	assert_ok(harness_op(h, admin, "plugin_enable", "{\"id\": \"%s\"}", name));
}

static void
disable(const char *name)
{
	assert_ok(harness_op(h, admin, "plugin_disable", "{\"id\": \"%s\"}", name));
}

static struct stet_call *
begin(void)
{
	struct stet_call *call = call_new();

	call_enter(call, harness_site(h));
	return call;
}

static void
end(struct stet_call *call)
{
	rows_end_call(call);
	call_free(call);
}

/* ---- modules of a generation ---- */

static void
a_plugin_is_not_there_until_it_is_enabled(void **state)
{
	struct outcome *o;

	(void)state;
	assert_code(
	    harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL), "NOT_FOUND");
	enable("notes");
	harness_ok(o, harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL));
	assert_int_equal(harness_int(o->data, "rows"), 1);
	assert_int_equal(harness_int(o->data, "rowsAtOpen"), 1);
	assert_int_equal(harness_int(o->data, "limitAtOpen"), 3);
	assert_ok(
	    harness_request(h, author, "POST /plugins/notes", NULL, "{\"text\": \"second\"}"));
	harness_ok(o, harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL));
	assert_int_equal(harness_int(o->data, "rows"), 2);
	assert_code(
	    harness_request(h, contributor, "POST /plugins/notes", NULL, "{\"text\": \"x\"}"),
	    "FORBIDDEN");
	disable("notes");
	assert_code(
	    harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL), "NOT_FOUND");
	enable("notes");
	harness_ok(o, harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL));
	assert_int_equal(harness_int(o->data, "rows"), 2);
	assert_int_equal(harness_int(o->data, "rowsAtOpen"), 1);
}

static void
what_is_enabled_survives_a_restart(void **state)
{
	struct outcome *o;

	(void)state;
	enable("notes");
	h = harness_again(h);
	harness_ok(o, harness_request(h, author, "GET /plugins/notes/peek/x", NULL, NULL));
	assert_int_equal(harness_int(o->data, "rows"), 1);
}

static void
names_of_a_plugin_get_its_prefix(void **state)
{
	struct stet_call *call;
	const struct op *op;

	(void)state;
	enable("notes");
	call = begin();
	assert_null(generation_op(call->gen, "peek"));
	op = generation_op(call->gen, "notes__add");
	assert_non_null(op);
	assert_string_equal(op->route, "POST /_cms/api/plugins/notes");
	assert_int_equal(op->role, 30);
	assert_false(op->csrf);
	op = generation_op(call->gen, "plugin_enable");
	assert_string_equal(op->route, "POST /_cms/api/admin/plugins/:id/enable");
	assert_int_equal(op->role, 50);
	assert_true(op->csrf);
	assert_false(generation_op(call->gen, "plugin_list")->csrf);
	assert_int_equal(generation_role(call->gen, "notes:write"), 30);
	assert_int_equal(generation_role(call->gen, "nothing:at_all"), -1);
	end(call);
}

/* The module menus says that the scope content:write includes menus:manage; while the module is
 * disabled neither permission nor scope exists. */
static void
a_disabled_module_takes_its_permissions_and_scopes_with_it(void **state)
{
	struct stet_call *call;

	(void)state;
	for (int on = 1; on >= 0; on--) {
		if (on == 0)
			disable("menus");
		call = begin();
		stet_principal_set(call,
		    &(struct stet_principal){ .id = "a", .role = 50, .scopes = "content:write" });
		assert_int_equal(stet_may(call, "menus:manage"), on);
		assert_int_equal(stet_require(call, "menus:manage"), on ? STET_OK : STET_FORBIDDEN);
		assert_int_equal(principal_has_scope(call, "menus:manage"), on);
		assert_true(principal_has_scope(call, "content:write"));
		assert_false(principal_has_scope(call, "admin"));
		end(call);
	}
	enable("menus");
}

static void
changes_below_a_guarded_path_need_a_header(void **state)
{
	struct stet_call *call;

	(void)state;
	enable("notes");
	call = begin();
	assert_true(generation_op(call->gen, "admin_user_update")->csrf);
	assert_false(generation_op(call->gen, "menu_add")->csrf);
	assert_false(generation_op(call->gen, "notes__add")->csrf);
	assert_true(generation_op(call->gen, "notes__tear")->csrf);
	assert_false(generation_op(call->gen, "notes__peek")->csrf);
	end(call);
}

static void
a_call_ends_in_the_generation_it_began_in(void **state)
{
	struct stet_call *old, *now;
	uint64_t number;

	(void)state;
	old = begin();
	number = old->gen->number;
	assert_null(generation_op(old->gen, "notes__peek"));
	enable("notes");
	now = begin();
	assert_true(now->gen->number > number);
	assert_non_null(generation_op(now->gen, "notes__peek"));
	assert_null(generation_op(old->gen, "notes__peek"));
	assert_int_equal(old->gen->number, number);
	assert_int_equal(harness_site(h)->live, 2);
	end(old);
	assert_int_equal(harness_site(h)->live, 1);
	disable("notes");
	assert_int_equal(harness_site(h)->live, 2);
	assert_non_null(generation_op(now->gen, "notes__peek"));
	end(now);
	assert_int_equal(harness_site(h)->live, 1);
}

/* Returns true if the site's API has this status, with this HTTP status. */
static bool
has_status(const char *name, int http)
{
	const struct stet_status_def *const *code;
	struct stet_call *call = begin();
	size_t count = stet_codes(call, &code), found = 0;

	for (size_t i = 0; i < count; i++)
		found += strcmp(code[i]->name, name) == 0 && code[i]->http == http;
	end(call);
	assert_true(found <= 1);
	return found == 1;
}

static void
a_plugin_brings_statuses_of_its_own(void **state)
{
	struct outcome *o;

	(void)state;
	assert_true(has_status("NOT_FOUND", 404));
	assert_true(has_status("SAVE_REJECTED", 422));
	assert_false(has_status("FAULT", 500));
	assert_false(has_status("NOTE_TORN", 410));
	enable("notes");
	assert_true(has_status("NOTE_TORN", 410));
	o = harness_request(h, author, "GET /plugins/notes/peek/torn", NULL, NULL);
	assert_code(o, "NOTE_TORN");
	assert_int_equal(o->http, 410);
	assert_string_equal(o->message, "Torn in 2");
	disable("notes");
	assert_false(has_status("NOTE_TORN", 410));
}

/* If a handler returns a status that no module defines, the response is that of any fault. */
static void
a_fault_answers_with_the_status_of_its_op(void **state)
{
	struct outcome *o;

	(void)state;
	enable("notes");
	o = harness_request(h, author, "GET /plugins/notes/peek/none", NULL, NULL);
	assert_code(o, "NOTE_PEEK_ERROR");
	assert_int_equal(o->http, 500);
}

/* ---- needs and conflicts ---- */

static void
an_unmet_need_is_a_conflict(void **state)
{
	struct outcome *o;

	(void)state;
	o = harness_op(h, admin, "plugin_enable", "{\"id\": \"needy\"}");
	assert_code(o, "CONFLICT");
	assert_non_null(strstr(o->message, "needs the module alpha"));
	enable("alpha");
	enable("needy");
	o = harness_op(h, admin, "plugin_disable", "{\"id\": \"alpha\"}");
	assert_code(o, "CONFLICT");
	assert_non_null(strstr(o->message, "needy"));
	disable("needy");
	disable("alpha");
}

static void
an_essential_module_stays(void **state)
{
	(void)state;
	assert_code(harness_op(h, admin, "plugin_disable", "{\"id\": \"auth\"}"), "CONFLICT");
	assert_ok(harness_op(h, admin, "plugin_enable", "{\"id\": \"auth\"}"));
	assert_code(harness_op(h, admin, "plugin_disable", "{\"id\": \"ghost\"}"), "NOT_FOUND");
	assert_code(harness_op(h, admin, "plugin_enable", "{\"id\": \"ghost\"}"), "NOT_FOUND");
}

/* Bundled modules that use names of the modules plugins and auth. They are loaded later, so they
 * are left out, and the site works. */
static void
the_later_of_two_in_conflict_is_left_out(void **state)
{
	struct stet_call *call;
	const struct loaded *thief, *other, *third, *fourth;
	char path[1024];

	(void)state;
	snprintf(path, sizeof(path), "%s", harness_path("STET_BUILD", "t/plugins/bundled/.libs"));
	modules_scan(path, NULL);
	thief = modules_find("route_thief");
	other = modules_find("permission_thief");
	third = modules_find("status_thief");
	fourth = modules_find("command_thief");
	assert_non_null(thief);
	assert_non_null(other);
	assert_non_null(third);
	assert_non_null(fourth);
	harness_close(h, false);
	h = harness_open(NULL);
	call = begin();
	assert_non_null(strstr(call->gen->refusal[thief->index],
	    "GET /_cms/api/admin/plugins is that of plugin_list in module plugins"));
	assert_non_null(strstr(call->gen->refusal[other->index], "permission plugins:manage"));
	assert_string_equal(call->gen->refusal[third->index],
	    "its status PLUGIN_LIST_ERROR is that of module plugins");
	assert_string_equal(call->gen->refusal[fourth->index],
	    "its command \"module list\" is that of module plugins");
	assert_null(generation_op(call->gen, "steal"));
	assert_int_equal(generation_role(call->gen, "plugins:manage"), 50);
	assert_null(stet_service(call, "loot/1"));
	end(call);
	assert_ok(harness_request(h, editor, "GET /admin/plugins", NULL, NULL));
}

static bool
has_table(const char *name)
{
	struct stet_call *call = begin();
	struct stet_rows rows;
	bool found;

	assert_int_equal(stet_one(call, &rows, STET_FAULT,
			     "SELECT count(*) FROM sqlite_schema WHERE name = ?1", STET_ARGS(name)),
	    STET_OK);
	found = stet_col_int(&rows, 0) == 1;
	assert_int_equal(stet_rows_end(&rows), STET_OK);
	end(call);
	return found;
}

static void
enabling_is_all_or_nothing(void **state)
{
	struct outcome *o;

	(void)state;
	o = harness_op(h, admin, "plugin_enable", "{\"id\": \"stumbler\"}");
	assert_code(o, "PLUGIN_ENABLE_ERROR");
	assert_null(strstr(o->message, "no_such_table"));
	assert_false(has_table("stumbler_row"));
	harness_ok(o, harness_op(h, admin, "plugin_get", "{\"id\": \"stumbler\"}"));
	assert_false(json_is_true(harness_at(o->data, "item.enabled")));
	o = harness_op(h, admin, "plugin_enable", "{\"id\": \"faller\"}");
	assert_code(o, "PLUGIN_ENABLE_ERROR");
	assert_false(has_table("faller_row"));
	assert_null(harness_site(h)->broken);
	enable("notes");
	assert_true(has_table("notes_note"));
}

/* ---- chains ---- */

/* Runs the hook chain with a text as the entry; each hook appends a letter. */
static enum stet_status
save(struct stet_call *call, char *text)
{
	return stet_run_entry_before_save(call, NULL, (struct stet_entry *)(void *)text);
}

static void
enable_links(void)
{
	enable("alpha");
	enable("beta");
	enable("notes");
}

static void
links_run_by_order_then_by_load_order(void **state)
{
	char text[16] = "";
	struct stet_call *call;

	(void)state;
	enable_links();
	enable("needy");
	call = begin();
	call->owner = modules_find("content");
	assert_true(stet_hooked(call, STET_AT_entry_before_save));
	assert_false(stet_hooked(call, STET_AT_event));
	assert_int_equal(save(call, text), STET_OK);
	/* The orders are: beta -5, needy and notes 0 (needy is loaded first), alpha 10. */
	assert_string_equal(text, "bnoa");
	assert_ptr_equal(call->owner, modules_find("content"));
	end(call);
}

static void
a_rejection_keeps_its_words(void **state)
{
	char text[16] = "R", bare[16] = "Q";
	struct stet_call *call;

	(void)state;
	enable_links();
	call = begin();
	call->owner = modules_find("content");
	assert_int_equal(save(call, text), STET_SAVE_REJECTED);
	assert_string_equal(call->error.text, "No titles today");
	assert_string_equal(call->error.field, "data.title");
	assert_string_equal(text, "Rbo"); /* alpha, the last one, refused */
	call_rewind(call);
	assert_int_equal(save(call, bare), STET_SAVE_REJECTED);
	assert_string_equal(call->error.text, stet_status_text(STET_SAVE_REJECTED));
	end(call);
}

static void
a_failure_of_a_strangers_hook_is_for_the_log(void **state)
{
	char text[16] = "F", issues[16] = "I";
	struct stet_call *call;

	(void)state;
	enable_links();
	call = begin();
	call->owner = modules_find("content");
	assert_int_equal(save(call, text), STET_CONTENT_HOOK_ERROR);
	assert_int_equal(call->error.status, STET_CONTENT_HOOK_ERROR);
	assert_null(strstr(call->error.text, "secret"));
	assert_null(call->error.field);
	assert_ptr_equal(call->owner, modules_find("content"));
	call_rewind(call);
	assert_int_equal(save(call, issues), STET_CONTENT_HOOK_ERROR);
	assert_null(call->error.issues);
	end(call);
}

static void
a_modules_own_hook_fails_as_it_says(void **state)
{
	char text[16] = "F";
	struct stet_call *call;

	(void)state;
	enable_links();
	call = begin();
	call->owner = modules_find("alpha");
	assert_int_equal(save(call, text), STET_NOT_FOUND);
	assert_string_equal(call->error.field, "secret");
	end(call);
}

static void
a_hook_that_recovers_leaves_no_trace(void **state)
{
	char text[16] = "S";
	struct stet_call *call;

	(void)state;
	enable_links();
	call = begin();
	call->owner = modules_find("content");
	stet_issue(call, "data.body", "is bad already");
	assert_int_equal(save(call, text), STET_OK);
	assert_string_equal(text, "Sboa");
	assert_int_equal(call->error.status, STET_OK);
	assert_non_null(call->error.issues);
	assert_null(call->error.issues->next);
	stet_issue(call, "data.title", "is bad too");
	assert_string_equal(call->error.issues->next->path, "data.title");
	end(call);
}

static void
the_first_that_knows_who_is_asking_has_the_word(void **state)
{
	(void)state;
	enable_links();
	assert_code(harness_request(h, nobody, "GET /admin/plugins", NULL, NULL), "UNAUTHORIZED");
	assert_ok(harness_request(h, nobody, "GET /admin/plugins", "X-Who: alpha", NULL));
	assert_code(
	    harness_request(h, nobody, "GET /admin/plugins", "X-Who: beta", NULL), "UNAUTHORIZED");
	assert_string_equal(
	    harness_request(h, nobody, "GET /admin/plugins", "X-Who: beta", NULL)->message,
	    "Not you");
	disable("alpha");
	assert_code(
	    harness_request(h, nobody, "GET /admin/plugins", "X-Who: alpha", NULL), "UNAUTHORIZED");
}

int
main(void)
{
#define ON_A_SITE(test) cmocka_unit_test_setup_teardown(test, open_site, close_site)
	const struct CMUnitTest tests[] = {
		ON_A_SITE(a_plugin_is_not_there_until_it_is_enabled),
		ON_A_SITE(what_is_enabled_survives_a_restart),
		ON_A_SITE(names_of_a_plugin_get_its_prefix),
		ON_A_SITE(a_disabled_module_takes_its_permissions_and_scopes_with_it),
		ON_A_SITE(changes_below_a_guarded_path_need_a_header),
		ON_A_SITE(a_call_ends_in_the_generation_it_began_in),
		ON_A_SITE(a_plugin_brings_statuses_of_its_own),
		ON_A_SITE(a_fault_answers_with_the_status_of_its_op),
		ON_A_SITE(an_unmet_need_is_a_conflict),
		ON_A_SITE(an_essential_module_stays),
		ON_A_SITE(enabling_is_all_or_nothing),
		ON_A_SITE(links_run_by_order_then_by_load_order),
		ON_A_SITE(a_rejection_keeps_its_words),
		ON_A_SITE(a_failure_of_a_strangers_hook_is_for_the_log),
		ON_A_SITE(a_modules_own_hook_fails_as_it_says),
		ON_A_SITE(a_hook_that_recovers_leaves_no_trace),
		ON_A_SITE(the_first_that_knows_who_is_asking_has_the_word),
		ON_A_SITE(the_later_of_two_in_conflict_is_left_out),
	};

	setenv("STET_TEST_LOG", "/dev/null", 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
