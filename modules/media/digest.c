/* digest.c - the digests of a file: SHA-1, by which clients name what they have, and SHA-256, by
 * which the store checks its files. */
#include "media.h"
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PIECE ((size_t)128 << 10)

static void
hex(const unsigned char *bytes, size_t len, char *out)
{
	for (size_t i = 0; i < len; i++)
		(void)snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static bool
read_all(int fd, EVP_MD_CTX *sha1, EVP_MD_CTX *sha256, unsigned char *piece)
{
	ssize_t n;

	while ((n = read(fd, piece, PIECE)) > 0 || (n == -1 && errno == EINTR))
		if (n > 0 && (EVP_DigestUpdate(sha1, piece, (size_t)n) != 1 ||
				 EVP_DigestUpdate(sha256, piece, (size_t)n) != 1))
			return false;
	return n == 0;
}

static bool
sum(int fd, struct digest *out, unsigned char *piece)
{
	EVP_MD_CTX *sha1 = EVP_MD_CTX_new(), *sha256 = EVP_MD_CTX_new();
	unsigned char bytes[EVP_MAX_MD_SIZE];
	unsigned len;
	bool good =
	    sha1 != NULL && sha256 != NULL && EVP_DigestInit_ex(sha1, EVP_sha1(), NULL) == 1 &&
	    EVP_DigestInit_ex(sha256, EVP_sha256(), NULL) == 1 && read_all(fd, sha1, sha256, piece);

	if (good && (good = EVP_DigestFinal_ex(sha1, bytes, &len) == 1)) {
		(void)snprintf(out->hash, sizeof(out->hash), "sha1:");
		hex(bytes, len, out->hash + 5);
	}
	if (good && (good = EVP_DigestFinal_ex(sha256, bytes, &len) == 1))
		hex(bytes, len, out->sha256);
	EVP_MD_CTX_free(sha1);
	EVP_MD_CTX_free(sha256);
	return good;
}

enum stet_status
digest_fd(struct stet_call *call, int fd, struct digest *out)
{
	unsigned char *piece = malloc(PIECE);
	bool good = piece != NULL && sum(fd, out, piece);

	free(piece);
	return good ? STET_OK : stet_fault(call, "cannot read an upload");
}

enum stet_status
digest_file(struct stet_call *call, const char *path, struct digest *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum stet_status status;

	if (fd < 0)
		return stet_fault(call, "cannot read an upload");
	status = digest_fd(call, fd, out);
	close(fd);
	return status;
}
