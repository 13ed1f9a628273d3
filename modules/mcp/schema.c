/*
 * schema.c - short schemas of tools, since clients pay for each token of the list. Arguments are
 * described completely except for lengths and patterns, which a client learns from the error if
 * it violates one. Results are said to be objects.
 */
#include "mcp.h"
#include <string.h>

/* Returns true for a text such as "Id of the item", which only repeats the names of tool and
 * argument. */
static bool
names_subject(const char *about)
{
	static const char *const begin[] = { "Id of the ", "Id or slug of the ", "Name of the ",
		"Slug of the " };

	for (size_t i = 0; about != NULL && i < sizeof(begin) / sizeof(begin[0]); i++) {
		size_t len = strlen(begin[i]);

		if (strncmp(about, begin[i], len) == 0 && strpbrk(about + len, " ,;:") == NULL)
			return true;
	}
	return false;
}

/* Returns true for a text that says no more than the argument's name, or than the error of a wrong
 * value. Such texts are left out here, but not in documents for people. */
static bool
repeats_name(const char *about)
{
	static const char *const known[] = { "A few words about the person",
		"All of them, in order", "Another input than the type's own", "As it is shown",
		"As people see it: Genres", "Changing it needs a migration",
		"Changing to false needs a migration", "Collection slug", "Count the items as well",
		"Default publish", "Display name", "Done in their order", "Field slug",
		"HTML target", "HTML title", "Each locale has its own value", "Id of a media item",
		"Id of a media item; \"\" clears", "Ids of changes", "Ids of comments",
		"Items to change", "In the full-text index", "Items with this slug",
		"Of type component", "Of type menu", "Pixels", "Place among the collections",
		"Place among the fields", "Plural display name", "Separated by blanks",
		"Slugs of collections", "Slugs of up to four fields that lists show",
		"Terms may have parents", "Text that the body, the name or the address holds",
		"Text that title, description or a keyword holds", "The new slug",
		"The user whom it stands for", "To be found by",
		"URL slug; made from the title when omitted", "The text in its place",
		"What it shows", "What it takes", "What the image shows, in words",
		"Where the definition comes from; default manual", "Where they come from",
		"a-z, 0-9 and _, a letter first", "a-z, 0-9 and hyphens" };

	for (size_t i = 0; about != NULL && i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(about, known[i]) == 0)
			return true;
	return false;
}

/* Returns true for `fields` of a tool that changes these, and does not answer them. */
static bool
is_own(const struct stet_member *m)
{
	return m->about != NULL && strncmp(m->about, "Slugs of fields", 15) == 0;
}

/* Returns the description of a member in the list of tools; NULL for a member with the same text in
 * every tool, which the server's instructions contain once. tools_describe has all descriptions. */
static const char *
about(void *arg, const struct stet_member *m)
{
	static const char *const known[] = { "_rev", "brief", "collection", "createdAt", "cursor",
		"dry_run", "fields", "limit", "locale", "markdown", "publishedAt",
		"translationOf" };

	(void)arg;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(m->name, known[i]) == 0 && !is_own(m))
			return NULL;
	if (strcmp(m->name, "bylines") == 0 && m->type == STET_ARRAY)
		return NULL;
	return names_subject(m->about) || repeats_name(m->about) ? NULL : m->about;
}

