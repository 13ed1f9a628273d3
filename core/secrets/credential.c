/*
 * credential.c - secrets that were looked up, kept for later calls of the same snapshot.
 *
 * An index finds a secret by its hash, and does not compare in constant time. Later calls use the
 * comparison here, which does.
 */
#include "call/call.h"
#include <sodium.h>
#include <stet/credential.h>
#include <stet/table.h>
#include <string.h>

#define KNOWN_MAX 32 /* of one kind in one snapshot */
#define TEXT_MAX 128 /* bytes of a secret */

struct known {
	struct known *next;
	size_t len;
	char text[TEXT_MAX]; /* as the client sent it; wiped with the snapshot */
	int64_t until;
	struct stet_principal principal;
};

static void
wipe(void *arg)
{
	struct known *k = arg;

	sodium_memzero(k->text, sizeof(k->text));
}

static char *
keep(struct stet_call *call, const char *text)
{
	size_t size = text != NULL ? strlen(text) + 1 : 0;

	return size > 0 ? memcpy(stet_snapshot_alloc(call, size), text, size) : NULL;
}

const struct stet_principal *
stet_credential_known(
    struct stet_call *call, const void *kind, const char *text, size_t len, int64_t *until)
{
	void **slot = stet_snapshot_slot(call, kind);

	for (const struct known *k = slot != NULL ? *slot : NULL; k != NULL; k = k->next) {
		if (k->len != len || sodium_memcmp(k->text, text, len) != 0)
			continue;
		*until = k->until;
		return &k->principal;
	}
	return NULL;
}

/* Returns the number of secrets kept. */
static int
count(const struct known *k)
{
	int n = 0;

	for (; k != NULL; k = k->next)
		n++;
	return n;
}

void
stet_credential_keep_sized(struct stet_call *call, const void *kind, const char *text, size_t len,
    const struct stet_principal *given, size_t size, int64_t until)
{
	void **slot = stet_snapshot_slot(call, kind);
	struct stet_principal p;
	struct known *k;

	if (slot == NULL || len > TEXT_MAX || count(*slot) >= KNOWN_MAX)
		return;
	stet_extend(&p, sizeof(p), given, size);
	k = stet_snapshot_alloc(call, sizeof(*k));
	memcpy(k->text, text, len);
	stet_snapshot_defer(call, wipe, k);
	k->len = len;
	k->until = until;
	k->next = *slot;
	k->principal = p;
	k->principal.id = keep(call, p.id);
	k->principal.email = keep(call, p.email);
	k->principal.name = keep(call, p.name);
	k->principal.token_id = keep(call, p.token_id);
	k->principal.scopes = keep(call, p.scopes);
	k->principal.session_id = keep(call, p.session_id);
	k->principal.client = keep(call, p.client);
	*slot = k;
}
