/* call.c - the life of one call: memory, the one error, what handlers ask of their context. */
#include <config.h>

#include "base/clock.h"
#include "base/log.h"
#include "call/call.h"
#include "db/db.h"
#include "http/condition.h"
#include "net/cors.h"
#include "net/wait.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The memory of the last call that ended on this thread, for the next one. */
static _Thread_local struct stet_call *spare;
static pthread_key_t spare_key;
static pthread_once_t spare_once = PTHREAD_ONCE_INIT;

static void
spare_free(void *arg)
{
	struct stet_call *call = arg;

	arena_free(&call->arena);
	json_free(&call->out);
	free(call);
	spare = NULL;
}

static void
spare_init(void)
{
	stet_assert(pthread_key_create(&spare_key, spare_free) == 0);
}

#define SPARE_REPLY_MAX ((size_t)256 << 10)
#ifdef __SANITIZE_ADDRESS__ /* which is to see calls that are used after their end */
#define SPARE_USED false
#else
#define SPARE_USED true
#endif

/* Keep the memory of a call that is over, unless there is some or it is too much. */
static bool
spare_keep(struct stet_call *call)
{
	struct arena arena = call->arena;
	struct buf buf = call->out.buf;

	if (!SPARE_USED || spare != NULL || buf.cap > SPARE_REPLY_MAX)
		return false;
	arena_reset(&arena);
	buf.len = 0;
	memset(call, 0, sizeof(*call));
	call->arena = arena;
	call->out.buf = buf;
	pthread_once(&spare_once, spare_init);
	stet_assert(pthread_setspecific(spare_key, call) == 0);
	spare = call;
	return true;
}

static struct stet_call *
spare_take(void)
{
	struct stet_call *call = spare;

	if (call == NULL)
		return xcalloc(1, sizeof(*call));
	spare = NULL;
	pthread_setspecific(spare_key, NULL);
	return call;
}

struct stet_call *
call_new(void)
{
	struct stet_call *call = spare_take();

	call->begun = clock_monotonic_us();
	call->client = "";
	call->tx.call = call;
	id_make(call->id);
	return call;
}

/* 1 to 64 letters, digits, ".", "_" and "-": what no log, header or page takes for anything else.
 */
void
call_identify(struct stet_call *call)
{
	static const char good[] = "0123456789-_.abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *said = http1_header(call->head, "x-request-id");
	size_t len = said != NULL ? strspn(said, good) : 0;

	if (len > 0 && len < CALL_ID_SIZE && said[len] == '\0')
		memcpy(call->id, said, len + 1);
}

void
call_enter(struct stet_call *call, struct site *site)
{
	stet_assert(call->site == NULL);
	call->site = site;
	call->gen = site_generation(site);
}

void
call_free(struct stet_call *call)
{
	wait_free(call);
	/* db_call_end was called: nothing reads on under this call's name. */
	stet_assert(call->open == NULL && call->db == NULL);
	for (struct call_defer *d = call->defers; d != NULL; d = d->next)
		d->fn(d->arg);
	buf_free(&call->reply.raw);
	if (call->gen != NULL)
		generation_put(call->gen);
	if (spare_keep(call))
		return;
	json_free(&call->out);
	arena_free(&call->arena);
	free(call);
}

void
call_rewind(struct stet_call *call)
{
	memset(&call->error, 0, sizeof(call->error));
	call->out.buf.len = 0;
	call->out.depth = 0;
	call->out.comma = false;
	call->reply.raw.len = 0;
	call->reply.etag = call->reply.type = NULL;
	call->reply.status = 0;
	call->reply.mixed[0] = call->reply.mixed[1] = 0;
	call->reply.headers = NULL;
	call->reply.file = NULL;
	call->on_commit = NULL;
	call->changes = 0;
}

void
call_on_commit(struct stet_call *call, void (*fn)(struct stet_call *, void *), void *arg)
{
	struct call_commit *c = stet_alloc(call, sizeof(*c)), *last = call->on_commit;

	*c = (struct call_commit){ .next = last != NULL ? last->next : c, .fn = fn, .arg = arg };
	if (last != NULL)
		last->next = c;
	call->on_commit = c;
}

/* ---- memory ---- */

void *
stet_alloc(struct stet_call *call, size_t size)
{
	return arena_alloc(&call->arena, size);
}

char *
stet_strdup(struct stet_call *call, const char *s)
{
	return s != NULL ? arena_strndup(&call->arena, s, strlen(s)) : NULL;
}

char *
stet_strndup(struct stet_call *call, const char *s, size_t len)
{
	return arena_strndup(&call->arena, s, len);
}

static char *__attribute__((format(printf, 2, 0)))
vformat(struct stet_call *call, const char *fmt, va_list ap)
{
	va_list again;
	char *text;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	stet_assert(n >= 0);
	text = stet_alloc(call, (size_t)n + 1);
	vsnprintf(text, (size_t)n + 1, fmt, again);
	va_end(again);
	return text;
}

