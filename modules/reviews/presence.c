/*
 * presence.c - who has an item open, and at which block. Nothing is locked by it.
 *
 * Each tab of the editor says so every ten seconds, which sets a beacon that lives for LIFE_MS
 * (<stet/beacon.h>). Its key is the item, the user and the tab, so that the beacons of an item are
 * found by their prefix, and tabs of one person stand together. Nothing is stored: the ops are
 * reads.
 */
#include "reviews.h"
#include <stet/beacon.h>
#include <string.h>

#define LIFE_MS 30000
#define TABS_MAX 8 /* of a person at one item */
#define TABS_OF_ITEM_MAX 60
#define ROOT "reviews/"
#define SEEN "reviews-of/" /* the tabs of a person, each at each item */
#define TABS_OF_PERSON_MAX 20

static const struct stet_member place_shape[] = {
	{ "field", STET_STRING },
	{ "block", STET_STRING, .about = "_key of a block of the field" },
	{ 0 },
};
static const struct stet_member person_shape[] = {
	{ "id", STET_STRING, STET_REQUIRED },
	{ "name", STET_STRING, STET_REQUIRED },
	{ "tabs", STET_INTEGER, STET_REQUIRED, .about = "In which the person has the item open" },
	{ "places", STET_ARRAY, STET_REQUIRED, .of = place_shape, .about = "Where, for each tab" },
	{ 0 },
};
/* clang-format off */
#define ITEM \
	{ "collection", STET_STRING, STET_REQUIRED, .about = "Slug of the collection" }, \
	{ "id", STET_STRING, STET_REQUIRED, .about = "Id or slug of the item" }
#define TAB(flags_) \
	{ "tab", STET_STRING, STET_REQUIRED | (flags_), .about = "A name for the tab, made by the page", \
	    .pattern = "^[A-Za-z0-9_-]{4,40}$(?![\\s\\S])" }
/* clang-format on */
const struct stet_member presence_in[] = {
	ITEM,
	TAB(0),
	{ "field", STET_STRING, STET_NULLABLE, .about = "Where the cursor is", STET_RANGE(1, 63) },
	{ "block", STET_STRING, STET_NULLABLE, .about = "_key of a block of the field",
	    STET_RANGE(1, 100) },
	{ 0 },
};
const struct stet_member presence_leave_in[] = { ITEM, TAB(STET_QUERY), { 0 } };
const struct stet_member presence_out[] = {
	{ "people", STET_ARRAY, STET_REQUIRED, .of = person_shape,
	    .about = "Who has the item open, the caller included" },
	{ 0 },
};

/* ---- the list ---- */

/* Returns the length of the beginning of a key that names the person: up to the last slash. */
static size_t
person_len(const char *key)
{
	return (size_t)(strrchr(key, '/') - key);
}

static void
put_person(struct stet_call *call, struct stet_json *out, const struct stet_beacon *const *all,
    size_t count)
{
	json_t *first = stet_json_stored(call, all[0]->text, strlen(all[0]->text));

	stet_object(out, NULL);
	stet_put_json(out, "id", json_object_get(first, "id"));
	stet_put_json(out, "name", json_object_get(first, "name"));
	stet_put_int(out, "tabs", (int64_t)count);
	stet_array(out, "places");
	for (size_t i = 0; i < count; i++) {
		json_t *tab = stet_json_stored(call, all[i]->text, strlen(all[i]->text));
		const char *field = json_string_value(json_object_get(tab, "field"));
		const char *block = json_string_value(json_object_get(tab, "block"));

		if (field == NULL)
			continue;
		stet_object(out, NULL);
		stet_put_str(out, "field", field);
		if (block != NULL)
			stet_put_str(out, "block", block);
		stet_close(out);
	}
	stet_close(out);
	stet_close(out);
}

static const char *
prefix_of(struct stet_call *call, const char *collection, const char *id)
{
	return stet_printf(call, ROOT "%s/%s/", collection, id);
}

static void
put_people(struct stet_call *call, struct stet_json *out, const char *prefix)
{
	const struct stet_beacon *const *all;
	size_t count = stet_beacons(call, prefix, &all), next;

	stet_array(out, "people");
	for (size_t i = 0; i < count; i = next) {
		size_t len = person_len(all[i]->key);

		for (next = i + 1; next < count && person_len(all[next]->key) == len &&
				   strncmp(all[next]->key, all[i]->key, len) == 0;)
			next++;
		put_person(call, out, all + i, next - i);
	}
	stet_close(out);
}

