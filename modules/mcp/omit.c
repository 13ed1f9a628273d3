/*
 * omit.c - leaves the longest values out of an answer. Fields of items are left out whole, never
 * cut: an assistant that saw a part of a text could save that part.
 */
#include "mcp.h"
#include <stdlib.h>
#include <string.h>

#define LEAST(most) ((most) / 240) /* size by weight_of; shorter values stay */
#define NAMED(most) ((most) / 960) /* paths in `omitted` */
#define NOTE 1000 /* weight of the note without its paths */

/* A value that may be left out. */
struct value {
	json_t *parent; /* an object */
	const char *name, *path;
	size_t weight;
};
struct values {
	struct stet_call *call;
	struct value *value;
	size_t count, room, least;
};

static void
add(struct values *all, json_t *parent, const char *name, const char *path, size_t weight)
{
	if (weight < all->least || strcmp(name, "nextCursor") == 0)
		return;
	if (all->count == all->room) {
		struct value *more;

		all->room = all->room * 2 + 64;
		more = stet_alloc(all->call, all->room * sizeof(*more));
		if (all->count > 0)
			memcpy(more, all->value, all->count * sizeof(*more));
		all->value = more;
	}
	all->value[all->count++] = (struct value){ parent, name, path, weight };
}

static const struct stet_member *
shape_of(const struct stet_member *shape, const char *name)
{
	for (; shape != NULL && shape->name != NULL; shape++)
		if (strcmp(shape->name, name) == 0)
			return shape;
	return NULL;
}

/* Collects the values of an object and of the records in it, which the shape describes. In an
 * object without a shape, such as the fields of an item, each member is a value. */
static void
collect(struct values *all, const struct stet_member *shape, json_t *object, const char *path)
{
	const char *name, *dot = *path != '\0' ? "." : "";
	json_t *v, *record;
	size_t i;

	json_object_foreach(object, name, v)
	{
		const struct stet_member *m = shape_of(shape, name);
		const char *at = stet_printf(all->call, "%s%s%s", path, dot, name);

		if (json_is_object(v) && shape != NULL)
			collect(all, m != NULL ? m->of : NULL, v, at);
		else if (json_is_array(v) && m != NULL && m->of != NULL)
			json_array_foreach(v, i, record)
			    collect(all, m->of, record, stet_printf(all->call, "%s[%zu]", at, i));
		else
			add(all, object, name, at, weight_of(v));
	}
}

static int
by_weight(const void *a, const void *b)
{
	const struct value *x = a, *y = b;

	return x->weight < y->weight ? 1 : x->weight > y->weight ? -1 : strcmp(x->path, y->path);
}

static void
note(json_t *omitted, const char *path, size_t weight, size_t most)
{
	if (json_array_size(omitted) < NAMED(most))
		(void)json_array_append_new(omitted,
		    json_pack("{s:s,s:I}", "path", path, "bytes", (json_int_t)(weight / 2)));
}

/* Leaves out the last records of the longest list at the top of the answer. */
static void
drop_records(struct stet_call *call, json_t *root, json_t *omitted, size_t most)
{
	const char *name, *longest = NULL;
	size_t weight = 0, count, left, w, all = weight_of(root);
	json_t *v, *list;

	json_object_foreach(
	    root, name, v) if (json_is_array(v) && v != omitted && (w = weight_of(v)) > weight)
	{
		weight = w;
		longest = name;
	}
	if (longest == NULL)
		return;
	list = json_object_get(root, longest);
	count = left = json_array_size(list);
	while (left > 0 && all > most - NOTE) {
		w = weight_of(json_array_get(list, --left)) + 2;
		all -= w < all ? w : all;
		(void)json_array_remove(list, left);
	}
	if (left < count)
		note(omitted, stet_printf(call, "%s[%zu..%zu]", longest, left, count - 1),
		    weight - weight_of(list), most);
}

void
omit_longest(struct stet_call *call, const struct stet_op *op, json_t *root, size_t most)
{
	static const struct stet_member list_shape[] = { { "items", STET_ARRAY }, { 0 } };
	json_t *omitted = json_array();
	struct values all = { .call = call, .least = LEAST(most) };
	size_t weight = weight_of(root) + NOTE;
	struct stet_member list[2];

	memcpy(list, list_shape, sizeof(list));
	list[0].of = op->out;
	collect(&all, (op->flags & STET_OUT_LIST) != 0 ? list : op->out, root, "");
	if (all.count > 0)
		qsort(all.value, all.count, sizeof(*all.value), by_weight);
	for (size_t i = 0; i < all.count && weight > most; i++) {
		const struct value *v = &all.value[i];

		note(omitted, v->path, v->weight, most);
		weight -= v->weight;
		weight += 2 * strlen(v->path) + 80;
		(void)json_object_del(v->parent, v->name);
	}
	(void)json_object_set_new(root, "omitted", omitted);
	(void)json_object_set_new(root, "hint",
	    json_string(
		"The answer was too long, so what `omitted` names is left out of it. Ask for "
		"less (fields, limit), for more of it with max_bytes, or for all of it with "
		"whole: true."));
	if (weight_of(root) > most)
		drop_records(call, root, omitted, most);
}
