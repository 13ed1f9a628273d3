/* names.c - the slugs that labels of a source get here. */
#include "plan/names.h"
#include "plan/suggest.h"
#include "read/label.h"
#include "read/text.h"
#include <stet/content.h>
#include <string.h>

#define LABELS_MAX 10000 /* collections, taxonomies, or fields of one type */
#define TERMS_MAX 50000 /* of one taxonomy */
#define NUMBERS_MAX 1000 /* labels that make one slug */
#define TOLD_MAX 1000

struct names *
names_new(struct stet_call *call)
{
	struct names *n = stet_alloc(call, sizeof(*n));

	*n = (struct names){ .known = stet_json_own(call, json_object()) };
	return n;
}

void
names_tell(struct names *n, const char *about, const char *text)
{
	json_t *told = json_object_get(n->known, "told");

	if (told == NULL) {
		told = json_array();
		(void)json_object_set_new(n->known, "told", told);
	}
	if (json_array_size(told) < TOLD_MAX)
		(void)json_array_append_new(
		    told, json_pack("{ss ss}", "about", about, "text", text));
}

/* ---- spaces: sets of labels with different slugs ---- */

static const json_t *
seen_of(const struct names *n, const char *list, const char *space)
{
	return json_object_get(json_object_get(n->known, list), space);
}

static const char *
text_at(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static json_t *
member_of(json_t *object, const char *name)
{
	json_t *member = json_object_get(object, name);

	if (member == NULL) {
		member = json_object();
		(void)json_object_set_new(object, name, member);
	}
	return member;
}

static void
note(struct names *n, const char *list, const char *space, const char *name, const char *text)
{
	json_t *object = member_of(member_of(n->known, list), space);

	(void)json_object_set_new(object, name, json_string(text));
}

/* A label that needs a slug. */
struct claim {
	struct names *names;
	const char *space, *label;
	const char *wanted; /* the slug that is made of it */
	const char *joint; /* before a number */
	int room; /* bytes of a slug; 0: no limit */
	size_t most; /* labels of the space */
	/* Does the slug not suit the label for another reason? NULL: it does. */
	bool (*bars)(const char *slug, const char *label);
	/* Are the labels one? NULL: only if they are equal. */
	bool (*same)(struct stet_call *, const char *label, const char *other);
};

static bool
is_free(struct stet_call *call, const struct claim *c, const char *slug)
{
	const char *owner = text_at(seen_of(c->names, "owners", c->space), slug);

	if (owner == NULL)
		return c->bars == NULL || !c->bars(slug, c->label);
	return c->same != NULL ? c->same(call, owner, c->label) : strcmp(owner, c->label) == 0;
}

/* Returns the slug; NULL: too many labels make the same one. *number: the one that was added; 1:
 * none. */
static const char *
settle(struct stet_call *call, const struct claim *c, int *number)
{
	struct names *n = c->names;
	const char *slug = c->wanted;

	for (*number = 1; !is_free(call, c, slug);) {
		const char *end = stet_printf(call, "%s%d", c->joint, ++*number);

		if (*number > NUMBERS_MAX)
			return NULL;
		slug = c->room > 0
			   ? stet_printf(call, "%.*s%s", c->room - (int)strlen(end), c->wanted, end)
			   : stet_printf(call, "%s%s", c->wanted, end);
	}
	if (json_object_size(seen_of(n, "slugs", c->space)) >= c->most)
		return slug;
	note(n, "slugs", c->space, c->label, slug);
	if (text_at(seen_of(n, "owners", c->space), slug) == NULL)
		note(n, "owners", c->space, slug, c->label);
	return text_at(seen_of(n, "slugs", c->space), c->label);
}

/* ---- collections and taxonomies ---- */

/* Chooses the slug for the name of a type or taxonomy. reserved: `wanted` is not what the name
 * makes, since that is reserved. */
static const char *
structure(struct stet_call *call, struct names *n, const char *space, const char *name,
    const char *wanted, const char *what, bool reserved)
{
	const struct claim c = { n, space, name, wanted, "_", LABEL_SLUG_MAX, LABELS_MAX, NULL,
		NULL };
	const char *slug;
	int number;

	slug = settle(call, &c, &number);
	if (number > 1 && slug != NULL)
		names_tell(n, name,
		    stet_printf(call, "It becomes the %s \"%s\", since \"%.100s\" is \"%s\" here",
			what, slug, text_at(seen_of(n, "owners", space), wanted), wanted));
	else if (reserved)
		names_tell(n, name,
		    stet_printf(call, "It becomes the %s \"%s\", since its name is reserved", what,
			wanted));
	return slug != NULL ? slug : wanted;
}

const char *
names_collection(struct stet_call *call, struct names *n, const char *type)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *slug = text_at(n->given, type);

	if (slug != NULL)
		return *slug != '\0' ? slug : NULL;
	slug = text_at(seen_of(n, "slugs", "collections"), type);
	if (slug != NULL)
		return slug;
	slug = suggest_collection(call, type);
	return structure(call, n, "collections", type, slug, "collection",
	    strncmp(slug, "wp_", 3) == 0 && schema->reserved(slug + 3));
}

