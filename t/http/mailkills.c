/*
 * mailkills.c - links and invitations by mail from a daemon that is killed (SIGKILL) anywhere
 * between the request and the mail's delivery. Every acknowledged mail is delivered or recorded as
 * dead. The link in the last mail works once. No token of a mail is in the database, its log, the
 * daemon's log or a backup.
 *
 * MAIL_KILLS is the number of kills (14; `make long`: 70), MAIL_SEED chooses their times.
 */
#include "remote.h"

#include "postbox.h"
#include <ftw.h>
#include <signal.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#define ASKED_MAX 2000
#define ADMIN "admin@example.org"
#define LINK "/_cms/signin/link"
#define INVITED "/_cms/invite"
#define LINES 10 /* lines that the server receives for two mails, or more */
#define TRIES 400 /* polls of the queue */

/* A mail that was asked for. */
static struct asked {
	char address[40];
	bool invite, refused; /* refused: permanently, by the mail server */
	bool acknowledged, used, given_up;
	atomic_int sent;
	char token[64]; /* token of the latest mail */
} asked[ASKED_MAX];
static int asked_count;

static struct daemon *d;
static struct postbox server;
static struct asked *heard; /* recipient of the mail that the server is receiving */
static atomic_int lines; /* lines until the kill; 0: no kill is planned */
static char *token;
static unsigned short seed[3];
static int64_t now = 1780315200000;
static int known; /* searched pieces that contain ADMIN: the search works */

static int
pick(int n)
{
	return (int)(nrand48(seed) % n);
}

static void
later(int seconds)
{
	FILE *f = fopen(daemon_path(d, "clock"), "w");

	now += (int64_t)seconds * 1000;
	assert_non_null(f);
	(void)fprintf(f, "%lld", (long long)now);
	fclose(f);
}

/* ---- the mail server ---- */

static struct asked *
find(const char *address, size_t len)
{
	for (int i = 0; i < asked_count; i++)
		if (strlen(asked[i].address) == len && memcmp(asked[i].address, address, len) == 0)
			return &asked[i];
	return NULL;
}

static const char *
hear(struct postbox *p, const char *command, const char *line)
{
	if (strcmp(command, "RCPT") == 0) {
		line += strcspn(line, "<");
		heard = *line == '<' ? find(line + 1, strcspn(line + 1, ">")) : NULL;
	} else if (strcmp(command, ".") == 0 && heard != NULL &&
		   postbox_link(p->mail, heard->invite ? INVITED : LINK, heard->token))
		heard->sent++;
	if (lines > 0 && --lines == 0)
		(void)kill(d->pid, SIGKILL);
	return strcmp(command, "RCPT") == 0 && heard != NULL && heard->refused
		   ? "550 5.1.1 Nobody here\r\n"
		   : NULL;
}

/* ---- where a token may not be ---- */

static void
seek(const char *bytes, size_t len, const char *where)
{
	for (int i = 0; i < asked_count; i++) {
		const struct asked *a = &asked[i];
		unsigned char raw[32];

		if (*a->token == '\0')
			continue;
		assert_int_equal(sodium_base642bin(raw, sizeof(raw), a->token, strlen(a->token),
				     NULL, NULL, NULL, sodium_base64_VARIANT_URLSAFE_NO_PADDING),
		    0);
		if (memmem(bytes, len, a->token, strlen(a->token)) != NULL ||
		    memmem(bytes, len, raw, sizeof(raw)) != NULL)
			fail_msg("the token for %s is in %s", a->address, where);
	}
	known += memmem(bytes, len, ADMIN, strlen(ADMIN)) != NULL;
}

static char *
load(const char *path, size_t *len)
{
	FILE *f = fopen(path, "r");
	char *bytes;
	long size;

	if (f == NULL) { /* removed since the directory was read */
		*len = 0;
		return calloc(1, 1);
	}
	assert_int_equal(fseek(f, 0, SEEK_END), 0);
	size = ftell(f);
	assert_true(size >= 0);
	bytes = malloc((size_t)size + 1);
	assert_non_null(bytes);
	rewind(f);
	*len = fread(bytes, 1, (size_t)size, f);
	fclose(f);
	return bytes;
}

