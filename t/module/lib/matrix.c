/* matrix.c - calls every op as every kind of caller. */
#include "matrix.h"
#include "inside.h"
#include <stdlib.h>

struct right matrix[RIGHTS_MAX];
size_t matrix_count;

/* ---- calls ---- */

static const struct stet_member *
member(const struct op *op, const char *name)
{
	for (const struct stet_member *m = op->row.in; m != NULL && m->name != NULL; m++)
		if (strcmp(m->name, name) == 0)
			return m;
	return NULL;
}

static bool requires(const struct op *op, const char *name)
{
	const struct stet_member *m = member(op, name);

	return m != NULL && (m->flags & STET_REQUIRED) != 0;
}

/* Sets an argument if the op declares it. */
static void
put(const struct op *op, json_t *args, const char *name, const char *value)
{
	if (member(op, name) != NULL)
		json_object_set_new(args, name, json_string(value));
}

/* Returns the arguments of a call. Writing ops that act on no item use the collection `spare`. */
static json_t *
arguments(const struct op *op, const struct item *item)
{
	json_t *args = example_of(op);

	if (requires(op, "collection"))
		put(op, args, "collection",
		    item != NULL || op->row.lane == STET_READ ? "posts" : "spare");
	if (item == NULL)
		return args;
	put(op, args, "id", item->id);
	put(op, args, "contentId", item->id);
	put(op, args, "_rev", item->rev);
	put(op, args, "revisionId", item->revision);
	put(op, args, "taxonomy", "genre");
	put(op, args, "authorName", "Some One");
	put(op, args, "authorEmail", "some@example.org");
	if (member(op, "data") != NULL)
		json_object_set_new(args, "data", json_pack("{s:s}", "title", "Changed"));
	return args;
}

struct outcome *
matrix_call(const struct right *r, const struct harness_user *user, const struct item *item)
{
	struct outcome *o;
	json_t *args;
	char *text;

	/* Ops that read the body themselves can only be called by a request. */
	if ((r->op->row.flags & (STET_RAW | STET_SPOOL | STET_MULTIPART)) != 0) {
		char path[512];

		path_of(r->op, item != NULL ? item->id : "nothing", path, sizeof(path));
		return request(r->op, user, path, NULL);
	}
	args = arguments(r->op, item);
	text = json_dumps(args, 0);
	o = harness_op(h, user, r->op->name, "%s", text);
	free(text);
	json_decref(args);
	return o;
}

bool
matrix_faulty(const struct outcome *o)
{
	return o->http >= 500 && strcmp(o->code, "EMAIL_NOT_CONFIGURED") != 0;
}

/* ---- results ---- */

static char
verdict(const struct right *r, int person, const struct outcome *o)
{
	if (matrix_faulty(o) || o->http == 429)
		fail_msg("%s as %d: %d %s", r->op->name, person, o->http, o->text);
	if (o->http == 401 || o->http == 403)
		return '-';
	if (r->columns > 1 && o->http == 404)
		return '?';
	return (char)('0' + person);
}

static void
row_of(const struct item *item, char *out, size_t size)
{
	char sql[256];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT version || ' ' || status || ' ' || coalesce(deleted_at, '') FROM c_posts "
	    "WHERE id = '%s'",
	    item->id);
	(void)snprintf(out, size, "%s", inside_ask(h, sql));
}

/* Moves the clock on, so that no call reaches a rate limit. Those that several daemons share go by
 * the clock of their database, so the address changes, too. */
static void
go_on(void)
{
	static int minutes;
	char time[40];
	char address[32];

	minutes += 5;
	(void)snprintf(time, sizeof(time), "2026-%02d-%02dT%02d:%02d:00.000Z",
	    1 + minutes / (28 * 1440) % 12, 1 + minutes / 1440 % 28, minutes / 60 % 24,
	    minutes % 60);
	harness_clock(h, time);
	(void)snprintf(
	    address, sizeof(address), "10.%d.%d.1", minutes / 1280 % 256, minutes / 5 % 256);
	harness_client(h, address);
}

