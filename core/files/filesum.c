/* filesum.c - SHA-256 of files. */
#include "files/filesum.h"
#include "base/arena.h"
#include "call/tempfile.h"
#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdint.h>
#include <stdlib.h>
#include <stet/driver.h>
#include <unistd.h>

#define PIECE ((size_t)128 << 10)

bool
stet_file_digest(int fd, int64_t at, uint64_t len, char out[STET_SHA256_SIZE])
{
	unsigned char *piece = xmalloc(PIECE), sum[crypto_hash_sha256_BYTES];
	crypto_hash_sha256_state state;
	ssize_t n = 0;

	crypto_hash_sha256_init(&state);
	while (len > 0 && ((n = pread(fd, piece, len < PIECE ? (size_t)len : PIECE, at)) > 0 ||
			      (n == -1 && errno == EINTR))) {
		if (n == -1)
			continue;
		crypto_hash_sha256_update(&state, piece, (unsigned long long)n);
		at += n;
		len -= (uint64_t)n;
	}
	free(piece);
	crypto_hash_sha256_final(&state, sum);
	sodium_bin2hex(out, STET_SHA256_SIZE, sum, sizeof(sum));
	return n >= 0;
}

bool
filesum(int fd, char out[STET_SHA256_SIZE])
{
	return stet_file_digest(fd, 0, UINT64_MAX, out);
}

enum stet_status
stet_file_sum(struct stet_call *call, const char *path, char out[STET_SHA256_SIZE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum stet_status status =
	    fd >= 0 && filesum(fd, out) ? STET_OK : stet_file_failed(call, path);

	if (fd >= 0)
		close(fd);
	return status;
}
