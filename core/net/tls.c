/* tls.c - TLS by OpenSSL: certificates, names, tickets. No other file knows OpenSSL. */
#include "net/tls.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "conf/conf.h"

#include <errno.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* Suites that all clients of the last ten years support, limited to forward secrecy and
 * authenticated encryption. All suites of TLS 1.3 are good. */
#define SUITES                                                       \
	"ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:" \
	"ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:" \
	"ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"
#define GROUPS "X25519:P-256:P-384"
#define TICKET_SPAN (12 * 3600) /* lifetime of a ticket key, in seconds */
#define EXPIRES_SOON 14 /* days */

/* A certificate, and the site and hosts that use it. */
struct identity {
	char *site; /* "": the daemon's own certificate */
	char **hosts; /* NULL-terminated; in lower case */
	SSL_CTX *context;
};

/* Identities. The first one serves clients that name no site of ours. */
static struct {
	pthread_mutex_t lock;
	struct identity *at;
	size_t count;
} identities = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct ticket_key {
	unsigned char name[16], cipher[32], mac[32];
	int64_t made; /* clock_monotonic; 0: there is none */
};

/* The current and the previous ticket key. They survive a reload, so that returning clients can
 * still resume their sessions. */
static struct {
	pthread_mutex_t lock;
	struct ticket_key key[2];
} tickets = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- tickets ---- */

/* Gets the key for new tickets, and replaces it when it is too old. */
static bool
sealing_key(struct ticket_key *out)
{
	int64_t now = clock_monotonic();
	struct ticket_key fresh;
	bool good = true;

	pthread_mutex_lock(&tickets.lock);
	if (tickets.key[0].made == 0 || now - tickets.key[0].made > TICKET_SPAN * 1000LL) {
		good = RAND_bytes(fresh.name, sizeof(fresh.name)) == 1 &&
		       RAND_priv_bytes(fresh.cipher, sizeof(fresh.cipher)) == 1 &&
		       RAND_priv_bytes(fresh.mac, sizeof(fresh.mac)) == 1;
		if (good) {
			fresh.made = now;
			tickets.key[1] = tickets.key[0];
			tickets.key[0] = fresh;
		}
	}
	*out = tickets.key[0];
	pthread_mutex_unlock(&tickets.lock);
	OPENSSL_cleanse(&fresh, sizeof(fresh));
	return good;
}

/* Finds the key of a ticket. Returns 0 for the current key, 1 for the previous one, -1 if
 * unknown. */
static int
opening_key(const unsigned char *name, struct ticket_key *out)
{
	int found = -1;

	pthread_mutex_lock(&tickets.lock);
	for (int i = 0; i < 2 && found == -1; i++)
		if (tickets.key[i].made != 0 &&
		    memcmp(tickets.key[i].name, name, sizeof(out->name)) == 0) {
			*out = tickets.key[i];
			found = i;
		}
	pthread_mutex_unlock(&tickets.lock);
	return found;
}

static bool
set_mac(EVP_MAC_CTX *mac, struct ticket_key *key)
{
	char digest[] = "sha256";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, key->mac, sizeof(key->mac)),
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
		OSSL_PARAM_construct_end(),
	};

	return EVP_MAC_CTX_set_params(mac, params) == 1;
}

/* OpenSSL's ticket callback. Returns 0 if the key is unknown, 1 if good, 2 if good but the ticket
 * must be renewed, -1 on failure. */
static int
on_ticket(SSL *ssl, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher,
    EVP_MAC_CTX *mac, int seal)
{
	struct ticket_key key;
	int found = 0;
	bool good;

	(void)ssl;
	if (seal) {
		good = sealing_key(&key) && RAND_bytes(iv, EVP_MAX_IV_LENGTH) == 1 &&
		       EVP_EncryptInit_ex(cipher, EVP_aes_256_cbc(), NULL, key.cipher, iv) == 1;
		memcpy(name, key.name, sizeof(key.name));
	} else {
		found = opening_key(name, &key);
		if (found == -1)
			return 0;
		good = EVP_DecryptInit_ex(cipher, EVP_aes_256_cbc(), NULL, key.cipher, iv) == 1;
	}
	good = good && set_mac(mac, &key);
	OPENSSL_cleanse(&key, sizeof(key));
	if (!good)
		return -1;
	return found == 0 ? 1 : 2;
}

/* ---- handshakes ---- */

/* Returns the context of a host name, or NULL. Call it under the lock. */
static SSL_CTX *
context_of(const char *name)
{
	for (size_t i = 0; i < identities.count; i++)
		for (char **host = identities.at[i].hosts; *host != NULL; host++)
			if (strcasecmp(*host, name) == 0)
				return identities.at[i].context;
	return NULL;
}

