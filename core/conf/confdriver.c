/* confdriver.c - which drivers stet.conf asks for, and the values of the keys that they bring. */
#include "conf/confdriver.h"
#include "base/arena.h"
#include "base/log.h"
#include "base/words.h"
#include "conf/confhost.h"
#include <stdlib.h>
#include <stet/mailtransport.h>
#include <string.h>

static conf_driver_find *find;
static const char *const prefixes[] = {
	[CONF_FILES] = "files-", [CONF_MAIL] = "mail-", [CONF_DATABASE] = "database-"
};

void
confdriver_set(conf_driver_find *fn)
{
	find = fn;
}

/* ---- what the file asks for ---- */

/* Reads a quoted word of a plain text. Returns what follows it, or NULL at the end. */
static const char *
next_word(const char *at, struct buf *word)
{
	const char *end;

	word->len = 0;
	buf_str(word, "");
	if ((at = strchr(at, '"')) == NULL || (end = strchr(at + 1, '"')) == NULL)
		return NULL;
	for (at++; at < end; at++)
		if (*at == '\\' && end - at >= 4) {
			const char digits[3] = { at[2], at[3], '\0' };

			buf_char(word, (char)strtol(digits, NULL, 16));
			at += 3;
		} else
			buf_char(word, *at);
	return end + 1;
}

/* Returns true if a value follows. */
static bool
is_key(const char *at)
{
	at += strspn(at, " \t\n+");
	return *at == '=';
}

const struct conf_key *
confdriver_key(const struct conf_key *keys, const char *name)
{
	while (keys->name != NULL && strcmp(keys->name, name) != 0)
		keys++;
	return keys->name != NULL ? keys : NULL;
}

const char *
confdriver_name(const char *module, enum conf_driver_kind *kind)
{
	for (size_t i = 0; i < CONF_DRIVER_KINDS; i++)
		if (strncmp(module, prefixes[i], strlen(prefixes[i])) == 0) {
			*kind = (enum conf_driver_kind)i;
			return module + strlen(prefixes[i]);
		}
	return NULL;
}

struct asked {
	const char *path[2]; /* module-path and plugin-path */
	const struct conf_driver **found;
	size_t count;
	struct buf *wrong;
};

/* Drivers of two kinds may have the same name, but each key belongs to one. */
static char *
shared_key(const struct asked *a, const struct conf_driver *driver)
{
	for (size_t i = 0; i < a->count; i++)
		for (const struct conf_key *k = driver->keys; k->name != NULL; k++)
			if (confdriver_key(a->found[i]->keys, k->name) != NULL)
				return words_format("%s%s brings the key %s, too",
				    prefixes[a->found[i]->kind], a->found[i]->name, k->name);
	return NULL;
}

/* Returns false if there is no driver of this kind and name. */
static bool
add(struct asked *a, enum conf_driver_kind kind, const char *name)
{
	const struct conf_driver *driver;
	char *file, *why = NULL;
	bool found;

	for (size_t i = 0; i < a->count; i++)
		if (a->found[i]->kind == kind && strcmp(a->found[i]->name, name) == 0)
			return true;
	file = words_format("%s%s", prefixes[kind], name);
	driver = find(a->path[0], a->path[1], file, &why);
	if (driver != NULL && (why = shared_key(a, driver)) == NULL)
		a->found[a->count++] = driver;
	if (why != NULL && a->wrong->len == 0)
		buf_printf(a->wrong, "the driver %s: %s", file, why);
	found = driver != NULL || why != NULL;
	free(file);
	free(why);
	return found;
}

/* Adds the driver that the value of `database`, `files` or `mail` names. */
static void
add_by_value(struct asked *a, const char *key, const char *value)
{
	size_t len = strcspn(value, ":");
	char *scheme = words_format("%.*s", (int)len, value);

	if (strcmp(key, "database") == 0) {
		if (value[len] == ':' && confcheck_driver_name(scheme))
			(void)add(a, CONF_DATABASE, scheme);
	} else if (strcmp(key, "files") == 0) {
		if (strcmp(value, CONF_DIRECTORY) != 0 && confcheck_driver_name(value))
			(void)add(a, CONF_FILES, value);
	} else if (confcheck_driver_name(scheme) && !add(a, CONF_MAIL, scheme) && len > 1 &&
		   scheme[len - 1] == 's') {
		scheme[len - 1] = '\0';
		(void)add(a, CONF_MAIL, scheme);
	}
	free(scheme);
}

