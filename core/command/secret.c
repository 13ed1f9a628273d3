/* secret.c - reads and makes passphrases and keys for commands. */
#include "command/secret.h"
#include "archive/seal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#define LINE sizeof(((struct seal_key *)NULL)->passphrase)

/* Reads the first line of a stream, without its line end. */
static bool
first_line(FILE *f, const char *path, char line[LINE])
{
	size_t len;

	if (fgets(line, (int)LINE, f) == NULL) {
		fprintf(stderr, "stet: %s: %s\n", path, ferror(f) ? strerror(errno) : "is empty");
		return false;
	}
	len = strcspn(line, "\r\n");
	if (line[len] == '\0' && len == LINE - 1) {
		fprintf(stderr, "stet: %s: its first line is too long\n", path);
		return false;
	}
	line[len] = '\0';
	if (len == 0)
		fprintf(stderr, "stet: %s: its first line is empty\n", path);
	return len > 0;
}

static bool
line_of(const char *path, char line[LINE])
{
	FILE *f = fopen(path, "re");
	bool good;

	if (f == NULL) {
		fprintf(stderr, "stet: %s: %s\n", path, strerror(errno));
		return false;
	}
	setvbuf(f, NULL, _IONBF, 0); /* no copy remains in a buffer */
	good = first_line(f, path, line);
	fclose(f);
	return good;
}

bool
secret_passphrase(struct seal_key *k, const char *path)
{
	k->kind = SEAL_PASSPHRASE;
	return line_of(path, k->passphrase);
}

/* ---- the terminal ---- */

static bool
ask(FILE *tty, const char *prompt, char line[LINE])
{
	struct termios was, quiet;
	bool shown = tcgetattr(fileno(tty), &was) == 0, good;

	fputs(prompt, tty);
	fflush(tty);
	if (shown) {
		quiet = was;
		quiet.c_lflag &= ~(tcflag_t)ECHO;
		(void)tcsetattr(fileno(tty), TCSAFLUSH, &quiet);
	}
	good = first_line(tty, "the passphrase", line);
	if (shown)
		(void)tcsetattr(fileno(tty), TCSAFLUSH, &was);
	fputc('\n', tty);
	return good;
}

bool
secret_ask(struct seal_key *k, bool new_one)
{
	FILE *tty = fopen("/dev/tty", "r+e");
	char again[LINE];
	bool good;

	k->kind = SEAL_PASSPHRASE;
	if (tty == NULL) {
		fputs("stet: there is no terminal to ask for the passphrase: say"
		      " --passphrase-file FILE\n",
		    stderr);
		return false;
	}
	setvbuf(tty, NULL, _IONBF, 0);
	good = ask(tty, "Passphrase: ", k->passphrase);
	if (good && new_one) {
		good = ask(tty, "Once more: ", again);
		if (good && strcmp(again, k->passphrase) != 0) {
			fputs("stet: the two differ\n", stderr);
			good = false;
		}
		sodium_memzero(again, sizeof(again));
	}
	fclose(tty);
	return good;
}

/* ---- keys ---- */

static bool
key_of(struct seal_key *k, const char *path, bool secret)
{
	char line[LINE];
	bool good = line_of(path, line);

	if (good && !seal_key_parse(k, line, secret)) {
		fprintf(stderr, "stet: %s holds no %s key of stet\n", path,
		    secret ? "secret" : "public");
		good = false;
	}
	sodium_memzero(line, sizeof(line));
	return good;
}

bool
secret_key(struct seal_key *k, const char *path)
{
	return key_of(k, path, true);
}

bool
secret_public(struct seal_key *k, const char *text_or_path)
{
	return seal_key_parse(k, text_or_path, false) || key_of(k, text_or_path, false);
}

/* Writes one line to a new file that only its owner can read. */
static bool
keep_line(const char *path, const char *line)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool good = fd >= 0;

	if (good)
		good = dprintf(fd, "%s\n", line) > 0 && fsync(fd) == 0;
	if (fd >= 0)
		good = close(fd) == 0 && good;
	if (!good)
		fprintf(stderr, "stet: %s: %s\n", path, strerror(errno));
	return good;
}

bool
secret_pair(const char *path)
{
	char public[SEAL_KEY_TEXT], secret[SEAL_KEY_TEXT];
	bool good;

	seal_pair(public, secret);
	good = keep_line(path, secret);
	sodium_memzero(secret, sizeof(secret));
	if (good)
		puts(public);
	return good;
}

bool
secret_site_key(const char *path, struct sitekey *key)
{
	char text[SITEKEY_TEXT];
	bool good;

	sitekey_make(key);
	sitekey_text(key, text);
	good = keep_line(path, text);
	sodium_memzero(text, sizeof(text));
	return good;
}