static int
seek_in_file(const char *path, const struct stat *st, int what, struct FTW *ftw)
{
	size_t len;
	char *bytes;

	(void)st;
	(void)ftw;
	if (what != FTW_F)
		return 0;
	bytes = load(path, &len);
	seek(bytes, len, path);
	free(bytes);
	return 0;
}

static void
seek_everywhere(void)
{
	known = 0;
	seek(d->said, d->said_len, "the log");
	assert_int_equal(nftw(daemon_path(d, "data"), seek_in_file, 16, FTW_PHYS), 0);
	assert_true(known > 0);
}

/* Searches the uncompressed content of a backup. */
static void
seek_in_backup(const char *name)
{
	size_t len, room = (size_t)64 << 20, got = 0, more;
	char *file = strdup(daemon_path(d, name)), *bytes, *plain = malloc(room);
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer in;

	free(COMMAND(d, "backup", file));
	bytes = load(file, &len);
	in = (ZSTD_inBuffer){ bytes, len, 0 };
	assert_true(plain != NULL && z != NULL);
	while (in.pos < in.size) {
		ZSTD_outBuffer out = { plain, room, got };

		more = ZSTD_decompressStream(z, &out, &in);
		assert_false(ZSTD_isError(more));
		assert_true(out.pos < room);
		got = out.pos;
	}
	known = 0;
	seek(plain, got, "the backup");
	assert_int_equal(known, 1);
	ZSTD_freeDStream(z);
	free(plain);
	free(bytes);
	assert_int_equal(unlink(file), 0);
	free(file);
}

/* ---- asking ---- */

static struct asked *
new_asked(bool invite)
{
	struct asked *a = &asked[asked_count];

	assert_true(asked_count < ASKED_MAX);
	a->invite = invite;
	a->refused = pick(6) == 0;
	(void)snprintf(a->address, sizeof(a->address), "%s%d@example.org",
	    invite ? "guest" : "user", asked_count);
	if (!invite)
		free(COMMAND(d, "user", "add", a->address, "--role", "author"));
	asked_count++;
	return a;
}

static void
say_one(struct remote *r, struct asked *a)
{
	char body[100];

	(void)snprintf(body, sizeof(body), "{\"email\":\"%s\"}", a->address);
	remote_say(r, "POST", body, a->invite ? "/auth/invite" : "/auth/magic-link/send");
}

static void
hear_one(struct remote *r, struct asked *a)
{
	struct answer answer;

	if (client_hears(&r->client, &answer, false)) {
		a->acknowledged = answer.status == 200;
		if (!a->acknowledged)
			fail_msg("answer: %s%s", answer.head, answer.body);
	}
	answer_free(&answer);
	remote_close(r);
}

/* ---- rounds ---- */

/* Runs the daemon until no mail is queued. */
static void
drain(void)
{
	for (int i = 0; i < TRIES; i++) {
		/* The requests first become mails, and then leave the queue. */
		size_t n, waiting = (size_t)remote_rows(d, "signin_ask");
		char *out = COMMAND(d, "--json", "mail", "list");
		json_t *list = json_loads(out, 0, NULL), *item;

		free(out);
		assert_non_null(list);
		json_array_foreach(json_object_get(list, "items"), n, item)
		{
			const char *to = json_string_value(json_object_get(item, "to"));
			struct asked *a = find(to, strlen(to));

			assert_non_null(a);
			a->given_up = json_is_string(json_object_get(item, "givenUp"));
			waiting += !a->given_up;
		}
		json_decref(list);
		if (waiting == 0)
			return;
		later(1);
		nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
	}
	fail_msg("mails wait for ever: %s", COMMAND(d, "mail", "list"));
}