/* A key that no table has may belong to a driver: "s3-bucket" to files-s3. */
static void
add_by_key(struct asked *a, const char *key)
{
	size_t len = strcspn(key, "-");
	char *name;

	if (key[len] == '\0' || len == 0 || confdriver_key(conf_site_keys, key) != NULL ||
	    confdriver_key(conf_keys, key) != NULL)
		return;
	name = words_format("%.*s", (int)len, key);
	for (enum conf_driver_kind kind = 0; kind < CONF_DRIVER_KINDS; kind++)
		(void)add(a, kind, name);
	free(name);
}

static const char *
path_of(const char *plain, const char *name, struct buf *value)
{
	const struct conf_key *key = confdriver_key(conf_keys, name);
	const char *given = getenv(key->environment), *path = key->fallback;
	struct buf word = { 0 };

	for (const char *at = plain; (at = next_word(at, &word)) != NULL;)
		if (strcmp(word.data, name) == 0 && is_key(at) &&
		    (at = next_word(at, value)) != NULL)
			path = value->data;
	buf_free(&word);
	return given != NULL && *given != '\0' ? given : path;
}

bool
confdriver_load(
    const char *plain, const struct conf_driver *found[CONF_DRIVERS_MAX + 1], struct buf *wrong)
{
	struct buf modules = { 0 }, plugins = { 0 }, word = { 0 }, value = { 0 };
	struct asked a = { { path_of(plain, "module-path", &modules),
			       path_of(plain, "plugin-path", &plugins) },
		found, 0, wrong };
	const char *at = plain;

	while (find != NULL && (at = next_word(at, &word)) != NULL) {
		if (!is_key(at))
			continue;
		if (strcmp(word.data, "files") != 0 && strcmp(word.data, "mail") != 0 &&
		    strcmp(word.data, "database") != 0)
			add_by_key(&a, word.data);
		else if (next_word(at, &value) != NULL)
			add_by_value(&a, word.data, value.data);
	}
	found[a.count] = NULL;
	buf_free(&modules);
	buf_free(&plugins);
	buf_free(&word);
	buf_free(&value);
	return wrong->len == 0;
}

/* ---- checks ---- */

/* Returns true if the URL has this scheme, or with `tls` this scheme and an s. */
static bool
has_scheme(const char *url, const char *scheme, bool tls)
{
	size_t len = strlen(scheme);

	return strncmp(url, scheme, len) == 0 && strncmp(url + len, tls ? "s:" : ":", tls + 1) == 0;
}

bool
confdriver_sends(const struct conf_driver *const *drivers, const char *url)
{
	for (; *drivers != NULL; drivers++)
		if ((*drivers)->kind == CONF_MAIL && (has_scheme(url, (*drivers)->name, false) ||
							 has_scheme(url, (*drivers)->name, true)))
			return true;
	return has_scheme(url, "smtp", false) || has_scheme(url, "smtp", true);
}

/* Returns what the driver finds wrong with the keys of the site. */
static const char *
check_keys(const struct conf_driver *driver, const struct conf_site *site)
{
	const struct stet_conf *conf = conf_public(site);

	if (driver->kind == CONF_DATABASE)
		return NULL;
	if (driver->kind == CONF_MAIL)
		return driver->mail->check != NULL
			   ? driver->mail->check(conf, confdriver_mail(site) == driver->mail)
			   : NULL;
	return driver->files->check != NULL
		   ? driver->files->check(conf, strcmp(driver->name, confdriver_of(site)) == 0)
		   : NULL;
}

static char *
check_site(const struct conf_site *site)
{
	const char *files = confdriver_of(site), *why = NULL;

	for (const struct conf_brought *b = confdriver_brought(site);
	     b->driver != NULL && why == NULL; b++)
		why = check_keys(b->driver, site);
	if (why != NULL)
		return words_format("site \"%s\": %s", site->name, why);
	if (strcmp(files, CONF_DIRECTORY) == 0 || confdriver_files(site, files) != NULL)
		return NULL;
	return words_format("site \"%s\": files: there is no driver \"%s\": no module or plugin is"
			    " named %s%s",
	    site->name, files, prefixes[CONF_FILES], files);
}

char *
confdriver_check(const struct conf *conf)
{
	char *why = NULL;

	for (size_t i = 0; i < conf->site_count && why == NULL; i++)
		why = check_site(&conf->sites[i]);
	return why;
}

/* ---- drivers and values of a site ---- */

const struct conf_brought *
confdriver_brought(const struct conf_site *site)
{
	static const struct conf_brought none;

	return site->brought != NULL ? site->brought : &none;
}

const struct stet_file_driver *
confdriver_files(const struct conf_site *site, const char *name)
{
	const struct conf_brought *b = confdriver_brought(site);

	while (b->driver != NULL &&
	       (b->driver->kind != CONF_FILES || strcmp(b->driver->name, name) != 0))
		b++;
	return b->driver != NULL ? b->driver->files : NULL;
}