const char *
names_taxonomy(struct stet_call *call, struct names *n, const char *source)
{
	const char *slug = text_at(seen_of(n, "slugs", "taxonomies"), source);

	return slug != NULL ? slug
			    : structure(call, n, "taxonomies", source,
				  suggest_taxonomy(call, source), "taxonomy", false);
}

/* ---- fields ---- */

static const char *
fields_of(struct stet_call *call, const char *type)
{
	return stet_printf(call, "fields of %.200s", type);
}

bool
names_chosen(const struct names *n, const char *label)
{
	return text_at(n->chosen, label) != NULL;
}

const char *
names_label(struct stet_call *call, const struct names *n, const char *type, const char *slug)
{
	const char *label = text_at(seen_of(n, "owners", fields_of(call, type)), slug);

	return label != NULL ? label : slug;
}

/* Is the slug that of a member of items, such as the title? Then only a field of that name has it.
 */
static bool
is_members(const char *slug, const char *label)
{
	return suggest_is_own(slug) && strcmp(slug, label) != 0;
}

/* Finds a field of the type's collection that has the label. An earlier import made it, perhaps
 * with a number, or with other rules of transliteration. NULL: there is none. */
static const char *
labelled(struct stet_call *call, struct names *n, const char *type, const char *label)
{
	const char *slug = *type != '\0' ? names_collection(call, n, type) : NULL;
	const json_t *owners = seen_of(n, "owners", fields_of(call, type));
	const struct stet_collection *c = NULL;

	if (slug != NULL && suggest_find(call, slug, &c) != STET_OK)
		stet_error_clear(call);
	if (c == NULL || stet_field(c, label) != NULL)
		return c != NULL && !suggest_is_own(label) ? label : NULL;
	for (size_t i = 0; i < c->field_count; i++) {
		const struct stet_field *f = c->fields[i];

		if (strcmp(f->label, label) == 0 && !suggest_is_own(f->slug) &&
		    text_at(owners, f->slug) == NULL)
			return stet_strdup(call, f->slug);
	}
	return NULL;
}

/* Why a label has not got the slug that is made of it; NULL: it has. */
static const char *
reason(struct stet_call *call, const struct claim *c, const char *made, const char *slug)
{
	const struct stet_schema_1 *schema = stet_service(call, STET_SCHEMA_1);
	const char *owner = text_at(seen_of(c->names, "owners", c->space), c->wanted);

	owner = owner != NULL ? stet_printf(call, "\"%.100s\"", owner) : "a member of the item";
	if (slug == NULL)
		return stet_printf(
		    call, "\"%.100s\" is left out: too many names are \"%s\" here", c->label, made);
	if (strcmp(slug, c->wanted) != 0)
		return stet_printf(call,
		    "\"%.100s\" becomes the field \"%s\", since %s is \"%s\" here", c->label, slug,
		    owner, c->wanted);
	if (strcmp(slug, made) != 0)
		return names_chosen(c->names, c->label)
			   ? NULL
			   : stet_printf(call,
				 "\"%.100s\" becomes the field \"%s\", which has this label",
				 c->label, slug);
	if (strncmp(slug, "field_", 6) == 0 && strcmp(slug, c->label) != 0 &&
	    schema->field_reserved(slug + 6))
		return stet_printf(call,
		    "\"%.100s\" becomes the field \"%s\", since a field cannot have its name",
		    c->label, slug);
	return NULL;
}

