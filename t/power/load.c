/*
 * load.c - a mixed load whose acknowledgements are known.
 *
 * A thing is an item, a file or a field. Its state is one number. It belongs to one client, which
 * has one write under way at a time. So after a cut a thing is in the state that its last
 * acknowledged write left, or in that of the write that had begun.
 */
#include "load.h"
#include "disk.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLIENTS 6
#define DOWNLOADS "/plugins/downloads"
#define TEXT_MAX 100000
#define THINGS_MAX 40 /* items that a client creates before it changes existing ones */

#define ABSENT (-1)
#define BROKEN (-2) /* a state that no write produces */
#define NONE SIZE_MAX

enum kind { ITEM, KEPT_FILE, FIELD };

struct thing {
	enum kind kind;
	int owner;
	char key[64]; /* a slug or an id */
	int state; /* ITEM: twice its number, plus 1 when published; KEPT_FILE: its number */
};

struct write {
	size_t thing;
	int state; /* afterwards */
	size_t begun, acknowledged; /* places in the record; NONE: it is not in the record */
};

struct load {
	char *token;
	struct thing *thing;
	struct write *write;
	size_t things, writes;
	uint64_t seed;
	int marks; /* the record, open for appending */
	struct remote client[CLIENTS];
	size_t busy[CLIENTS]; /* the write in flight, or NONE */
	char text[TEXT_MAX + 1];
	char body[TEXT_MAX + 1000];
};

struct load *
load_new(struct daemon *d)
{
	struct load *l = calloc(1, sizeof(*l));

	assert_non_null(l);
	remote_plugin(d, "plugin-sdk/examples/downloads/.libs/downloads.so", "downloads.so", 0644);
	free(COMMAND(d, "module", "enable", "downloads"));
	l->token = remote_token(d, "admin", "admin");
	free(COMMAND(d, "call", "schema_create_collection", "slug=power", "label=Power"));
	free(COMMAND(d, "call", "schema_create_field", "collection=power", "slug=n", "label=N",
	    "type=integer", "indexed=true"));
	free(COMMAND(d, "call", "schema_create_field", "collection=power", "slug=body",
	    "label=Body", "type=text"));
	return l;
}

void
load_free(struct load *l)
{
	free(l->token);
	free(l->thing);
	free(l->write);
	free(l);
}

/* ---- what is written ---- */

/* Makes the text that belongs to a number: one letter, repeated. Some texts are long, so that the
 * WAL is checkpointed and restarted. */
static const char *
text_of(struct load *l, int n)
{
	size_t len = n % 4 == 0 ? TEXT_MAX - (size_t)n % 5000 : 10 + (size_t)n % 700;

	memset(l->text, 'a' + n % 23, len);
	l->text[len] = '\0';
	return l->text;
}

static void
mark(const struct load *l, size_t number, bool acknowledged)
{
	const struct record_head head = { .kind = RECORD_MARK,
		.at = number * 2 + (acknowledged ? 1 : 0) };

	assert_int_equal(write(l->marks, &head, sizeof(head)), sizeof(head));
}

static size_t
add_thing(struct load *l, enum kind kind, int owner)
{
	struct thing *t;

	l->thing = realloc(l->thing, (l->things + 1) * sizeof(*t));
	assert_non_null(l->thing);
	t = &l->thing[l->things];
	*t = (struct thing){ .kind = kind, .owner = owner, .state = ABSENT };
	(void)snprintf(t->key, sizeof(t->key), kind == FIELD ? "f%zu" : "thing-%zu", l->things);
	return l->things++;
}

/* Returns a thing of a client that exists, of any kind except a field; or NONE. */
static size_t
choose_thing(struct load *l, int owner)
{
	size_t start = disk_random(&l->seed) % (l->things + 1), mine = 0, found = NONE;

	for (size_t i = 0; i < l->things; i++) {
		const struct thing *t = &l->thing[(start + i) % l->things];

		if (t->owner != owner || t->kind == FIELD || t->state == ABSENT)
			continue;
		mine++;
		if (found == NONE)
			found = (start + i) % l->things;
	}
	return mine < THINGS_MAX && disk_random(&l->seed) % 3 == 0 ? NONE : found;
}

static void
begin_write(struct load *l, int client, size_t thing, int state)
{
	l->write[l->writes] = (struct write){ thing, state, NONE, NONE };
	mark(l, l->writes, false);
	l->busy[client] = l->writes++;
}

