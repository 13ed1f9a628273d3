/*
 * conf.c - reads stet.conf into struct conf.
 *
 * The table of keys (confkey.c) is turned into options of libconfuse, so a key is declared in one
 * place. libconfuse parses the text into its tree and calls our checks for each value. Then the
 * tree is copied into struct conf, defaults that depend on other keys are filled in, and
 * confcheck_whole tests what no single value shows. Only the first error is kept.
 */
#include "conf/conf.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/log.h"
#include "conf/confcheck.h"
#include "conf/confdatabase.h"
#include "conf/confdriver.h"
#include "conf/confkey.h"
#include "conf/confmail.h"
#include "conf/conftext.h"

#include <confuse.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FILE_MAX_BYTES (1024 * 1024)
#define DATA_DEFAULT "/var/lib/stet/"

/* The first error of the file being read. A thread variable, since libconfuse calls its error
 * function without a context of ours. */
static _Thread_local struct buf first_error;

/* The drivers whose keys the file being read may have; ends with NULL. */
static _Thread_local const struct conf_driver *drivers[CONF_DRIVERS_MAX + 1];

static void keep_error(cfg_t *, const char *, va_list) __attribute__((format(printf, 2, 0)));

static void
keep_error(cfg_t *cfg, const char *fmt, va_list ap)
{
	char text[512];

	if (first_error.len != 0)
		return;
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	if (cfg != NULL && cfg->filename != NULL)
		buf_printf(&first_error, "%s:%d: %s", cfg->filename, cfg->line, text);
	else
		buf_str(&first_error, text);
}

/* ---- the options of libconfuse, made from a table ---- */

struct opts {
	cfg_opt_t *opt;
	char **fallback; /* defaults of lists, as texts that libconfuse parses */
	size_t count;
};

static bool
is_list(const struct conf_key *k)
{
	return k->kind == CONF_LIST || k->kind == CONF_RATES;
}

static cfg_type_t
opt_type(const struct conf_key *k)
{
	switch (k->kind) {
	case CONF_TITLE:
		return CFGT_NONE;
	case CONF_INT:
	case CONF_COUNT:
		return CFGT_INT;
	case CONF_SWITCH:
		return CFGT_BOOL;
	default:
		return CFGT_STR;
	}
}

static void
add_opt(struct opts *o, const struct conf_key *k)
{
	/* Defaults of rates are set one by one in confkey_set, so libconfuse gets none. */
	const char *word = k->kind == CONF_RATES ? NULL : k->fallback;
	struct buf list = { 0 };

	if (is_list(k)) {
		buf_printf(&list, word != NULL ? "{\"%s\"}" : "{}", word);
		o->fallback[o->count] = list.data;
		o->opt[o->count] = (cfg_opt_t)CFG_STR_LIST(k->name, list.data, CFGF_NONE);
	} else if (opt_type(k) == CFGT_STR)
		o->opt[o->count] = (cfg_opt_t)CFG_STR(k->name, word, CFGF_NONE);
	else if (opt_type(k) == CFGT_INT)
		o->opt[o->count] = (cfg_opt_t)CFG_INT(k->name, (long)k->number, CFGF_NONE);
	else if (opt_type(k) == CFGT_BOOL)
		o->opt[o->count] = (cfg_opt_t)CFG_BOOL(k->name, cfg_false, CFGF_NONE);
	else
		return;
	o->count++;
}

static void
add_opts(struct opts *o, const struct conf_key *keys)
{
	size_t rows = o->count + 2; /* and two: the sections and the end */

	for (const struct conf_key *k = keys; k->name != NULL; k++)
		rows++;
	o->opt = xrealloc(o->opt, rows * sizeof(*o->opt));
	o->fallback = xrealloc(o->fallback, rows * sizeof(*o->fallback));
	memset(o->opt + o->count, 0, (rows - o->count) * sizeof(*o->opt));
	memset(o->fallback + o->count, 0, (rows - o->count) * sizeof(*o->fallback));
	for (const struct conf_key *k = keys; k->name != NULL; k++)
		add_opt(o, k);
	o->opt[o->count] = (cfg_opt_t)CFG_END();
}

static struct opts
site_opts(void)
{
	struct opts o = { 0 };

	add_opts(&o, conf_site_keys);
	for (size_t i = 0; drivers[i] != NULL; i++)
		add_opts(&o, drivers[i]->keys);
	return o;
}

static struct opts
daemon_opts(const struct opts *sections)
{
	struct opts o = { 0 };

	add_opts(&o, conf_keys);
	o.opt[o.count++] = (cfg_opt_t)CFG_SEC(
	    "site", sections->opt, CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES);
	o.opt[o.count] = (cfg_opt_t)CFG_END();
	return o;
}

