/*
 * subject.c - finds the subject of a record: what an operation wrote, from its arguments and its
 * result.
 *
 * Only names and ids are recorded, since readers of the log may lack the right to read the
 * values.
 */
#include "audit.h"
#include <string.h>

#define TEXT_MAX ((size_t)200) /* bytes of a name or an id */
#define CHANGED_MAX 64 /* the most arguments that a record names */

/* ---- arguments ---- */

/* Adds the arguments that identify the written record. The best of them becomes the subject: an
 * id before any other. Returns the collection, which is the subject if there is nothing else. */
static const char *
add_names(struct stet_call *call, const struct stet_written *w, struct record *r)
{
	struct stet_json *out = stet_json_new(call);
	const char *collection = NULL;
	bool id = false, any = false;

	stet_object(out, NULL);
	for (const char *const *name = w->names; name != NULL && *name != NULL; name++) {
		const char *value = stet_arg(call, *name);

		if (value == NULL)
			continue;
		any = true;
		value = stet_strndup(call, value, strnlen(value, TEXT_MAX));
		stet_put_str(out, *name, value);
		if (strcmp(*name, "collection") == 0)
			collection = value;
		else if (!id)
			r->subject = value;
		id |= strcmp(*name, "id") == 0;
	}
	stet_close(out);
	if (any)
		r->names = stet_json_text(out, NULL);
	return collection;
}

static bool
is_name_of_it(const struct stet_written *w, const char *member)
{
	for (const char *const *name = w->names; name != NULL && *name != NULL; name++)
		if (strcmp(*name, member) == 0)
			return true;
	return false;
}

/* Returns true if the key has the form of a name: keys come from the client, and others are not
 * recorded. */
static bool
is_word(const char *key)
{
	size_t len =
	    strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return len > 0 && len < 64 && key[len] == '\0';
}

static void
add_keys(struct stet_call *call, struct stet_json *out, const char *member, const json_t *object,
    int *count)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)object, key, value)
	{
		if (*count == CHANGED_MAX)
			return;
		if (!is_word(key))
			continue;
		stet_put_str(out, NULL, stet_printf(call, "%s.%s", member, key));
		++*count;
	}
}

static void
add_member(struct stet_call *call, struct stet_json *out, const struct stet_member *m, int *count)
{
	bool tree = m->type == STET_OBJECT || m->type == STET_ANY;
	const json_t *object = tree ? stet_arg_json(call, m->name) : NULL;

	if (json_is_object(object) && json_object_size(object) > 0)
		add_keys(call, out, m->name, object, count);
	else if (*count < CHANGED_MAX) {
		stet_put_str(out, NULL, m->name);
		++*count;
	}
}

/* Records the names of the other arguments, without values: a reader of the log may lack the
 * right to read them. */
static void
add_changed(struct stet_call *call, const struct stet_written *w, struct record *r)
{
	struct stet_json *out = stet_json_new(call);
	const struct stet_op *op = stet_written_op(call);
	int count = 0;

	stet_array(out, NULL);
	for (const struct stet_member *m = op->in; m != NULL && m->name != NULL; m++)
		if ((m->flags & (STET_IGNORED | STET_HEADER)) == 0 && stet_has(call, m->name) &&
		    !is_name_of_it(w, m->name))
			add_member(call, out, m, &count);
	stet_close(out);
	if (count > 0)
		r->changed = stet_json_text(out, NULL);
}

/* ---- the result: JSON text that our own writer made, NUL-terminated ---- */

static const char *
blanks(const char *s)
{
	return s + strspn(s, " \t\r\n");
}

/* Returns the position after the string that begins here. */
static const char *
past_string(const char *s)
{
	s++;
	while (*(s += strcspn(s, "\"\\")) == '\\' && s[1] != '\0')
		s += 2;
	return s + (*s == '"');
}

/* Returns the position after a value of any kind and the blanks that follow it. */
static const char *
past_value(const char *s)
{
	int depth = 0;

	do {
		if (*s == '"') {
			s = past_string(s);
			continue;
		}
		depth += *s == '{' || *s == '[';
		depth -= *s == '}' || *s == ']';
		s += *s != '\0';
		s += strcspn(s, depth > 0 ? "\"{}[]" : ",]}");
	} while (depth > 0 && *s != '\0');
	return blanks(s);
}

/* Returns the first `id` of the object that begins here, or of an object in it. */
static const char *
find_id(struct stet_call *call, const char *s, int depth)
{
	const char *id;

	if (*s != '{')
		return NULL;
	for (s = blanks(s + 1); *s == '"'; s = blanks(s + (*s == ','))) {
		bool is_id = strncmp(s, "\"id\"", 4) == 0;

		s = blanks(past_string(s));
		s = blanks(s + (*s == ':'));
		if (is_id && *s == '"')
			return stet_strndup(call, s + 1, strcspn(s + 1, "\"\\"));
		if (depth > 0 && (id = find_id(call, s, depth - 1)) != NULL)
			return id;
		s = past_value(s);
	}
	return NULL;
}

static void
add_result(struct stet_call *call, const struct stet_written *w, struct record *r)
{
	const char *id = find_id(call, blanks(w->reply), 1);

	if (id == NULL || *id == '\0' || strlen(id) > TEXT_MAX)
		return;
	if (r->subject == NULL)
		r->subject = id;
	else if (strcmp(r->subject, id) != 0)
		r->result = id;
}

void
subject_of(struct stet_call *call, const struct stet_written *w, struct record *r)
{
	const char *collection = add_names(call, w, r);

	add_changed(call, w, r);
	add_result(call, w, r);
	if (r->subject == NULL)
		r->subject = collection;
}
