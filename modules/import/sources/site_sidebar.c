/*
 * site_sidebar.c - sidebars of Docusaurus, which become menus: those of sidebars.json or
 * sidebars.js (an object of JavaScript, which is read as YAML), and directories of documents with
 * the labels and positions of their files _category_. Sidebars are read before documents: an entry
 * of a directory comes from its document, which says its own place.
 */
#include "read/source.h"
#include "read/text.h"
#include "sources/site.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 10
#define DEFAULT_MENU "defaultSidebar" /* without a file of sidebars */

/* A sidebar while it is read. */
struct bar {
	struct site *site;
	const char *name; /* of its file */
	const char *docs; /* the directory of documents, with "/" at its end */
	const char *menu;
};

bool
site_is_sidebar(const char *name)
{
	const char *base = text_base(name);

	return text_begins(base, "_category_.") || text_begins(base, "sidebars.");
}

/* ---- objects of JavaScript ---- */

/* Returns the end of a text in quotes that begins here. */
static const char *
quoted_end(const char *s)
{
	char quote = *s++;

	while (*s != '\0' && *s != quote)
		s += *s == '\\' && s[1] != '\0' ? 2 : 1;
	return *s != '\0' ? s + 1 : s;
}

/* Returns the end of a comment that begins here; NULL: none does. */
static const char *
comment_end(const char *s)
{
	const char *end;

	if (strncmp(s, "//", 2) == 0)
		return s + strcspn(s, "\n");
	if (strncmp(s, "/*", 2) != 0)
		return NULL;
	end = strstr(s + 2, "*/");
	return end != NULL ? end + 2 : s + strlen(s);
}

/* Returns a program without its comments and tabs, with a blank behind each colon, as YAML has it.
 */
static char *
without_comments(struct stet_call *call, const char *s)
{
	char *out = stet_alloc(call, 2 * strlen(s) + 1), *to = out;

	while (*s != '\0') {
		const char *end = comment_end(s);

		if (end == NULL && strchr("\"'", *s) != NULL) {
			end = quoted_end(s);
			(void)memcpy(to, s, (size_t)(end - s));
			to += end - s;
		} else if (end == NULL) {
			*to++ = *s == '\t' ? ' ' : *s;
			if (*s == ':')
				*to++ = ' ';
			end = s + 1;
		}
		s = end;
	}
	*to = '\0';
	return out;
}

/* Returns the object that the program exports, or sets first; NULL: there is none. */
static const char *
object_in(struct stet_call *call, const char *program)
{
	char *text = without_comments(call, program), *at = text, *end;
	int depth = 0;

	for (; *at != '\0'; at++) {
		const char *before = at;

		while (before > text && isspace((unsigned char)before[-1]))
			before--;
		if (*at == '{' && before > text &&
		    (before[-1] == '=' ||
			(before - text >= 7 && strncmp(before - 7, "default", 7) == 0)))
			break;
	}
	for (end = at; *end != '\0'; end++) {
		if (strchr("\"'", *end) != NULL)
			end = (char *)(uintptr_t)quoted_end(end) - 1;
		depth += strchr("{[", *end) != NULL;
		if (strchr("}]", *end) != NULL && --depth == 0) {
			end[1] = '\0';
			return at;
		}
	}
	return NULL;
}

/* ---- entries ---- */

static void
put(const struct bar *b, json_t *entry, const char *item)
{
	(void)json_array_append_new(b->site->entries,
	    json_pack("{ss so ss*}", "menu", b->menu, "entry", entry, "item", item));
}

/* The document of an id: its path in the directory of documents, without its ending, or its last
 * part. */
static const char *
document_of(const struct bar *b, const char *id)
{
	struct stet_call *call = b->site->call;
	const char *item = site_target(b->site, call, "", stet_printf(call, "/%s%s", b->docs, id));

	return item != NULL ? item : site_target(b->site, call, "", text_base(id));
}

static enum stet_status take_list(
    const struct bar *, const json_t *list, const char *parent, int depth);

static enum stet_status
tell(const struct bar *b, const char *what)
{
	return source_notice(b->site->source, b->name, true,
	    stet_printf(b->site->call, "The sidebar %.60s has %.200s", b->menu, what));
}

