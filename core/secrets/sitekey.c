/*
 * sitekey.c - reads and writes the key file of a site. A line is "stet-site-" and the key in
 * base64url. The file is written under another name and then renamed, so that a kill leaves the old
 * file or the new one, never half of one.
 */
#include "secrets/sitekey.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/words.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX 1024 /* bytes */
#define CONTEXT_ID "stet-id-"
#define VARIANT sodium_base64_VARIANT_URLSAFE_NO_PADDING

static const char prefix[] = "stet-site-";

void
sitekey_wipe(struct sitekeys *keys)
{
	sodium_memzero(keys, sizeof(*keys));
}

static void
name_key(struct sitekey *k)
{
	unsigned char derived[crypto_kdf_BYTES_MIN];

	_Static_assert(sizeof(derived) >= SITEKEY_ID, "an id is the beginning of a derived key");
	crypto_kdf_derive_from_key(derived, sizeof(derived), 1, CONTEXT_ID, k->secret);
	memcpy(k->id, derived, SITEKEY_ID);
	sodium_bin2hex(k->id_text, sizeof(k->id_text), k->id, SITEKEY_ID);
}

void
sitekey_make(struct sitekey *k)
{
	crypto_kdf_keygen(k->secret);
	name_key(k);
}

const struct sitekey *
sitekey_find(const struct sitekeys *keys, const char *id_text)
{
	for (size_t i = 0; i < keys->count; i++)
		if (strcmp(keys->key[i].id_text, id_text) == 0)
			return &keys->key[i];
	return NULL;
}

char *
sitekey_path(const char *data, const char *key_file)
{
	return key_file != NULL ? xstrdup(key_file) : words_format("%s/" DATADIR_KEY, data);
}

/* ---- reading ---- */

bool
sitekey_parse(struct sitekey *k, const char *text, size_t len)
{
	size_t head = strlen(prefix), got;
	const char *end;

	if (len < head || memcmp(text, prefix, head) != 0 ||
	    sodium_base642bin(k->secret, sizeof(k->secret), text + head, len - head, NULL, &got,
		&end, VARIANT) != 0 ||
	    got != sizeof(k->secret) || end != text + len)
		return false;
	name_key(k);
	return true;
}

static bool
parse_lines(struct sitekeys *keys, const char *text)
{
	size_t len;

	for (; *text != '\0'; text += len + strspn(text + len, "\r\n")) {
		len = strcspn(text, "\r\n");
		if (keys->count == SITEKEY_MOST ||
		    !sitekey_parse(&keys->key[keys->count], text, len))
			return false;
		keys->count++;
	}
	return keys->count > 0;
}

enum sitekey_found
sitekey_read(const char *path, struct sitekeys *keys, char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	enum sitekey_found found = SITEKEY_BAD;
	char text[FILE_MAX];

	*why = NULL;
	memset(keys, 0, sizeof(*keys));
	if (fd < 0) {
		found = errno == ENOENT ? SITEKEY_MISSING : SITEKEY_BAD;
		*why = words_format("%s: %s", path, strerror(errno));
		return found;
	}
	if (!dir_read_small(fd, text, sizeof(text)))
		*why = words_format("%s cannot be read: %s", path, strerror(errno));
	else if (!parse_lines(keys, text))
		*why = words_format("%s does not hold the key of a site", path);
	else
		found = SITEKEY_THERE;
	if (found != SITEKEY_THERE)
		sitekey_wipe(keys);
	sodium_memzero(text, sizeof(text));
	close(fd);
	return found;
}

/* ---- writing ---- */

void
sitekey_text(const struct sitekey *k, char out[SITEKEY_TEXT])
{
	size_t len = strlen(prefix);

	memcpy(out, prefix, len);
	sodium_bin2base64(out + len, SITEKEY_TEXT - len, k->secret, SITEKEY_BYTES, VARIANT);
}

static bool
put_keys(int fd, const struct sitekeys *keys)
{
	char line[SITEKEY_TEXT];
	bool good = true;

	for (size_t i = 0; good && i < keys->count; i++) {
		sitekey_text(&keys->key[i], line);
		good = dprintf(fd, "%s\n", line) > 0;
	}
	sodium_memzero(line, sizeof(line));
	return good && fsync(fd) == 0;
}

/* Gives the finished file its name. */
static bool
take_name(const char *part, const char *path, bool replace, bool *there)
{
	if (replace)
		return rename(part, path) == 0;
	if (link(part, path) == 0)
		return unlink(part) == 0;
	*there = errno == EEXIST;
	return false;
}

/* Creates the new file in DATA/tmp, where the daemon deletes files that no one locks: a killed
 * process leaves no key behind. A key-file may be on another file system, so its new file is
 * beside it. */
static int
open_part(const char *data, const char *key_file, char **part)
{
	char *directory;
	int fd;

	if (key_file != NULL) {
		*part = words_format("%s.XXXXXX", key_file);
		return mkostemp(*part, O_CLOEXEC);
	}
	directory = words_format("%s/" DATADIR_TMP, data);
	if (mkdir(directory, 0700) == 0)
		dir_give_path(directory);
	*part = words_format("%s/" DATADIR_COPY "XXXXXX", directory);
	fd = mkostemp(*part, O_CLOEXEC); /* 0600 */
	if (fd >= 0)
		(void)flock(fd, LOCK_EX | LOCK_NB);
	free(directory);
	return fd;
}

bool
sitekey_write(const char *data, const char *key_file, const struct sitekeys *keys, bool replace,
    bool *there, char **why)
{
	char *path = sitekey_path(data, key_file), *directory = dir_parent_dup(path), *part;
	int fd = open_part(data, key_file, &part);
	bool good = fd >= 0, stands = false;

	*why = NULL;
	if (good) {
		dir_give(fd, data);
		good = put_keys(fd, keys) && take_name(part, path, replace, &stands) &&
		       dir_flush(directory);
	}
	if (!good && !stands)
		*why = words_format("%s cannot be written: %s", path, strerror(errno));
	if (fd >= 0) {
		if (!good)
			(void)unlink(part);
		close(fd);
	}
	if (there != NULL)
		*there = stands;
	free(path);
	free(directory);
	free(part);
	return good;
}
