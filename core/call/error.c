/*
 * error.c - the error of a call: recorded where it is found, later rendered as status, text and
 * JSON.
 */
#include "call/error.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/words.h"
#include "call/call.h"
#include "call/memory.h"
#include "call/site.h"
#include "call/status.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum stet_status
stet_fail(struct stet_call *call, enum stet_status status, const char *field, const char *fmt, ...)
{
	va_list ap;

	stet_assert(status != STET_OK);
	va_start(ap, fmt);
	call->error.text = memory_vprintf(call, fmt, ap);
	va_end(ap);
	call->error.status = status;
	call->error.field = stet_strdup(call, field);
	return status;
}

void
stet_detail(struct stet_call *call, const char *key, const char *value)
{
	struct call_pair *p = stet_alloc(call, sizeof(*p));

	*p = (struct call_pair){ call->error.details, stet_strdup(call, key),
		stet_strdup(call, value), false };
	call->error.details = p;
}

void
stet_detail_json(struct stet_call *call, const char *key, const json_t *value)
{
	struct stet_json *text = stet_json_new(call);

	stet_put_json(text, NULL, value);
	stet_detail(call, key, stet_json_text(text, NULL));
	call->error.details->json = true;
}

/* Limit of one path or message. Both may repeat what the client sent; without a limit a body with
 * many bad values could make a response many times its size. */
#define ISSUE_TEXT_MAX 1000 /* bytes */

/* Returns the text or, if it is too long, its beginning, cut at a character boundary. */
static const char *
clip(struct stet_call *call, const char *text)
{
	size_t len = stet_utf8_cut(text, ISSUE_TEXT_MAX);

	return text[len] == '\0' ? stet_strdup(call, text)
				 : stet_printf(call, "%.*s...", (int)len, text);
}

static void
issue_add(struct stet_call *call, const char *path, const char *message)
{
	struct call_issue *issue = stet_alloc(call, sizeof(*issue));

	*issue = (struct call_issue){ NULL, path, message };
	if (call->error.issues == NULL)
		call->error.issues_tail = &call->error.issues;
	*call->error.issues_tail = issue;
	call->error.issues_tail = &issue->next;
}

void
stet_issue(struct stet_call *call, const char *path, const char *fmt, ...)
{
	char *message;
	va_list ap;

	if (call->error.issue_count++ > ISSUES_MAX)
		return;
	if (call->error.issue_count == ISSUES_MAX + 1) {
		issue_add(call, "", "has more problems than are listed here");
		return;
	}
	va_start(ap, fmt);
	message = words_vformat(fmt, ap);
	va_end(ap);
	issue_add(call, clip(call, path), clip(call, message));
	free(message);
}

enum stet_status
stet_issues(struct stet_call *call)
{
	if (call->error.issues == NULL)
		return STET_OK;
	call->error.status = STET_VALIDATION_ERROR;
	call->error.text = NULL;
	return STET_VALIDATION_ERROR;
}

void
stet_error_within(struct stet_call *call, const char *what, const char *path)
{
	const char *text = call->error.text;

	if (text == NULL)
		text = stet_status_text(call->error.status);
	call->error.text = stet_printf(call, "%s: %s", what, text);
	for (struct call_issue *i = call->error.issues; i != NULL; i = i->next)
		i->path = stet_printf(call, "%s%s%s", path, *i->path != '\0' ? "." : "", i->path);
	if (call->error.field != NULL)
		call->error.field = stet_printf(call, "%s.%s", path, call->error.field);
}

enum stet_status
stet_fault(struct stet_call *call, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	stet_log(call, STET_ERROR, "%s", memory_vprintf(call, fmt, ap));
	va_end(ap);
	call->error.status = STET_FAULT;
	call->error.text = NULL;
	return STET_FAULT;
}

enum stet_status
error_outcome(const struct stet_call *call)
{
	enum stet_status s = call->error.status;

	if (s != STET_FAULT && s != STET_DECLINED)
		return s;
	if (call->op != NULL && call->op->row.error != STET_OK)
		return call->op->row.error;
	return STET_INTERNAL_ERROR;
}