static void
opts_free(struct opts *o)
{
	for (size_t i = 0; i < o->count; i++)
		free(o->fallback[i]);
	free(o->fallback);
	free(o->opt);
}

/* ---- lists ---- */

static char **
list_one(const char *word)
{
	char **list = xcalloc(2, sizeof(*list));

	list[0] = xstrdup(word);
	return list;
}

static void
list_free(char **list)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

static void
lower(char *text)
{
	for (; *text != '\0'; text++)
		*text = (char)tolower((unsigned char)*text);
}

/* Returns the row of an option; `site` sections have a table of their own, and those of drivers. */
static const struct conf_key *
key_of(const cfg_t *cfg, const cfg_opt_t *opt)
{
	bool site = strcmp(cfg->name, "site") == 0;
	const struct conf_key *k = confdriver_key(site ? conf_site_keys : conf_keys, opt->name);

	for (size_t i = 0; k == NULL && drivers[i] != NULL; i++)
		k = confdriver_key(drivers[i]->keys, opt->name);
	stet_assert(k != NULL);
	return k;
}

static bool
is_good(const struct conf_key *k, const char *value)
{
	return k->check->good != NULL ? k->check->good(value)
				      : confcheck_is_one_of(value, k->choices);
}

static int
check_words(cfg_t *cfg, cfg_opt_t *opt)
{
	const struct conf_key *k = key_of(cfg, opt);

	for (unsigned i = 0; i < cfg_opt_size(opt); i++) {
		const char *value = cfg_opt_getnstr(opt, i);

		if (value == NULL || !is_good(k, value) ||
		    (k->check == &confmail_server && !confdriver_sends(drivers, value))) {
			cfg_error(cfg, "%s: \"%s\" is not %s", opt->name,
			    value == NULL ? "" : value, k->check->want);
			return -1;
		}
	}
	return 0;
}

static int
check_number(cfg_t *cfg, cfg_opt_t *opt)
{
	const struct conf_key *k = key_of(cfg, opt);
	long value = cfg_opt_getnint(opt, 0);

	if (value >= k->least && value <= k->most)
		return 0;
	cfg_error(cfg, "%s: %ld is not between %lld and %lld", opt->name, value,
	    (long long)k->least, (long long)k->most);
	return -1;
}

static int
check_site(cfg_t *cfg, cfg_opt_t *opt)
{
	const char *title = cfg_title(cfg_opt_getnsec(opt, cfg_opt_size(opt) - 1));

	if (confcheck_title(title))
		return 0;
	cfg_error(cfg, "site: \"%s\" is not a name of small letters, digits and hyphens",
	    title == NULL ? "" : title);
	return -1;
}

/* Sets the check of every key that holds text or a number. */
static void
set_checks(cfg_t *cfg, const char *in, const cfg_opt_t *opts)
{
	char path[64];

	for (const cfg_opt_t *o = opts; o->name != NULL; o++) {
		(void)snprintf(path, sizeof(path), "%s%s", in, o->name);
		if (o->type == CFGT_STR)
			cfg_set_validate_func(cfg, path, check_words);
		else if (o->type == CFGT_INT)
			cfg_set_validate_func(cfg, path, check_number);
	}
}

/* Refuses an empty list where one value is needed. libconfuse calls checks per value, so an empty
 * list would never be checked. */
static void
check_empty(cfg_t *site, const char *name)
{
	for (const struct conf_key *k = conf_site_keys; k->name != NULL; k++)
		if (k->some && cfg_size(site, k->name) == 0 && first_error.len == 0)
			buf_printf(&first_error, "%s: site \"%s\": %s: at least one is needed: %s",
			    name, cfg_title(site), k->name, k->check->want);
}

/* cors-credentials lets pages of other origins act with a visitor's cookies, so each of those
 * origins must be named. */
static void
check_cors(cfg_t *site, const char *name)
{
	if (cfg_getbool(site, "cors-credentials") != cfg_true || first_error.len != 0)
		return;
	for (unsigned i = 0; i < cfg_size(site, "cors-origins"); i++)
		if (strcmp(cfg_getnstr(site, "cors-origins", i), "*") == 0)
			buf_printf(&first_error,
			    "%s: site \"%s\": cors-credentials cannot go with the origin *", name,
			    cfg_title(site));
}

static bool
check_lists(cfg_t *cfg, const char *name)
{
	for (unsigned i = 0; i < cfg_size(cfg, "site"); i++) {
		cfg_t *site = cfg_getnsec(cfg, "site", i);

		check_empty(site, name);
		check_cors(site, name);
	}
	return first_error.len == 0;
}

/* ---- copying libconfuse's tree into struct conf ---- */