/* The transport whose name is the scheme, or the scheme without an s. */
static const struct stet_mail_transport *
transport_of(const struct conf_site *site, bool tls)
{
	const struct conf_brought *b = confdriver_brought(site);

	while (b->driver != NULL &&
	       (b->driver->kind != CONF_MAIL || !has_scheme(site->mail, b->driver->name, tls)))
		b++;
	return b->driver != NULL ? b->driver->mail : NULL;
}

const struct stet_mail_transport *
confdriver_mail(const struct conf_site *site)
{
	const struct stet_mail_transport *transport = NULL;

	if (site->mail != NULL && (transport = transport_of(site, false)) == NULL)
		transport = transport_of(site, true);
	return transport;
}

const char *
confdriver_of(const struct conf_site *site)
{
	return site->files != NULL ? site->files : CONF_DIRECTORY;
}

void
confdriver_bring(struct conf_site *site, const struct conf_driver *const *drivers)
{
	size_t count = 0;

	while (drivers[count] != NULL)
		count++;
	site->brought = xcalloc(count + 1, sizeof(*site->brought));
	for (size_t i = 0; i < count; i++)
		site->brought[i] =
		    (struct conf_brought){ drivers[i], xcalloc(1, drivers[i]->size) };
}

void
confdriver_copy(struct conf_site *to, const struct conf_site *from)
{
	const struct conf_driver *drivers[CONF_DRIVERS_MAX + 1] = { NULL };
	const struct conf_brought *b = confdriver_brought(from);

	for (size_t i = 0; b[i].driver != NULL; i++)
		drivers[i] = b[i].driver;
	confdriver_bring(to, drivers);
	for (size_t i = 0; b[i].driver != NULL; i++)
		for (const struct conf_key *k = b[i].driver->keys; k->name != NULL; k++)
			confkey_copy(k, to->brought[i].values, b[i].values);
}

/* Returns the values of a driver's keys for a site: the defaults if the site does not use the
 * driver. */
static const void *
values_of(const struct conf_site *site, const struct conf_driver *driver)
{
	const struct conf_brought *b = confdriver_brought(site);

	while (b->driver != NULL && b->driver != driver)
		b++;
	return b->driver != NULL ? b->values : driver->usual;
}

/* Appends the names of keys of a's drivers whose values differ. Without `all`, skips drivers that b
 * uses too. */
static void
add_changed(const struct conf_site *a, const struct conf_site *b, bool all, struct buf *names)
{
	for (const struct conf_brought *own = confdriver_brought(a); own->driver != NULL; own++) {
		const void *other = values_of(b, own->driver);
		char *changed = all || other == own->driver->usual
				    ? confkey_changed(own->driver->keys, own->values, other, false)
				    : NULL;

		if (changed != NULL)
			buf_printf(names, "%s%s", names->len > 0 ? ", " : "", changed);
		free(changed);
	}
}

void
confdriver_changed(const struct conf_site *a, const struct conf_site *b, struct buf *names)
{
	add_changed(a, b, true, names);
	add_changed(b, a, false, names);
}

void
confdriver_free(struct conf_site *site)
{
	for (const struct conf_brought *b = confdriver_brought(site); b->driver != NULL; b++) {
		for (const struct conf_key *k = b->driver->keys; k->name != NULL; k++)
			confkey_free(k, b->values);
		free(b->values);
	}
	free(site->brought);
	site->brought = NULL;
}

/* ---- values, as drivers read them (driver.h) ---- */

/* Finds a key that a driver may read. *values is the structure that has its field. */
static const struct conf_key *
find_key(const struct conf_site *site, const char *name, const void **values)
{
	static const char *const own[] = { "name", "data", "base-url", "fetch-ca" };
	const struct conf_key *key = NULL;

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(own[i], name) == 0) {
			*values = site;
			return confdriver_key(conf_site_keys, name);
		}
	for (const struct conf_brought *b = confdriver_brought(site);
	     b->driver != NULL && key == NULL; b++) {
		*values = b->values;
		key = confdriver_key(b->driver->keys, name);
	}
	return key;
}

const char *
stet_conf_text(const struct stet_conf *conf, const char *name)
{
	const void *values;
	const struct conf_key *key = find_key(conf_of(conf), name, &values);

	return key != NULL ? confkey_text(key, values) : NULL;
}

int64_t
stet_conf_number(const struct stet_conf *conf, const char *name)
{
	const void *values;
	const struct conf_key *key = find_key(conf_of(conf), name, &values);

	return key != NULL ? confkey_number(key, values) : 0;
}

bool
stet_conf_is_authority(const char *text, size_t len)
{
	return confhost_authority(text, len);
}
