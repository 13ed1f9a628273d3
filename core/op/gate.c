/* gate.c - checks who may call an op: credentials, rate limits, scope, permission. */
#include "op/gate.h"
#include "base/clock.h"
#include "call/call.h"
#include "call/error.h"
#include "call/principal.h"
#include "call/site.h"
#include "db/dbstate.h"
#include "db/rows.h"
#include "http/http1.h"
#include "op/csrf.h"
#include "op/limit.h"
#include "op/open.h"
#include "op/part.h"
#include <string.h>

#define RECENT (INT64_C(10) * 60 * 1000) /* milliseconds */

/* Returns true if it is unknown whether the op is public, for example without a database. That must
 * not count as a refusal. */
static bool
open_failed(const struct stet_call *call, enum stet_status before)
{
	return !op_part(call)->opened && call->error.status != before &&
	       stet_status_http(error_outcome(call)) >= 500;
}

enum stet_status
gate_known(struct stet_call *call, const struct op *op)
{
	const enum stet_status before = call->error.status;

	op_part(call)->opened = !call->has_principal && open_asks(call, op);
	if (open_failed(call, before))
		return call->error.status;
	if (call->has_principal || op_part(call)->opened ||
	    (op->row.flags & (STET_PUBLIC | STET_ANONYMOUS)) != 0)
		return STET_OK;
	return stet_fail(call, STET_UNAUTHORIZED, NULL, "Authentication required");
}

/* Requires a recent sign-in for ops with STET_RECENT. */
static enum stet_status
check_recent(struct stet_call *call, const struct op *op)
{
	const struct stet_principal *p = &call->principal;

	if ((op->row.flags & STET_RECENT) == 0 || p->via != STET_VIA_SESSION ||
	    clock_now() - p->signed_in_at <= RECENT)
		return STET_OK;
	return stet_fail(call, STET_REAUTH_REQUIRED, NULL,
	    "Sign in again to do this: it is more than ten minutes ago that you did");
}

/* Returns true if a token with the scope content:draft opens the op, too. */
static bool
is_draft(struct stet_call *call, const struct stet_op *row)
{
	return (row->more & STET_MORE_DRAFTS) != 0 && principal_has_draft(call);
}

/* ---- tokens for some collections ---- */

#define CONTENT "content:"

static bool
names_collection(const struct stet_op *row)
{
	for (const struct stet_member *m = row->in; m != NULL && m->name != NULL; m++)
		if (strcmp(m->name, STET_ARG_COLLECTION) == 0)
			return m->type == STET_STRING;
	return false;
}

/* Returns true if the op is about content, but not about one collection. */
static bool
is_beyond(const struct stet_op *row)
{
	return row->scope != NULL && strncmp(row->scope, CONTENT, sizeof(CONTENT) - 1) == 0 &&
	       (row->more & STET_MORE_COLLECTIONS) == 0 && !names_collection(row);
}

static enum stet_status
refuse_beyond(struct stet_call *call, const struct op *op)
{
	return stet_fail(call, STET_INSUFFICIENT_SCOPE, NULL,
	    "The token is limited to what its scopes name, and %s reaches more", op->name);
}

enum stet_status
gate_collection(struct stet_call *call)
{
	const struct stet_op *row = &call->op->row;
	const char *named;

	if (!principal_is_limited(call) || (row->flags & STET_ANY_SCOPE) != 0)
		return STET_OK;
	named = names_collection(row) ? stet_arg(call, STET_ARG_COLLECTION) : NULL;
	if (named != NULL ? stet_covers(call, named) : !is_beyond(row) && !names_collection(row))
		return STET_OK;
	if ((row->flags & STET_PUBLIC) != 0 && !call->nested) {
		call->has_principal = false; /* credentials must not reduce access */
		return STET_OK;
	}
	if (named == NULL)
		return refuse_beyond(call, call->op);
	return stet_fail(call, STET_INSUFFICIENT_SCOPE, NULL,
	    "The token is limited to what its scopes name, and \"%.64s\" is not among it", named);
}

