/*
 * ask.c - the SDK functions with which a handler reads its call (arguments, request, time, site)
 * and describes its reply.
 */
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/adopt.h"
#include "call/call.h"
#include "call/held.h"
#include "call/owner.h"
#include "http/condition.h"
#include "http/http1.h"
#include "http/origin.h"
#include <config.h>
#include <stet/driver.h>
#include <string.h>
#include <strings.h>

/* Returns the index of the member with that name. The pointers are compared first, since a
 * handler often passes the same string literal as the table of its op. */
static int
member(const struct stet_member *in, const char *name)
{
	for (int i = 0; in != NULL && in[i].name != NULL; i++)
		if (in[i].name == name)
			return i;
	for (int i = 0; in != NULL && in[i].name != NULL; i++)
		if (strcmp(in[i].name, name) == 0)
			return i;
	return -1;
}

static const struct call_arg *
argument(struct stet_call *call, const char *name)
{
	int i = member(call->op != NULL ? call->op->row.in : NULL, name);

	if (i >= 0)
		return call->args != NULL ? &call->args[i] : NULL;
	log_line(STET_ERROR, "op %s has no member \"%s\"", call->op != NULL ? call->op->name : "-",
	    name);
	stet_assert(!"an argument that the op does not declare");
	return NULL;
}

bool
stet_has(struct stet_call *call, const char *name)
{
	const struct call_arg *a = argument(call, name);

	return a != NULL && a->state != ARG_ABSENT;
}

const char *
stet_arg(struct stet_call *call, const char *name)
{
	const struct call_arg *a = argument(call, name);

	return a != NULL && a->state == ARG_SET ? a->s : NULL;
}

bool
stet_arg_null(struct stet_call *call, const char *name)
{
	const struct call_arg *a = argument(call, name);

	return a != NULL && a->state == ARG_NULL;
}

int64_t
stet_arg_int(struct stet_call *call, const char *name)
{
	const struct call_arg *a = argument(call, name);

	return a != NULL && a->state == ARG_SET ? a->i : 0;
}

double
stet_arg_real(struct stet_call *call, const char *name)
{
	const struct call_arg *a = argument(call, name);

	return a != NULL && a->state == ARG_SET ? a->r : 0;
}

bool
stet_arg_bool(struct stet_call *call, const char *name)
{
	return stet_arg_int(call, name) != 0;
}

const json_t *
stet_arg_json(struct stet_call *call, const char *name)
{
	const struct call_arg *a = argument(call, name);

	return a != NULL && a->state == ARG_SET ? a->j : NULL;
}

const char *
stet_request_header(struct stet_call *call, const char *name)
{
	call->asked |= ASKED_ELSE;
	return call->head != NULL ? http1_header(call->head, name) : NULL;
}

const char *
stet_request_cookie(struct stet_call *call, const char *name)
{
	const char *at = stet_request_header(call, "cookie"), *found = NULL;
	size_t name_len = strlen(name), found_len = 0;

	for (size_t len; at != NULL && *at != '\0'; at += len + strspn(at + len, "; \t")) {
		len = strcspn(at, ";");
		if (len <= name_len || strncmp(at, name, name_len) != 0 || at[name_len] != '=')
			continue;
		if (found != NULL)
			return NULL;
		found = at + name_len + 1;
		found_len = len - name_len - 1;
	}
	return found != NULL ? stet_strndup(call, found, found_len) : NULL;
}

const char *
stet_request_method(struct stet_call *call)
{
	call->asked |= ASKED_ELSE;
	return call->head != NULL ? http1_method_name[call->head->method] : NULL;
}

const char *
stet_request_bearer(struct stet_call *call)
{
	const char *header = stet_request_header(call, "authorization");

	if (header == NULL || strncasecmp(header, "bearer", 6) != 0)
		return NULL;
	header += 6;
	if (*header != ' ' && *header != '\0')
		return NULL;
	return header + strspn(header, " ");
}

