/* scope.c - the scopes that exist, and the role that each needs. words.c describes them. */
#include "oauth.h"
#include <string.h>

/* The lowest role for which a scope is of use. */
static const struct scope {
	const char *name;
	int role;
} scopes[] = {
	{ "content:read", 10 }, { "content:write", 20 },
	{ "content:draft", 20 }, /* a part of content:write */
	{ "media:read", 10 }, { "media:write", 20 }, { "schema:read", 40 }, { "schema:write", 50 },
	{ "taxonomies:manage", 40 }, { "menus:manage", 40 }, { "settings:read", 40 },
	{ "settings:manage", 50 }, { "admin", 50 }, { "mcp:tools", 50 },
	{ "mcp:compact", 10 }, /* opens nothing: shows the short list of tools */
};
#define SCOPES (sizeof(scopes) / sizeof(scopes[0]))
#define PLUGIN_SCOPE "mcp:tools:"
#define PLUGIN_ROLE 10
#define PLUGIN_NAME_MAX 63

/* The list of the specification: without the scopes of plugins. */
const char *const scopes_supported[] = { "content:read", "content:write", "media:read",
	"media:write", "schema:read", "schema:write", "taxonomies:manage", "menus:manage",
	"settings:read", "settings:manage", "admin", NULL };

static const char *
plugin_of(const char *scope)
{
	const char *name = scope + sizeof(PLUGIN_SCOPE) - 1;

	if (strncmp(scope, PLUGIN_SCOPE, sizeof(PLUGIN_SCOPE) - 1) != 0 || *name < 'a' ||
	    *name > 'z' || strlen(name) > PLUGIN_NAME_MAX ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != strlen(name))
		return NULL;
	return name;
}

/* The role that a scope needs; 0: there is no such scope. */
static int
scope_role(const char *scope)
{
	for (size_t i = 0; i < SCOPES; i++)
		if (strcmp(scopes[i].name, scope) == 0)
			return scopes[i].role;
	return plugin_of(scope) != NULL ? PLUGIN_ROLE : 0;
}

void
scope_put(struct stet_call *call, struct stet_html *html, const char *scope)
{
	const char *plugin = plugin_of(scope);

	if (plugin != NULL)
		stet_html_fill(html, page_words(call), "{plugin_tools}", "plugin", plugin, NULL);
	else
		stet_html_add(html, "%s", stet_word(page_words(call), scope));
}

void
scopes_each(struct stet_call *call, const char *list,
    void (*fn)(struct stet_call *, const char *scope, void *), void *arg)
{
	for (list += strspn(list, " "); *list != '\0'; list += strspn(list, " ")) {
		size_t len = strcspn(list, " ");

		fn(call, stet_strndup(call, list, len), arg);
		list += len;
	}
}

static bool
is_listed(const char *list, const char *scope)
{
	size_t want = strlen(scope);

	for (list += strspn(list, " "); *list != '\0'; list += strspn(list, " ")) {
		size_t len = strcspn(list, " ");

		if (len == want && memcmp(list, scope, len) == 0)
			return true;
		list += len;
	}
	return false;
}

struct clamp {
	const char *client, *kept;
	int role;
};

/* Returns true if the scope is a part of one that the client may have, or opens nothing. */
static bool
is_part(const char *client, const char *scope)
{
	return strcmp(scope, "mcp:compact") == 0 ||
	       (strcmp(scope, "content:draft") == 0 && stet_scope_allows(client, "content:write"));
}

static void
clamp_one(struct stet_call *call, const char *scope, void *arg)
{
	struct clamp *c = arg;
	int role = scope_role(scope);

	if (role != 0 && role <= c->role &&
	    (stet_scope_allows(c->client, scope) || is_part(c->client, scope)) &&
	    !is_listed(c->kept, scope))
		c->kept = stet_printf(call, "%s%s%s", c->kept, *c->kept != '\0' ? " " : "", scope);
}

const char *
scopes_clamp(struct stet_call *call, const char *asked, const char *client, int role)
{
	struct clamp c = { .client = client, .kept = "", .role = role };

	if (asked == NULL)
		asked = SCOPES_DEFAULT;
	if (strlen(asked) <= SCOPES_LEN)
		scopes_each(call, asked, clamp_one, &c);
	return c.kept;
}

struct within {
	const char *whole;
	bool yes;
};

static void
within_one(struct stet_call *call, const char *scope, void *arg)
{
	struct within *w = arg;

	(void)call;
	w->yes = w->yes && is_listed(w->whole, scope);
}

bool
scopes_within(struct stet_call *call, const char *part, const char *whole)
{
	struct within w = { whole, true };

	scopes_each(call, part, within_one, &w);
	return w.yes;
}
