/*
 * conf.h - stet.conf as a struct. The file is read with libconfuse, checked as a whole, and never
 * changed afterwards: a reload reads it anew and compares. Every key has a default; an unknown key
 * is an error.
 */
#ifndef CORE_CONF_H
#define CORE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stet/call.h>

/* Rate limits count requests in classes by cost. CONF_FAILURES counts requests with invalid
 * credentials, CONF_PUBLIC those without any for what may be public. */
enum conf_class { CONF_READS, CONF_WRITES, CONF_COSTLY, CONF_FAILURES, CONF_PUBLIC, CONF_CLASSES };
struct conf_rate {
	int64_t span; /* the period in which `count` requests are allowed, in milliseconds */
	int64_t count; /* 0: not limited */
};
/* Limits per client address, and per account or token. */
struct conf_rates {
	struct conf_rate address[CONF_CLASSES], token[CONF_CLASSES];
};
extern const char *const conf_class_name[CONF_CLASSES];

/* Whether the connection to a mail server is encrypted. AUTO: unless the server is on this
 * machine. */
enum conf_mail_tls { CONF_TLS_AUTO, CONF_TLS_REQUIRED, CONF_TLS_OFF };
/* Which items search shows to callers without credentials; SITE: as the setting publicSearch says.
 */
enum conf_public_search { CONF_SEARCH_SITE, CONF_SEARCH_COLLECTIONS, CONF_SEARCH_ALL };

/* The values of the keys that a driver brings (confdriver.h). */
#define CONF_DRIVERS_MAX 8
struct conf_brought {
	const struct conf_driver *driver; /* NULL: none */
	void *values;
};

struct conf_minute {
	bool set;
	/* minutes after 00:00 UTC */
	int of_day;
};

/* One site section. Each field has a row in confkey.c, which reads, copies, compares and frees
 * it. */
struct conf_site {
	char *name, *base_url, *data;
	bool url_derived; /* the file names no base_url; no key of its own, and not copied */
	char **hosts, **locales, **modules, **cors_origins, **fetch_allow; /* NULL-terminated */
	char **passkey_origins; /* further origins where passkeys of this site work */
	char *fetch_ca; /* file of CA certificates for outgoing requests; NULL: the system's */
	uint64_t max_media_bytes; /* of all files of the media library; 0: no limit */
	/* URI of its database in PostgreSQL; NULL: DATA/stet.db. The schema is set if it is. */
	char *database, *database_password_file, *database_schema;
	int database_connections; /* of one daemon, for reading */
	int64_t database_timeout; /* milliseconds */
	char *files; /* the driver that keeps files of modules; NULL: directory */
	char *files_directory; /* where the driver `directory` keeps them; NULL: DATA/files */
	uint64_t file_cache; /* bytes of remote files and of renditions that are cached in the data
				directory */
	char *key_file; /* file of the key that seals the site's secrets; NULL: DATA/key */
	char *tls_certificate, *tls_key; /* files; NULL: the daemon's certificate */
	int64_t hsts; /* max-age in milliseconds; -1: the header is not sent */
	struct conf_rates rates;
	/* NULL: default directory, keep all, not encrypted */
	char *backup_dir, *backup_keep, *backup_key;
	int64_t backup_every; /* milliseconds; 0: no backups at an interval */
	struct conf_minute backup_at; /* a backup each day at this minute, UTC */
	char *mail, *mail_from; /* server and sender of mails; NULL: no mails are sent */
	char *mail_user, *mail_password_file; /* NULL: without signing in */
	int mail_tls; /* enum conf_mail_tls */
	bool cors_credentials; /* cross-origin requests may carry cookies */
	char **public_read; /* modules whose public reads need no credentials */
	int public_search; /* enum conf_public_search */
	/* Cache-Control of public reads, in milliseconds; shared -1: the directive is left out. */
	int64_t public_max_age, public_shared_max_age, public_stale;
	/* One for each driver that any site of the file asks for; ends with one without a driver.
	 * Read it with confdriver_brought. */
	struct conf_brought *brought;
};
struct stet_conf; /* as drivers see it (stet/driver.h) */
static inline const struct conf_site *
conf_of(const struct stet_conf *conf)
{
	return (const struct conf_site *)(const void *)conf;
}
static inline const struct stet_conf *
conf_public(const struct conf_site *conf)
{
	return (const struct stet_conf *)(const void *)conf;
}
/* The whole file. Each field has a row in confkey.c, as in struct conf_site. */
struct conf {
	char **listen; /* "127.0.0.1:8080", "[::1]:8080" */
	char **tls_listen; /* the same for TLS */
	char *tls_certificate, *tls_key; /* files; NULL: none */
	char **trusted_proxies; /* addresses or CIDR blocks */
	char *module_path, *plugin_path; /* colon-separated directories */
	char *log_file, *access_log, *pid_file, *user; /* NULL: none */
	char *metrics_listen; /* NULL: no metrics */
	char *daemon_name; /* NULL: host and port */
	int access_log_json; /* 1: JSON; 0: logfmt */
	int64_t slow_statement; /* slower statements are logged; milliseconds; 0: none are */
	enum stet_level log_level;
	int workers; /* threads; 0: one per core */
	int slow_threads;
	int max_connections, max_connections_per_address;
	/* Milliseconds. */
	int64_t head_timeout; /* from the first byte of a request's head to its end */
	int64_t body_timeout; /* the period over which the minimum rates are measured, in both
				 directions */
	int64_t idle_timeout; /* how long a connection may wait for its next request */
	int64_t call_timeout, drain_timeout;
	int64_t stuck_after; /* how long a worker may be blocked before stuck.c ends the daemon; 0
				or -1: for ever */
	uint64_t body_min_rate, answer_min_rate; /* bytes per second */
	uint64_t max_body_memory; /* bytes, for all request bodies together */
	uint64_t max_answer_memory; /* bytes, for all responses that wait for slow clients */
	uint64_t max_answer_memory_per_address; /* the same per user */
	int max_waiting; /* calls of one address, and of one user, that wait in lanes */
	uint64_t answer_cache; /* bytes of the caches of responses of all workers; 0: none */
	bool server_timing; /* send the header Server-Timing */
	struct conf_site *sites;
	size_t site_count;
};

/* Reads a file. Returns NULL on error; *why then says what is wrong, with the line, and the
 * caller frees it. */
struct conf *conf_read(const char *path, char **why);
/* The same for text in memory; `name` stands for the file in errors. */
struct conf *conf_parse(const char *text, const char *name, char **why);
/* The configuration without a file: one site "main" in the directory `data` that answers any
 * host. If `listen` is NULL, it listens on 127.0.0.1:8080. */
struct conf *conf_embedded(const char *data, const char *listen);
/* Replaces all addresses to listen on by this one, without TLS. Default URLs of sites follow it. */
void conf_listen(struct conf *, const char *listen);
/* Replaces the URL of a site that has none of its own. Returns false if it has one, or if the new
 * one is not a URL. */
bool conf_default_url(struct conf_site *, const char *url);
/* Replaces port 0 in the URLs of sites by the ports that the kernel chose. */
void conf_port(struct conf *, unsigned plain, unsigned tls);
void conf_free(struct conf *);
/* Returns a copy, to be freed with conf_site_drop. Its base_url is "" if there is none. */
struct conf_site conf_site_dup(const struct conf_site *);
void conf_site_drop(struct conf_site *);

#endif
