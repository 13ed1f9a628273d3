/*
 * keys.c - orders of several keys, "kind:asc,year:desc", that a declared index of the collection
 * serves (its member `indexes`), in that direction or in the reverse.
 */
#include "read/read.h"
#include <string.h>

#define KEY_BYTES 250 /* bytes of a text in a cursor */
#define SHORT_BYTES 40 /* as KEY_BYTES, if the texts would be too long together */
#define ALL_BYTES 1000

/* ---- reading ---- */

/* Reads one key, "kind" or "kind:desc". Returns false, with an issue recorded, if it is invalid. */
static bool
read_key(struct walk *w, const char *text, size_t len, bool several)
{
	const char *name = stet_strndup(w->call, text, strcspn(text, ":,"));
	const char *direction = stet_strndup(w->call, text, len) + strlen(name);
	const struct stet_field *f = stet_field(w->collection, name);
	struct order *o = &w->key[w->keys];
	bool found;

	w->down[w->keys++] = *direction == '\0' ? w->desc : strcmp(direction, ":desc") == 0;
	if (*direction != '\0' && strcmp(direction, ":asc") != 0 &&
	    strcmp(direction, ":desc") != 0) {
		stet_issue(w->call, "orderBy",
		    "must be names, each with :asc or :desc after it, separated by commas");
		return false;
	}
	found = order_find(w->call, w->collection, name, o);
	if (!found && several && f != NULL && plan_kind(f) != AS_JSON) {
		*o = order_of_field(f);
		found = true;
	}
	if (!found)
		order_unknown(w->call, name);
	return found;
}

/* Returns the name of a key as declared indexes use it. */
static const char *
name_of(const struct order *o)
{
	if (*o->prefix != '\0')
		return o->name;
	return o->at == C_CREATED     ? "createdAt"
	       : o->at == C_UPDATED   ? "updatedAt"
	       : o->at == C_PUBLISHED ? "publishedAt"
				      : o->name;
}

/* Returns the order, or its reverse, as the text of a declared index. */
static const char *
declared(const struct walk *w, bool reverse)
{
	char *out = stet_strdup(w->call, "");

	for (size_t i = 0; i < w->keys; i++)
		out = stet_printf(w->call, "%s%s%s:%s", out, i > 0 ? "," : "", name_of(&w->key[i]),
		    w->down[i] != reverse ? "desc" : "asc");
	return out;
}

static bool
is_in(const json_t *list, const char *order)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i)), order) == 0)
			return true;
	return false;
}

void
keys_read(struct walk *w)
{
	const char *text = stet_arg(w->call, "orderBy"), *order;
	const bool several = strchr(text, ',') != NULL;
	bool good = true;

	if (!several && strchr(text, ':') == NULL) {
		order_read(w->call, w->collection, &w->order);
		return;
	}
	while (good && *text != '\0') {
		size_t len = strcspn(text, ",");

		if (w->keys == KEYS_MAX) {
			stet_issue(w->call, "orderBy", "must be at most %d keys", KEYS_MAX);
			return;
		}
		good = read_key(w, text, len, several);
		text += len + (text[len] == ',');
	}
	if (!good)
		return;
	w->order = w->key[0];
	w->desc = w->down[0];
	if (w->keys < 2) {
		w->keys = 0;
		return;
	}
	order = declared(w, false);
	w->order.name = order;
	if (!is_in(w->collection->indexes, order))
		order = is_in(w->collection->indexes, declared(w, true)) ? declared(w, true) : NULL;
	if (order == NULL)
		stet_issue(w->call, "orderBy",
		    "Cannot order by \"%s\": declare it in the indexes of the collection (PUT "
		    "/schema/collections/%s, tool schema_update_collection: {\"indexes\": "
		    "[\"%s\"]})",
		    w->order.name, w->collection->slug, w->order.name);
	else if (is_in(w->collection->building, order))
		stet_issue(w->call, "orderBy",
		    "Cannot order by \"%s\" yet: its index is being made", w->order.name);
}

/* ---- cursors ---- */

static const char *
listing(const struct walk *w)
{
	return stet_printf(w->call, "content:%s:%s", w->plan->slug, w->order.name);
}

/* Returns "=" and the text, or "~" and the text shortened by cut.c. */
static json_t *
text_key(struct stet_rows *rows, int at, size_t max)
{
	size_t len;
	const char *text = stet_col_text(rows, at, &len);
	bool is_cut;

	text = cut_text(rows->call, text, len, max, &is_cut);
	return json_string(stet_printf(rows->call, "%c%s", is_cut ? '~' : '=', text));
}

static char *
keys_text(const struct walk *w, struct stet_rows *rows, size_t max)
{
	struct stet_json *out = stet_json_new(w->call);
	json_t *list = stet_json_own(w->call, json_array());

	for (size_t i = 0; i < w->keys; i++) {
		const struct order *o = &w->key[i];

		if (stet_col_null(rows, o->at))
			json_array_append_new(list, json_null());
		else if (o->kind == AS_TEXT)
			json_array_append_new(list, text_key(rows, o->at, max));
		else if (o->kind == AS_REAL)
			json_array_append_new(list, json_real(stet_col_real(rows, o->at)));
		else
			json_array_append_new(list, json_integer(stet_col_int(rows, o->at)));
	}
	stet_put_json(out, NULL, list);
	return stet_strdup(w->call, stet_json_text(out, NULL));
}

char *
keys_place(const struct walk *w, struct stet_rows *rows)
{
	char *text = keys_text(w, rows, KEY_BYTES);
	json_t *key;

	if (strlen(text) > ALL_BYTES)
		text = keys_text(w, rows, SHORT_BYTES);
	key = stet_json_own(w->call, json_string(text));
	return stet_cursor_make(w->call, listing(w), key, stet_col_str(rows, C_ID));
}

/* Returns false if the value is not of the key's kind. */
static bool
read_value(const struct order *o, const json_t *v, struct stet_val *out)
{
	const char *text = json_string_value(v);

	*out = stet_val_null();
	if (json_is_null(v))
		return true;
	if (o->kind == AS_TEXT) {
		if (text == NULL || (*text != '=' && *text != '~'))
			return false;
		*out = stet_val_str(text + 1);
		return true;
	}
	if (o->kind == AS_REAL ? !json_is_real(v) : !json_is_integer(v))
		return false;
	*out = o->kind == AS_REAL ? stet_val_real(json_real_value(v))
				  : stet_val_int(json_integer_value(v));
	return true;
}

enum stet_status
keys_resume(struct walk *w, const char *cursor)
{
	const json_t *key;

	STET_TRY(stet_cursor_read(w->call, cursor, listing(w), &key, &w->place.id));
	w->place.given = true;
	if (json_is_string(key))
		key = stet_json_own(w->call, json_loads(json_string_value(key), 0, NULL));
	for (size_t i = 0; i < w->keys; i++) {
		const json_t *v = json_array_get(key, i);

		if (v == NULL || !read_value(&w->key[i], v, &w->at[i]))
			return cut_refuse(w->call);
		if (w->key[i].kind == AS_TEXT && json_is_string(v) && *json_string_value(v) == '~')
			STET_TRY(cut_resume(w->call, w->plan, &w->key[i], w->place.id,
			    json_string_value(v) + 1, w->down[i], &w->at[i]));
	}
	return STET_OK;
}