static int
on_name(SSL *ssl, int *alert, void *arg)
{
	const char *name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
	SSL_CTX *context;

	(void)alert;
	(void)arg;
	if (name == NULL)
		return SSL_TLSEXT_ERR_NOACK;
	pthread_mutex_lock(&identities.lock);
	context = context_of(name);
	if (context != NULL)
		(void)SSL_set_SSL_CTX(ssl, context);
	pthread_mutex_unlock(&identities.lock);
	/* An unknown name gets the first certificate, and 404 over HTTP. */
	return SSL_TLSEXT_ERR_OK;
}

static int
on_protocols(SSL *ssl, const unsigned char **out, unsigned char *len, const unsigned char *in,
    unsigned in_len, void *arg)
{
	static const unsigned char ours[] = "\x08http/1.1";
	unsigned char *chosen;

	(void)ssl;
	(void)arg;
	if (SSL_select_next_proto(&chosen, len, ours, sizeof(ours) - 1, in, in_len) !=
	    OPENSSL_NPN_NEGOTIATED)
		return SSL_TLSEXT_ERR_ALERT_FATAL;
	*out = chosen;
	return SSL_TLSEXT_ERR_OK;
}

/* ---- certificates ---- */

/* Password callback: OpenSSL would ask for a passphrase on the terminal. */
static int
no_passphrase(char *out, int size, int writing, void *arg)
{
	(void)out;
	(void)size;
	(void)writing;
	(void)arg;
	return -1;
}

static SSL_CTX *
new_context(void)
{
	static const unsigned char sessions[] = "stetd";
	SSL_CTX *context = SSL_CTX_new(TLS_server_method());

	stet_assert(context != NULL);
	stet_assert(SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1);
	stet_assert(SSL_CTX_set_cipher_list(context, SUITES) == 1);
	stet_assert(SSL_CTX_set1_groups_list(context, GROUPS) == 1);
	/* A missing close_notify truncates nothing: HTTP has its own lengths. */
	SSL_CTX_set_options(context,
	    SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_IGNORE_UNEXPECTED_EOF);
	/* Never SSL_MODE_ENABLE_PARTIAL_WRITE: libevent assumes that each write is complete. */
	SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	/* Clients keep their sessions in tickets; the server stores none. */
	SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
	stet_assert(SSL_CTX_set_session_id_context(context, sessions, sizeof(sessions) - 1) == 1);
	SSL_CTX_set_timeout(context, TICKET_SPAN);
	SSL_CTX_set_tlsext_ticket_key_evp_cb(context, on_ticket);
	SSL_CTX_set_tlsext_servername_callback(context, on_name);
	SSL_CTX_set_alpn_select_cb(context, on_protocols, NULL);
	SSL_CTX_set_default_passwd_cb(context, no_passphrase);
	return context;
}

static bool
failed(struct buf *why, const char *path)
{
	const char *reason = ERR_reason_error_string(ERR_peek_last_error());

	buf_printf(why, "\"%s\": %s", path, reason != NULL ? reason : "cannot be read");
	ERR_clear_error();
	return false;
}

/* Returns true if only our user and group can read the key file. */
static bool
key_is_private(const char *path, struct buf *why)
{
	struct stat st;

	if (stat(path, &st) == -1) {
		buf_printf(why, "\"%s\": %s", path, strerror(errno));
		return false;
	}
	if ((st.st_mode & S_IRWXO) != 0) {
		buf_printf(why,
		    "\"%s\" is open to everybody: chmod o= it, and take another key if it was so "
		    "for long",
		    path);
		return false;
	}
	return true;
}

static bool
load(SSL_CTX *context, const char *certificate, const char *key, struct buf *why)
{
	struct stat st;

	if (stat(certificate, &st) == -1) {
		buf_printf(why, "\"%s\": %s", certificate, strerror(errno));
		return false;
	}
	ERR_clear_error();
	if (SSL_CTX_use_certificate_chain_file(context, certificate) != 1)
		return failed(why, certificate);
	if (!key_is_private(key, why))
		return false;
	if (SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1)
		return failed(why, key);
	return true;
}

/* Warns if a valid certificate does not match its hosts or expires soon. */
static void
warn_of_certificate(const struct identity *id, const char *path)
{
	X509 *x = SSL_CTX_get0_certificate(id->context);
	int days = 0, seconds = 0;

	for (char **host = id->hosts; *host != NULL; host++)
		if (strcmp(*host, "*") != 0 && X509_check_host(x, *host, 0, 0, NULL) != 1)
			log_line(STET_WARN, "tls: \"%s\" is not for %s", path, *host);
	if (ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(x)) != 1)
		return;
	if (days < 0 || seconds < 0)
		log_line(STET_WARN, "tls: \"%s\" has expired", path);
	else if (days < EXPIRES_SOON)
		log_line(STET_WARN, "tls: \"%s\" expires in %d days", path, days);
}

/* ---- the configuration ---- */

