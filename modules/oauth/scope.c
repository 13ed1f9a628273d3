/* scope.c - scopes: which exist, what role each needs, and what they mean in words. */
#include "oauth.h"
#include <string.h>

/* The lowest role for which a scope is of use. */
static const struct scope {
	const char *name;
	int role;
	const char *words;
} scopes[] = {
	{ "content:read", 10, "Read content, also what is not published" },
	{ "content:write", 20, "Create, change, publish and delete content" },
	{ "media:read", 10, "See images and other files" },
	{ "media:write", 20, "Upload, change and delete images and other files" },
	{ "schema:read", 40, "See how content is organised: collections and fields" },
	{ "schema:write", 50, "Change how content is organised: collections and fields" },
	{ "taxonomies:manage", 40, "Change categories, tags and other taxonomies" },
	{ "menus:manage", 40, "Change menus" },
	{ "settings:read", 40, "See the settings of the site" },
	{ "settings:manage", 50, "Change the settings of the site" },
	{ "admin", 50, "Do everything that you may do, users and plugins included" },
	{ "mcp:tools", 50, "Use the tools of all plugins" },
};
#define SCOPES (sizeof(scopes) / sizeof(scopes[0]))
#define PLUGIN_SCOPE "mcp:tools:"
#define PLUGIN_ROLE 10
#define PLUGIN_NAME_MAX 63

/* The specification's list, which has no scopes of plugins. */
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

/* 0: there is no such scope. */
static int
scope_role(const char *scope)
{
	for (size_t i = 0; i < SCOPES; i++)
		if (strcmp(scopes[i].name, scope) == 0)
			return scopes[i].role;
	return plugin_of(scope) != NULL ? PLUGIN_ROLE : 0;
}

const char *
scope_words(struct stet_call *call, const char *scope)
{
	for (size_t i = 0; i < SCOPES; i++)
		if (strcmp(scopes[i].name, scope) == 0)
			return scopes[i].words;
	return stet_printf(call, "Use the tools of the plugin %s", plugin_of(scope));
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

static void
clamp_one(struct stet_call *call, const char *scope, void *arg)
{
	struct clamp *c = arg;
	int role = scope_role(scope);

	if (role != 0 && role <= c->role && stet_scope_allows(c->client, scope) &&
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
