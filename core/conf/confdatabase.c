/* confdatabase.c - the keys of stet.conf about a site's database. */
#include "conf/confdatabase.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/dir.h"
#include "base/words.h"
#include "conf/confdriver.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define URI_SCHEME CONFDATABASE_SCHEME "//"
#define OWN "stet_" /* how the names of our own parameters and schemas begin */

/* ---- values ---- */

/* confdatabase_check looks at the URI, since errors about a value quote it, and this one may hold a
 * password. */
static bool
good_uri(const char *text)
{
	return *text != '\0';
}

/* Names that need no quotes, and none that PostgreSQL keeps for itself. */
static bool
good_schema(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return len > 0 && len <= CONFDATABASE_SCHEMA_MAX && text[len] == '\0' &&
	       !isdigit((unsigned char)*text) && strncmp(text, "pg_", 3) != 0;
}

const struct conf_check confdatabase_uri = { good_uri,
	"the URI of a database (postgresql:///stet?host=/run/postgresql)" };
const struct conf_check confdatabase_schema = { good_schema,
	"a name of at most 63 small letters, digits and _, which begins neither with a digit nor"
	" with pg_" };

void
confdatabase_finish(struct conf_site *site)
{
	size_t len = site->files_directory != NULL ? strlen(site->files_directory) : 0;

	while (len > 1 && site->files_directory[len - 1] == '/')
		site->files_directory[--len] = '\0';
	if (site->database == NULL || site->database_schema != NULL)
		return;
	site->database_schema = words_format(OWN "%s", site->name);
	for (char *s = site->database_schema; *s != '\0'; s++)
		if (*s == '-')
			*s = '_';
}

/* ---- the URI ---- */

