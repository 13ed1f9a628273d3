/* args.c - reads the arguments of an op from path, query, headers and body. */
#include "op/args.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/utf8.h"
#include "call/call.h"
#include "call/json.h"
#include "call/shape.h"
#include "http/http1.h"
#include "http/percent.h"
#include "module/oprow.h"
#include "op/idempotency.h"
#include "op/part.h"
#include "op/tagroute.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- values ---- */

/* Stores a JSON value that has passed shape_check as an argument. Its text is borrowed from
 * `value`, which the call owns. */
static void
set_json(
    struct stet_call *call, const struct stet_member *m, struct call_arg *a, const json_t *value)
{
	int64_t ms;

	if (json_is_null(value) && m->type != STET_ANY) {
		a->state = ARG_NULL;
		return;
	}
	a->state = ARG_SET;
	a->j = (json_t *)(uintptr_t)value;
	switch (m->type) {
	case STET_STRING:
		a->s = json_string_value(value);
		return;
	case STET_TIME:
		a->s =
		    stet_time_parse(json_string_value(value), &ms) ? stet_time_text(call, ms) : "";
		return;
	case STET_INTEGER:
		a->i = json_is_real(value) ? (int64_t)json_real_value(value)
					   : json_integer_value(value);
		a->r = (double)a->i;
		return;
	case STET_NUMBER:
		a->r = json_number_value(value);
		return;
	case STET_BOOLEAN:
		a->i = json_is_boolean(value) ? json_is_true(value) : json_integer_value(value);
		return;
	default:
		return;
	}
}

static struct call_arg *
slot(struct stet_call *call, const struct stet_member *m)
{
	return &call->args[m - call->op->row.in];
}

/* Returns an object as a JSON string of its text. */
static const json_t *
as_text(struct stet_call *call, const json_t *object)
{
	char *text = json_text(object);
	json_t *string = stet_json_own(call, json_string(text));

	free(text);
	return string;
}

static void
take_json(struct stet_call *call, const struct stet_member *m, const json_t *value)
{
	unsigned before;

	if ((m->flags & STET_IGNORED) != 0)
		return;
	if ((m->flags & STET_JSON_TEXT) != 0 && json_is_object(value))
		value = as_text(call, value);
	before = call->error.issue_count;
	shape_check(call, m, m->name, value);
	if (call->error.issue_count == before)
		set_json(call, m, slot(call, m), value);
	else
		slot(call, m)->state = ARG_NULL; /* present, with an issue */
}

/* Converts the text of a query parameter, path segment or header to a JSON value of the member's
 * type. Returns NULL if that fails. */
static json_t *
from_text(enum stet_type type, const char *text)
{
	const char *why;
	size_t position;
	json_t *value;

	switch (type) {
	case STET_STRING:
	case STET_TIME:
		return json_string(text);
	case STET_BOOLEAN:
		if (strcmp(text, "true") == 0 || strcmp(text, "1") == 0)
			return json_true();
		return strcmp(text, "false") == 0 || strcmp(text, "0") == 0 ? json_false() : NULL;
	case STET_INTEGER:
	case STET_NUMBER:
		if (strspn(text, "+-0123456789.eE") != strlen(text))
			return NULL;
		/* FALLTHROUGH */
	default:
		value = json_parse(text, strlen(text), &why, &position);
		return value;
	}
}

static json_t *
list_from_text(struct stet_call *call, enum stet_type item, const char *text)
{
	json_t *list = json_array(), *value;

	for (; *text != '\0'; text += *text == ',') {
		size_t len = strcspn(text, ",");

		if ((value = from_text(item, stet_strndup(call, text, len))) == NULL) {
			json_decref(list);
			return NULL;
		}
		json_array_append_new(list, value);
		text += len;
	}
	return list;
}

static void
take_text(struct stet_call *call, const struct stet_member *m, const char *text)
{
	json_t *value;

	if (m->type == STET_STRING && m->choices == NULL && m->pattern == NULL && m->min == 0 &&
	    m->max == 0) { /* nothing to check; the decoder has checked UTF-8 */
		*slot(call, m) = (struct call_arg){ .state = ARG_SET, .s = text };
		return;
	}
	value = m->type == STET_ARRAY && m->of == NULL ? list_from_text(call, m->item, text)
						       : from_text(m->type, text);
	if (value == NULL) {
		slot(call, m)->state = ARG_NULL;
		stet_issue(call, m->name, "is not %s",
		    m->type == STET_BOOLEAN   ? "true or false"
		    : m->type == STET_INTEGER ? "an integer"
		    : m->type == STET_NUMBER  ? "a number"
					      : "a value of its type");
		return;
	}
	take_json(call, m, stet_json_own(call, value));
}

/* ---- percent-encoding ---- */

