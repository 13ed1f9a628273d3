/*
 * shapes.c - shapes that occur more than once become components of the document. A component is
 * named after the path of the first operation that has it.
 */
#include "openapi.h"
#include <string.h>

/* ---- finding shapes ---- */

static struct shape *
find(const struct document *d, const struct stet_member *list)
{
	for (size_t i = 0; i < d->shape_count; i++)
		if (d->shape[i].list == list)
			return &d->shape[i];
	return NULL;
}

static struct shape *
add(struct document *d, const struct stet_member *list)
{
	if (d->shape_count == d->shape_room) {
		size_t room = d->shape_room != 0 ? 2 * d->shape_room : 64;
		struct shape *more = stet_alloc(d->call, room * sizeof(*more));

		if (d->shape_count > 0)
			memcpy(more, d->shape, d->shape_count * sizeof(*more));
		d->shape = more;
		d->shape_room = room;
	}
	d->shape[d->shape_count] = (struct shape){ .list = list };
	return &d->shape[d->shape_count++];
}

/* Counts a shape, and on its first occurrence the shapes in it. `member` "": the shape is a whole
 * reply. */
static void
see(struct document *d, const struct stet_member *list, const struct operation *o,
    const char *member)
{
	struct shape *s;

	if (list == NULL || list->name == NULL)
		return;
	if ((s = find(d, list)) != NULL) {
		s->uses++;
		return;
	}
	s = add(d, list);
	s->uses = 1;
	s->path = o->path;
	s->member = member;
	for (const struct stet_member *m = list; m->name != NULL; m++)
		s->values |= (m->flags & STET_VALUES) != 0;
	for (const struct stet_member *m = list; m->name != NULL; m++)
		if ((m->flags & STET_IGNORED) == 0)
			see(d, m->of, o, m->name);
}

static void
see_op(struct document *d, const struct operation *o)
{
	const struct stet_op *op = o->info->op;

	see(d, op->out, o, "");
	for (const struct stet_member *m = op->in; m != NULL && m->name != NULL; m++)
		if ((m->flags & STET_IGNORED) == 0 && place_of(o, m) == IN_BODY)
			see(d, m->of, o, m->name);
}

static bool
is_component(const struct shape *s)
{
	return s->uses > 1 || s->values;
}

/* ---- names ---- */

static bool
is_taken(const struct document *d, const char *name)
{
	for (size_t i = 0; i < d->shape_count; i++)
		if (d->shape[i].name != NULL && strcmp(d->shape[i].name, name) == 0)
			return true;
	return strcmp(name, "Error") == 0;
}

/* The last word of a path that is not a parameter, in the singular: of
 * "/menus/{name}/items/{id}" it is "item". */
static const char *
noun(struct stet_call *call, const char *path)
{
	const char *last = path, *segment;
	size_t len = 0;

	for (segment = strchr(path, '/'); segment != NULL; segment = strchr(segment + 1, '/'))
		if (segment[1] != '{') {
			last = segment + 1;
			len = strcspn(last, "/");
		}
	return stet_singular(call, stet_strndup(call, last, len));
}

static void
name_shape(struct document *d, struct shape *s)
{
	const char *member = s->member;
	bool element = strcmp(member, "item") == 0 || strcmp(member, "items") == 0;
	const char *base =
	    stet_printf(d->call, "%s%s", stet_pascal(d->call, noun(d->call, s->path)),
		element           ? ""
		: *member == '\0' ? "Reply"
				  : stet_pascal(d->call, stet_singular(d->call, member)));

	s->name = base;
	for (unsigned n = 2;; n++) {
		const char *name = s->name;

		s->name = NULL;
		if (!is_taken(d, name)) {
			s->name = name;
			return;
		}
		s->name = stet_printf(d->call, "%s%u", base, n);
	}
}

/* For struct stet_schema_style: the reference in place of an object of this list. */
static const char *
ref(void *arg, const struct stet_member *list)
{
	const struct document *d = arg;
	const struct shape *s = find(d, list);

	return s != NULL && s->name != NULL ? stet_printf(d->call, REF "%s", s->name) : NULL;
}

/* Collects the shapes of bundled modules first, so that a plugin cannot change their names. */
void
shapes_collect(struct document *d)
{
	for (int bundled = 1; bundled >= 0; bundled--)
		for (size_t i = 0; i < d->op_count; i++)
			if (d->op[i].info->bundled == (bundled != 0))
				see_op(d, &d->op[i]);
	for (size_t i = 0; i < d->shape_count; i++)
		if (is_component(&d->shape[i]))
			name_shape(d, &d->shape[i]);
	d->style = (struct stet_schema_style){ .ref = ref, .arg = d };
}

/* ---- items ---- */

static void
put_ref(struct document *d, const char *key, const char *name)
{
	stet_object(d->out, key);
	stet_put_str(d->out, "$ref", stet_printf(d->call, REF "%s", name));
	stet_close(d->out);
}

static const char *
fields_name(struct document *d, const struct stet_collection *c)
{
	return stet_printf(d->call, "Fields_%s", c->slug);
}

static const char *
field_schema(struct document *d, const struct stet_field *f)
{
	const char *schema =
	    f->type->field_schema != NULL ? f->type->field_schema(d->call, f) : f->type->schema;

	return schema != NULL ? schema : "{}";
}