const char *
stet_request_query(struct stet_call *call)
{
	call->asked |= ASKED_ELSE;
	return call->head != NULL && call->head->query != NULL ? call->head->query : "";
}

const char *
stet_body(struct stet_call *call, size_t *len)
{
	*len = call->body_len;
	return call->body;
}

size_t
stet_parts(struct stet_call *call, const struct stet_part *const **out)
{
	const struct stet_part **part = stet_alloc(call, (call->part_count + 1) * sizeof(*part));

	for (size_t i = 0; i < call->part_count; i++)
		part[i] = &call->parts[i];
	*out = part;
	return call->part_count;
}

const char *
stet_call_id(struct stet_call *call)
{
	call->asked |= ASKED_ELSE;
	return call->id;
}

const char *
stet_op_name(struct stet_call *call)
{
	return call->op != NULL ? call->op->name : NULL;
}

void
stet_etag(struct stet_call *call, const char *tag)
{
	call->reply.etag = tag != NULL && condition_good_tag(tag) ? stet_strdup(call, tag) : NULL;
}

/* Returns true for headers that only the server may set: a second one could make a proxy and a
 * client see different ends of the reply. */
static bool
is_framing(const char *name)
{
	static const char *const names[] = { "Connection", "Content-Length", "Content-Type",
		"Keep-Alive", "Transfer-Encoding" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcasecmp(name, names[i]) == 0)
			return true;
	return false;
}

void
stet_header(struct stet_call *call, const char *name, const char *value)
{
	static struct log_gate gate;
	struct call_pair *p;

	stet_assert(strpbrk(name, ": \t\r\n") == NULL && strpbrk(value, "\r\n") == NULL);
	if (is_framing(name)) {
		log_seldom(&gate, STET_WARN,
		    "%s [%s] module %s sets the header %s, which is the core's: it is not sent",
		    call->site != NULL ? site_name(call->site) : "-", call->id,
		    call->owner != NULL ? call->owner->m.name : "-", name);
		return;
	}
	p = stet_alloc(call, sizeof(*p));
	*p = (struct call_pair){ .next = call->reply.headers,
		.name = stet_strdup(call, name),
		.value = stet_strdup(call, value) };
	call->reply.headers = p;
}

void
stet_reply_type(struct stet_call *call, const char *type)
{
	stet_assert(strpbrk(type, "\r\n") == NULL);
	call->reply.type = stet_strdup(call, type);
}

void
stet_reply_status(struct stet_call *call, int http)
{
	stet_assert(http >= 200 && http < 600);
	call->reply.status = http;
}

void
stet_created(struct stet_call *call)
{
	stet_assert((call->op->row.flags & STET_CREATED_OR_FOUND) != 0);
	call->reply.created = true;
}

enum stet_status
stet_write(struct stet_call *call, const void *p, size_t len)
{
	stet_assert(call->reply.type != NULL);
	if (call->stream == NULL) {
		buf_add(&call->reply.raw, p, len);
		return held_check(call);
	}
	if (call->deadline != 0 && clock_monotonic() > call->deadline)
		return stet_fail(call, STET_REQUEST_TIMEOUT, NULL, "The reply took too long");
	if (!call->stream(call, p, len))
		return stet_fail(call, STET_REQUEST_TIMEOUT, NULL, "The client is gone");
	call->reply.streaming = true;
	return STET_OK;
}

/* Returns true if the op has set Cache-Control. */
static bool
says_cache(const struct stet_call *call)
{
	const struct call_pair *p = call->reply.headers;

	while (p != NULL && strcasecmp(p->name, "Cache-Control") != 0)
		p = p->next;
	return p != NULL;
}

enum stet_status
stet_redirect(struct stet_call *call, int http, const char *to)
{
	stet_reply_status(call, http);
	stet_reply_type(call, "text/plain");
	stet_header(call, "Location", to);
	if (!says_cache(call))
		stet_header(call, "Cache-Control", "no-store");
	return STET_OK;
}

