/* accesslog.c - counts each request and writes a log line for it, in logfmt or JSON. */
#include "net/accesslog.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "call/metrics.h"
#include "call/site.h"
#include "http/http1.h"
#include "net/send.h"

#include <event2/event.h>
#include <string.h>

#define ACCESS_MAX 65536
#define ACCESS_DELAY_US 100000 /* lines are gathered this long, to save system calls */

void
accesslog_flush(struct connset *set)
{
	if (set->access.len > 0)
		log_access(set->access.data, set->access.len);
	set->access.len = 0;
}

/* ---- fields ---- */

struct line {
	struct buf *out;
	bool json, first;
};

static void
put_name(struct line *l, const char *name)
{
	if (!l->first)
		buf_str(l->out, l->json ? "," : " ");
	l->first = false;
	buf_printf(l->out, l->json ? "\"%s\":" : "%s=", name);
}

static bool
plain(const char *text)
{
	for (const char *c = text; *c != '\0'; c++)
		if (*c <= ' ' || *c >= 0x7f || strchr("\"=\\", *c) != NULL)
			return false;
	return *text != '\0';
}

/* Escapes a client's text so that it stays one value on one line. */
static void
put_text(struct line *l, const char *name, const char *text)
{
	put_name(l, name);
	if (!l->json && plain(text)) {
		buf_str(l->out, text);
		return;
	}
	buf_char(l->out, '"');
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			buf_printf(l->out, "\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			buf_printf(l->out, "\\u%04x", c);
		else
			buf_char(l->out, (char)c);
	}
	buf_char(l->out, '"');
}

static void
put_known(struct line *l, const char *name, const char *text)
{
	if (text != NULL && *text != '\0')
		put_text(l, name, text);
}

static void
put_request(struct line *l, const struct stet_call *call)
{
	const struct http1_head *head = call->head;

	if (call->site != NULL)
		put_text(l, "site", site_name(call->site));
	if (call->op != NULL)
		put_text(l, "op", call->op->name);
	if (head != NULL) {
		put_text(l, "method", http1_method_name[head->method]);
		/* Without the query string, which may contain tokens. */
		put_text(l, "path", head->path);
	}
}

static void
put_line(struct conn *c, const struct stet_call *call, int status, uint64_t bytes, int64_t us)
{
	struct line l = { .out = &c->set->access, .json = log_access_json(), .first = true };
	char time[CLOCK_TEXT_SIZE];

	clock_text(clock_now(), time);
	if (l.json)
		buf_char(l.out, '{');
	put_text(&l, "time", time);
	put_request(&l, call);
	put_name(&l, "status");
	buf_printf(l.out, "%d", status);
	put_name(&l, "bytes");
	buf_printf(l.out, "%llu", (unsigned long long)bytes);
	put_name(&l, "us");
	buf_printf(l.out, "%lld", (long long)us);
	put_text(&l, "client", *call->client != '\0' ? call->client : c->peer_text);
	put_text(&l, "request", call->id);
	if (call->has_principal)
		put_known(&l, "user", call->principal.id);
	buf_str(l.out, l.json ? "}\n" : "\n");
}

void
accesslog_add(struct conn *c, const struct stet_call *call, int status, uint64_t bytes)
{
	static const struct timeval delay = { .tv_usec = ACCESS_DELAY_US };
	struct connset *set = c->set;
	int64_t us = clock_monotonic_us() - call->begun;

	metrics_request(call, status, bytes, us);
	if (!log_access_wanted())
		return;
	if (set->access.len == 0)
		evtimer_add(set->access_timer, &delay);
	put_line(c, call, status, bytes, us);
	if (set->access.len >= ACCESS_MAX)
		accesslog_flush(set);
}
