/*
 * principal.c - the caller of a call and its rights: permissions come with its role, scopes with
 * its token.
 */
#include "call/principal.h"
#include "base/log.h"
#include "call/call.h"
#include "call/site.h"
#include <stet/table.h>
#include <string.h>

#define SYSTEM_ROLE 50

const struct stet_principal *
stet_principal(struct stet_call *call)
{
	call->asked |= ASKED_USER;
	return call->has_principal ? &call->principal : NULL;
}

void
stet_principal_set_sized(struct stet_call *call, const struct stet_principal *given, size_t size)
{
	struct stet_principal p;

	if (given == NULL) {
		call->principal = (struct stet_principal){ 0 };
		call->has_principal = false;
		return;
	}
	stet_extend(&p, sizeof(p), given, size);
	call->principal = (struct stet_principal){
		.id = stet_strdup(call, p.id != NULL ? p.id : ""),
		.email = stet_strdup(call, p.email),
		.name = stet_strdup(call, p.name),
		.role = p.role,
		.via = p.via,
		.token_id = stet_strdup(call, p.token_id),
		.scopes = stet_strdup(call, p.scopes),
		.session_id = stet_strdup(call, p.session_id),
		.signed_in_at = p.signed_in_at,
		.client = stet_strdup(call, p.client),
	};
	call->has_principal = true;
}

enum stet_status
stet_as_system(
    struct stet_call *call, enum stet_status (*fn)(struct stet_call *, void *), void *arg)
{
	const struct stet_principal caller = call->principal;
	const bool known = call->has_principal;
	struct call_slot *slots = call->slots;
	enum stet_status status;

	call->principal =
	    (struct stet_principal){ .id = "", .role = SYSTEM_ROLE, .via = STET_VIA_SYSTEM };
	call->has_principal = true;
	call->slots = NULL;
	status = fn(call, arg);
	call->principal = caller;
	call->has_principal = known;
	call->slots = slots;
	return status;
}

bool
stet_may(struct stet_call *call, const char *permission)
{
	int role = generation_role(call->gen, permission);

	if (role < 0)
		stet_log(call, STET_ERROR, "no enabled module declares the permission \"%s\"",
		    permission);
	return role >= 0 && call->has_principal && call->principal.role >= role;
}

bool
stet_role_may(struct stet_call *call, int role, const char *permission)
{
	int needed = generation_role(call->gen, permission);

	return needed >= 0 && role >= needed;
}

/* The name of the highest role whose number is not above this one. */
static const char *
role_name(int role)
{
	static const struct {
		int role;
		const char *name;
	} names[] = { { 50, "Administrator" }, { 40, "Editor" }, { 30, "Author" },
		{ 20, "Contributor" }, { 10, "Subscriber" } };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (role >= names[i].role)
			return names[i].name;
	return "nobody";
}

enum stet_status
principal_refuse(struct stet_call *call, int role, const char *what)
{
	int has = call->has_principal ? call->principal.role : 0;

	if (role < 0)
		return stet_fail(call, STET_FORBIDDEN, NULL,
		    "Insufficient permissions: what decides on this is not enabled");
	return stet_fail(call, STET_FORBIDDEN, NULL,
	    "Insufficient permissions: needs the role %s%s; you are %s", role_name(role), what,
	    role_name(has));
}

enum stet_status
stet_require(struct stet_call *call, const char *permission)
{
	if (stet_may(call, permission))
		return STET_OK;
	return principal_refuse(call, generation_role(call->gen, permission), "");
}

enum stet_status
stet_require_owned(struct stet_call *call, const char *own, const char *any, const char *owner)
{
	bool mine = call->has_principal && owner != NULL && *owner != '\0' &&
		    strcmp(owner, call->principal.id) == 0;

	call->asked |= ASKED_USER;
	if (mine || stet_may(call, any))
		return mine ? stet_require(call, own) : STET_OK;
	return principal_refuse(call, generation_role(call->gen, any), " for what is not your own");
}

/* Returns true if `word` is in the space-separated list. */
static bool
listed(const char *list, const char *word, size_t len)
{
	for (const char *s = list; *s != '\0';) {
		size_t n = strcspn(s, " ");

		if (n == len && memcmp(s, word, len) == 0)
			return true;
		s += n;
		s += strspn(s, " ");
	}
	return false;
}

#define LISTED(list, literal) listed(list, literal, sizeof(literal) - 1)

bool
principal_is_limited(const struct stet_call *call)
{
	return call->has_principal && call->principal.scopes != NULL &&
	       strstr(call->principal.scopes, STET_SCOPE_COLLECTION) != NULL;
}

bool
stet_covers(struct stet_call *call, const char *name)
{
	const char *word;

	call->asked |= ASKED_USER;
	if (!principal_is_limited(call))
		return true;
	word = stet_printf(call, STET_SCOPE_COLLECTION "%s", name);
	return listed(call->principal.scopes, word, strlen(word));
}

bool
stet_scope_allows(const char *scopes, const char *scope)
{
	if (scopes == NULL || listed(scopes, scope, strlen(scope)))
		return true;
	if (strncmp(scope, "mcp:tools", 9) == 0) /* the scope admin does not include it */
		return LISTED(scopes, "mcp:tools");
	return LISTED(scopes, "admin");
}

bool
principal_has_draft(struct stet_call *call)
{
	const char *scopes = call->principal.scopes;

	return scopes != NULL && LISTED(scopes, STET_SCOPE_DRAFT);
}

bool
stet_drafts_only(struct stet_call *call)
{
	call->asked |= ASKED_USER;
	return call->has_principal && principal_has_draft(call) &&
	       !principal_has_scope(call, STET_SCOPE_WRITE);
}

enum stet_status
stet_refuse_public(struct stet_call *call)
{
	return stet_fail(call, STET_PUBLISH_NEEDS_APPROVAL, NULL,
	    "This changes what the public sees, or will see, which a token with the scope " STET_SCOPE_DRAFT
	    " may not: somebody who may publish has to do it");
}

bool
principal_has_scope(struct stet_call *call, const char *scope)
{
	const char *scopes = call->principal.scopes;

	if (stet_scope_allows(scopes, scope))
		return true;
	/* What one scope opens beside its own is not of a collection. */
	for (size_t i = 0;
	     call->gen != NULL && i < call->gen->scope_count && !principal_is_limited(call); i++)
		if (strcmp(call->gen->scope[i].name, scope) == 0 &&
		    stet_scope_allows(scopes, call->gen->scope[i].opened_by))
			return true;
	return false;
}
