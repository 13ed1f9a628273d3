/* harness.c - tests of modules: a site, principals, calls. */
#include "harness.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/words.h"
#include "call/call.h"
#include "call/site.h"
#include "conf/conf.h"
#include "conf/confdriver.h"
#include "db/db.h"
#include "db/reader.h"
#include "db/rows.h"
#include "engine.h"
#include "http/http1.h"
#include "module/driver.h"
#include "module/module.h"
#include "net/body.h"
#include "op/args.h"
#include "op/dispatch.h"
#include "op/file.h"
#include "op/gate.h"
#include "op/reply.h"
#include "op/route.h"
#include "site/site.h"
#include "template.h"
#include <ctype.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct harness {
	char data[64];
	struct site *site;
	struct outcome last;
	char *etag;
	char client[64];
};

static char clock_file[64]; /* the clock file of this process; while it does not exist, the real
			       time holds */

#define USER(name_, id_, role_) \
	const struct harness_user name_[1] = { { .id = id_, .role = role_ } }
const struct harness_user nobody[1] = { { 0 } };
USER(subscriber, "01USERSUBSCRIBER0000000010", 10);
USER(contributor, "01USERCONTRIBUTOR000000020", 20);
USER(author, "01USERAUTHOR00000000000030", 30);
USER(other_author, "01USERAUTHOR00000000000031", 30);
USER(editor, "01USEREDITOR00000000000040", 40);
USER(admin, "01USERADMIN000000000000050", 50);

const char *
harness_path(const char *variable, const char *rest)
{
	static char path[1024];
	const char *base = getenv(variable);

	snprintf(path, sizeof(path), "%s/%s", base != NULL ? base : ".", rest);
	return path;
}

static void
scan(const char *plugins)
{
	static bool once;
	char modules[1024], path[1024];

	if (!once) {
		log_open(getenv("STET_TEST_LOG"),
		    getenv("STET_TEST_LOG") != NULL ? STET_DEBUG : STET_ERROR);
		db_global_init();
		if (sodium_init() < 0)
			abort();
		setenv("STET_CHECK_REPLIES", "1", 1);
		snprintf(clock_file, sizeof(clock_file), "/tmp/stet-clock-%ld", (long)getpid());
		setenv("STET_CLOCK", clock_file, 1);
		once = true;
	}
	snprintf(modules, sizeof(modules), "%s", harness_path("STET_BUILD", "modules/.libs"));
	snprintf(
	    path, sizeof(path), "%s", plugins != NULL ? harness_path("STET_BUILD", plugins) : "");
	modules_scan(modules, path);
}

/* Reads a section of stet.conf, and loads the modules that it asks for. */
static struct conf *
parse(const char *plugins, const char *lines)
{
	char *why, *text = words_format("site \"main\" {\n%s}\n", lines);
	struct conf *conf;

	confdriver_set(driver_find);
	setenv("STET_MODULE_PATH", harness_path("STET_BUILD", "modules/.libs"), 1);
	setenv("STET_PLUGIN_PATH", plugins != NULL ? harness_path("STET_BUILD", plugins) : "", 1);
	conf = conf_parse(text, "t.conf", &why);
	unsetenv("STET_MODULE_PATH");
	unsetenv("STET_PLUGIN_PATH");
	if (conf == NULL)
		fail_msg("%s", why);
	free(text);
	return conf;
}

void
harness_files(struct conf_site *site, const char *plugins, const char *lines)
{
	struct conf *conf = parse(plugins, lines);

	confdriver_free(site);
	free(site->files);
	site->files = conf->sites[0].files != NULL ? xstrdup(conf->sites[0].files) : NULL;
	confdriver_copy(site, &conf->sites[0]);
	conf_free(conf);
}

/* Puts the site's database where T_ENGINE says. Returns the configuration that owns the texts, to
 * be freed when the site is open; NULL: a file of SQLite. */
static struct conf *
bring_engine(struct conf_site *site, const char *data)
{
	struct conf *conf;
	char *lines;
	size_t len;
	FILE *f;

	if (!engine_is_postgresql())
		return NULL;
	f = open_memstream(&lines, &len);
	(void)fprintf(f, "data = \"%s\"\n", data);
	engine_keys(f, data);
	if (fclose(f) != 0)
		abort();
	conf = parse(NULL, lines);
	free(lines);
	site->database = conf->sites[0].database;
	site->database_schema = conf->sites[0].database_schema;
	site->database_connections = conf->sites[0].database_connections;
	site->database_timeout = conf->sites[0].database_timeout;
	return conf;
}