static enum stet_status
answer(struct stet_call *call, const char *prefix)
{
	struct stet_json *out = stet_reply(call);

	stet_object(out, NULL);
	put_people(call, out, prefix);
	stet_close(out);
	return STET_OK;
}

/* ---- coming and going ---- */

static bool
has(const struct stet_beacon *const *all, size_t count, const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i]->key, key) == 0)
			return true;
	return false;
}

/* Fails with RATE_LIMITED if there is no room for another tab: those of a person at this item, or
 * on the site, or of all at this item. */
static enum stet_status
check_room(struct stet_call *call, const char *prefix, const char *person, const char *key)
{
	const struct stet_beacon *const *all, *const *mine;
	const char *own = stet_printf(call, SEEN "%s/", stet_principal(call)->id);
	size_t count = stet_beacons(call, prefix, &all), tabs = 0;

	if (has(all, count, key))
		return STET_OK;
	for (size_t i = 0; i < count; i++)
		tabs += strncmp(all[i]->key, person, strlen(person)) == 0;
	if (count < TABS_OF_ITEM_MAX && tabs < TABS_MAX &&
	    stet_beacons(call, own, &mine) < TABS_OF_PERSON_MAX)
		return STET_OK;
	return stet_fail(
	    call, STET_RATE_LIMITED, NULL, "Too many tabs have this item, or items, open");
}

static enum stet_status
set(struct stet_call *call, int64_t life, const char **prefix)
{
	struct writer w = writer_of(call);
	const char *person, *key, *text;
	struct stet_json *json = stet_json_new(call);
	struct subject s;

	STET_TRY(subject_find(call, &s));
	*prefix = prefix_of(call, s.collection->slug, s.id);
	if (w.id == NULL)
		return STET_OK;
	person = stet_printf(call, "%s%s/", *prefix, w.id);
	key = stet_printf(call, "%s%s", person, stet_arg(call, "tab"));
	if (life > 0)
		STET_TRY(check_room(call, *prefix, person, key));
	stet_object(json, NULL);
	stet_put_str(json, "id", w.id);
	stet_put_str(json, "name", stet_strndup(call, w.name, 200));
	if (life > 0 && stet_arg(call, "field") != NULL) {
		stet_put_str(json, "field", stet_arg(call, "field"));
		stet_put_str(json, "block", stet_arg(call, "block"));
	}
	stet_close(json);
	text = stet_json_text(json, NULL);
	STET_TRY(stet_beacon_set(call,
	    stet_printf(
		call, SEEN "%s/%s/%s/%s", w.id, s.collection->slug, s.id, stet_arg(call, "tab")),
	    "", life));
	return stet_beacon_set(call, key, text, life);
}

enum stet_status
presence_enter(struct stet_call *call)
{
	const char *prefix;

	STET_TRY(set(call, LIFE_MS, &prefix));
	return answer(call, prefix);
}

enum stet_status
presence_leave(struct stet_call *call)
{
	const char *prefix;

	STET_TRY(set(call, 0, &prefix));
	return answer(call, prefix);
}

/* ---- for the change feed ---- */

static enum stet_status
present(struct stet_call *call, const char *item, const char **out)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slash = strchr(item, '/');
	const struct stet_collection *collection;
	struct stet_json *json = stet_json_new(call);
	const char *id;

	STET_TRY(stet_require(call, "reviews:read"));
	if (slash == NULL || !stet_is_id(slash + 1)) {
		stet_issue(call, "presence", "is no COLLECTION/ID of an item");
		return stet_issues(call);
	}
	STET_TRY(schema->collection(
	    call, stet_strndup(call, item, (size_t)(slash - item)), &collection));
	id = slash + 1;
	stet_object(json, NULL);
	stet_put_str(json, "collection", collection->slug);
	stet_put_str(json, "id", id);
	put_people(call, json, prefix_of(call, collection->slug, id));
	stet_close(json);
	*out = stet_json_text(json, NULL);
	return STET_OK;
}

const struct stet_reviews_1 reviews_service = { .present = present };