char *
stet_printf(struct stet_call *call, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = vformat(call, fmt, ap);
	va_end(ap);
	return text;
}

void
stet_defer(struct stet_call *call, void (*fn)(void *), void *arg)
{
	struct call_defer *d = stet_alloc(call, sizeof(*d));

	*d = (struct call_defer){ call->defers, fn, arg };
	call->defers = d;
}

static void
drop(void *value)
{
	json_decref(value);
}

json_t *
stet_json_own(struct stet_call *call, json_t *value)
{
	if (value != NULL)
		stet_defer(call, drop, value);
	return value;
}

/* ---- errors ---- */

enum stet_status
stet_fail(struct stet_call *call, enum stet_status status, const char *field, const char *fmt, ...)
{
	va_list ap;

	stet_assert(status != STET_OK);
	va_start(ap, fmt);
	call->error.text = vformat(call, fmt, ap);
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
		stet_strdup(call, value) };
	call->error.details = p;
}

void
stet_issue(struct stet_call *call, const char *path, const char *fmt, ...)
{
	struct call_issue *issue = stet_alloc(call, sizeof(*issue));
	va_list ap;

	va_start(ap, fmt);
	issue->message = vformat(call, fmt, ap);
	va_end(ap);
	issue->path = stet_strdup(call, path);
	if (call->error.issues == NULL)
		call->error.issues_tail = &call->error.issues;
	*call->error.issues_tail = issue;
	call->error.issues_tail = &issue->next;
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

enum stet_status
stet_fault(struct stet_call *call, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	stet_log(call, STET_ERROR, "%s", vformat(call, fmt, ap));
	va_end(ap);
	call->error.status = STET_FAULT;
	call->error.text = NULL;
	return STET_FAULT;
}

void
stet_log(struct stet_call *call, enum stet_level level, const char *fmt, ...)
{
	va_list ap;

	if (!log_wants(level))
		return;
	va_start(ap, fmt);
	log_line(level, "%s%s%s [%s] %s", call->site != NULL ? site_name(call->site) : "-",
	    call->owner != NULL ? "/" : "", call->owner != NULL ? call->owner->m.name : "",
	    call->id, vformat(call, fmt, ap));
	va_end(ap);
}

/* ---- arguments ---- */

/* The member of that name, which most often is the very literal of its row. */
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
stet_body(struct stet_call *call, size_t *len)
{
	*len = call->body_len;
	return call->body;
}

size_t
stet_parts(struct stet_call *call, const struct stet_part **parts)
{
	*parts = call->parts;
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

/* ---- reply ---- */

void
stet_etag(struct stet_call *call, const char *tag)
{
	call->reply.etag = tag != NULL && condition_good_tag(tag) ? stet_strdup(call, tag) : NULL;
}

void
stet_header(struct stet_call *call, const char *name, const char *value)
{
	struct call_pair *p = stet_alloc(call, sizeof(*p));

	stet_assert(strpbrk(value, "\r\n") == NULL);
	*p = (struct call_pair){ call->reply.headers, stet_strdup(call, name),
		stet_strdup(call, value) };
	call->reply.headers = p;
}

void
stet_reply_type(struct stet_call *call, const char *type)
{
	call->reply.type = stet_strdup(call, type);
}

void
stet_reply_status(struct stet_call *call, int http)
{
	stet_assert(http >= 200 && http < 600);
	call->reply.status = http;
}

enum stet_status
stet_write(struct stet_call *call, const void *p, size_t len)
{
	stet_assert(call->reply.type != NULL);
	if (call->stream == NULL) {
		buf_add(&call->reply.raw, p, len);
		return STET_OK;
	}
	if (call->deadline != 0 && clock_monotonic() > call->deadline)
		return stet_fail(call, STET_REQUEST_TIMEOUT, NULL, "The reply took too long");
	if (!call->stream(call, p, len))
		return stet_fail(call, STET_REQUEST_TIMEOUT, NULL, "The client is gone");
	call->reply.streaming = true;
	return STET_OK;
}

/* ---- the world ---- */

int64_t
stet_now(struct stet_call *call)
{
	call->asked |= ASKED_ELSE;
	return clock_now();
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
	return cors_origin(call->gen->conf->cors_origins, origin);
}

const char *
stet_version(void)
{
	return PACKAGE_VERSION;
}

const void *
stet_service(struct stet_call *call, const char *name)
{
	for (size_t i = 0; i < call->gen->service_count; i++)
		if (strcmp(call->gen->service[i].name, name) == 0) {
			call_foreign(call, call->gen->service[i].owner);
			return call->gen->service[i].functions;
		}
	return NULL;
}

const char *const *
stet_locales(struct stet_call *call)
{
	/* The first migrations run before anything is compiled. */
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