enum stet_status
error_judge(struct stet_call *call, enum stet_status status, const struct loaded *module, bool hook,
    const char *name)
{
	static struct log_gate gates[MODULES_MAX][2][2];
	bool known = status_is_known(status);
	struct log_gate *gate = &gates[module->index][hook][known];
	const char *what = hook ? "hook" : "operation";

	if (known && status != STET_FAULT && status != STET_DECLINED)
		return status;
	if (!known)
		log_seldom(gate, STET_ERROR, "%s [%s] %s %s of module %s returned %s",
		    site_name(call->site), call->id, what, name, module->m.name,
		    status_said(call, status));
	else if (call->error.status != status)
		log_seldom(gate, STET_ERROR,
		    "%s [%s] %s %s of module %s returned STET_%s without a word of why",
		    site_name(call->site), call->id, what, name, module->m.name,
		    stet_status_name(status));
	return known ? status : STET_FAULT;
}

static const char *
text_or_default(const struct stet_call *call, enum stet_status status)
{
	return call->error.text != NULL ? call->error.text : stet_status_text(status);
}

static void
put_issues(struct stet_json *j, const struct stet_call *call)
{
	stet_array(j, "issues");
	for (const struct call_issue *i = call->error.issues; i != NULL; i = i->next) {
		stet_object(j, NULL);
		stet_put_str(j, "path", i->path);
		stet_put_str(j, "message", i->message);
		stet_close(j);
	}
	stet_close(j);
}

enum stet_status
stet_error_status(struct stet_call *call)
{
	return error_outcome(call);
}

void
stet_put_error(struct stet_call *call, struct stet_json *j)
{
	enum stet_status status = error_outcome(call);
	const char *text = text_or_default(call, status);

	/* A single error with a field is listed like collected issues. */
	if (status == STET_VALIDATION_ERROR && call->error.issues == NULL &&
	    call->error.field != NULL)
		stet_issue(call, call->error.field, "%s", text);
	stet_put_str(j, "code", stet_status_name(status));
	stet_put_str(j, "message", text);
	if (call->error.issues == NULL && call->error.details == NULL && call->error.field == NULL)
		return;
	stet_object(j, "details");
	if (call->error.issues != NULL)
		put_issues(j, call);
	else if (call->error.field != NULL)
		stet_put_str(j, "field", call->error.field);
	for (const struct call_pair *p = call->error.details; p != NULL; p = p->next)
		if (p->json)
			stet_put_raw(j, p->name, p->value, strlen(p->value));
		else
			stet_put_str(j, p->name, p->value);
	stet_close(j);
}

json_t *
stet_error_json(struct stet_call *call)
{
	struct stet_json *text = stet_json_new(call);
	const char *bytes, *why;
	size_t len;

	stet_object(text, NULL);
	stet_put_error(call, text);
	stet_close(text);
	bytes = stet_json_text(text, &len);
	return stet_json_parse(call, bytes, len, &why);
}

void
error_add(struct buf *out, const struct stet_call *call)
{
	enum stet_status status = error_outcome(call);
	const struct call_issue *issue = call->error.issues;

	buf_str(out, stet_status_name(status));
	buf_str(out, ": ");
	if (issue == NULL) {
		const char *text = text_or_default(call, status);

		/* Such a text is a predicate ("is required"): the field is its subject. */
		if (status == STET_VALIDATION_ERROR && call->error.field != NULL &&
		    islower((unsigned char)*text)) {
			buf_str(out, call->error.field);
			buf_str(out, ": ");
		}
		buf_str(out, text);
	}
	for (; issue != NULL; issue = issue->next) {
		buf_str(out, issue->path);
		buf_str(out, *issue->path != '\0' ? ": " : "");
		buf_str(out, issue->message);
		buf_str(out, issue->next != NULL ? "; " : "");
	}
}

char *
stet_error_text(struct stet_call *call)
{
	struct buf out = { 0 };
	char *text;

	if (call->error.status == STET_OK)
		return stet_strdup(call, "");
	error_add(&out, call);
	text = stet_strndup(call, out.data, out.len);
	buf_free(&out);
	return text;
}

void
stet_error_clear(struct stet_call *call)
{
	memset(&call->error, 0, sizeof(call->error));
}