static void
read_text(cfg_t *cfg, const struct conf_key *k, void *conf)
{
	const char *word = k->environment != NULL ? getenv(k->environment) : NULL;

	if (word == NULL || *word == '\0')
		word = cfg_getstr(cfg, k->name);
	/* libconfuse ignores a failed allocation: the default is then missing. */
	if (word == NULL && k->fallback != NULL && k->kind != CONF_RATES)
		stet_out_of_memory();
	confkey_set(k, conf, &word, word != NULL ? 1 : 0);
}

static void
read_list(cfg_t *cfg, const struct conf_key *k, void *conf)
{
	unsigned count = cfg_size(cfg, k->name);
	const char **words = xcalloc(count + 1, sizeof(*words));

	for (unsigned i = 0; i < count; i++)
		words[i] = cfg_getnstr(cfg, k->name, i);
	confkey_set(k, conf, words, count);
	free(words);
}

static void
read_keys(cfg_t *cfg, const struct conf_key *k, void *conf)
{
	const char *title = cfg_title(cfg);

	for (; k->name != NULL; k++)
		switch (opt_type(k)) {
		case CFGT_NONE:
			confkey_set(k, conf, &title, 1);
			break;
		case CFGT_INT:
			if (cfg_size(cfg, k->name) == 0)
				stet_out_of_memory();
			confkey_set_number(k, conf, cfg_getint(cfg, k->name));
			break;
		case CFGT_BOOL:
			confkey_set_number(k, conf, cfg_getbool(cfg, k->name) == cfg_true);
			break;
		default:
			if (is_list(k))
				read_list(cfg, k, conf);
			else
				read_text(cfg, k, conf);
		}
}

static void
read_site(cfg_t *cfg, struct conf_site *site)
{
	read_keys(cfg, conf_site_keys, site);
	confdriver_bring(site, drivers);
	for (size_t i = 0; drivers[i] != NULL; i++)
		read_keys(cfg, drivers[i]->keys, site->brought[i].values);
}

/* "localhost" is a name for these, and browsers allow passkeys for names only. */
static bool
is_any_or_loopback(const char *listen)
{
	static const char *const hosts[] = { "0.0.0.0:", "[::]:", "127.0.0.1:", "[::1]:" };

	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		if (strncmp(listen, hosts[i], strlen(hosts[i])) == 0)
			return true;
	return false;
}

/* The URL of a site that sets no base-url: its first host and the port of the first address we
 * listen on. A client on this machine can reach it. */
static char *
default_url(const struct conf *conf, const struct conf_site *site)
{
	bool tls = conf->tls_listen[0] != NULL;
	const char *listen = tls ? conf->tls_listen[0] : conf->listen[0];
	const char *port = listen != NULL ? strrchr(listen, ':') : "", *host = site->hosts[0];
	int len = (int)strlen(host);
	struct buf url = { 0 };

	if (listen != NULL && strcmp(host, "*") == 0) {
		host = listen;
		len = (int)(port - listen);
		if (is_any_or_loopback(listen)) {
			host = "localhost";
			len = 9;
		}
	}
	buf_printf(&url, "http%s://%.*s", tls ? "s" : "", len, host);
	if (strcmp(port, tls ? ":443" : ":80") != 0)
		buf_str(&url, port);
	return url.data;
}

static void
finish_site(const struct conf *conf, struct conf_site *site)
{
	size_t len;

	for (size_t i = 0; site->hosts[i] != NULL; i++)
		lower(site->hosts[i]);
	for (size_t i = 0; site->cors_origins[i] != NULL; i++)
		lower(site->cors_origins[i]);
	if (site->base_url == NULL) {
		site->base_url = default_url(conf, site);
		site->url_derived = true;
	}
	len = strlen(site->base_url);
	while (len > 0 && site->base_url[len - 1] == '/')
		site->base_url[--len] = '\0';
	if (site->data == NULL) {
		struct buf data = { 0 };

		buf_printf(&data, "%s%s", DATA_DEFAULT, site->name);
		site->data = data.data;
	}
	len = strlen(site->data);
	while (len > 1 && site->data[len - 1] == '/')
		site->data[--len] = '\0';
	confdatabase_finish(site);
}

static struct conf *
read_tree(cfg_t *cfg)
{
	struct conf *conf = xcalloc(1, sizeof(*conf));

	/* A file without a site section has one site. */
	if (cfg_size(cfg, "site") == 0)
		(void)cfg_addtsec(cfg, "site", "main");
	read_keys(cfg, conf_keys, conf);
	conf->site_count = cfg_size(cfg, "site");
	conf->sites = xcalloc(conf->site_count, sizeof(*conf->sites));
	for (unsigned i = 0; i < conf->site_count; i++) {
		read_site(cfg_getnsec(cfg, "site", i), &conf->sites[i]);
		finish_site(conf, &conf->sites[i]);
	}
	return conf;
}

/* ---- public functions ---- */