/* The decoded text in the call's arena, or NULL if it cannot be decoded. */
static char *
decode(struct stet_call *call, const char *s, size_t len, bool plus)
{
	char *out = arena_strndup(&call->arena, s, len);

	return percent_decode(out, len, plus) ? out : NULL;
}

/* ---- the request ---- */

static bool
in_path(const struct stet_call *call, const struct stet_member *m)
{
	for (size_t i = 0; i < op_part(call)->match.param_count; i++)
		if (strcmp(op_part(call)->match.param[i].name, m->name) == 0)
			return true;
	return false;
}

/* Returns true if members that are not in the path come from the query. */
static bool
by_query(const struct stet_call *call)
{
	enum http_method method = call->op->method;

	return method == HTTP_GET || method == HTTP_DELETE;
}

static bool
from_query(const struct stet_call *call, const struct stet_member *m)
{
	return !in_path(call, m) && (by_query(call) || (m->flags & STET_QUERY) != 0);
}

static enum stet_status
take_path(struct stet_call *call)
{
	for (size_t i = 0; i < op_part(call)->match.param_count; i++) {
		const struct router_param *p = &op_part(call)->match.param[i];
		const struct stet_member *m =
		    oprow_member(call->op->row.in, p->name, strlen(p->name));
		char *text = decode(call, p->value, p->len, false);

		stet_assert(m != NULL);
		if (text == NULL)
			return stet_fail(call, STET_NOT_FOUND, NULL, "Not found");
		take_text(call, m, text);
	}
	return STET_OK;
}

/* The names of the query's parameters, separated by ", "; "" if there are none. */
static const char *
known_parameters(struct stet_call *call)
{
	const char *names = "";

	for (const struct stet_member *m = call->op->row.in; m != NULL && m->name != NULL; m++)
		if (from_query(call, m) && (m->flags & STET_IGNORED) == 0)
			names =
			    stet_printf(call, "%s%s%s", names, *names != '\0' ? ", " : "", m->name);
	return names;
}

/* Only the first issue of a request lists the known parameters, so that the answer stays short. */
static void
refuse_parameter(struct stet_call *call, const char *name, bool *told)
{
	const char *known = *told ? NULL : known_parameters(call);

	*told = true;
	if (known == NULL)
		stet_issue(call, name, "is no parameter of this request");
	else if (*known == '\0')
		stet_issue(call, name, "is no parameter of this request, which knows none");
	else
		stet_issue(call, name, "is no parameter of this request, which knows: %s", known);
}

/* Returns true if the call runs a GET only for its entity tag. The query belongs to the op of the
 * request, so its unknown parameters are ignored. */
static bool
for_another_op(const struct stet_call *call)
{
	return op_part(call)->precondition != NULL && call->op == op_part(call)->precondition->op;
}

static void
take_parameter(struct stet_call *call, const char *name, const char *value, bool *told)
{
	const struct stet_member *m = oprow_member(call->op->row.in, name, strlen(name));

	if (oprow_ignores(call->op, name))
		return;
	if (m != NULL && from_query(call, m))
		take_text(call, m, value); /* if a parameter is repeated, the last one counts */
	else if (!for_another_op(call))
		refuse_parameter(call, name, told);
}

/* Reads the query. Unknown parameters that begin with "_" or "utm_" are ignored, since caches and
 * trackers add them. Any other is refused, because ignoring it would change the meaning of the
 * request. */
static enum stet_status
take_query(struct stet_call *call)
{
	const char *s = call->head->query;
	bool told = false;

	while (s != NULL && *s != '\0') {
		size_t len = strcspn(s, "&"), name_len = strcspn(s, "=&");
		char *name = decode(call, s, name_len, true), *value;
		size_t skip = name_len < len ? name_len + 1 : name_len;

		value = decode(call, s + skip, len - skip, true);
		if (name == NULL || value == NULL)
			return stet_fail(
			    call, STET_VALIDATION_ERROR, "", "The query is not properly encoded");
		if (len > 0)
			take_parameter(call, name, value, &told);
		s += len;
		s += *s == '&';
	}
	return STET_OK;
}

/* Returns true if If-Match, which fills this member, is checked before the handler runs. */
static bool
by_precondition(const struct stet_call *call, const struct stet_member *m)
{
	return op_part(call)->precondition != NULL && !call->nested &&
	       (m->flags & STET_HEADER) != 0 && strcmp(m->name, "_rev") == 0;
}

static void
take_headers(struct stet_call *call)
{
	for (const struct stet_member *m = call->op->row.in; m != NULL && m->name != NULL; m++) {
		const char *text;
		size_t len;

		if ((m->flags & STET_HEADER) == 0 || slot(call, m)->state != ARG_ABSENT)
			continue;
		if (by_precondition(call, m))
			continue;
		text =
		    http1_header(call->head, strcmp(m->name, "_rev") == 0 ? "if-match" : m->name);
		if (text == NULL || strcmp(text, "*") == 0)
			continue;
		text += strncmp(text, "W/", 2) == 0 ? 2 : 0;
		len = strlen(text);
		if (len >= 2 && text[0] == '"' && text[len - 1] == '"')
			text = stet_strndup(call, text + 1, len - 2);
		take_text(call, m, text);
	}
}

