/*
 * typescript.c - "stet types": writes the site's types as TypeScript interfaces that compile
 * without other files. Shapes come from the ops, the fields of collections from their
 * definitions.
 */
#include "blocktypes.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
member_line(struct stet_call *call, const struct stet_field *f)
{
	return stet_printf(
	    call, "  %s%s: %s;\n", f->slug, f->required ? "" : "?", value_type(call, f));
}

static bool
is_among(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; names != NULL && i < n && names[i] != NULL; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

const char *const *
interface_names(struct stet_call *call, const struct stet_collection *const *list, size_t n,
    const char *const *taken)
{
	const char **names = stet_alloc(call, (n + 1) * sizeof(*names));

	for (size_t i = 0; i < n; i++) {
		const char *base = stet_pascal(call, stet_singular(call, list[i]->slug));

		names[i] = NULL;
		for (unsigned suffix = 2; names[i] == NULL; suffix++) {
			const char *name =
			    suffix == 2 ? base : stet_printf(call, "%s%u", base, suffix - 1);

			if (!is_among(name, names, i) && !is_among(name, taken, SIZE_MAX))
				names[i] = name;
		}
	}
	return names;
}

/* ---- shapes ---- */

/* The output, and the types that replace some values of a shape. */
struct typing {
	struct stet_call *call;
	FILE *to;
	const char *type, *values; /* for an item: the types of its collection's slug and of its
				      fields; NULL: neither */
};

static const char *
quoted(struct stet_call *call, const char *text)
{
	struct stet_json *j = stet_json_new(call);
	size_t len;

	stet_put_str(j, NULL, text);
	return stet_json_text(j, &len);
}

static void put_members(const struct typing *, const struct stet_member *, int depth);

static void
put_scalar(const struct typing *t, enum stet_type type, const char *const *choices)
{
	static const char *const names[] = { [STET_ANY] = "unknown",
		[STET_STRING] = "string",
		[STET_INTEGER] = "number",
		[STET_NUMBER] = "number",
		[STET_BOOLEAN] = "boolean",
		[STET_TIME] = "string",
		[STET_OBJECT] = "Record<string, unknown>",
		[STET_ARRAY] = "unknown[]" };

	if (choices == NULL)
		fputs(names[type], t->to);
	for (int i = 0; choices != NULL && choices[i] != NULL; i++)
		fprintf(t->to, "%s%s", i > 0 ? " | " : "", quoted(t->call, choices[i]));
}

/* The type of a member of an item that depends on the collection. */
static const char *
parameter(const struct typing *t, const struct stet_member *m, int depth)
{
	if ((m->flags & STET_VALUES) != 0)
		return t->values;
	return depth == 2 && strcmp(m->name, "type") == 0 ? t->type : NULL;
}

static void
put_type(const struct typing *t, const struct stet_member *m, int depth)
{
	bool array = m->type == STET_ARRAY && (m->of != NULL || m->item != STET_ANY);
	const char *given = parameter(t, m, depth);

	if (given != NULL)
		fputs(given, t->to);
	else if (m->of != NULL && (array || m->type == STET_OBJECT))
		put_members(t, m->of, depth);
	else if (array) {
		fputs(m->choices != NULL ? "(" : "", t->to);
		put_scalar(t, m->item, m->choices);
		fputs(m->choices != NULL ? ")" : "", t->to);
	} else
		put_scalar(t, m->type, m->choices);
	if (array)
		fputs("[]", t->to);
	if ((m->flags & STET_NULLABLE) != 0)
		fputs(" | null", t->to);
}

/* Writes a comment. Texts of definitions cannot end it: the slash of an end mark is kept, its star
 * becomes a space. */
static void
put_comment(const struct typing *t, int depth, const char *text)
{
	fprintf(t->to, "%*s/** ", 2 * depth, "");
	for (; *text != '\0'; text++)
		if (text[0] == '*' && text[1] == '/')
			fputc(' ', t->to);
		else
			fputc((unsigned char)*text < ' ' ? ' ' : *text, t->to);
	fputs(" */\n", t->to);
}

static void
put_members(const struct typing *t, const struct stet_member *list, int depth)
{
	fputs("{\n", t->to);
	for (const struct stet_member *m = list; m->name != NULL; m++) {
		if (m->about != NULL)
			put_comment(t, depth, m->about);
		fprintf(t->to, "%*s%s%s: ", 2 * depth, "", m->name,
		    (m->flags & STET_REQUIRED) != 0 ? "" : "?");
		put_type(t, m, depth + 1);
		fputs(";\n", t->to);
	}
	fprintf(t->to, "%*s}", 2 * (depth - 1), "");
}

/* ---- the part that every file has ---- */

/* Shapes of other modules. An op returns each, as its whole result or in a member. */
static const struct {
	const char *name, *op, *member;
} shapes[] = {
	{ "Item<Type extends string, Data>", "content_add", "item" },
	{ "Byline", "byline_get", NULL },
	{ "Menu", "menu_get", NULL },
	{ "Settings", "settings_read", NULL },
	{ "Taxonomy", "taxonomy_list", "taxonomies" },
	{ "Term", "term_get", "term" },
};
#define SHAPES (sizeof(shapes) / sizeof(shapes[0]))

/* Names that interfaces of collections may not have. */
static const char *const taken[] = { "Blocks", "Byline", "Collections", "CollectionName",
	"Included", "Item", "Menu", "MenuName", "PortableTextBlock", "PortableTextSpan", "Record",
	"Settings", "Taxonomy", "TaxonomyName", "Term", NULL };

static const char head[] =
    "// Written by \"stet types\". Do not edit: write it again when the site changes.\n"
    "\n"
    "export interface PortableTextSpan {\n"
    "  _type: \"span\";\n"
    "  _key?: string;\n"
    "  text: string;\n"
    "  marks?: string[];\n"
    "}\n"
    "\n"
    "/** A block of text has children; what else may be in it depends on _type. */\n"
    "export interface PortableTextBlock {\n"
    "  _type: string;\n"
    "  _key?: string;\n"
    "  style?: string;\n"
    "  listItem?: string;\n"
    "  level?: number;\n"
    "  children?: PortableTextSpan[];\n"
    "  markDefs?: { _type: string; _key: string; [member: string]: unknown }[];\n"
    "  [member: string]: unknown;\n"
    "}\n";

static const struct stet_op_info *
find_op(struct stet_call *call, const char *name)
{
	const struct stet_op_info *const *all;
	size_t count = stet_ops(call, &all);

	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i]->name, name) == 0)
			return all[i];
	return NULL;
}