/* Gives the site the transport of its mail server. */
static void
bring_transport(struct conf_site *site, const struct harness_options *o)
{
	char *lines;

	if (o->mail_server == NULL)
		return;
	lines = words_format("mail = \"%s\"\nmail-from = \"%s\"\n%s", o->mail_server,
	    site->mail_from, o->mail_keys != NULL ? o->mail_keys : "");
	harness_files(site, o->plugin_path, lines);
	free(lines);
}

static void
read_file(int fd, struct buf *out)
{
	char piece[4096];
	ssize_t n;

	while ((n = read(fd, piece, sizeof(piece))) > 0)
		buf_add(out, piece, (size_t)n);
}

/* A new site may be a copy of a template (template.h) with the same modules, locales and time. */
static void
fresh(struct harness *h, const struct harness_options *o, const struct conf_site *conf)
{
	struct buf kind = { 0 };
	int fd = open(clock_file, O_RDONLY | O_CLOEXEC);
	char *why = NULL;
	struct site *site;
	bool copied;

	if (fd >= 0) {
		read_file(fd, &kind);
		close(fd);
	}
	buf_printf(&kind, "|%s", o->plugin_path != NULL ? o->plugin_path : "");
	for (char **locale = conf->locales; *locale != NULL; locale++)
		buf_printf(&kind, "|%s", *locale);
	copied = o->data == NULL && template_copy(kind.data, h->data);
	if (!copied)
		engine_make(h->data);
	if (!copied && o->data == NULL && template_wanted(kind.data)) {
		if ((site = site_open(conf, true, &why)) == NULL || site->broken != NULL)
			fail_msg("site_open: %s", site == NULL ? why : site->broken);
		site_close(site);
		template_keep(kind.data, h->data);
	}
	buf_free(&kind);
}

/* Daemons of one site have the same key. */
static void
copy_key(const char *from, const char *to)
{
	struct buf key = { 0 };
	char path[128];
	int fd;

	(void)snprintf(path, sizeof(path), "%s/key", from);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0) {
		read_file(fd, &key);
		close(fd);
	}
	(void)snprintf(path, sizeof(path), "%s/key", to);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, key.data, key.len) != (ssize_t)key.len)
		fail_msg("%s cannot be copied", path);
	close(fd);
	buf_free(&key);
}

struct harness *
harness_open(const struct harness_options *o)
{
	static const char *const english[] = { "en", NULL };
	static char star[] = "*", *any[] = { star, NULL }, *none[] = { NULL };
	static const struct harness_options usual;
	static char name[] = "test", base_url[] = "http://localhost",
		    sender[] = "Example <info@example.org>";
	struct harness *h = calloc(1, sizeof(*h));
	struct conf_site conf = { .name = name, .base_url = base_url, .file_cache = 1 << 20 };
	struct conf *engine;
	char *why = NULL;

	if (h == NULL)
		abort();
	if (o == NULL)
		o = &usual;
	harness_client(h, "127.0.0.1");
	scan(o->plugin_path);
	snprintf(
	    h->data, sizeof(h->data), "%s", o->data != NULL ? o->data : "/tmp/stet-test-XXXXXX");
	if (o->data == NULL && mkdtemp(h->data) == NULL)
		fail_msg("mkdtemp: %s", h->data);
	conf.data = h->data;
	conf.hosts = any;
	conf.modules = any;
	conf.cors_origins = none;
	conf.fetch_ca = (char *)(uintptr_t)o->fetch_ca;
	conf.fetch_allow = (char **)(uintptr_t)o->fetch_allow;
	conf.locales = (char **)(uintptr_t)(o->locales != NULL ? o->locales : english);
	conf.mail = (char *)(uintptr_t)o->mail_server;
	conf.mail_from = sender;
	bring_transport(&conf, o);
	conf.max_media_bytes = o->media_most;
	conf.public_read = (char **)(uintptr_t)o->public_read;
	conf.public_max_age = 60000;
	conf.public_shared_max_age = -1;
	engine = bring_engine(&conf, o->beside != NULL ? o->beside->data : h->data);
	if (o->beside != NULL)
		copy_key(o->beside->data, h->data);
	else
		fresh(h, o, &conf);
	if ((h->site = site_open(&conf, true, &why)) == NULL)
		fail_msg("site_open: %s", why);
	if (h->site->broken != NULL)
		fail_msg("the site is broken: %s", h->site->broken);
	confdriver_free(&conf);
	conf_free(engine);
	return h;
}

static void
forget(struct harness *h)
{
	json_decref(h->last.body);
	free((char *)(uintptr_t)h->last.text);
	free(h->etag);
	h->etag = NULL;
	h->last = (struct outcome){ 0 };
}

void
harness_close(struct harness *h, bool keep)
{
	forget(h);
	reader_close(NULL);
	site_close(h->site);
	unlink(clock_file);
	if (!keep)
		template_remove(h->data);
	free(h);
}

