/*
 * open.c - public reads (adr/0071).
 *
 * The gate asks the op for each request without credentials. A call that is admitted this way has
 * `opened`. Its reply is the same for all anonymous callers, so caches in front of the site may
 * keep it for public-max-age. Surrogate-Key names the things that the reply shows, so that a change
 * of one can purge it there.
 */
#include "op/open.h"
#include "base/buf.h"
#include "call/call.h"
#include "call/site.h"
#include "conf/confcheck.h"
#include "http/percent.h"
#include "http/router.h"
#include "module/running.h"
#include "op/header.h"
#include "op/part.h"
#include <string.h>

#define SURROGATES_MAX 8192 /* bytes of the header's value; CDNs take at least as many */

struct call_surrogates {
	size_t len;
	bool failed; /* a name was refused, so caches may not keep the reply */
	char text[SURROGATES_MAX];
};

bool
open_asks(struct stet_call *call, const struct op *op)
{
	const struct loaded *owner = call->owner;
	struct running running;
	bool open;

	if (op->row.open == NULL)
		return false;
	call->owner = op->owner;
	running_enter(&running, call, op->owner, RUNNING_OP, op->name);
	open = op->row.open(call);
	running_leave(&running);
	call->owner = owner;
	return open;
}

bool
stet_public_read(struct stet_call *call)
{
	char *const *name = call->gen->conf->public_read;

	for (; name != NULL && *name != NULL; name++)
		if (strcmp(*name, "*") == 0 || strcmp(*name, call->owner->m.name) == 0)
			return true;
	return false;
}

const char *
stet_public_search(struct stet_call *call)
{
	const int said = call->gen->conf->public_search;

	return said == CONF_SEARCH_SITE ? NULL : confcheck_searches[said];
}

bool
stet_is_open(struct stet_call *call)
{
	return op_part(call)->opened;
}

const char *
stet_route_arg(struct stet_call *call, const char *name)
{
	const struct router_match *match = &op_part(call)->match;

	if (call->args != NULL)
		return stet_arg(call, name);
	for (size_t i = 0; i < match->param_count; i++) {
		const struct router_param *p = &match->param[i];
		char *text;

		if (strcmp(p->name, name) != 0)
			continue;
		text = stet_strndup(call, p->value, p->len);
		return percent_decode(text, p->len, false) ? text : NULL;
	}
	return NULL;
}

/* ---- Surrogate-Key ---- */

static bool
is_word(const char *s)
{
	return *s != '\0' && s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					 "0123456789._-")] == '\0';
}

/* Returns true if the last name in the list occurs before, too. */
static bool
is_repeated(const struct call_surrogates *s, const char *last)
{
	size_t len = s->len - (size_t)(last - s->text);

	for (const char *p = s->text; p < last; p += strcspn(p, " ") + 1)
		if (strncmp(p, last, len) == 0 && p[len] == ' ')
			return true;
	return false;
}

void
stet_surrogate(struct stet_call *call, const char *kind, const char *name)
{
	size_t kind_len = strlen(kind), len = strlen(name);
	struct call_surrogates *s;
	char *to, *first;

	if (!op_part(call)->opened)
		return;
	if (call->reply.surrogates == NULL) {
		call->reply.surrogates = stet_alloc(call, sizeof(*s));
		call->reply.surrogates->len = 0;
		call->reply.surrogates->failed = false;
	}
	s = call->reply.surrogates;
	if (!is_word(kind) || !is_word(name) || s->len + kind_len + len + 3 > sizeof(s->text)) {
		s->failed = true;
		return;
	}
	to = s->text + s->len;
	if (s->len > 0)
		*to++ = ' ';
	first = to;
	to = mempcpy(mempcpy(mempcpy(to, kind, kind_len), ":", 1), name, len);
	*to = '\0';
	s->len = (size_t)(to - s->text);
	if (is_repeated(s, first)) {
		s->len = (size_t)(first - s->text) - 1;
		s->text[s->len] = '\0';
	}
}

void
open_name(struct stet_call *call)
{
	if (!op_part(call)->opened || op_part(call)->delivered || call->reply.named)
		return;
	call->reply.named = true;
	stet_surrogate(call, "k", call->op->owner->m.name);
	if (call->reply.surrogates->failed)
		stet_header(call, "Cache-Control", "private, no-store");
	else
		stet_header(call, "Surrogate-Key", call->reply.surrogates->text);
}

/* ---- Cache-Control ---- */

static long long
seconds(int64_t ms)
{
	return (long long)(ms / 1000);
}

bool
open_put(struct buf *b, const struct stet_call *call, const struct rendered *r)
{
	const struct op_part *part = op_part(call);
	const struct conf_site *conf;

	if (!part->opened || part->delivered || (r->status != 200 && r->status != 304))
		return false;
	conf = call->gen->conf;
	buf_printf(b, "Cache-Control: public, max-age=%lld", seconds(conf->public_max_age));
	if (conf->public_shared_max_age >= 0)
		buf_printf(b, ", s-maxage=%lld", seconds(conf->public_shared_max_age));
	if (conf->public_stale > 0)
		buf_printf(b, ", stale-while-revalidate=%lld", seconds(conf->public_stale));
	/* Signed-in callers, by token or session, get another reply. */
	buf_str(b, "\r\nVary: Authorization, Cookie\r\n");
	return true;
}
