/*
 * model.c - applies random sequences of changes to a site (steps.c) and checks every state: an item
 * read by GET can be sent back by PUT and does not change; an export can be imported into a new
 * site, whose export is the same byte for byte; a dry run reports what the import reports.
 *
 * STATE_STEPS is the number of steps (300; `make long`: 20000), STATE_SEED selects the sequence.
 */
#include "call/site.h"
#include "chance.h"
#include "db/rows.h"
#include "inside.h"
#include "state.h"
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <unistd.h>

#define ITEM_EVERY 3
#define SITE_EVERY 50

struct world world;
static const char *const site_locales[] = { "en", "fr", "de", NULL };

int
chosen(int n)
{
	return pick(n);
}

const char *
one_of(const char *const *list)
{
	int n = 0;

	while (list[n] != NULL)
		n++;
	return list[pick(n)];
}

const char *
an_id(enum kept kind)
{
	int from = pick(SLOTS);

	for (int i = 0; i < SLOTS; i++)
		if (*world.id[kind][(from + i) % SLOTS] != '\0')
			return world.id[kind][(from + i) % SLOTS];
	return "01MMMMMMMMMMMMMMMMMMMMMMM1";
}

void
remember(enum kept kind, struct outcome *o)
{
	const char *id = harness_text(o->data, "item.id");

	if (*id == '\0')
		id = harness_text(o->data, "id");
	if (strlen(id) == 26)
		memcpy(world.id[kind][pick(SLOTS)], id, 27);
}

void
time_goes_on(int ms)
{
	world.now += ms;
	at(world.site, world.now);
}

bool
went(struct outcome *o)
{
	if (o->http >= 500)
		fail_msg("%d %s", o->http, o->text);
	if (*o->code != '\0' && getenv("STATE_TALK") != NULL)
		print_message("# %s\n", o->text);
	return *o->code == '\0';
}

/* ---- what GET gives can be PUT ---- */

/* Returns the members of the item that a PUT changes. */
static json_t *
body_of(json_t *got)
{
	static const char *const members[] = { "data", "slug", "seo", "authorId", "publishedAt" };
	json_t *item = harness_at(got, "item"), *body = json_object();

	for (size_t i = 0; i < COUNT(members); i++)
		if (json_object_get(item, members[i]) != NULL)
			json_object_set(body, members[i], json_object_get(item, members[i]));
	json_object_set(body, "_rev", harness_at(got, "_rev"));
	return body;
}

static void
put_what_get_gave(const char *collection, const char *id)
{
	struct outcome *o = ask(world.site, admin, "GET /content/%s/%s", collection, id);
	json_t *before, *body;
	char request[80], *text;

	if (o->http != 200)
		return;
	before = json_deep_copy(o->data);
	body = body_of(before);
	text = json_dumps(body, 0);
	(void)snprintf(request, sizeof(request), "PUT /content/%s/%s", collection, id);
	o = harness_request(world.site, admin, request, NULL, text);
	if (o->http != 200)
		fail_msg("PUT of what GET gave: %s: %s", text, o->text);
	o = ask(world.site, admin, "GET /content/%s/%s", collection, id);
	if (!json_equal(o->data, before))
		fail_msg("PUT of what GET gave changes it: %s: %s: %s",
		    json_dumps(before, JSON_COMPACT), text, o->text);
	free(text);
	json_decref(body);
	json_decref(before);
}

/* ---- an export comes back ---- */

/* Runs a command of the module transfer, as `stet` does. */
static int
command(struct harness *h, const char *words, int argc, const char *const *argv)
{
	struct stet_call *call = inside_call(h, "transfer");
	const struct op program = { .row = { .name = "command", .lane = STET_SLOW },
		.owner = call->owner,
		.name = (char *)(uintptr_t)words };
	struct stet_command row;
	int status = -1, out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)fflush(stdout);
	(void)dup2(null, STDOUT_FILENO);
	call->op = &program;
	call->lane = STET_SLOW;
	stet_principal_set(
	    call, &(struct stet_principal){ .id = "", .role = 50, .via = STET_VIA_COMMAND });
	for (uint32_t i = 0; i < call->owner->m.commands.count; i++) {
		stet_table_row(&call->owner->m.commands, i, &row, sizeof(row));
		if (strcmp(row.words, words) == 0)
			status = row.run(call, argc, (char **)(uintptr_t)argv);
	}
	(void)fflush(stdout);
	(void)dup2(out, STDOUT_FILENO);
	close(out);
	close(null);
	if (status != 0)
		print_message("# %s\n", stet_error_text(call));
	rows_end_call(call);
	call_free(call);
	return status;
}