struct harness *
harness_again(struct harness *h)
{
	char data[sizeof(h->data)];

	(void)snprintf(data, sizeof(data), "%s", h->data);
	harness_close(h, true);
	return harness_open(&(struct harness_options){ .data = data });
}

const char *
harness_data(const struct harness *h)
{
	return h->data;
}

struct site *
harness_site(const struct harness *h)
{
	return h->site;
}

uint64_t
harness_statements(const struct harness *h)
{
	struct db *db = reader_get(h->site);
	uint64_t count;

	assert_non_null(db);
	count = db_statement_count(db);
	reader_put(db);
	return count;
}

char *
harness_trace(const struct harness *h)
{
	struct db *db = reader_get(h->site);
	char *trace;

	assert_non_null(db);
	trace = db_trace_take(db);
	reader_put(db);
	return trace;
}

static void
keep_headers(struct outcome *o, const struct call_pair *pairs)
{
	size_t len = 0;

	for (const struct call_pair *p = pairs; p != NULL; p = p->next) {
		int n = snprintf(
		    o->headers + len, sizeof(o->headers) - len, "%s: %s\n", p->name, p->value);

		if (n < 0 || (size_t)n >= sizeof(o->headers) - len)
			break;
		len += (size_t)n;
	}
}

static void
take(struct harness *h, struct stet_call *call)
{
	struct rendered r;
	struct buf text = { 0 };
	json_error_t error;

	reply_render(call, &r);
	buf_str(&text, r.prefix);
	buf_add(&text, r.data, r.len);
	buf_str(&text, r.suffix);
	if (r.file != NULL)
		read_file(r.file->fd, &text);
	forget(h);
	h->etag = r.etag != NULL ? strdup(r.etag) : NULL;
	h->last = (struct outcome){ .http = r.status, .text = text.data, .etag = h->etag };
	keep_headers(&h->last, r.headers);
	for (const struct call_pair *p = r.headers; p != NULL; p = p->next)
		if (strcmp(p->name, "Idempotency-Replayed") == 0)
			h->last.replayed = strcmp(p->value, "true") == 0;
		else if (strcmp(p->name, "Retry-After") == 0)
			snprintf(h->last.retry_after, sizeof(h->last.retry_after), "%s", p->value);
		else if (strcmp(p->name, "Set-Cookie") == 0 &&
			 (*h->last.set_cookie == '\0' || strncmp(p->value, "stet=", 5) == 0))
			snprintf(h->last.set_cookie, sizeof(h->last.set_cookie), "%s", p->value);
		else if (strcmp(p->name, "Location") == 0)
			snprintf(h->last.location, sizeof(h->last.location), "%s", p->value);
	h->last.body = json_loads(text.data, JSON_DECODE_ANY, &error);
	h->last.data = json_object_get(h->last.body, "data");
	h->last.code = harness_text(h->last.body, "error.code");
	h->last.message = harness_text(h->last.body, "error.message");
	h->last.details = harness_at(h->last.body, "error.details");
}

static struct stet_call *
call_of(struct harness *h, const struct harness_user *user)
{
	struct stet_call *call = call_new();

	call_enter(call, h->site);
	call->client = h->client;
	if (user->role > 0)
		stet_principal_set(
		    call, &(struct stet_principal){ .id = user->id,
			      .email = "user@example.org",
			      .name = "User",
			      .role = user->role,
			      .scopes = user->scopes,
			      .via = user->session ? STET_VIA_SESSION : STET_VIA_TOKEN,
			      .session_id = user->session ? "01SESSION00000000000000000" : NULL,
			      .signed_in_at = user->session ? clock_now() - user->signed_in : 0 });
	return call;
}

struct outcome *
harness_op(
    struct harness *h, const struct harness_user *user, const char *name, const char *args, ...)
{
	struct stet_call *call = call_of(h, user);
	char *text = NULL;
	json_t *value = NULL;
	va_list ap;

	va_start(ap, args);
	if (vasprintf(&text, args, ap) < 0)
		abort();
	va_end(ap);
	if (*text != '\0' && (value = json_loads(text, JSON_DECODE_ANY, NULL)) == NULL)
		fail_msg("the test's arguments are not JSON: %s", text);
	if ((call->op = generation_op(call->gen, name)) == NULL)
		fail_msg("there is no op %s", name);
	call->owner = call->op->owner;
	if (gate_admit(call) == STET_OK && args_json(call, value) == STET_OK)
		dispatch_run(call);
	rows_end_call(call);
	take(h, call);
	json_decref(value);
	free(text);
	call_free(call);
	return &h->last;
}