static const struct stet_member *
shape_of(const struct stet_op_info *op, const char *member)
{
	const struct stet_member *m = op != NULL ? op->op->out : NULL;

	if (m == NULL || member == NULL)
		return m;
	while (m->name != NULL && strcmp(m->name, member) != 0)
		m++;
	return m->of;
}

/* Writes the shapes of all enabled modules. */
static void
put_shapes(struct stet_call *call, FILE *to)
{
	const struct typing item = { call, to, "Type", "Data" }, other = { call, to };

	for (size_t i = 0; i < SHAPES; i++) {
		const struct stet_member *list =
		    shape_of(find_op(call, shapes[i].op), shapes[i].member);

		if (list == NULL)
			continue;
		fprintf(to, "\nexport interface %s ", shapes[i].name);
		put_members(i == 0 ? &item : &other, list, 1);
		fputc('\n', to);
	}
}

/* ---- the part of this site ---- */

static const char *
about(struct stet_call *call, const struct stet_field *f)
{
	const char *target = json_string_value(json_object_get(f->options, "collection"));

	if (strcmp(f->type->name, "reference") == 0 && target != NULL)
		return stet_printf(call, "%s: %s of %s", f->label,
		    reference_is_many(f) ? "ids" : "the id", target);
	return f->label;
}

static void
put_items_of(const struct typing *t, const struct stet_collection *c, const char *name)
{
	fputc('\n', t->to);
	put_comment(t, 0, c->label);
	fprintf(t->to, "export type %s = Item<\"%s\", {\n", name, c->slug);
	for (size_t i = 0; i < c->field_count; i++) {
		put_comment(t, 1, about(t->call, c->fields[i]));
		fputs(member_line(t->call, c->fields[i]), t->to);
	}
	fputs("}>;\n", t->to);
}