/* The files below a directory, {path: content}. A global, since nftw passes no argument. */
static struct {
	json_t *files;
	size_t base;
} reading;

static int
read_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	char *bytes;
	FILE *f;

	(void)where;
	if (kind != FTW_F)
		return 0;
	assert_non_null(f = fopen(path, "re"));
	assert_non_null(bytes = calloc(1, (size_t)st->st_size + 1));
	assert_int_equal(fread(bytes, 1, (size_t)st->st_size, f), st->st_size);
	json_object_set_new(
	    reading.files, path + reading.base, json_stringn_nocheck(bytes, (size_t)st->st_size));
	free(bytes);
	return fclose(f);
}

static json_t *
read_all(const char *dir)
{
	reading.files = json_object();
	reading.base = strlen(dir);
	assert_int_equal(nftw(dir, read_one, 16, FTW_PHYS), 0);
	return reading.files;
}

static int
remove_one(const char *path, const struct stat *st, int kind, struct FTW *where)
{
	(void)st;
	(void)kind;
	(void)where;
	return remove(path);
}

/* Fails, and shows where the texts begin to differ. */
static void
differ(const char *name, const char *was, const char *is)
{
	size_t at = 0, from;

	while (was[at] != '\0' && was[at] == is[at])
		at++;
	from = at > 200 ? at - 200 : 0;
	fail_msg("%s was %.400s\n---- is %.400s", name, was + from, is + from);
}

static void
compare(const char *first, const char *second)
{
	json_t *a = read_all(first), *b = read_all(second), *v;
	const char *name;

	json_object_foreach(a, name, v)
	{
		if (json_object_get(b, name) == NULL)
			fail_msg("%s is lost", name);
		if (!json_equal(v, json_object_get(b, name)))
			differ(name, json_string_value(v),
			    json_string_value(json_object_get(b, name)));
	}
	json_object_foreach(b, name, v) if (json_object_get(a, name) == NULL)
	    fail_msg("%s is new: %s", name, json_string_value(v));
	json_decref(a);
	json_decref(b);
}

static void
export_comes_back(void)
{
	char first[80], second[80];
	struct harness *new = harness_open(&(struct harness_options){ .locales = site_locales });
	int failed;

	time_goes_on(1000); /* the new collections are younger than all fields */
	(void)snprintf(first, sizeof(first), "%s.first", harness_data(world.site));
	(void)snprintf(second, sizeof(second), "%s.second", harness_data(world.site));
	failed = command(world.site, "export", 2, (const char *const[]){ "export", first, NULL });
	failed = failed ||
		 command(new, "import site", 2, (const char *const[]){ "import", first, NULL });
	failed =
	    failed || command(new, "export", 2, (const char *const[]){ "export", second, NULL });
	assert_false(failed);
	compare(first, second);
	assert_int_equal(nftw(first, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	assert_int_equal(nftw(second, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	harness_close(new, false);
	time_goes_on(0);
}

/* ---- the whole ---- */

static void
what_a_site_has_can_be_saved_again_and_comes_back(void **state)
{
	world.site = *state;
	for (int i = 0; collections[i] != NULL; i++) {
		assert_ok(say(world.site, admin, "POST /schema/collections",
		    "{'slug':'%s','label':'L','supports':['drafts','revisions','scheduling'%s]}",
		    collections[i], i == 0 ? ",'seo'" : ""));
		for (int k = i; k < field_kinds; k += 1 + i)
			field(world.site, collections[i], fields[k].slug, fields[k].type,
			    fields[k].more != NULL ? fields[k].more : "");
	}
	for (int i = 1; i <= chance.steps; i++) {
		int slot = chosen(SLOTS);

		time_goes_on(chosen(30));
		step();
		if (i % ITEM_EVERY == 0 && world.collection[slot][0] != '\0')
			put_what_get_gave(world.collection[slot], world.id[ITEM][slot]);
		if (i % SITE_EVERY == 0)
			export_comes_back();
	}
	for (size_t i = 0; steps[i].name != NULL; i++)
		print_message("# %s: %d\n", steps[i].name, steps[i].done);
	for (size_t i = 0; steps[i].name != NULL && chance.steps >= 10000; i++)
		assert_true(steps[i].done > 0);
}

static int
begin(void **state)
{
	posts_locales = site_locales;
	return posts_begin(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    what_a_site_has_can_be_saved_again_and_comes_back, begin, posts_end),
	};

	chance_from("STATE_SEED", "STATE_STEPS", 300);
	print_message("# STATE_SEED=%u STATE_STEPS=%d\n", chance.seed, chance.steps);
	return cmocka_run_group_tests_name("transfer/model", tests, NULL, NULL);
}
