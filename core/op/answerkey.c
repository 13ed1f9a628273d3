/* answerkey.c - the keys of cached answers. */
#include "op/answerkey.h"
#include "call/call.h"
#include "http/http1.h"
#include "module/oprow.h"
#include "op/part.h"
#include <xxhash.h>

/* Appends the text and its NUL, so that no two lists of texts give the same key. */
static void
add(struct answer_text *t, const char *s)
{
	size_t len = strlen(s) + 1;

	memcpy(t->at + t->len, s, len);
	t->len += len;
}

static void
add_number(struct answer_text *t, uint64_t n)
{
	memcpy(t->at + t->len, &n, sizeof(n));
	t->len += sizeof(n);
}

/* Adds the query without parameters that the op ignores: with these a client could fill the cache
 * with copies of one answer. Returns false if a name is percent-encoded, which no usual client
 * does. */
static bool
add_query(struct stet_call *call, struct answer_text *t)
{
	const char *s = call->head->query != NULL ? call->head->query : "";

	for (size_t len; *s != '\0'; s += len + (s[len] == '&')) {
		size_t name_len = strcspn(s, "=&");
		const char *name = stet_strndup(call, s, name_len);

		len = strcspn(s, "&");
		if (strpbrk(name, "%+") != NULL)
			return false;
		if (len == 0 || oprow_ignores(call->op, name))
			continue;
		memcpy(t->at + t->len, s, len);
		t->len += len;
		t->at[t->len++] = '&';
	}
	t->at[t->len++] = '\0';
	return true;
}

void
answerkey_make(struct stet_call *call)
{
	struct op_part *part = op_part(call);
	const struct stet_principal *p = call->has_principal ? &call->principal : NULL;
	const struct http1_head *head = call->head;
	struct answer_text t = { .at = stet_alloc(
				     call, 80 + answerkey_length(head->path) +
					       answerkey_length(head->query) +
					       (p != NULL ? answerkey_length(p->scopes) : 0)) };

	add_number(&t, call->site->id);
	add_number(&t, call->gen->number);
	add_number(&t, (uint64_t)(call->op - call->gen->op));
	add_number(&t, p == NULL ? 0 : (uint64_t)p->role << 2 | 2 | (p->scopes != NULL));
	add(&t, p != NULL && p->scopes != NULL ? p->scopes : "");
	add(&t, head->path);
	if (!add_query(call, &t))
		return;
	part->key = t.at;
	part->key_len = t.len;
	part->key_hash = XXH3_64bits(t.at, t.len);
}

struct answer_text
answerkey_user(struct stet_call *call)
{
	const struct stet_principal *p = &call->principal;
	const char *said[] = { p->id, p->email, p->name, p->token_id };
	struct answer_text t = { 0 };
	size_t size = 32;

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		size += answerkey_length(said[i]) + sizeof(uint64_t);
	t.at = stet_alloc(call, size);
	add_number(&t, call->has_principal ? (uint64_t)p->via + 1 : 0);
	if (!call->has_principal)
		return t;
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++) {
		add_number(&t, said[i] != NULL);
		add(&t, said[i] != NULL ? said[i] : "");
	}
	return t;
}

uint64_t
answerkey_request(struct stet_call *call)
{
	const void *what[] = { call->site, call->gen, call->op };
	const struct http1_head *head = call->head;
	struct answer_text t = { .at = stet_alloc(call, answerkey_length(head->path) +
							    answerkey_length(head->query) + 3) };

	add(&t, head->path);
	if (!add_query(call, &t))
		return 0;
	return XXH3_64bits_withSeed(t.at, t.len, XXH3_64bits(what, sizeof(what))) | 1;
}
