/* values.c - fields of each type and values for them: usual ones, odd ones, dangling ids. */
#include "inside.h"
#include "state.h"
#include <stdio.h>

const char *const collections[] = { "aa", "bb", "cc", NULL };

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define SUB(slug, type) "{'slug':'" slug "','label':'L','type':'" type "'}"

const struct kind_of_field fields[] = {
	{ "title", "string", "'unique':true", "'validation':{'maxLength':3}",
	    LIST("'One'", "''", "'two \\u00e9\\u0001\\ud83d\\ude00 '", "'!!!'", "null") },
	{ "note", "text", "'options':{'rows':3}", "'validation':{'pattern':'^x'}",
	    LIST("'a\\nb'", "'x y'", "'\\u202e\\ufeff'", "null") },
	{ "link", "url", NULL, NULL, LIST("'/a'", "'https://example.org/?a=b#c'", "null") },
	{ "name", "slug", NULL, "'validation':{'minLength':9}", LIST("'A b'", "'x'", "null") },
	{ "n", "number", "'indexed':true", "'validation':{'max':1}",
	    LIST("0.1", "-0.0", "3", "1e300", "9007199254740993", "null") },
	{ "i", "integer", "'translatable':false", "'validation':{'min':8}",
	    LIST("7", "-9007199254740991", "12.0", "null") },
	{ "ok", "boolean", NULL, NULL, LIST("true", "false", "1", "null") },
	{ "day", "datetime", NULL, "'validation':{'min':'2030-01-01'}",
	    LIST("'2026-11-20'", "'2031-01-01T10:00:00+02:00'", "null") },
	{ "sel", "select", "'validation':{'options':['a','b']}", "'validation':{'options':['c']}",
	    LIST("'a'", "'b'", "'c'", "null") },
	{ "mul", "multiSelect", "'validation':{'options':['a','b']},'indexed':true",
	    "'validation':{'options':['b','c']}", LIST("['a']", "['a','b']", "['c']", "[]") },
	{ "body", "portableText", NULL, NULL,
	    LIST("[]", "[{'_type':'block','_key':'k','children':[{'_type':'span','text':'H'}]}]",
		"[{'_type':'image','_key':'i','asset':{'_ref':'%s'}}]", "null"),
	    MEDIA },
	{ "pic", "image", NULL, "'validation':{'allowedMimeTypes':['image/webp']}",
	    LIST("{'id':'%s'}",
		"{'id':'%s','alt':'x','darkVariant':{'id':'01MMMMMMMMMMMMMMMMMMMMMMM1'}}",
		"'https://example.org/a.png'", "{'id':'','provider':'external','src':'/b.png'}",
		"null"),
	    MEDIA },
	{ "doc", "file", NULL, "'validation':{'allowedMimeTypes':['application/pdf']}",
	    LIST("{'id':'%s'}", "'%s'", "null"), MEDIA },
	{ "ref", "reference", "'options':{'collection':'aa'}", NULL,
	    LIST("'%s'", "'%s'", "'%s'", "null"), ITEM },
	{ "refs", "reference", "'options':{'collection':'bb','allowMultiple':true},'indexed':true",
	    NULL, LIST("['%s']", "[]", "['%s']", "null"), ITEM },
	{ "any", "json", NULL, NULL,
	    LIST("null", "[1,null,-0.0,{'a':{}}]", "'%s'", "{'':[],'deep':[[[[[[1]]]]]]}", "12"),
	    ITEM },
	{ "rows", "repeater",
	    "'validation':{'subFields':[" SUB("a", "string") "," SUB("p", "image") "]}",
	    "'validation':{'minItems':2,'subFields':[" SUB("a", "integer") "," SUB(
		"p", "image") "]}",
	    LIST("[]", "[{'a':'x','p':{'id':'%s'}}]", "[{'a':'1','more':true},{}]", "null"),
	    MEDIA },
};
const int field_kinds = COUNT(fields);

/* Returns the slugs of the collection's fields, each between blanks: " title n " */
static const char *
fields_of(const char *collection)
{
	static char list[400];
	char sql[300];

	(void)snprintf(sql, sizeof(sql),
	    "SELECT group_concat(f.slug, ' ') FROM field f JOIN collection c ON c.id ="
	    " f.collection_id WHERE c.slug = '%s'",
	    collection);
	(void)snprintf(list, sizeof(list), " %s ", inside_ask(world.site, sql));
	return list;
}

/* Returns the id of an item, mostly of one to which the field may refer. */
static const char *
a_target(const struct kind_of_field *f)
{
	const char *to = strcmp(f->slug, "refs") == 0 ? "bb" : "aa";
	int from = chosen(SLOTS);

	for (int i = 0; f->refers == ITEM && i < SLOTS; i++)
		if (strcmp(world.collection[(from + i) % SLOTS], to) == 0)
			return world.id[ITEM][(from + i) % SLOTS];
	return an_id(f->refers);
}

const char *
some_values(const char *collection)
{
	static char out[4000];
	const char *has = fields_of(collection);
	size_t len = (size_t)snprintf(out, sizeof(out), "{");
	char name[40];

	for (int i = 0; i < field_kinds; i++) {
		const struct kind_of_field *f = &fields[i];

		(void)snprintf(name, sizeof(name), " %s ", f->slug);
		if (chosen(4) > 0 || strstr(has, name) == NULL)
			continue;
		len += (size_t)snprintf(
		    out + len, sizeof(out) - len, "%s'%s':", len > 1 ? "," : "", f->slug);
		/* the formats are the table's own texts, each with at most one %s */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		len +=
		    (size_t)snprintf(out + len, sizeof(out) - len, one_of(f->values), a_target(f));
#pragma GCC diagnostic pop
	}
	(void)snprintf(out + len, sizeof(out) - len, "}");
	return out;
}

const char *
a_slug(void)
{
	static const char *const odd[] = { "s", "zwei-\xc3\xa4\xc3\xb6", "a.b", "x%25y", ".hidden",
		"~", "con", "\xe6\x97\xa5\xe6\x9c\xac", "a+b&c", "e\xcc\x81", "..x",
		"01MMMMMMMMMMMMMMMMMMMMMMM1", "A",
		"long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-"
		"long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-"
		"long-long-long-long-long-long-long-long-long-long-long",
		NULL };
	static char slug[400];

	if (chosen(3) > 0)
		(void)snprintf(slug, sizeof(slug), "s%d", chosen(1000));
	else
		(void)snprintf(slug, sizeof(slug), "%s", one_of(odd));
	return slug;
}