static void
send_upload(struct load *l, struct remote *r, int n)
{
	static const char head[] =
	    "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\r\n";
	const char *text = text_of(l, n);

	/* The number makes the content of each file unique: equal files would be stored once. */
	client_say(&r->client,
	    "POST " API DOWNLOADS "/files HTTP/1.1\r\nHost: x\r\n%sX-CMS-Request: 1\r\n"
	    "Content-Type: multipart/form-data; boundary=xx\r\nContent-Length: %zu\r\n\r\n"
	    "%s%010d%s\r\n--xx--\r\n",
	    r->token, strlen(head) + 10 + strlen(text) + 10, head, n, text);
	r->bare = false;
}

static void
send_new(struct load *l, int client)
{
	struct remote *r = &l->client[client];
	int n = (int)l->writes;
	size_t thing;
	uint64_t what = disk_random(&l->seed) % 40;
	enum kind kind = what == 0 ? FIELD : what < 10 ? KEPT_FILE : ITEM;

	thing = add_thing(l, kind, client);
	begin_write(l, client, thing, kind == FIELD ? 1 : kind == KEPT_FILE ? n : 2 * n);
	if (kind == FIELD) {
		(void)snprintf(l->body, sizeof(l->body),
		    "{\"slug\":\"%s\",\"label\":\"F\",\"type\":\"string\",\"indexed\":true}",
		    l->thing[thing].key);
		remote_say(r, "POST", l->body, "/schema/collections/power/fields");
	} else if (kind == KEPT_FILE) {
		send_upload(l, r, n);
	} else {
		(void)snprintf(l->body, sizeof(l->body),
		    "{\"slug\":\"%s\",\"data\":{\"n\":%d,\"body\":\"%s\"}}", l->thing[thing].key, n,
		    text_of(l, n));
		remote_say(r, "POST", l->body, "/content/power");
	}
}

static void
send_change(struct load *l, int client, size_t thing)
{
	struct remote *r = &l->client[client];
	const struct thing *t = &l->thing[thing];
	int n = (int)l->writes, what = (int)(disk_random(&l->seed) % 6);

	if (t->kind == KEPT_FILE) {
		begin_write(l, client, thing, ABSENT);
		remote_say(r, "DELETE", NULL, DOWNLOADS "/files/%s", t->key);
	} else if (what == 0) {
		begin_write(l, client, thing, ABSENT);
		remote_say(r, "DELETE", NULL, "/content/power/%s", t->key);
	} else if (what == 1) {
		begin_write(l, client, thing, t->state | 1);
		remote_say(r, "PUT", "{\"status\":\"published\"}", "/content/power/%s", t->key);
	} else {
		begin_write(l, client, thing, 2 * n + (t->state & 1));
		(void)snprintf(l->body, sizeof(l->body), "{\"data\":{\"n\":%d,\"body\":\"%s\"}}", n,
		    text_of(l, n));
		remote_say(r, "PUT", l->body, "/content/power/%s", t->key);
	}
}

/* Receives a client's response; the write that it confirms counts as acknowledged. */
static void
hear(struct load *l, int client)
{
	size_t number = l->busy[client];
	const struct write *w = &l->write[number];
	struct thing *t = &l->thing[w->thing];
	struct answer a;

	remote_hear(&l->client[client], &a);
	mark(l, number, true);
	if (a.status != 200 && a.status != 201)
		fail_msg("a write of %s was answered %d: %s", t->key, a.status, a.body);
	if (t->kind == KEPT_FILE && t->state == ABSENT)
		(void)snprintf(t->key, sizeof(t->key), "%s",
		    json_string_value(json_object_get(
			json_object_get(json_object_get(a.json, "data"), "file"), "id")));
	t->state = w->state;
	l->busy[client] = NONE;
	answer_free(&a);
}

static void
hear_some(struct load *l)
{
	struct pollfd p[CLIENTS];

	for (int i = 0; i < CLIENTS; i++)
		p[i] = (struct pollfd){ .fd = l->busy[i] != NONE ? l->client[i].client.fd : -1,
			.events = POLLIN };
	assert_true(poll(p, CLIENTS, WAIT_MS) > 0);
	for (int i = 0; i < CLIENTS; i++)
		if (p[i].fd >= 0 && p[i].revents != 0)
			hear(l, i);
}

static bool
any_busy(const struct load *l)
{
	for (int i = 0; i < CLIENTS; i++)
		if (l->busy[i] != NONE)
			return true;
	return false;
}

