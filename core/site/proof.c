/* proof.c - creates and finds files with random names, by which a site is recognised. */
#include "site/proof.h"
#include "base/dir.h"
#include "base/words.h"
#include "call/call.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *
path_of(const char *data, const char *token)
{
	return words_format("%s/" DATADIR_TMP "/proof-%s", data, token);
}

bool
proof_begin(const char *data, char token[PROOF_TOKEN_SIZE], char **why)
{
	unsigned char random[(PROOF_TOKEN_SIZE - 1) / 2];
	char *path;
	int fd;

	randombytes_buf(random, sizeof(random));
	sodium_bin2hex(token, PROOF_TOKEN_SIZE, random, sizeof(random));
	path = path_of(data, token);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		*why = words_format("%s: %s", path, strerror(errno));
	else
		close(fd);
	free(path);
	return fd >= 0;
}

void
proof_end(const char *data, const char *token)
{
	char *path = path_of(data, token);

	(void)unlink(path);
	free(path);
}

bool
stet_site_proves(struct stet_call *call, const char *token)
{
	char *path;
	bool there;

	call->asked |= ASKED_ELSE;
	if (strlen(token) != PROOF_TOKEN_SIZE - 1 ||
	    strspn(token, "0123456789abcdef") != PROOF_TOKEN_SIZE - 1)
		return false;
	path = path_of(call->site->conf.data, token);
	there = access(path, F_OK) == 0;
	free(path);
	return there;
}
