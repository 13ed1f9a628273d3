/* pgplace.c - reads the place of a database. */
#include "pgplace.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_MS 5000
#define PASSWORD_MAX 1024

/* Returns what a parameter of the URI says, without percent encoding. */
static char *
decoded(const char *text, size_t len)
{
	struct buf out = { 0 };

	buf_str(&out, "");
	for (size_t i = 0; i < len; i++) {
		const char digits[3] = { i + 2 < len ? text[i + 1] : '\0',
			i + 2 < len ? text[i + 2] : '\0', '\0' };
		char *end;
		long code = strtol(digits, &end, 16);

		if (text[i] == '%' && end == digits + 2) {
			buf_char(&out, (char)code);
			i += 2;
		} else
			buf_char(&out, text[i]);
	}
	return out.data;
}

/* Takes a parameter of the site. Returns false for one of libpq. */
static bool
take(struct pg_place *p, const char *text, size_t len)
{
	const char *equals = memchr(text, '=', len);
	size_t name = equals != NULL ? (size_t)(equals - text) : len;
	char **to = NULL, *value;

	if (name == len || name < 5 || memcmp(text, "stet_", 5) != 0)
		return false;
	value = decoded(equals + 1, len - name - 1);
	if (name == strlen("stet_schema") && memcmp(text, "stet_schema", name) == 0)
		to = &p->schema;
	else if (name == strlen("stet_password_file") &&
		 memcmp(text, "stet_password_file", name) == 0)
		to = &p->password_file;
	else if (name == strlen("stet_directory") && memcmp(text, "stet_directory", name) == 0)
		to = &p->directory;
	else if (name == strlen("stet_timeout") && memcmp(text, "stet_timeout", name) == 0)
		p->timeout_ms = (int)strtol(value, NULL, 10);
	if (to != NULL) {
		free(*to);
		*to = value;
	} else
		free(value);
	return true;
}

void
pgplace_read(struct pg_place *p, const char *place)
{
	const char *at = place + strcspn(place, "?");
	struct buf uri = { 0 };
	char between = '?';

	*p = (struct pg_place){ .timeout_ms = TIMEOUT_MS };
	buf_add(&uri, place, (size_t)(at - place));
	while (*at != '\0') {
		size_t len = strcspn(++at, "&");

		if (len > 0 && !take(p, at, len)) {
			buf_char(&uri, between);
			buf_add(&uri, at, len);
			between = '&';
		}
		at += len;
	}
	p->uri = uri.data;
	if (p->schema == NULL)
		p->schema = xstrdup("stet");
	if (p->directory == NULL)
		p->directory = xstrdup(P_tmpdir);
	if (p->timeout_ms <= 0)
		p->timeout_ms = TIMEOUT_MS;
}

void
pgplace_free(struct pg_place *p)
{
	free(p->uri);
	free(p->schema);
	free(p->directory);
	free(p->password_file);
}

char *
pgplace_password(const struct pg_place *p)
{
	char line[PASSWORD_MAX];
	FILE *f = fopen(p->password_file, "re");
	bool good = f != NULL && fgets(line, sizeof(line), f) != NULL;

	if (!good)
		log_line(STET_ERROR, "cannot read the password of the database in %s: %s",
		    p->password_file, f == NULL ? strerror(errno) : "it is empty");
	if (f != NULL)
		fclose(f);
	if (!good)
		return NULL;
	line[strcspn(line, "\r\n")] = '\0';
	return xstrdup(line);
}