/* Receives a body that is written to files; JSON stays in memory. Returns NULL if the call has
 * failed. */
static const struct body *
spool(struct stet_call *call, const char *text)
{
	struct body *b = body_open(call);
	size_t len = strlen(text), at = 0;

	while (b != NULL && at < len && !b->done) {
		long used = body_feed(b, text + at, len - at);

		if (used <= 0)
			return NULL;
		at += (size_t)used;
	}
	return b != NULL && body_end(b) ? b : NULL;
}

static enum stet_status
take_body(struct stet_call *call, const char *body)
{
	uint32_t flags = call->op->row.flags;
	const struct body *b;

	if (body == NULL || (flags & (STET_SPOOL | STET_MULTIPART)) == 0)
		return args_http(call, body, body != NULL ? strlen(body) : 0);
	b = spool(call, body);
	return b != NULL ? args_http(call, b->text.data, b->text.len) : call->error.status;
}

static void
run_request(struct stet_call *call, const char *body)
{
	if (route_call(call) == STET_OK && gate_admit(call) == STET_OK &&
	    take_body(call, body) == STET_OK)
		dispatch_run(call);
	rows_end_call(call);
}

struct outcome *
harness_request(struct harness *h, const struct harness_user *user, const char *request,
    const char *headers, const char *body)
{
	struct stet_call *call = call_of(h, user);
	const char *path = strchr(request, ' ');
	char *head;
	int n;

	if (path == NULL)
		fail_msg("a request is METHOD and path: %s", request);
	n = asprintf(&head,
	    "%.*s %s%s HTTP/1.1\r\nHost: localhost\r\n%s%s%sContent-Length: %zu\r\n\r\n",
	    (int)(path - request), request, path[1] == '/' && path[2] == '/' ? "" : "/_cms/api",
	    path[1] == '/' && path[2] == '/' ? path + 2 : path + 1,
	    headers == NULL ? "X-CMS-Request: 1" : headers,
	    headers == NULL || *headers != '\0' ? "\r\n" : "", "", body != NULL ? strlen(body) : 0);
	if (n < 0)
		abort();
	call->head = stet_alloc(call, sizeof(*call->head));
	if (!http1_parse(stet_strndup(call, head, (size_t)n), (size_t)n, call->head))
		fail_msg("the test's request is refused (%s): %s", call->head->why, head);
	run_request(call, body);
	take(h, call);
	free(head);
	call_free(call);
	return &h->last;
}

struct outcome *
harness_send(
    struct harness *h, const struct harness_user *user, const char *request, const char *body, ...)
{
	struct outcome *o;
	char *text = NULL;
	va_list ap;

	va_start(ap, body);
	if (vasprintf(&text, body, ap) < 0)
		abort();
	va_end(ap);
	o = harness_request(h, user, request, NULL, *text != '\0' ? text : NULL);
	free(text);
	return o;
}

json_t *
harness_at(json_t *value, const char *path)
{
	while (value != NULL && *path != '\0') {
		size_t len = strcspn(path, ".[");
		char key[128];

		if (*path == '[') {
			value = json_array_get(value, (size_t)strtoul(path + 1, NULL, 10));
			path = strchr(path, ']') + 1;
		} else {
			snprintf(key, sizeof(key), "%.*s", (int)len, path);
			value = json_object_get(value, key);
			path += len;
		}
		path += *path == '.';
	}
	return value;
}

const char *
harness_text(json_t *value, const char *path)
{
	const char *s = json_string_value(harness_at(value, path));

	return s != NULL ? s : "";
}

int64_t
harness_int(json_t *value, const char *path)
{
	json_t *v = harness_at(value, path);

	return json_is_integer(v) ? json_integer_value(v) : -1;
}

bool
harness_issue(const struct outcome *o, const char *path)
{
	json_t *issues = json_object_get(o->details, "issues"), *issue;
	size_t i;

	json_array_foreach(
	    issues, i, issue) if (strcmp(harness_text(issue, "path"), path) == 0) return true;
	return false;
}

void
harness_client(struct harness *h, const char *address)
{
	(void)snprintf(h->client, sizeof(h->client), "%s", address);
}

void
harness_clock(struct harness *h, const char *time)
{
	char next[72];
	int64_t ms;
	FILE *f;

	if (!stet_time_parse(time, &ms))
		fail_msg("not a time: %s", time);
	(void)h;
	snprintf(next, sizeof(next), "%s.next", clock_file);
	if ((f = fopen(next, "w")) == NULL)
		fail_msg("fopen: %s", next);
	fprintf(f, "%lld\n", (long long)ms);
	fclose(f);
	assert_int_equal(rename(next, clock_file), 0);
}