static enum stet_status
put_collections(const struct typing *t)
{
	const struct stet_collection *const *list;
	const struct snapshot *schema;
	const char *const *names;
	size_t n;

	STET_TRY(snapshot_get(t->call, &schema));
	list = snapshot_list(schema, &n);
	names = interface_names(t->call, list, n, taken);
	for (size_t i = 0; i < n; i++)
		put_items_of(t, list[i], names[i]);
	fputs("\n/** Items by the slug of their collection. */\nexport interface Collections {\n",
	    t->to);
	for (size_t i = 0; i < n; i++)
		fprintf(t->to, "  %s: %s;\n", list[i]->slug, names[i]);
	fputs("}\nexport type CollectionName = keyof Collections;\n", t->to);
	return STET_OK;
}

/* Writes the types of blocks that the site defines, if there are any. */
static enum stet_status
put_blocks(const struct typing *t)
{
	const struct stet_block_type *const *list;
	size_t n;

	STET_TRY(own_blocks_list(t->call, &list, &n));
	if (n == 0)
		return STET_OK;
	fputs("\n/** Blocks of texts that the site defines, by their _type. */\n"
	      "export interface Blocks {\n",
	    t->to);
	for (size_t i = 0; i < n; i++) {
		put_comment(t, 1, list[i]->label);
		fprintf(t->to, "  %s: {\n    _type: \"%s\";\n    _key?: string;\n", list[i]->slug,
		    list[i]->slug);
		for (size_t k = 0; k < list[i]->field_count; k++) {
			put_comment(t, 2, about(t->call, list[i]->fields[k]));
			fprintf(t->to, "  %s", member_line(t->call, list[i]->fields[k]));
		}
		fputs("    [member: string]: unknown;\n  };\n", t->to);
	}
	fputs("}\n", t->to);
	return STET_OK;
}

/* Writes the types of what the argument `include` adds to a response: rows by id. */
static void
put_included(const struct typing *t)
{
	static const struct {
		const char *op, *line;
	} kinds[] = { { "term_get", "  terms?: Record<string, Term>;\n" },
		{ "byline_get", "  bylines?: Record<string, Byline>;\n" },
		{ "content_authors",
		    "  author?: Record<string, { id: string; name: string | null; avatarUrl: string "
		    "| null } | null>;\n" },
		{ "media_get", "  media?: Record<string, Record<string, unknown> | null>;\n" } };

	fputs(
	    "\n/** What include= answers beside items, by id. */\nexport interface Included {\n"
	    "  items?: Record<string, { [C in CollectionName]: Omit<Collections[C], \"bylines\" | "
	    "\"byline\"> }[CollectionName] | null>;\n",
	    t->to);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (find_op(t->call, kinds[i].op) != NULL)
			fputs(kinds[i].line, t->to);
	fputs("  links: Record<string, Record<string, string[] | Record<string, string[]>>>;\n"
	      "  truncated: boolean;\n}\n",
	    t->to);
}

/* Writes the names that a list op returns, each once: a menu, for example, has one name in all
 * locales. */
static enum stet_status
put_names(const struct typing *t, const char *type, const char *op, const char *member)
{
	const char *text, *why, *last = NULL, *name;
	json_t *value, *list, *one;
	size_t len, i;

	if (find_op(t->call, op) == NULL)
		return STET_OK;
	STET_TRY(stet_invoke(t->call, op, NULL, &text, &len));
	value = stet_json_parse(t->call, text, len, &why);
	list = member != NULL ? json_object_get(value, member) : value;
	fprintf(t->to, "\nexport type %s =", type);
	json_array_foreach(list, i, one)
	{
		name = json_string_value(json_object_get(one, "name"));
		if (name == NULL || (last != NULL && strcmp(last, name) == 0))
			continue;
		fprintf(t->to, "%s %s", last != NULL ? " |" : "", quoted(t->call, name));
		last = name;
	}
	fprintf(t->to, "%s;\n", last == NULL ? " never" : "");
	return STET_OK;
}

int
types_run(struct stet_call *call, int argc, char **argv)
{
	const struct typing t = { call, stdout, NULL, NULL };

	(void)argv;
	if (argc != 1) {
		fputs("usage: stet types\n", stderr);
		return 2;
	}
	fputs(head, stdout);
	put_shapes(call, stdout);
	if (put_collections(&t) != STET_OK || put_blocks(&t) != STET_OK)
		return EXIT_FAILURE;
	put_included(&t);
	if (put_names(&t, "MenuName", "menu_list", NULL) != STET_OK ||
	    put_names(&t, "TaxonomyName", "taxonomy_list", "taxonomies") != STET_OK)
		return EXIT_FAILURE;
	return EXIT_SUCCESS;
}
