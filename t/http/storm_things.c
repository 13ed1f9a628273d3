/*
 * storm_things.c - fields, collections, tokens and webhooks that are made and removed again while
 * the daemon is killed. Each client has SLOTS slots and visits them in turn: it fills an empty one
 * and clears a full one, so that the lists stay short. A removed thing is remembered until its slot
 * is used again; a count of the list finds things that were removed before.
 */
#include "storm.h"

#include <stdio.h>
#include <string.h>

#define SLOTS 24

struct thing {
	char name[64]; /* unique */
	char key[64]; /* end of the path that removes it; "": not known */
	char secret[96];
	bool there, moving; /* moving: the request that makes or removes it has no response yet */
	bool filled, filling;
};

struct things {
	const char *list, *name; /* path of the list; the member with the name */
	const char *prefix; /* the names of things: this text and a number */
	const char *body; /* body of the POST to the list */
	const char *remove; /* the path of DELETE */
	/* Takes the id or the secret from a response or a list. */
	void (*learn)(struct thing *t, json_t *data);
	/* Stores something in the thing; NULL: not used. */
	bool (*fill)(struct storm_client *c, struct thing *t);
	/* Checks what the thing does, beyond its entry in the list. */
	size_t (*look)(struct storm_client *c, struct thing *t);
	unsigned next;
	struct thing slots[SLOTS];
};

/* ---- any of them ---- */

/* Fills the one %s of a path or body with the word. */
static const char *
with(char *out, size_t size, const char *format, const char *word)
{
	const char *at = strstr(format, "%s");

	if (at == NULL)
		snprintf(out, size, "%s", format);
	else
		snprintf(out, size, "%.*s%s%s", (int)(at - format), format, word, at + 2);
	return out;
}

static bool
make(struct storm_client *c, struct things *all, struct thing *t, unsigned number)
{
	char body[256], both[256];
	json_t *data;

	*t = (struct thing){ .moving = true };
	snprintf(t->name, sizeof(t->name), "%s%u", all->prefix, number);
	with(both, sizeof(both), all->body, t->name);
	with(body, sizeof(body), both, t->name);
	if (!storm_must(c, 201, "POST", all->list, body))
		return false;
	data = storm_data(c);
	all->learn(t, data);
	json_decref(data);
	t->there = true;
	t->moving = false;
	return true;
}

static bool
clear(struct storm_client *c, struct things *all, struct thing *t)
{
	char path[160];

	t->moving = true;
	if (!storm_must(c, 200, "DELETE", with(path, sizeof(path), all->remove, t->key), ""))
		return false;
	t->there = t->filled = t->moving = false;
	return true;
}

static bool
step(struct storm_client *c, struct storm_kind *kind)
{
	struct things *all = kind->state;
	struct thing *t = &all->slots[all->next++ % SLOTS];
	bool there = t->there;

	if (there ? !clear(c, all, t) : !make(c, all, t, all->next))
		return false;
	kind->acknowledged++;
	if (there || all->fill == NULL)
		return true;
	t->filling = true;
	if (!all->fill(c, t))
		return false;
	t->filling = false;
	t->filled = true;
	kind->acknowledged++;
	return true;
}

static json_t *
find(json_t *items, const char *member, const char *name)
{
	json_t *item;
	size_t i;

	json_array_foreach(
	    items, i, item) if (strcmp(json_string_value(json_object_get(item, member)), name) ==
				0) return item;
	return NULL;
}

/* Counts the names of this kind in the list: none may be of a thing that was removed long ago. */
static size_t
count_listed(const struct things *all, json_t *items)
{
	size_t count = 0, length = strlen(all->prefix), i;
	const char *name;
	json_t *item;

	json_array_foreach(items, i, item)
	{
		name = json_string_value(json_object_get(item, all->name));
		count += strncmp(name, all->prefix, length) == 0 && name[length] >= '0' &&
			 name[length] <= '9';
	}
	return count;
}

static size_t
check_one(struct storm_client *c, const struct things *all, struct thing *t, json_t *items)
{
	json_t *item = find(items, all->name, t->name);
	bool listed = item != NULL;
	size_t lost = 0;

	if (listed != t->there && !t->moving)
		lost += STORM_LOST("%s was %s\n", t->name, t->there ? "made" : "removed");
	if (listed && !t->there)
		all->learn(t, item);
	if (!listed)
		t->filled = t->filling = false;
	t->there = listed;
	t->moving = false;
	return lost + all->look(c, t);
}

static size_t
check(struct storm_client *c, struct storm_kind *kind)
{
	struct things *all = kind->state;
	size_t lost = 0, there = 0, listed;
	json_t *data, *items;

	if (!storm_must(c, 200, "GET", all->list, ""))
		return STORM_LOST("the list of %s\n", kind->what);
	data = storm_data(c);
	items = json_object_get(data, "items");
	for (int i = 0; i < SLOTS; i++)
		if (all->slots[i].name[0] != '\0') {
			lost += check_one(c, all, &all->slots[i], items);
			there += all->slots[i].there;
		}
	if ((listed = count_listed(all, items)) != there)
		lost += STORM_LOST("%zu %s are listed, not %zu\n", listed, kind->what, there);
	json_decref(data);
	return lost;
}

static void
lie(struct storm_kind *kind)
{
	struct things *all = kind->state;

	all->slots[0].there = !all->slots[0].there;
}

/* ---- fields and collections: known by name, and with something in them ---- */