/* Tries one call on a new item, so that no call sees the effects of another. */
static char
try_item(const struct right *r, int column, int person)
{
	const struct harness_user *user = people[person];
	bool own = column < OTHERS;
	char before[96], after[96], out;
	struct item item;
	struct outcome *o;

	go_on();
	item_make(own ? user : other_author, (enum item_state)(column % ITEM_STATES), &item);
	row_of(&item, before, sizeof(before));
	o = matrix_call(r, user, &item);
	out = verdict(r, person, o);
	/* A response must not disclose unpublished text to callers without the right to see it. */
	if (((out == '-' || out == '?') || user->role < 20) && strstr(o->text, "Secret") != NULL)
		fail_msg("%s tells role %d: %s", r->op->name, user->role, o->text);
	if (out == '-' || out == '?' || user->role < 20) {
		row_of(&item, after, sizeof(after));
		if (strcmp(before, after) != 0)
			fail_msg("%s as role %d changed the item: %s, %s", r->op->name, user->role,
			    before, after);
	}
	return out;
}

static void
fill_right(struct right *r)
{
	memset(r->cell, '.', sizeof(r->cell));
	for (int person = 0; person < PEOPLE; person++) {
		if (r->columns == 1) {
			struct outcome *o;

			go_on();
			o = matrix_call(r, people[person], NULL);
			r->cell[ANY][person] = verdict(r, person, o);
			if (people[person]->role < 20 && strstr(o->text, "Secret") != NULL)
				fail_msg("%s tells %d: %s", r->op->name, person, o->text);
			continue;
		}
		for (int column = 0; column < COLUMNS; column++)
			if (column >= OTHERS || person > 0)
				r->cell[column][person] = try_item(r, column, person);
	}
}

/* Creates the people as users, because tables refer to them. */
static void
enroll(void)
{
	for (int i = 1; i < PEOPLE; i++) {
		char sql[256];

		(void)snprintf(sql, sizeof(sql),
		    "INSERT INTO users (id, email, role, created_at, updated_at) VALUES (?1, "
		    "lower(?1) || '@example.org', %d, '2026-01-01T00:00:00.000Z', "
		    "'2026-01-01T00:00:00.000Z')",
		    people[i]->role);
		inside_sql(h, sql, people[i]->id);
	}
}

void
matrix_make(void)
{
	struct item seen[ITEM_STATES];

	enroll();
	assert_ok(harness_op(
	    h, admin, "schema_create_collection", "{\"slug\":\"spare\",\"label\":\"Spare\"}"));
	assert_ok(harness_op(h, admin, "taxonomy_create",
	    "{\"name\":\"genre\",\"label\":\"G\",\"collections\":[\"posts\"]}"));
	for (int i = 0; i < ITEM_STATES; i++) /* so that lists are not empty */
		item_make(other_author, (enum item_state)i, &seen[i]);
	assert_true(gen->op_count <= RIGHTS_MAX);
	for (size_t i = 0; i < gen->op_count; i++) {
		const struct op *op = gen->op_by_name[i];
		bool named =
		    requires(op, "collection") && (requires(op, "id") || requires(op, "contentId"));

		matrix[i] = (struct right){ .op = op, .revision = requires(op, "revisionId") };
		matrix[i].columns = named || matrix[i].revision ? COLUMNS : 1;
		fill_right(&matrix[i]);
	}
	matrix_count = gen->op_count;
	/* The shared collection and items still exist. */
	assert_ok(harness_op(h, admin, "schema_get_collection", "{\"slug\":\"spare\"}"));
	for (int i = 0; i < TRASHED; i++)
		assert_ok(harness_op(h, admin, "content_get",
		    "{\"collection\":\"posts\",\"id\":\"%s\"}", seen[i].id));
}

bool
passed(const struct right *r, int column, int person)
{
	return r->cell[column][person] == (char)('0' + person);
}

static const char *
scope_of(const struct op *op)
{
	if (is_public(op) || (op->row.flags & STET_ANY_SCOPE) != 0)
		return "any";
	return op->row.scope != NULL ? op->row.scope : "admin";
}

void
matrix_write(FILE *to)
{
	for (size_t i = 0; i < matrix_count; i++) {
		const struct right *r = &matrix[i];
		char line[160 + COLUMNS * (PEOPLE + 1)];
		size_t len = (size_t)snprintf(
		    line, sizeof(line), "%-28s %-17s", r->op->name, scope_of(r->op));

		for (int column = 0; column < r->columns; column++)
			len += (size_t)snprintf(
			    line + len, sizeof(line) - len, " %.*s", PEOPLE, r->cell[column]);
		fprintf(to, "%s\n", line);
	}
}