typedef void field_fn(struct document *, const struct stet_collection *, const struct stet_field *);

/* Writes an object with the fields of a collection. No field is required in it: a draft may lack
 * required fields, and a change names only the fields that it changes. */
static void
put_object(struct document *d, const char *name, const char *about, const struct stet_collection *c,
    field_fn *put)
{
	stet_object(d->out, name);
	stet_put_str(d->out, "type", "object");
	stet_put_str(d->out, "description",
	    stet_printf(d->call, "%s an item of the collection \"%s\"", about, c->label));
	stet_object(d->out, "properties");
	for (size_t i = 0; i < c->field_count; i++)
		put(d, c, c->fields[i]);
	stet_close(d->out);
	stet_put_bool(d->out, "additionalProperties", false);
	stet_close(d->out);
}

static void
put_field(struct document *d, const struct stet_collection *c, const struct stet_field *f)
{
	(void)c;
	put_json(d->out, f->slug, field_schema(d, f));
}

/* ---- values in requests ---- */

static const char *
values_name(struct document *d, const struct stet_collection *c)
{
	return stet_printf(d->call, "Values_%s", c->slug);
}

/* Returns the rules of a field as JSON Schema, without patterns (PCRE2, which readers of the
 * document may not have) and limits of times (JSON Schema has no keyword for them). */
static json_t *
ruled(struct document *d, const struct stet_field *f)
{
	static const char *const words[][3] = {
		{ "number", "min", "minimum" },
		{ "number", "max", "maximum" },
		{ "integer", "min", "minimum" },
		{ "integer", "max", "maximum" },
		{ "string", "minLength", "minLength" },
		{ "string", "maxLength", "maxLength" },
	};
	const char *text = field_schema(d, f), *why, *type;
	json_t *schema = stet_json_parse(d->call, text, strlen(text), &why), *limit;

	type = json_string_value(json_object_get(schema, "type"));
	for (size_t i = 0; type != NULL && i < sizeof(words) / sizeof(words[0]); i++) {
		limit = json_object_get(f->validation, words[i][1]);
		if (strcmp(words[i][0], type) == 0 && json_is_number(limit))
			json_object_set(schema, words[i][2], limit);
	}
	return schema;
}

/* Writes a field's schema. A field whose value may be removed also accepts null. */
static void
put_value(struct document *d, const struct stet_collection *c, const struct stet_field *f)
{
	if (stet_required_in_drafts(c, f)) {
		stet_put_json(d->out, f->slug, ruled(d, f));
		return;
	}
	stet_object(d->out, f->slug);
	stet_array(d->out, "anyOf");
	stet_put_json(d->out, NULL, ruled(d, f));
	put_json(d->out, NULL, "{\"type\":\"null\"}");
	stet_close(d->out);
	stet_close(d->out);
}

json_t *
shapes_values(struct document *d, const char *about)
{
	json_t *any = json_array();

	for (size_t i = 0; i < d->collection_count; i++)
		json_array_append_new(
		    any, json_pack("{s:s}", "$ref",
			     stet_printf(d->call, REF "%s", values_name(d, d->collection[i]))));
	return stet_json_own(d->call, json_pack("{s:s, s:o}", "description", about, "anyOf", any));
}

/* ---- items ---- */

static void
put_item(struct document *d, const struct shape *s, const struct stet_collection *c)
{
	stet_object(d->out, stet_printf(d->call, "%s_%s", s->name, c->slug));
	stet_array(d->out, "allOf");
	put_ref(d, NULL, stet_printf(d->call, "%sBase", s->name));
	stet_object(d->out, NULL);
	stet_put_str(d->out, "type", "object");
	stet_object(d->out, "properties");
	stet_object(d->out, "type");
	stet_put_str(d->out, "const", c->slug);
	stet_close(d->out);
	for (const struct stet_member *m = s->list; m->name != NULL; m++)
		if ((m->flags & STET_VALUES) != 0)
			put_ref(d, m->name, fields_name(d, c));
	stet_close(d->out);
	stet_close(d->out);
	stet_close(d->out);
	stet_close(d->out);
}

/* An item is one of the collections' items; its member `type` says which. */
static void
put_items(struct document *d, const struct shape *s)
{
	stet_put_schema_as(d->out, stet_printf(d->call, "%sBase", s->name), s->list, &d->style);
	stet_object(d->out, s->name);
	stet_array(d->out, "anyOf");
	for (size_t i = 0; i < d->collection_count; i++)
		put_ref(d, NULL, stet_printf(d->call, "%s_%s", s->name, d->collection[i]->slug));
	stet_close(d->out);
	stet_close(d->out);
	for (size_t i = 0; i < d->collection_count; i++)
		put_item(d, s, d->collection[i]);
}

void
shapes_put(struct document *d)
{
	for (size_t i = 0; i < d->shape_count; i++) {
		const struct shape *s = &d->shape[i];

		if (s->name == NULL)
			continue;
		if (s->values && d->collection_count > 0)
			put_items(d, s);
		else
			stet_put_schema_as(d->out, s->name, s->list, &d->style);
	}
	for (size_t i = 0; i < d->collection_count; i++) {
		const struct stet_collection *c = d->collection[i];

		put_object(d, fields_name(d, c), "Values of", c, put_field);
		put_object(d, values_name(d, c), "What may be written to", c, put_value);
	}
}