const char *
names_field(struct stet_call *call, struct names *n, const char *type, const char *label)
{
	struct claim c = { .names = n,
		.space = fields_of(call, type),
		.label = label,
		.joint = "_",
		.room = LABEL_SLUG_MAX,
		.most = LABELS_MAX,
		.bars = is_members };
	const char *slug = text_at(seen_of(n, "slugs", c.space), label), *made, *why;
	const char *chosen = text_at(n->chosen, label);
	int number;

	if (slug != NULL || (chosen != NULL && *chosen == '\0'))
		return slug;
	if (chosen == NULL && (slug = suggest_known(label)) != NULL)
		return slug;
	/* A field may be chosen that is filled from a member of the item. */
	if (chosen != NULL)
		c.bars = NULL;
	made = suggest_field(call, label);
	c.wanted = chosen != NULL ? chosen : labelled(call, n, type, label);
	if (c.wanted == NULL)
		c.wanted = made;
	slug = settle(call, &c, &number);
	why = reason(call, &c, made, slug);
	if (why != NULL)
		names_tell(n, "fields", why);
	return slug;
}

/* ---- terms ---- */

static const char *
terms_of(struct stet_call *call, const char *taxonomy)
{
	return stet_printf(call, "terms of %s", taxonomy);
}

/* Returns the label in lower case, with a hyphen for blanks, underscores and hyphens. */
static const char *
key_of(struct stet_call *call, const char *label)
{
	char *key = stet_fold(call, label, strlen(label)), *to = key;

	for (const char *at = key; *at != '\0'; at++)
		if (strchr(" \t\n_-", *at) == NULL)
			*to++ = *at;
		else if (to > key && to[-1] != '-')
			*to++ = '-';
	while (to > key && to[-1] == '-')
		to--;
	*to = '\0';
	return key;
}

bool
names_same_term(struct stet_call *call, const char *label, const char *other)
{
	return strcmp(label, other) == 0 || strcmp(key_of(call, label), key_of(call, other)) == 0;
}

const char *
names_term_known(
    struct stet_call *call, const struct names *n, const char *taxonomy, const char *label)
{
	return text_at(seen_of(n, "slugs", terms_of(call, taxonomy)), label);
}

/* Was the slug made of the label? Otherwise the source has given it. */
static bool
is_made(const struct names *n, const char *space, const char *label, const char *slug)
{
	const char *made = text_at(seen_of(n, "slugs", space), label);

	return made != NULL && strcmp(made, slug) == 0;
}

const char *
names_term(struct stet_call *call, struct names *n, const char *taxonomy, const char *label,
    const char *wanted)
{
	const char *space = terms_of(call, taxonomy), *owner, *slug;
	const struct claim c = { n, space, label, wanted, "-", 0, TERMS_MAX, NULL,
		names_same_term };
	int number;

	if (*wanted == '\0')
		return "";
	owner = text_at(seen_of(n, "owners", space), c.wanted);
	if (owner != NULL)
		owner = stet_strdup(call, owner);
	/* The text may be the slug that another part of the source gives to a term. */
	if (owner != NULL && strcmp(label, wanted) == 0 && !is_made(n, space, owner, wanted)) {
		note(n, "slugs", space, label, wanted);
		return text_at(seen_of(n, "slugs", space), label);
	}
	slug = settle(call, &c, &number);
	if (slug == NULL)
		return "";
	if (number > 1)
		names_tell(n, taxonomy,
		    stet_printf(call,
			"\"%.100s\" becomes the term \"%s\", since \"%.100s\" is \"%s\" here",
			label, slug, owner, c.wanted));
	else if (owner != NULL && strcmp(owner, label) != 0)
		names_tell(n, taxonomy,
		    stet_printf(call, "\"%.100s\" and \"%.100s\" are one term, \"%s\"", owner,
			label, slug));
	return slug;
}

void
names_term_given(struct stet_call *call, struct names *n, const char *taxonomy, const char *slug,
    const char *label)
{
	const char *space = terms_of(call, taxonomy);
	const char *owner = text_at(seen_of(n, "owners", space), slug);

	if (owner != NULL && strcmp(owner, slug) != 0 && is_made(n, space, owner, slug) &&
	    !names_same_term(call, owner, label))
		names_tell(n, taxonomy,
		    stet_printf(call, "\"%.100s\" and \"%.100s\" are one term, \"%.200s\"", owner,
			label, slug));
	if (owner == NULL && json_object_size(seen_of(n, "owners", space)) < TERMS_MAX)
		note(n, "owners", space, slug, label);
}