int64_t
stet_now(struct stet_call *call)
{
	int64_t now = clock_now();

	if (call == NULL)
		return now;
	call->asked |= ASKED_ELSE;
	return now > call->floor ? now : call->floor;
}

int64_t
stet_deadline(struct stet_call *call)
{
	return call->deadline;
}

char *
stet_time_text(struct stet_call *call, int64_t ms)
{
	char *text = stet_alloc(call, CLOCK_TEXT_SIZE);

	clock_text(ms, text);
	return text;
}

void *
stet_state(struct stet_call *call)
{
	for (const struct pending *p = call->adopted.pending; p != NULL; p = p->next)
		if (p->module == call->owner)
			return p->state;
	return call->owner != NULL ? call->site->state[call->owner->index] : NULL;
}

void **
stet_call_slot(struct stet_call *call, const void *key)
{
	struct call_slot *slot;

	for (slot = call->slots; slot != NULL; slot = slot->next)
		if (slot->key == key)
			return &slot->value;
	slot = stet_alloc(call, sizeof(*slot));
	*slot = (struct call_slot){ call->slots, key, NULL };
	call->slots = slot;
	return &slot->value;
}

bool
stet_origin_allowed(struct stet_call *call, const char *origin)
{
	const char *base = stet_base_url(call);
	size_t len = strlen(origin);

	if (strncasecmp(base, origin, len) == 0 && (base[len] == '\0' || base[len] == '/'))
		return true;
	return origin_allowed(call->gen->conf->cors_origins, origin);
}

const char *const *
stet_passkey_origins(struct stet_call *call)
{
	static const char *const none[] = { NULL };
	char *const *list = call->gen->conf->passkey_origins;

	return list != NULL ? (const char *const *)list : none;
}

uint64_t
stet_media_most(struct stet_call *call)
{
	return call->gen->conf->max_media_bytes;
}

const char *
stet_version(void)
{
	return PACKAGE_VERSION;
}

const void *
stet_service(struct stet_call *call, const char *name)
{
	const struct service *service =
	    call->gen != NULL ? generation_service(call->gen, name) : NULL;

	if (service == NULL)
		return NULL;
	owner_mark_foreign(call, service->owner);
	return service->functions;
}

const char *const *
stet_locales(struct stet_call *call)
{
	/* The first migrations run before there is a generation. */
	const struct conf_site *conf = call->gen != NULL ? call->gen->conf : &call->site->conf;

	return (const char *const *)conf->locales;
}

const char *
stet_locale(struct stet_call *call, const char *text)
{
	const char *const *known = stet_locales(call);

	if (text == NULL || *text == '\0')
		return NULL;
	if (!stet_is_locale(text)) {
		stet_issue(call, "locale", "is not a locale code such as en or pt-BR");
		return NULL;
	}
	for (; *known != NULL; known++)
		if (strcasecmp(*known, text) == 0)
			return *known;
	return text;
}

const char *
stet_locale_stored(struct stet_call *call, const char *text)
{
	const char *const *known = stet_locales(call), *is = stet_locale(call, text), *all = *known;

	for (const char *const *l = known; *l != NULL; l++)
		if (is == NULL || strcmp(*l, is) == 0)
			return is == NULL ? *known : *l;
	for (const char *const *l = known + 1; *l != NULL; l++)
		all = stet_printf(call, "%s, %s", all, *l);
	stet_issue(call, "locale", "\"%s\" is no locale of this site, which has %s", is, all);
	return *known;
}

const char *
stet_base_url(struct stet_call *call)
{
	return call->gen->conf->base_url;
}

const char *
stet_client(struct stet_call *call)
{
	call->asked |= ASKED_ELSE;
	return call->client != NULL ? call->client : "";
}