static enum stet_status
check_scope(struct stet_call *call, const struct op *op, const char *scope)
{
	if ((op->row.flags & STET_ANY_SCOPE) != 0)
		return STET_OK;
	if (principal_has_scope(call, scope) || is_draft(call, &op->row))
		return principal_is_limited(call) && is_beyond(&op->row) ? refuse_beyond(call, op)
									 : STET_OK;
	if (principal_has_draft(call) && op->row.lane != STET_READ && strcmp(scope, "admin") != 0)
		return stet_refuse_public(call);
	return stet_fail(
	    call, STET_INSUFFICIENT_SCOPE, NULL, "Token lacks required scope: %s", scope);
}

/* Anonymous callers pass ops with STET_ANONYMOUS; the handler then checks further, for example a
 * signed link. */
enum stet_status
gate_rights(struct stet_call *call, const struct op *op, const char *scope)
{
	if ((op->row.flags & STET_PUBLIC) != 0 || op_part(call)->opened ||
	    (!call->has_principal && (op->row.flags & STET_ANONYMOUS) != 0))
		return STET_OK;
	if (scope == NULL)
		scope = "admin";
	STET_TRY(check_scope(call, op, scope));
	if (call->principal.role < op->role)
		return principal_refuse(call, op->role, "");
	return check_recent(call, op);
}

bool
stet_op_open(struct stet_call *call, const struct stet_op_info *info, const char *scope)
{
	uint32_t flags = info->op->flags;

	if ((flags & STET_PUBLIC) != 0)
		return true;
	if (!call->has_principal)
		return (flags & STET_ANONYMOUS) != 0;
	if (scope == NULL)
		scope = info->op->scope != NULL ? info->op->scope : "admin";
	if (principal_is_limited(call) && (flags & STET_ANY_SCOPE) == 0 && is_beyond(info->op))
		return false;
	return call->principal.role >= info->role &&
	       ((flags & STET_ANY_SCOPE) != 0 || principal_has_scope(call, scope) ||
		   is_draft(call, info->op));
}

static bool
body_follows(const struct stet_call *call)
{
	return call->head != NULL && (call->head->chunked || call->head->length > 0);
}

bool
gate_reads_on(const struct stet_call *call)
{
	return call->op->row.lane == STET_READ && !body_follows(call);
}

static bool
is_for_all(const struct op *op)
{
	return (op->row.flags & STET_FOR_ALL) != 0;
}

/* Returns true for a public read by a token that is nobody's: it reads what the site could open to
 * everybody, also where it does not. */
static bool
is_delivered(const struct stet_call *call)
{
	return call->op->row.open != NULL && call->principal.via == STET_VIA_TOKEN &&
	       call->principal.id != NULL && *call->principal.id == '\0';
}

enum stet_status
gate_allowed(struct stet_call *call)
{
	enum stet_status status = gate_rights(call, call->op, call->op->row.scope);
	const __typeof__(call->error) refusal = call->error;

	if (status != STET_INSUFFICIENT_SCOPE && status != STET_FORBIDDEN)
		return status;
	if (!open_asks(call, call->op)) {
		if (open_failed(call, status))
			return call->error.status;
		if (!is_delivered(call)) {
			call->error = refusal; /* open_asks may have replaced it */
			return status;
		}
		op_part(call)->delivered = true;
	}
	memset(&call->error, 0, sizeof(call->error));
	call->has_principal = false;
	op_part(call)->opened = true;
	return STET_OK;
}

enum stet_status
gate_admit(struct stet_call *call)
{
	enum stet_status status = STET_OK;

	op_part(call)->admitted_at = dbstate_commits(call);
	if (!call->has_principal && call->head != NULL && !is_for_all(call->op))
		status = stet_run_request_authenticate(call);
	if (status == STET_UNAUTHORIZED && limit_failure(call) != STET_OK) {
		status = call->error.status;
	} else if (status == STET_DECLINED || status == STET_OK) {
		memset(&call->error, 0, sizeof(call->error));
		status = limit_request(call);
		if (status == STET_OK)
			status = gate_known(call, call->op);
		if (status == STET_OK)
			status = csrf_check(call, call->op);
		if (status == STET_OK)
			status = gate_allowed(call);
	} else if (call->error.status == STET_OK)
		call->error.status = status;
	/* A read without a body continues in the transaction that authentication has begun. */
	if (status != STET_OK || !gate_reads_on(call))
		rows_end_call(call);
	return status;
}