static json_t *
entry_of(const char *label, const char *id, const char *parent, size_t place)
{
	return json_pack("{ss ss ss sI}", "name", label, "identifier", id, "parent", parent,
	    "weight", (json_int_t)place);
}

static enum stet_status
take_document(const struct bar *b, const char *id, json_t *entry)
{
	const char *item = document_of(b, id);

	if (item == NULL) {
		json_decref(entry);
		return tell(
		    b, stet_printf(b->site->call, "\"%.100s\", which is no document here", id));
	}
	put(b, entry, item);
	return STET_OK;
}

/* A label with entries below it, and perhaps a document of its own. */
static enum stet_status
take_category(const struct bar *b, const char *label, const json_t *of, json_t *entry, int depth)
{
	const char *id = text_in(entry, "identifier");
	const json_t *link = json_object_get(of, "link"),
		     *items = json_is_array(of) ? of : json_object_get(of, "items");

	(void)json_object_set_new(entry, "name", json_string(label));
	put(b, entry,
	    strcmp(text_in(link, "type"), "doc") == 0 ? document_of(b, text_in(link, "id")) : NULL);
	return take_list(b, items, id, depth + 1);
}

/* All documents of a directory. */
static void
show(struct site *site, const char *directory, const char *menu, const char *parent)
{
	(void)json_object_set_new(
	    site->shown, directory, json_pack("{ss ss}", "menu", menu, "parent", parent));
}

static enum stet_status
take_object(const struct bar *b, const json_t *one, json_t *entry, int depth)
{
	struct stet_call *call = b->site->call;
	const char *type = text_in(one, "type"), *name;
	const char *directory = text_in(one, "dirName"), *parent = text_in(entry, "parent");
	json_t *of;

	if (strcmp(type, "doc") == 0 || strcmp(type, "ref") == 0)
		return take_document(b, text_in(one, "id"), entry);
	if (strcmp(type, "category") == 0)
		return take_category(b, text_in(one, "label"), one, entry, depth);
	if (strcmp(type, "link") == 0) {
		(void)json_object_set(entry, "url", json_object_get(one, "href"));
		put(b, entry, NULL);
		return STET_OK;
	}
	if (strcmp(type, "autogenerated") == 0)
		show(b->site,
		    *directory == '\0' || strcmp(directory, ".") == 0
			? b->docs
			: stet_printf(call, "%s%s/", b->docs, directory),
		    b->menu, stet_strdup(call, parent));
	else if (*type == '\0') /* {label: list} */
		json_object_foreach((json_t *)(uintptr_t)one, name, of)
		    STET_TRY(take_category(b, name, of, json_deep_copy(entry), depth));
	json_decref(entry);
	return *type == '\0' || strcmp(type, "autogenerated") == 0
		   ? STET_OK
		   : tell(b, stet_printf(call, "an entry of type \"%.60s\"", type));
}

static enum stet_status
take_list(const struct bar *b, const json_t *list, const char *parent, int depth)
{
	struct stet_call *call = b->site->call;
	const json_t *one;
	size_t i;

	parent = stet_strdup(call, parent);
	if (depth == DEPTH_MAX)
		return tell(b, "entries of more than 10 levels");
	json_array_foreach(list, i, one)
	{
		const char *id = stet_printf(call, "%s.%zu", parent, i + 1);
		json_t *entry = entry_of(text_in(one, "label"), id, parent, i + 1);

		if (json_is_string(one))
			STET_TRY(take_document(b, json_string_value(one), entry));
		else
			STET_TRY(take_object(b, one, entry, depth));
	}
	return STET_OK;
}

/* ---- files ---- */

static enum stet_status
take_bars(struct site *site, const char *name, const json_t *bars)
{
	size_t top = (size_t)(text_base(name) - name);
	struct bar b = { site, name, stet_printf(site->call, "%.*sdocs/", (int)top, name), NULL };
	json_t *list;

	json_object_foreach((json_t *)(uintptr_t)bars, b.menu, list)
	{
		if (json_is_array(list))
			STET_TRY(take_list(&b, list, "", 0));
		else
			STET_TRY(take_category(&b, b.menu, list, entry_of("", ".1", "", 1), 0));
	}
	return STET_OK;
}