static void
learn_name(struct thing *t, json_t *data)
{
	(void)data;
	snprintf(t->key, sizeof(t->key), "%s", t->name);
}

/* Checks whether the thing's content may be in this state, and remembers the state. */
static size_t
settle(struct thing *t, bool there)
{
	size_t lost = 0;

	if (there != t->filled && !t->filling)
		lost = STORM_LOST("what was in %s is %s\n", t->name, there ? "back" : "gone");
	t->filled = there;
	t->filling = false;
	return lost;
}

static bool
fill_field(struct storm_client *c, struct thing *t)
{
	char body[160];

	snprintf(body, sizeof(body), "{\"data\":{\"%s\":\"in %s\"}}", t->name, t->name);
	return storm_must(c, 200, "PUT", "/content/shelf/row", body);
}

static size_t
look_field(struct storm_client *c, struct thing *t)
{
	char want[80];
	const char *value;
	json_t *data;
	size_t lost;

	snprintf(want, sizeof(want), "in %s", t->name);
	if (!storm_must(c, 200, "GET", "/content/shelf/row", ""))
		return STORM_LOST("the item that has %s\n", t->name);
	data = storm_data(c);
	value = json_string_value(
	    json_object_get(json_object_get(json_object_get(data, "item"), "data"), t->name));
	lost = value != NULL && strcmp(value, want) != 0
		   ? STORM_LOST("%s has the value %s\n", t->name, value)
		   : settle(t, value != NULL);
	json_decref(data);
	return lost;
}

static bool
fill_collection(struct storm_client *c, struct thing *t)
{
	char path[96];

	return storm_must(c, 201, "POST", with(path, sizeof(path), "/content/%s", t->name),
	    "{\"slug\":\"one\",\"data\":{}}");
}

static size_t
look_collection(struct storm_client *c, struct thing *t)
{
	char path[96];

	with(path, sizeof(path), "/content/%s/one", t->name);
	return settle(t, storm_ask(c, "GET", path, "") == 200);
}

/* ---- tokens and webhooks: known by the id that they were given ---- */

static void
learn_token(struct thing *t, json_t *data)
{
	json_t *info = json_object_get(data, "info");
	const char *secret = json_string_value(json_object_get(data, "token"));

	snprintf(t->key, sizeof(t->key), "%s",
	    json_string_value(json_object_get(info != NULL ? info : data, "id")));
	snprintf(t->secret, sizeof(t->secret), "%s", secret != NULL ? secret : "");
}

/* A token opens the API as long as it exists. A token whose creation had no response is not
 * known. */
static size_t
look_token(struct storm_client *c, struct thing *t)
{
	int status;

	if (t->secret[0] == '\0')
		return 0;
	c->token = t->secret;
	status = storm_ask(c, "GET", "/content/storm/counter-0", "");
	c->token = storm_token;
	return status == (t->there ? 200 : 401)
		   ? 0
		   : STORM_LOST("%s was answered %d\n", t->name, status);
}

static void
learn_webhook(struct thing *t, json_t *data)
{
	json_t *item = json_object_get(data, "item");

	snprintf(t->key, sizeof(t->key), "%s",
	    json_string_value(json_object_get(item != NULL ? item : data, "id")));
}

static size_t
look_webhook(struct storm_client *c, struct thing *t)
{
	char path[96];
	int status;

	if (t->key[0] == '\0')
		return 0;
	with(path, sizeof(path), "/admin/webhooks/%s", t->key);
	status = storm_ask(c, "GET", path, "");
	return status == (t->there ? 200 : 404)
		   ? 0
		   : STORM_LOST("%s was answered %d\n", t->name, status);
}

/* ---- the kinds ---- */

static struct things fields = { .list = "/schema/collections/shelf/fields",
	.name = "slug",
	.prefix = "f",
	.body = "{\"slug\":\"%s\",\"label\":\"Field\",\"type\":\"string\"}",
	.remove = "/schema/collections/shelf/fields/%s",
	.learn = learn_name,
	.fill = fill_field,
	.look = look_field };
static struct things collections = { .list = "/schema/collections",
	.name = "slug",
	.prefix = "c",
	.body = "{\"slug\":\"%s\",\"label\":\"%s\"}",
	.remove = "/schema/collections/%s?force=true",
	.learn = learn_name,
	.fill = fill_collection,
	.look = look_collection };
static struct things tokens = { .list = "/admin/api-tokens",
	.name = "name",
	.prefix = "t",
	.body = "{\"name\":\"%s\",\"scopes\":[\"content:read\"]}",
	.remove = "/admin/api-tokens/%s",
	.learn = learn_token,
	.look = look_token };
/* This webhook gets an event that never happens here, so nothing is sent. */
static struct things webhooks = { .list = "/admin/webhooks",
	.name = "url",
	.prefix = "https://hook.invalid/w",
	.body = "{\"url\":\"%s\",\"events\":[\"byline.save\"]}",
	.remove = "/admin/webhooks/%s",
	.learn = learn_webhook,
	.look = look_webhook };

struct storm_kind storm_fields = { "fields", &fields, step, check, lie, 0 };
struct storm_kind storm_collections = { "collections", &collections, step, check, lie, 0 };
struct storm_kind storm_tokens = { "tokens", &tokens, step, check, lie, 0 };
struct storm_kind storm_webhooks = { "webhooks", &webhooks, step, check, lie, 0 };