/* A tree of libconfuse with the options of our tables. */
static cfg_t *
new_tree(const char *name)
{
	struct opts site = site_opts(), daemon = daemon_opts(&site);
	cfg_t *cfg = cfg_init(daemon.opt, CFGF_NONE);

	if (cfg == NULL)
		stet_out_of_memory();
	cfg_set_error_function(cfg, keep_error);
	set_checks(cfg, "", daemon.opt);
	set_checks(cfg, "site|", site.opt);
	cfg_set_validate_func(cfg, "site", check_site);
	opts_free(&daemon);
	opts_free(&site);
	free(cfg->filename);
	cfg->filename = xstrdup(name);
	return cfg;
}

/* Lets libconfuse parse a text in plain form (conftext.h). */
static bool
parse(cfg_t *cfg, const struct buf *plain)
{
	FILE *file = plain->len > 0 ? fmemopen(plain->data, plain->len, "r") : NULL;
	bool good;

	if (file == NULL)
		return plain->len == 0;
	good = cfg_parse_fp(cfg, file) == CFG_SUCCESS;
	(void)fclose(file);
	return good;
}

static bool
load_drivers(const char *plain, const char *name)
{
	struct buf wrong = { 0 };
	bool good = confdriver_load(plain, drivers, &wrong);

	if (!good)
		buf_printf(&first_error, "%s: %s", name, wrong.data);
	buf_free(&wrong);
	return good;
}

struct conf *
conf_parse(const char *text, const char *name, char **why)
{
	struct buf plain = { 0 };
	struct conf *conf = NULL;
	char *wrong = NULL;
	cfg_t *cfg;
	bool good;

	*why = NULL;
	drivers[0] = NULL;
	good = conftext_plain(text, name, &plain, &first_error) && load_drivers(plain.data, name);
	cfg = new_tree(name);
	if (good && parse(cfg, &plain) && first_error.len == 0 && check_lists(cfg, name)) {
		conf = read_tree(cfg);
		wrong = confcheck_whole(conf);
		if (wrong == NULL)
			wrong = confdriver_check(conf);
	}
	if (wrong != NULL) {
		buf_printf(&first_error, "%s: %s", name, wrong);
		free(wrong);
		conf_free(conf);
		conf = NULL;
	}
	if (conf == NULL) {
		if (first_error.len == 0)
			buf_printf(&first_error, "%s: cannot be read", name);
		*why = first_error.data;
		first_error = (struct buf){ 0 };
	}
	buf_free(&plain);
	cfg_free(cfg);
	return conf;
}

struct conf *
conf_read(const char *path, char **why)
{
	struct buf text = { 0 }, error = { 0 };
	struct conf *conf = NULL;
	FILE *file = fopen(path, "re");
	char block[4096];
	size_t n;

	*why = NULL;
	if (file == NULL) {
		buf_printf(&error, "%s: %s", path, strerror(errno));
		*why = error.data;
		return NULL;
	}
	buf_str(&text, "");
	while ((n = fread(block, 1, sizeof(block), file)) > 0 && text.len <= FILE_MAX_BYTES)
		buf_add(&text, block, n);
	if (ferror(file))
		buf_printf(&error, "%s: %s", path, strerror(errno));
	else if (text.len > FILE_MAX_BYTES)
		buf_printf(&error, "%s: larger than 1 MiB", path);
	else if (memchr(text.data, '\0', text.len) != NULL)
		buf_printf(&error, "%s: holds a NUL byte", path);
	else
		conf = conf_parse(text.data, path, why);
	if (error.len != 0)
		*why = error.data;
	(void)fclose(file);
	buf_free(&text);
	return conf;
}

struct conf *
conf_embedded(const char *data, const char *listen)
{
	char *why;
	struct conf *conf = conf_parse("", "built in", &why);

	if (conf == NULL) /* the defaults are valid */
		abort();
	free(conf->sites[0].data);
	conf->sites[0].data = xstrdup(data);
	if (listen != NULL)
		conf_listen(conf, listen);
	finish_site(conf, &conf->sites[0]);
	return conf;
}

void
conf_listen(struct conf *conf, const char *listen)
{
	for (size_t i = 0; i < conf->site_count; i++) {
		struct conf_site *site = &conf->sites[i];
		char *was = default_url(conf, site);

		/* A URL that was derived from the old address is derived anew. */
		if (strcmp(was, site->base_url) == 0) {
			free(site->base_url);
			site->base_url = NULL;
		}
		free(was);
	}
	list_free(conf->listen);
	list_free(conf->tls_listen);
	conf->listen = list_one(listen);
	conf->tls_listen = xcalloc(1, sizeof(char *));
	for (size_t i = 0; i < conf->site_count; i++)
		if (conf->sites[i].base_url == NULL)
			conf->sites[i].base_url = default_url(conf, &conf->sites[i]);
}