static enum stet_status
take(void *arg, const char *name, const char *text, size_t len)
{
	struct site *site = arg;
	const char *base = text_base(name), *why = NULL, *object = text;
	const json_t *value = NULL;

	if (!source_ends(" .json .yml .yaml ", name))
		object = object_in(site->call, text);
	if (object != NULL)
		value = front_file(site->call, object == text ? name : "sidebars.yaml", object,
		    object == text ? len : strlen(object), &why);
	if (value == NULL || why != NULL || !json_is_object(value))
		return source_notice(site->source, name, true,
		    why != NULL ? why : "It is a program, not an object of sidebars");
	if (text_begins(base, "sidebars."))
		return take_bars(site, name, value);
	(void)json_object_set_new(site->categories,
	    stet_strndup(site->call, name, (size_t)(base - name)),
	    json_deep_copy((json_t *)(uintptr_t)value));
	return STET_OK;
}

/* ---- directories ---- */

const char *
site_shown(const struct site *site, const char *name, const json_t **bar)
{
	const char *directory, *best = NULL;
	json_t *one;

	json_object_foreach(site->shown, directory, one)
	{
		if (text_begins(name, directory) &&
		    (best == NULL || strlen(directory) > strlen(best))) {
			best = directory;
			*bar = one;
		}
	}
	return best;
}

json_int_t
site_position(const json_t *given, const char *name)
{
	size_t len = strspn(name, "0123456789");

	if (json_is_number(given))
		return (json_int_t)(json_number_value(given) * 1000) + 1;
	return len > 0 && len < 4 && strchr("-_. ", name[len]) != NULL && name[len] != '\0'
		   ? (json_int_t)strtol(name, NULL, 10) * 1000 + 1
		   : 0;
}

/* Adds the entry of a directory; `len`: of the name up to its end. */
static void
put_directory(struct site *site, const char *name, size_t len, const char *above,
    const char *parent, const char *menu)
{
	struct stet_call *call = site->call;
	const char *directory = stet_strndup(call, name, len), *label;
	const char *part = stet_strndup(call, name + strlen(above), len - strlen(above) - 1);
	const json_t *category = json_object_get(site->categories, directory);
	const struct bar b = { site, name, "", menu };
	json_t *entry;

	label = text_in(category, "label");
	entry = entry_of(*label != '\0' ? label : part, directory, parent, 0);
	(void)json_object_set_new(entry, "weight",
	    json_integer(site_position(json_object_get(category, "position"), part)));
	put(&b, entry, site_target(site, call, "", stet_printf(call, "/%.*s", (int)len - 1, name)));
}

/* Adds entries for the directories above a document that is shown. */
static void
put_directories(struct site *site, json_t *done, const char *name)
{
	const json_t *bar = NULL;
	const char *above = site_shown(site, name, &bar), *parent, *slash;

	if (above == NULL)
		return;
	parent = text_in(bar, "parent");
	for (slash = strchr(name + strlen(above), '/'); slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		size_t len = (size_t)(slash + 1 - name);
		const char *directory = stet_strndup(site->call, name, len);

		if (json_object_get(done, directory) == NULL)
			put_directory(site, name, len, above, parent, text_in(bar, "menu"));
		(void)json_object_set_new(done, directory, json_true());
		above = parent = directory;
	}
}

/* Without a file of sidebars, Docusaurus shows all documents. */
static void
show_all(struct site *site)
{
	const char *docs = stet_printf(site->call, "%sdocs/", site->base), *name;
	bool all = json_object_size(site->categories) > 0;
	json_t *any;

	json_object_foreach(site->settings, name, any) all |=
	    text_begins(text_base(name), "docusaurus.");
	json_object_foreach(site->categories, name, any)
	{
		if (!text_begins(name, docs))
			docs = "";
	}
	if (all)
		show(site, docs, DEFAULT_MENU, "");
}

enum stet_status
site_sidebars(struct site *site)
{
	json_t *done = stet_json_own(site->call, json_object()), *any;
	const char *name;

	if (json_object_size(site->sidebars) > 0)
		STET_TRY(tree_some(site->source, " .json .yml .yaml .js .ts .mjs .cjs ",
		    site->sidebars, take, site));
	if (json_object_size(site->shown) == 0 && json_array_size(site->entries) == 0)
		show_all(site);
	json_object_foreach(site->wanted, name, any) put_directories(site, done, name);
	return STET_OK;
}