void
load_run(struct load *l, struct daemon *d, const char *record, size_t writes, uint64_t seed)
{
	l->seed = seed;
	l->write = calloc(writes, sizeof(struct write));
	l->marks = open(record, O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(l->write != NULL && l->marks >= 0);
	for (int i = 0; i < CLIENTS; i++) {
		remote_open(&l->client[i], d, l->token);
		l->busy[i] = NONE;
	}
	do {
		for (int i = 0; i < CLIENTS && l->writes < writes; i++) {
			size_t thing = l->busy[i] == NONE ? choose_thing(l, i) : NONE;

			if (l->busy[i] == NONE && thing == NONE)
				send_new(l, i);
			else if (l->busy[i] == NONE)
				send_change(l, i, thing);
		}
		hear_some(l);
	} while (l->writes < writes || any_busy(l));
	for (int i = 0; i < CLIENTS; i++)
		remote_close(&l->client[i]);
	close(l->marks);
}

/* ---- what was acknowledged ---- */

void
load_place(struct load *l, const struct reader *r)
{
	for (size_t i = 0; i < r->count; i++) {
		const char *paths;
		const void *bytes;
		struct record_head head = reader_entry(r, i, &paths, &bytes);

		if (head.kind != RECORD_MARK)
			continue;
		assert_true(head.at / 2 < l->writes);
		if (head.at % 2 == 0)
			l->write[head.at / 2].begun = i;
		else
			l->write[head.at / 2].acknowledged = i;
	}
}

size_t
load_acknowledged(const struct load *l, uint64_t number)
{
	return l->write[number % l->writes].acknowledged + 1;
}

size_t
load_count(const struct load *l, size_t cut)
{
	size_t count = 0;

	for (size_t i = 0; i < l->writes; i++)
		count += l->write[i].acknowledged < cut;
	return count;
}

/* ---- comparing the site with the acknowledged writes ---- */

static int
item_state(struct load *l, struct remote *r, const char *key)
{
	const json_t *item, *data;
	struct answer a;
	int state = BROKEN, n;

	remote_ask(r, &a, "GET", NULL, "/content/power/%s", key);
	item = json_object_get(json_object_get(a.json, "data"), "item");
	data = json_object_get(item, "data");
	n = (int)json_integer_value(json_object_get(data, "n"));
	if (a.status == 404)
		state = ABSENT;
	else if (a.status == 200 && json_is_integer(json_object_get(data, "n")) &&
		 json_is_string(json_object_get(data, "body")) &&
		 strcmp(json_string_value(json_object_get(data, "body")), text_of(l, n)) == 0)
		state = 2 * n + (strcmp(json_string_value(json_object_get(item, "status")),
				     "published") == 0);
	answer_free(&a);
	return state;
}

static int
file_state(struct load *l, struct remote *r, const char *key)
{
	struct answer a;
	int state = BROKEN, n;

	remote_ask(r, &a, "GET", NULL, DOWNLOADS "/get/%s", key);
	n = a.len > 10 ? (int)strtol(a.body, NULL, 10) : -1;
	if (a.status == 404)
		state = ABSENT;
	else if (a.status == 200 && n >= 0 && a.whole && a.len == 10 + strlen(text_of(l, n)) &&
		 strcmp(a.body + 10, l->text) == 0)
		state = n;
	answer_free(&a);
	return state;
}

static int
field_state(struct remote *r, const char *key)
{
	char said[80];
	struct answer a;
	int state;

	(void)snprintf(said, sizeof(said), "\"slug\":\"%s\"", key);
	remote_ask(r, &a, "GET", NULL, "/schema/collections/power/fields");
	state = a.status != 200 ? BROKEN : strstr(a.body, said) != NULL ? 1 : ABSENT;
	answer_free(&a);
	return state;
}

static int
state_of(struct load *l, struct remote *r, const struct thing *t)
{
	switch (t->kind) {
	case KEPT_FILE:
		/* The response with its id was not received. */
		return strncmp(t->key, "thing-", 6) == 0 ? ABSENT : file_state(l, r, t->key);
	case FIELD:
		return field_state(r, t->key);
	default:
		return item_state(l, r, t->key);
	}
}

/* Returns true if a thing may be in this state after the cut. `must`: the acknowledged state. */
static bool
may_be(const struct load *l, size_t thing, int state, size_t cut, int *must)
{
	bool may = false;

	*must = ABSENT;
	for (size_t i = 0; i < l->writes; i++) {
		const struct write *w = &l->write[i];

		if (w->thing != thing)
			continue;
		if (w->acknowledged < cut)
			*must = w->state;
		else if (w->begun < cut && w->state == state)
			may = true;
	}
	return may || *must == state;
}

size_t
load_lost(struct load *l, struct daemon *d, size_t cut, char *why, size_t size)
{
	struct remote r;
	size_t lost = 0;

	remote_open(&r, d, l->token);
	for (size_t i = 0; i < l->things; i++) {
		int state = state_of(l, &r, &l->thing[i]), must;

		if (may_be(l, i, state, cut, &must))
			continue;
		if (lost++ == 0)
			(void)snprintf(why, size, "%s is %d and was acknowledged as %d",
			    l->thing[i].key, state, must);
	}
	remote_close(&r);
	return lost;
}