static void
use(struct remote *r, const struct asked *a, int status, const char *code)
{
	struct answer answer;
	char body[100];

	(void)snprintf(body, sizeof(body), "{\"token\":\"%s\"}", a->token);
	remote_ask(r, &answer, "POST", body,
	    a->invite ? "/auth/invite/complete" : "/auth/magic-link/verify");
	if (answer.status != status || strcmp(answer_code(&answer), code) != 0)
		fail_msg("the link for %s: %s%s", a->address, answer.head, answer.body);
	answer_free(&answer);
}

/* Every acknowledged mail was delivered or is dead, and the links of delivered ones work once. */
static void
check_mails(void)
{
	struct remote r;

	remote_open(&r, d, NULL);
	for (int i = 0; i < asked_count; i++) {
		struct asked *a = &asked[i];

		if (a->used || a->given_up)
			continue;
		if (a->sent > 0) {
			use(&r, a, 200, "");
			use(&r, a, 404, "INVALID_TOKEN");
			a->used = true;
		} else if (a->acknowledged)
			fail_msg("the mail to %s is lost", a->address);
	}
	remote_close(&r);
}

/* Returns when the daemon is dead: killed some time after the requests, or at a line of a
 * session. */
static void
kill_somewhere(struct asked *const *two, int round)
{
	struct remote r[2];
	bool at_once = round % 2 == 0;

	lines = at_once ? 0 : 1 + pick(LINES);
	for (int i = 0; i < 2; i++)
		remote_open(&r[i], d, two[i]->invite ? token : NULL);
	for (int i = 0; i < 2; i++)
		say_one(&r[i], two[i]);
	if (at_once) {
		nanosleep(&(struct timespec){ .tv_nsec = pick(20) * pick(1000000) }, NULL);
		daemon_signal(d, SIGKILL);
	}
	for (int i = 0; i < 2; i++)
		hear_one(&r[i], two[i]);
	assert_int_equal(daemon_ended(d), 128 + SIGKILL);
}

static void
links_survive_kills_and_leave_no_token(void **state)
{
	const char *kills = getenv("MAIL_KILLS");
	int count = kills != NULL ? (int)strtol(kills, NULL, 10) : 14, sum[4] = { 0 };

	(void)state;
	for (int i = 0; i < count; i++) {
		struct asked *two[] = { new_asked(false), new_asked(true) };

		kill_somewhere(two, i);
		seek_everywhere();
		later(40); /* the next attempt is due */
		daemon_run(d, 0);
		if (i % 7 == 0)
			seek_in_backup("waiting.tar.zst");
		drain();
		check_mails();
	}
	seek_everywhere();
	seek_in_backup("last.tar.zst");
	for (int i = 0; i < asked_count; i++) {
		sum[0] += asked[i].acknowledged;
		sum[1] += asked[i].used;
		sum[2] += asked[i].given_up;
		sum[3] += asked[i].sent > 1;
	}
	print_message(
	    "# %d kills, %d asked: %d acknowledged, %d used, %d given up, %d came again\n", count,
	    asked_count, sum[0], sum[1], sum[2], sum[3]);
	assert_true(sum[0] > 0 && sum[1] > 0 && sum[2] > 0);
}

/* ---- the run ---- */

static int
start(void **state)
{
	const char *chosen = getenv("MAIL_SEED");
	char site[128];

	(void)state;
	seed[0] = (unsigned short)(chosen != NULL ? strtoul(chosen, NULL, 10) : 1958);
	print_message("# MAIL_SEED=%u\n", seed[0]);
	postbox_open(&server, NULL, NULL);
	server.hook = hear;
	(void)snprintf(site, sizeof(site),
	    "mail = \"smtp://127.0.0.1:%d\"\nmail-from = \"Example <info@example.org>\"\n",
	    server.port);
	d = remote_new(NULL, site);
	later(0);
	setenv("STET_CLOCK", daemon_path(d, "clock"), 1);
	token = remote_token(d, "admin", "admin");
	daemon_run(d, 0);
	return 0;
}

static int
stop(void **state)
{
	(void)state;
	daemon_stop(d);
	unsetenv("STET_CLOCK");
	postbox_close(&server);
	free(token);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_survive_kills_and_leave_no_token),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