static bool
has_body_members(const struct stet_call *call)
{
	for (const struct stet_member *m = call->op->row.in; m != NULL && m->name != NULL; m++)
		if (!in_path(call, m) && !from_query(call, m))
			return true;
	return false;
}

static void
take_object(struct stet_call *call, const json_t *object, bool whole)
{
	json_t *mutable = (json_t *)(uintptr_t)object, *value;
	const char *key;

	json_object_foreach(mutable, key, value)
	{
		const struct stet_member *m = oprow_member(call->op->row.in, key, strlen(key));

		if (m == NULL || (!whole && (in_path(call, m) || from_query(call, m))))
			stet_issue(call, key, "unknown member");
		else
			take_json(call, m, value);
	}
}

/* The bytes of a body need not end with NUL. */
static bool
is_blank(const char *body, size_t len)
{
	while (len > 0 && strchr(" \t\r\n", *body) != NULL && *body != '\0') {
		body++;
		len--;
	}
	return len == 0;
}

static enum stet_status
take_body(struct stet_call *call, const char *body, size_t len)
{
	const char *why = NULL;
	size_t position = 0;
	json_t *value;

	if ((call->op->row.flags & STET_RAW) != 0 && len > 0) {
		call->body = stet_strndup(call, body, len);
		call->body_len = len;
	}
	/* The parts of a form are in files; a body in memory is JSON (STET_OR_JSON). */
	if (by_query(call) || (call->op->row.flags & (STET_RAW | STET_SPOOL)) != 0 ||
	    ((call->op->row.flags & STET_MULTIPART) != 0 && len == 0))
		return STET_OK;
	if (is_blank(body, len)) {
		if ((call->op->row.flags & STET_BODY_OPTIONAL) != 0 || !has_body_members(call))
			return STET_OK;
		return stet_fail(
		    call, STET_INVALID_JSON, NULL, "Request body must be valid JSON: it is empty");
	}
	if ((value = json_parse(body, len, &why, &position)) == NULL) {
		/* Valid JSON except for U+0000 in a string: report the value, not the whole
		 * body. */
		value = stet_json_own(call, json_parse_nul(body, len, &why, &position));
		if (value == NULL)
			return stet_fail(call, STET_INVALID_JSON, NULL,
			    "Request body must be valid JSON: %s (byte %zu)", why, position);
		stet_json_check_nul(call, "", value);
		return stet_issues(call);
	}
	stet_json_own(call, value);
	if (!json_is_object(value))
		return stet_fail(call, STET_VALIDATION_ERROR, "", "The body must be a JSON object");
	take_object(call, value, false);
	return STET_OK;
}

/* Fills in defaults of absent members and reports required ones that are absent. */
static enum stet_status
complete(struct stet_call *call)
{
	for (const struct stet_member *m = call->op->row.in; m != NULL && m->name != NULL; m++) {
		const char *why;
		size_t position;

		if (slot(call, m)->state != ARG_ABSENT)
			continue;
		if (m->fallback != NULL)
			set_json(call, m, slot(call, m),
			    stet_json_own(call,
				json_parse(m->fallback, strlen(m->fallback), &why, &position)));
		else if ((m->flags & STET_REQUIRED) != 0 && !by_precondition(call, m))
			shape_missing(call, m, m->name);
	}
	return stet_issues(call);
}

static void
begin(struct stet_call *call)
{
	call->args = stet_alloc(call, sizeof(*call->args) * (size_t)(call->op->in_count + 1));
}

enum stet_status
args_http(struct stet_call *call, const char *body, size_t len)
{
	begin(call);
	tagroute_find(call);
	STET_TRY(take_path(call));
	STET_TRY(take_query(call));
	STET_TRY(take_body(call, body, len));
	take_headers(call);
	STET_TRY(complete(call));
	return idempotency_begin(call, body, len);
}

enum stet_status
args_read(struct stet_call *call)
{
	begin(call);
	STET_TRY(take_path(call));
	STET_TRY(take_query(call));
	return complete(call);
}

enum stet_status
args_json(struct stet_call *call, const json_t *args)
{
	begin(call);
	if (args != NULL && !json_is_object(args))
		return stet_fail(
		    call, STET_VALIDATION_ERROR, "", "The arguments must be a JSON object");
	if (args != NULL && !stet_json_check_nul(call, "", args))
		return stet_issues(call);
	if (args != NULL)
		take_object(call, args, true);
	return complete(call);
}
