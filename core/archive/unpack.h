/* unpack.h - reading what pack.h wrote: zstd streams, sealed or not. */
#ifndef CORE_ARCHIVE_UNPACK_H
#define CORE_ARCHIVE_UNPACK_H

#include "archive/pack.h"

bool unpack_begin(struct unpack *, int fd);
/* How the stream is encrypted: SEAL_NONE, SEAL_PASSPHRASE, SEAL_SECRET. */
int unpack_sealed(const struct unpack *);
/* Sets the key; call it between unpack_begin and the first unpack_get. */
bool unpack_open(struct unpack *, const struct seal_key *);
/* Reads so many bytes, fewer only at the end of the stream. Returns -1 on failure. */
long unpack_get(struct unpack *, void *, size_t);
void unpack_free(struct unpack *);

#endif