/* Descriptions of arguments that have none in the tables, since their names say it. */
static const struct {
	const char *name, *about;
} usual[] = {
	{ "action", "What is done with it" },
	{ "admin", "How the admin pages show the collection" },
	{ "authorId", "Id of the user who wrote the item" },
	{ "body", "What is said, as plain text; @handle mentions a user" },
	{ "bingVerification", "Token with which Bing verifies the site" },
	{ "blurhash", "BlurHash of the image, a placeholder" },
	{ "caption", "Text below the image" },
	{ "collection", "Slug of the collection" },
	{ "commentsAutoApproveUsers", "Whether comments of signed-in users need no approval" },
	{ "commentsEnabled", "Whether items take comments" },
	{ "commentsModeration", "Which comments wait for approval" },
	{ "cursor", "nextCursor of the page before" },
	{ "dateField", "Which date dateFrom and dateTo compare" },
	{ "description", "What it is for, in words" },
	{ "enabled", "true turns it on, false off" },
	{ "facebook", "Handle of the site at Facebook" },
	{ "favicon", "Icon of the site: an item of the media library" },
	{ "field", "Slug of the field that it is about" },
	{ "filename", "Name of the file, with its extension" },
	{ "github", "Handle of the site at GitHub" },
	{ "googleVerification", "Token with which Google verifies the site" },
	{ "hasSeo", "Whether items have titles and descriptions for search engines" },
	{ "hidden", "Whether the admin pages leave it out of their navigation" },
	{ "icon", "Name of an icon for the admin pages" },
	{ "includeInferredBylines", "Whether items without credits get one of their author" },
	{ "instagram", "Handle of the site at Instagram" },
	{ "label", "Name as people see it" },
	{ "labelSingular", "Name of one item, as people see it" },
	{ "limit", "Records in a page" },
	{ "linkedin", "Handle of the site at LinkedIn" },
	{ "locale", "Code of a language of the site, like en" },
	{ "logo", "Logo of the site: an item of the media library" },
	{ "message", "What is said to the other side; required to return" },
	{ "mimeType", "Type of the file, like image/png" },
	{ "name", "Name as people see it" },
	{ "op", "What is done with the block" },
	{ "order", "Direction of the list: asc or desc" },
	{ "postsPerPage", "Items that a page of the site lists" },
	{ "publicRead", "Whether published items are read without credentials" },
	{ "required", "Whether items need a value" },
	{ "requiredOn", "When required values are needed" },
	{ "resolved", "Whether the thread is done" },
	{ "routable", "Whether items have addresses on the site" },
	{ "scope", "One collection, or all" },
	{ "slug", "Name in addresses" },
	{ "source", "Where it comes from" },
	{ "state", "State of the records" },
	{ "status", "State of the records" },
	{ "tagline", "The site in a few words" },
	{ "title", "Title as people see it" },
	{ "twitter", "Handle of the site at X" },
	{ "type", "Its kind" },
	{ "youtube", "Handle of the site at YouTube" },
};

static const char *
about_always(void *arg, const struct stet_member *m)
{
	(void)arg;
	for (size_t i = 0; m->about == NULL && i < sizeof(usual) / sizeof(usual[0]); i++)
		if (strcmp(m->name, usual[i].name) == 0)
			return usual[i].about;
	return m->about;
}

/* Properties, without and with a description. */
#define EXAMPLE(name, type)                   \
	"{\"" name "\":{\"type\":" type "}}", \
	    "{\"" name "\":{\"type\":" type ",\"description\":\"One of those that it may have\"}}"
#define TEXT "\"string\""

/* Returns an example of what an object without a shape has in it: Gemini refuses an object without
 * properties. Other members are allowed beside them. */
static const char *
inside(void *arg, const struct stet_member *m)
{
	static const struct {
		const char *name, *properties[2];
	} known[] = {
		{ "arguments", { EXAMPLE("collection", TEXT) } },
		{ "bylines", { EXAMPLE("bylineId", TEXT) } },
		{ "data", { EXAMPLE("title", TEXT) } },
		{ "fieldFilters", { EXAMPLE("slug", TEXT) } },
		{ "options", { EXAMPLE("collection", TEXT) } },
		{ "seo", { EXAMPLE("title", TEXT) } },
		{ "set", { EXAMPLE("title", TEXT) } },
		{ "social", { EXAMPLE("twitter", TEXT) } },
		{ "taxonomies", { EXAMPLE("tag", "\"array\",\"items\":{\"type\":\"string\"}") } },
		{ "validation", { EXAMPLE("pattern", TEXT) } },
		{ "weights", { EXAMPLE("title", "\"number\"") } },
	};
	static const char *const block[2] = { EXAMPLE("_type", TEXT) };
	static const char *const other[2] = { EXAMPLE("name", TEXT) };
	int form = arg != NULL;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strcmp(m->name, known[i].name) == 0)
			return known[i].properties[form];
	return m->type == STET_ARRAY || strcmp(m->name, "content") == 0 ? block[form] : other[form];
}

static char with_descriptions; /* the argument of inside: not NULL */
static const struct stet_schema_style brief = { .brief = true, .about = about, .inside = inside };
static const struct stet_schema_style described = {
	.brief = true, .about = about_always, .inside = inside, .arg = &with_descriptions
};