static int
hex(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

/* Decodes the name of a parameter, which ends at = or &, as libpq does. Cuts off what does not
 * fit. */
static void
decode_name(const char *from, char *to, size_t size)
{
	size_t len = strcspn(from, "=&"), n = 0;

	for (size_t i = 0; i < len && n + 1 < size; i++) {
		int high = from[i] == '%' ? hex(from[i + 1]) : -1;
		int low = high >= 0 ? hex(from[i + 2]) : -1;

		if (low >= 0) {
			to[n++] = (char)(high * 16 + low);
			i += 2;
		} else
			to[n++] = from[i];
	}
	to[n] = '\0';
}

/* Returns what is wrong with a parameter of the URI, or NULL. */
static const char *
parameter_flaw(const char *parameter)
{
	static const char word[] = "password";
	char name[64];
	size_t len;

	decode_name(parameter, name, sizeof(name));
	len = strlen(name);
	if (len >= strlen(word) && strcmp(name + len - strlen(word), word) == 0)
		return "the URI must not hold a password: use database-password-file";
	if (strncmp(name, OWN, strlen(OWN)) == 0)
		return "parameters of the URI must not begin with " OWN;
	return NULL;
}

static const char *
uri_flaw(const char *uri)
{
	const char *rest, *at, *flaw = NULL;
	size_t authority;

	if (strncmp(uri, URI_SCHEME, strlen(URI_SCHEME)) != 0)
		return "the URI must begin with " URI_SCHEME;
	for (const char *s = uri; *s != '\0'; s++)
		if ((unsigned char)*s <= 0x20 || *s == 0x7f)
			return "the URI must not hold blanks: write %20";
	rest = uri + strlen(URI_SCHEME);
	authority = strcspn(rest, "/");
	at = memchr(rest, '@', authority);
	if (at != NULL && memchr(rest, ':', (size_t)(at - rest)) != NULL)
		return "the URI must not hold a password: use database-password-file";
	for (const char *p = strchr(rest, '?'); p != NULL && flaw == NULL; p = strchr(p + 1, '&'))
		flaw = parameter_flaw(p + 1);
	return flaw;
}

/* ---- keys together ---- */

/* Returns true if the path is the directory, or lies in it. */
static bool
is_within(const char *path, const char *directory)
{
	size_t len = strlen(directory);

	return strncmp(path, directory, len) == 0 && (path[len] == '\0' || path[len] == '/');
}

static const char *
keys_flaw(const struct conf_site *s)
{
	bool directory = s->files == NULL || strcmp(s->files, CONF_DIRECTORY) == 0;

	if (s->files_directory != NULL && is_within(s->files_directory, s->data))
		return "files-directory: it must not be in the data directory";
	if (s->database == NULL && s->database_password_file != NULL)
		return "database-password-file: there is no database";
	if (s->database == NULL && s->database_schema != NULL)
		return "database-schema: there is no database";
	if (s->database == NULL)
		return NULL;
	if (!good_schema(s->database_schema))
		return "the name of the site is too long for that of a schema: set database-schema";
	if (directory && s->files_directory == NULL)
		return "files: with a database in PostgreSQL, files must be where every daemon of"
		       " the site finds them: files = \"s3\", or files-directory";
	return NULL;
}

static bool
is_same(const char *a, const char *b)
{
	return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Returns what two sites share and must not, or NULL: tables, or files, of which each site removes
 * those that its rows do not name. */
static const char *
shared(const struct conf_site *a, const struct conf_site *b)
{
	if (is_same(a->database, b->database) && is_same(a->database_schema, b->database_schema))
		return "database-schema";
	return is_same(a->files_directory, b->files_directory) ? "files-directory" : NULL;
}

/* The same for a site and those before it. */
static char *
check_shared(const struct conf *conf, size_t count)
{
	const struct conf_site *s = &conf->sites[count];
	const char *key = NULL;
	size_t i = 0;

	while (i < count && (key = shared(&conf->sites[i], s)) == NULL)
		i++;
	return key == NULL ? NULL
			   : words_format("site \"%s\": %s: it is that of \"%s\"", s->name, key,
				 conf->sites[i].name);
}

const char *
confdatabase_flaw(const struct conf_site *s)
{
	const char *flaw = uri_flaw(s->database);

	if (flaw == NULL && !good_schema(s->database_schema))
		flaw = confdatabase_schema.want;
	return flaw;
}

char *
confdatabase_check(const struct conf *conf)
{
	char *why = NULL;

	for (size_t i = 0; i < conf->site_count && why == NULL; i++) {
		const struct conf_site *s = &conf->sites[i];
		const char *flaw = s->database != NULL ? uri_flaw(s->database) : NULL;

		if (flaw != NULL)
			return words_format("site \"%s\": database: %s", s->name, flaw);
		if ((flaw = keys_flaw(s)) != NULL)
			return words_format("site \"%s\": %s", s->name, flaw);
		why = check_shared(conf, i);
	}
	return why;
}

/* ---- the place ---- */

static void
add_encoded(struct buf *to, const char *text)
{
	for (; *text != '\0'; text++)
		if (isalnum((unsigned char)*text) || strchr("-._~/", *text) != NULL)
			buf_char(to, *text);
		else
			buf_printf(to, "%%%02X", (unsigned)(unsigned char)*text);
}

char *
confdatabase_place(const struct conf_site *site)
{
	struct buf place = { 0 };

	if (site->database == NULL)
		return confdatabase_file(site);
	buf_printf(&place, "%s%sstet_schema=%s&stet_timeout=%lld", site->database,
	    strchr(site->database, '?') != NULL ? "&" : "?", site->database_schema,
	    (long long)site->database_timeout);
	buf_str(&place, "&stet_directory=");
	add_encoded(&place, site->data);
	buf_str(&place, "/" DATADIR_TMP);
	if (site->database_password_file != NULL) {
		buf_str(&place, "&stet_password_file=");
		add_encoded(&place, site->database_password_file);
	}
	return place.data;
}

char *
confdatabase_file(const struct conf_site *site)
{
	return site->database == NULL ? words_format("%s/" SITE_DATABASE, site->data) : NULL;
}
