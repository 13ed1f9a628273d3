/*
 * stored.c - reads the values of a draft from the JSON text of its revision, for replies that show
 * it whole. Members that are only copied to the reply are not parsed. fit_overlay and item_put_data
 * do the same for all other replies.
 */
#include "item/item.h"
#include <string.h>

#define MEMBERS_MAX 200 /* members of a revision; one with more is parsed */

struct stored_value {
	const char *text; /* JSON; NULL: `value` has it */
	size_t len;
	json_t *value; /* NULL if `text` is NULL, too: the draft has no value */
};
struct stored {
	const struct stet_collection *collection;
	struct stored_value *field; /* in the order of the plan's fields */
	const char *created; /* when the draft was made */
};

/* ---- a revision's members ---- */

static struct stet_json_member *
find(struct stet_json_member *all, int count, const char *name, size_t len)
{
	for (int i = 0; i < count; i++)
		if (all[i].name_len == len && memcmp(all[i].name, name, len) == 0)
			return &all[i];
	return NULL;
}

/* Applies a delta to its keyframe, as revision.c does; removed members get the value null. Returns
 * the number of members. */
static int
apply(struct stet_json_member *key, int count, const struct stet_json_member *delta, int changes)
{
	for (int i = 0; i < changes; i++) {
		struct stet_json_member *m = find(key, count, delta[i].name, delta[i].name_len);

		if (m == NULL)
			m = &key[count++];
		*m = delta[i];
	}
	return count;
}

/* Returns bylines and terms in the form of staged_of. */
static json_t *
staged_members(struct stet_call *call, struct stet_json_member *all, int count)
{
	static const char *const names[] = { BYLINES, TAXONOMIES };
	json_t *data = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct stet_json_member *m = find(all, count, names[i], strlen(names[i]));

		if (m == NULL)
			continue;
		if (data == NULL)
			data = stet_json_own(call, json_object());
		json_object_set(data, names[i], stet_json_stored(call, m->value, m->value_len));
	}
	return data == NULL ? NULL : staged_of(call, data);
}

/* Splits the revision's data into members. Returns their number, or -1 if the revision has to be
 * parsed. */
static int
members(const struct revision_text *r, struct stet_json_member *out)
{
	struct stet_json_member delta[MEMBERS_MAX];
	int count, changes;

	if (r->key == NULL)
		return stet_json_split(r->data, strlen(r->data), out, MEMBERS_MAX);
	count = stet_json_split(r->key, strlen(r->key), out, MEMBERS_MAX);
	changes = stet_json_split(r->data, strlen(r->data), delta, MEMBERS_MAX);
	return count < 0 || changes < 0 ? -1 : apply(out, count, delta, changes);
}

/* ---- values of fields ---- */

static struct stored_value
value_of(struct stet_call *call, const struct stet_json_member *m, enum column_kind kind)
{
	const struct stored_value none = { 0 }, text = { m->value, m->value_len, NULL };

	if (m->value_len == 4 && memcmp(m->value, "null", 4) == 0)
		return none;
	if (kind == AS_JSON || (kind == AS_TEXT && *m->value == '"'))
		return text;
	return kind == AS_TEXT
		   ? none
		   : (struct stored_value){ .value = fit_value(call,
						stet_json_stored(call, m->value, m->value_len),
						kind) };
}

enum stet_status
stored_read(struct stet_call *call, const struct stet_collection *collection,
    const struct plan *plan, const char *id, struct newest *out)
{
	struct stet_json_member member[2 * MEMBERS_MAX], *m;
	struct revision_text r;
	struct stored *s;
	bool found;
	int count;

	STET_TRY(revision_text(call, id, &r, &found));
	count = found ? members(&r, member) : -1;
	if (count < 0 || find(member, count, IMPORT_ERROR, strlen(IMPORT_ERROR)) != NULL)
		return STET_OK;
	s = stet_alloc(call, sizeof(*s));
	*s = (struct stored){ collection, stet_alloc(call, (plan->count + 1) * sizeof(*s->field)),
		r.created };
	for (size_t i = 0; i < plan->count; i++) {
		const char *name = plan->field[i].slug;

		/* See fit_forget_newer. The last elements may be extras, which are not fields. */
		if (i < collection->field_count &&
		    fit_is_newer(collection, collection->fields[i], r.created))
			continue;
		m = find(member, count, name, strlen(name));
		if (m != NULL)
			s->field[i] = value_of(call, m, plan->field[i].kind);
	}
	newest_slug(out, r.slug);
	out->staged = staged_members(call, member, count);
	out->stored = s;
	return STET_OK;
}

/* ---- writing ---- */

static bool
put_value(struct stet_json *out, const char *name, const struct stored_value *v)
{
	if (v->text != NULL)
		stet_put_raw(out, name, v->text, v->len);
	else if (v->value != NULL)
		stet_put_json(out, name, v->value);
	return v->text != NULL || v->value != NULL;
}

void
stored_put(
    struct stet_json *out, const struct stored *s, struct stet_rows *rows, const struct plan *plan)
{
	stet_object(out, "data");
	for (size_t i = 0; i < plan->fields; i++)
		if (!put_value(out, plan->field[i].slug, &s->field[i]) &&
		    fit_is_newer(s->collection, s->collection->fields[i], s->created))
			row_put_field(out, rows, plan, i);
	stet_close(out);
}

void
stored_put_extra(struct stet_json *out, const struct stored *s, struct stet_rows *rows,
    const struct plan *plan, size_t i)
{
	const char *name = item_shape[plan->field[i].extra->member].name;

	if (!put_value(out, name, &s->field[i]))
		extra_put(out, name, plan, i, rows);
}