static size_t
length(const struct stet_member *list)
{
	size_t n = 0;

	while (list != NULL && list[n].name != NULL)
		n++;
	return n;
}

/* Returns true if the caller may give the argument. */
static bool
may_give(struct stet_call *call, const struct stet_member *m)
{
	const struct stet_principal *who = stet_principal(call);

	return (m->permission == NULL || stet_may(call, m->permission)) &&
	       (m->scope == NULL || who == NULL || who->via != STET_VIA_TOKEN ||
		   stet_scope_allows(who->scopes, m->scope));
}

static bool
has_id(const struct stet_member *list)
{
	for (; list->name != NULL; list++)
		if (strcmp(list->name, "id") == 0)
			return true;
	return false;
}

/* Returns true for arguments `m` of `all` that assistants hardly ever give: also locales of a site
 * with one language, or beside an id, where a locale is for slugs. The list of tools leaves them
 * out, tools_describe does not. */
static bool
is_rare(struct stet_call *call, const struct stet_member *all, const struct stet_member *m)
{
	static const char *const names[] = { "admin", "allowMissing", "authorId", "blurhash",
		"commentsAutoApproveUsers", "commentsClosedAfterDays", "commentsModeration",
		"contentHash", "dominantColor", "expiresIn", "fieldId", "focalX", "focalY",
		"height", "hidden", "icon", "includeInferredBylines", "labelSingular", "page",
		"pathPattern", "sha256", "sortOrder", "source", "themeId", "tokenize", "userId",
		"version", "weights", "widget", "width" };
	const char *const *locales = stet_locales(call);

	if ((m->flags & STET_REQUIRED) != 0)
		return false;
	if (strncmp(m->name, "locale", 6) == 0 &&
	    (locales[0] == NULL || locales[1] == NULL ||
		(strcmp(m->name, "locale") == 0 && has_id(all))))
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(m->name, names[i]) == 0)
			return true;
	return false;
}

/* Copies the arguments that the caller may give. Returns their number. */
static size_t
copy_arguments(
    struct stet_call *call, const struct stet_member *in, bool whole, struct stet_member *out)
{
	const struct stet_member *all = in;
	size_t n = 0;

	for (; in != NULL && in->name != NULL; in++) {
		if (!may_give(call, in) || (!whole && is_rare(call, all, in)))
			continue;
		out[n] = *in;
		if (strcmp(in->name, "expiresIn") == 0) /* or a number */
			out[n].type = STET_STRING;
		if (!whole && strcmp(in->name, "limit") == 0) /* its maximum is enough */
			out[n].fallback = NULL;
		if (!whole && strcmp(in->name, "social") == 0) /* its text names the members */
			out[n].of = NULL;
		n++;
	}
	return n;
}

void
schema_put_in(
    struct stet_call *call, struct stet_json *out, const struct stet_op_info *tool, bool whole)
{
	const struct stet_member *in = tool->op->in;
	struct stet_member *all = stet_alloc(call, (length(in) + FIT_MEMBERS + 2) * sizeof(*all));
	size_t n = copy_arguments(call, in, whole, all), ours = fit_members(tool, whole, all + n);

	bool dry = dry_offered(tool) && (whole || (tool->op->flags & STET_DESTRUCTIVE) != 0);

	if (in == NULL && ours == 0) {
		stet_object(out, "inputSchema");
		stet_put_str(out, "type", "object");
		stet_close(out);
		return;
	}
	/* When something is created, null means the same as leaving the argument out. */
	for (size_t i = 0; (tool->op->flags & (STET_CREATED | STET_ADDITIVE)) != 0 && i < n; i++)
		if ((all[i].flags & STET_REQUIRED) == 0)
			all[i].flags &= ~STET_NULLABLE;
	if (dry)
		all[n + ours] = dry_member;
	stet_put_schema_as(out, "inputSchema", all, whole ? &described : &brief);
}

/* Says only that it is an object: a client sees the result, and its schema would cost each client a
 * part of its budget. */
void
schema_put_out(struct stet_json *out)
{
	stet_object(out, "outputSchema");
	stet_put_str(out, "type", "object");
	stet_close(out);
}