static char **
copy_list(char *const *list)
{
	size_t n = 0;
	char **out;

	while (list != NULL && list[n] != NULL)
		n++;
	out = xcalloc(n + 1, sizeof(*out));
	for (size_t i = 0; i < n; i++)
		out[i] = xstrdup(list[i]);
	return out;
}

static void
identity_free(struct identity *id)
{
	for (size_t i = 0; id->hosts[i] != NULL; i++)
		free(id->hosts[i]);
	free(id->hosts);
	free(id->site);
	SSL_CTX_free(id->context);
}

/* Returns the previous context of the site, for use when its certificate cannot be loaded now. */
static SSL_CTX *
former(const char *site)
{
	for (size_t i = 0; i < identities.count; i++)
		if (strcmp(identities.at[i].site, site) == 0) {
			SSL_CTX_up_ref(identities.at[i].context);
			return identities.at[i].context;
		}
	return NULL;
}

/* Adds an identity. `site` "": the daemon's own. Returns false if the certificate cannot be
 * used. */
static bool
add(struct identity *list, size_t *count, const char *site, char *const *hosts,
    const char *certificate, const char *key)
{
	struct identity id = { .context = new_context() };
	struct buf why = { 0 };
	bool good = load(id.context, certificate, key, &why);

	if (!good) {
		SSL_CTX_free(id.context);
		id.context = former(site);
		log_line(STET_ERROR, "tls: %s%s%s: %s", *site != '\0' ? "site " : "", site,
		    id.context != NULL ? ": the certificate stays as it was" : "no certificate",
		    why.data);
		buf_free(&why);
		if (id.context == NULL)
			return false;
	}
	id.site = xstrdup(site);
	id.hosts = copy_list(hosts);
	if (good)
		warn_of_certificate(&id, certificate);
	list[(*count)++] = id;
	return good;
}

static void
publish(struct identity *at, size_t count)
{
	struct identity *old;
	size_t old_count;

	pthread_mutex_lock(&identities.lock);
	old = identities.at;
	old_count = identities.count;
	identities.at = at;
	identities.count = count;
	pthread_mutex_unlock(&identities.lock);
	for (size_t i = 0; i < old_count; i++)
		identity_free(&old[i]);
	free(old);
}

bool
tls_configure(const struct conf *conf)
{
	struct identity *list = xcalloc(conf->site_count + 1, sizeof(*list));
	size_t count = 0;
	bool good = true;

	if (conf->tls_certificate != NULL)
		good = add(list, &count, "", NULL, conf->tls_certificate, conf->tls_key);
	for (size_t i = 0; i < conf->site_count; i++) {
		const struct conf_site *s = &conf->sites[i];

		if (s->tls_certificate != NULL)
			good &=
			    add(list, &count, s->name, s->hosts, s->tls_certificate, s->tls_key);
	}
	publish(list, count);
	return good;
}

bool
tls_ready(void)
{
	return identities.count > 0;
}

void
tls_close(void)
{
	publish(NULL, 0);
	OPENSSL_cleanse(tickets.key, sizeof(tickets.key));
}

/* ---- connections ---- */

/* OpenSSL calls this with the header of each record, before it reads the rest. */
static void
on_message(int sent, int version, int type, const void *bytes, size_t len, SSL *ssl, void *arg)
{
	struct tls_watch *watch = arg;

	(void)version;
	(void)bytes;
	(void)len;
	(void)ssl;
	if (!sent && type == SSL3_RT_HEADER)
		watch->on_record(watch);
}

struct bufferevent *
tls_accept(struct event_base *base, evutil_socket_t fd, struct tls_watch *watch)
{
	SSL *ssl = NULL;

	pthread_mutex_lock(&identities.lock);
	if (identities.count > 0)
		ssl = SSL_new(identities.at[0].context);
	pthread_mutex_unlock(&identities.lock);
	if (ssl == NULL)
		return NULL;
	SSL_set_msg_callback(ssl, on_message);
	SSL_set_msg_callback_arg(ssl, watch);
	return bufferevent_openssl_socket_new(
	    base, fd, ssl, BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
}

bool
tls_pending(struct bufferevent *bev)
{
	return SSL_has_pending(bufferevent_openssl_get_ssl(bev)) == 1;
}

bool
tls_spoke_http(struct bufferevent *bev)
{
	unsigned long error;

	while ((error = bufferevent_get_openssl_error(bev)) != 0)
		if (ERR_GET_LIB(error) == ERR_LIB_SSL &&
		    ERR_GET_REASON(error) == SSL_R_HTTP_REQUEST)
			return true;
	return false;
}

void
tls_goodbye(struct bufferevent *bev)
{
	SSL *ssl = bufferevent_openssl_get_ssl(bev);

	if (SSL_is_init_finished(ssl))
		(void)SSL_shutdown(ssl);
	ERR_clear_error();
}
