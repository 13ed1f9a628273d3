/*
 * credential.h - for modules that authenticate requests by a secret text (a token, a cookie):
 * remembers what a secret was found to be, for as long as the snapshot of the database in which
 * it was looked up. Calls that arrive together then need one statement for all of them.
 */
#ifndef STET_CREDENTIAL_H
#define STET_CREDENTIAL_H

#include <stet/call.h>

/* The principal of this secret, if stet_credential_keep was called for it in this snapshot; NULL
 * if not, and in the write lane. `kind` is the address of an object of the module, which keeps
 * kinds of secrets apart. The texts are compared in constant time. *until is set to what
 * stet_credential_keep was given; the caller compares it with the time. */
STET_API const struct stet_principal *stet_credential_known(
    struct stet_call *, const void *kind, const char *text, size_t len, int64_t *until);
/* Keeps the principal of a secret that is valid until this time (ms since the epoch; INT64_MAX:
 * for ever). Copies everything. Keeps a bounded number in a snapshot, and wipes the secrets when
 * it ends. In the write lane it does nothing. */
static inline void stet_credential_keep(struct stet_call *, const void *kind, const char *text,
    size_t len, const struct stet_principal *, int64_t until);

/* ---- the host's side of the functions above ---- */

STET_API void stet_credential_keep_sized(struct stet_call *, const void *kind, const char *text,
    size_t len, const struct stet_principal *, size_t size, int64_t until);

static inline void
stet_credential_keep(struct stet_call *call, const void *kind, const char *text, size_t len,
    const struct stet_principal *p, int64_t until)
{
	stet_credential_keep_sized(call, kind, text, len, p, sizeof(*p), until);
}

#endif
