/*
 * storm.c - clients remember what was acknowledged while the daemon is killed (SIGKILL) at random
 * moments; after each kill nothing of it may be missing, what was in flight is there whole or not
 * at all, and `stet verify` is content. Prints TAP. STORM_ROUNDS (10; `make storm` takes 100) and
 * STORM_SEED are from the environment.
 *
 * storm_ask.c has the requests, storm_things.c fields, collections, tokens and webhooks,
 * storm_pages.c revisions and modules, storm_backup.c the backups that are made meanwhile.
 */
#include "storm.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WRITERS 4
#define ACKS_MAX 2000000
#define WAIT_MOST 10000 /* ms to wait for an acknowledged change of each kind */

static unsigned short seed[3];
static pid_t daemon_pid, reader_pid;

static struct storm_kind *const kinds[] = { &storm_fields, &storm_collections, &storm_tokens,
	&storm_webhooks, &storm_modules, &storm_revisions };
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The acknowledged writes. A create is identified by its number, a counter by its last value. */
static struct {
	pthread_mutex_t lock;
	uint32_t *created;
	size_t count;
	long counter[WRITERS];
} acks = { .lock = PTHREAD_MUTEX_INITIALIZER };

_Noreturn void
storm_bail(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	if (daemon_pid > 0)
		kill(daemon_pid, SIGKILL);
	exit(1);
}

/* ---- the daemon ---- */

static void
start(void)
{
	char path[600], line[1024];
	int fd[2];
	FILE *log;

	if (pipe2(fd, O_CLOEXEC) != 0)
		storm_bail("pipe");
	snprintf(path, sizeof(path), "%s/stetd", storm_build);
	if ((daemon_pid = fork()) < 0)
		storm_bail("fork");
	if (daemon_pid == 0) {
		dup2(fd[1], STDERR_FILENO);
		execl(path, path, "--foreground", "--data", storm_site, "--listen", "127.0.0.1:0",
		    (char *)NULL);
		_exit(127);
	}
	close(fd[1]);
	log = fdopen(fd[0], "r");
	storm_port = 0;
	while (storm_port == 0 && fgets(line, sizeof(line), log) != NULL) {
		const char *at = strstr(line, "listening on http://127.0.0.1:");

		if (at != NULL)
			storm_port = (int)strtol(at + 30, NULL, 10);
	}
	if (storm_port == 0)
		storm_bail("the daemon did not start");
	/* Reads the rest of the log, so that it does not fill the pipe. */
	if ((reader_pid = fork()) < 0)
		storm_bail("fork");
	if (reader_pid == 0) {
		while (fgets(line, sizeof(line), log) != NULL)
			;
		_exit(0);
	}
	fclose(log);
}

static void
stop(int sig)
{
	kill(daemon_pid, sig);
	waitpid(daemon_pid, NULL, 0);
	daemon_pid = 0;
	waitpid(reader_pid, NULL, 0);
}

/* ---- items ---- */

struct writer {
	pthread_t thread;
	int index;
	uint32_t next;
};

static void
acknowledged(uint32_t number)
{
	pthread_mutex_lock(&acks.lock);
	if (acks.count < ACKS_MAX)
		acks.created[acks.count++] = number;
	pthread_mutex_unlock(&acks.lock);
}

/* Writes one more item, and the next value of this writer's counter. */
static bool
write_more(struct storm_client *c, struct writer *w)
{
	uint32_t number = w->next;
	char body[256], path[64];

	w->next += WRITERS;
	snprintf(body, sizeof(body), "{\"slug\":\"n%u\",\"data\":{\"title\":\"Item %u\",\"n\":%u}}",
	    number, number, number);
	if (!storm_must(c, 201, "POST", "/content/storm", body))
		return false;
	acknowledged(number);
	snprintf(body, sizeof(body), "{\"data\":{\"n\":%ld}}", acks.counter[w->index] + 1);
	snprintf(path, sizeof(path), "/content/storm/counter-%d", w->index);
	if (!storm_must(c, 200, "PUT", path, body))
		return false;
	acks.counter[w->index]++;
	return true;
}

static void *
write_until_gone(void *arg)
{
	struct storm_client *c = storm_open();

	while (c->fd >= 0 && write_more(c, arg))
		;
	storm_close(c);
	return NULL;
}

static size_t
item_missing(struct storm_client *c, uint32_t number)
{
	char path[64], want[64];

	snprintf(path, sizeof(path), "/content/storm/n%u", number);
	snprintf(want, sizeof(want), "\"n\":%u", number);
	if (storm_ask(c, "GET", path, "") == 200 && strstr(c->reply, want) != NULL)
		return 0;
	return STORM_LOST("%s\n", path);
}

static size_t
counter_wrong(struct storm_client *c, int i)
{
	char path[64];
	const char *at;
	size_t lost = 0;
	long n;

	snprintf(path, sizeof(path), "/content/storm/counter-%d", i);
	at = storm_ask(c, "GET", path, "") == 200 ? strstr(c->reply, "\"n\":") : NULL;
	n = at != NULL ? strtol(at + 4, NULL, 10) : -1;
	/* One more value may have been stored before the kill, without a response. */
	if (n != acks.counter[i] && n != acks.counter[i] + 1)
		lost =
		    STORM_LOST("counter %d: %ld stored, %ld acknowledged\n", i, n, acks.counter[i]);
	acks.counter[i] = n;
	return lost;
}

/* Returns how many acknowledged items, from this one on, are missing. */
static size_t
missing(size_t from)
{
	struct storm_client *c = storm_open();
	size_t lost = 0;

	for (size_t i = from; i < acks.count; i++)
		lost += item_missing(c, acks.created[i]);
	for (int i = 0; i < WRITERS; i++)
		lost += counter_wrong(c, i);
	for (size_t i = 0; i < KINDS; i++)
		lost += kinds[i]->check(c, kinds[i]);
	storm_close(c);
	return lost;
}

/* ---- a round ---- */

static void *
change_until_gone(void *arg)
{
	struct storm_kind *kind = arg;
	struct storm_client *c = storm_open();

	while (c->fd >= 0 && kind->step(c, kind))
		;
	storm_close(c);
	return NULL;
}

/* Waits a moment, and until a change of each kind was acknowledged: a slow machine takes longer. */
static void
wait_for_changes(void)
{
	unsigned waited = 0;

	usleep(20000 + (unsigned)nrand48(seed) % 200000);
	for (size_t i = 0; i < KINDS; i++)
		for (; kinds[i]->acknowledged == 0 && waited < WAIT_MOST; waited++)
			usleep(1000);
}

static bool
verified(void)
{
	char line[1024];
	const char *const verify[] = { "verify", NULL };

	if (storm_stet(line, sizeof(line), verify))
		return true;
	printf("# verify: %s\n", line);
	return false;
}

/* Returns how many writes were lost. Verify checks the database as the kill left it, or as the
 * daemon has repaired it. */
static size_t
round_of_storm(struct writer *w)
{
	size_t before = acks.count, lost;
	pthread_t changers[KINDS];
	bool first = nrand48(seed) % 2 == 0;

	for (int i = 0; i < WRITERS; i++)
		if (pthread_create(&w[i].thread, NULL, write_until_gone, &w[i]) != 0)
			storm_bail("pthread_create");
	for (size_t i = 0; i < KINDS; i++)
		if (pthread_create(&changers[i], NULL, change_until_gone, kinds[i]) != 0)
			storm_bail("pthread_create");
	storm_backups_begin((unsigned)nrand48(seed));
	wait_for_changes();
	kill(daemon_pid, SIGKILL);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(w[i].thread, NULL);
	for (size_t i = 0; i < KINDS; i++)
		pthread_join(changers[i], NULL);
	storm_backups_end();
	stop(SIGKILL);
	lost = storm_backups_check() + (first && !verified());
	start();
	return lost + missing(before) + (!first && !verified());
}

/* ---- the run ---- */

static void
prepare(void)
{
	char out[16384], item[128];

	snprintf(storm_site, sizeof(storm_site), "/tmp/stet-storm-XXXXXX");
	if (mkdtemp(storm_site) == NULL)
		storm_bail("mkdtemp");
	storm_backups_prepare();
	STORM_STET(out, "init");
	STORM_STET(out, "user", "add", "storm@example.org", "--name", "Storm", "--role", "admin");
	STORM_STET(storm_token, "token", "add", "storm@example.org", "--name", "storm", "--scope",
	    "admin,content:read,content:write,schema:write");
	STORM_STET(
	    out, "call", "schema_create_collection", "slug=storm", "label=Storm", "supports=[]");
	STORM_STET(out, "call", "schema_create_field", "collection=storm", "slug=title",
	    "label=Title", "type=string");
	STORM_STET(out, "call", "schema_create_field", "collection=storm", "slug=n", "label=N",
	    "type=integer", "indexed=true");
	for (int i = 0; i < WRITERS; i++) {
		snprintf(item, sizeof(item),
		    "{\"collection\":\"storm\",\"slug\":\"counter-%d\",\"data\":{\"n\":0}}", i);
		STORM_STET(out, "call", "content_create", "--input", item);
	}
	STORM_STET(
	    out, "call", "schema_create_collection", "slug=shelf", "label=Shelf", "supports=[]");
	STORM_STET(out, "call", "content_create", "collection=shelf", "slug=row", "data={}");
	STORM_STET(out, "call", "schema_create_collection", "slug=pages", "label=Pages",
	    "supports=[\"drafts\",\"revisions\"]");
	STORM_STET(out, "call", "schema_create_field", "collection=pages", "slug=n", "label=N",
	    "type=integer");
	STORM_STET(
	    out, "call", "content_create", "collection=pages", "slug=page", "data={\"n\":0}");
	STORM_STET(out, "call", "content_publish_now", "collection=pages", "id=page");
	STORM_STET(out, "call", "widget_area_create", "name=kept", "label=Kept");
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* Tests the tests: returns how many kinds find a false claim. */
static size_t
lies_found(void)
{
	struct storm_client *c = storm_open();
	size_t found = 0;

	printf("# claims that are not so follow, one for each kind:\n");
	for (size_t i = 0; i < KINDS; i++) {
		kinds[i]->lie(kinds[i]);
		found += kinds[i]->check(c, kinds[i]) > 0;
	}
	storm_close(c);
	return found;
}

static bool
say(bool good, int number, const char *what)
{
	printf("%s %d - %s\n", good ? "ok" : "not ok", number, what);
	return good;
}

/* Prints the number of acknowledged changes; returns true if there are some of each kind. */
static bool
tell_changes(int rounds)
{
	bool each = acks.count > 0 && storm_backups_whole() > 0;

	printf("# %d kills; acknowledged: %zu items", rounds, acks.count);
	for (size_t i = 0; i < KINDS; i++) {
		printf(", %zu %s", (size_t)kinds[i]->acknowledged, kinds[i]->what);
		each = each && kinds[i]->acknowledged > 0;
	}
	printf("; %zu backups whole, %zu cut off\n", storm_backups_whole(), storm_backups_cut());
	return each;
}

static void
set_up(void)
{
	const char *from = getenv("STET_BUILD"), *chosen = getenv("STORM_SEED");
	unsigned long number = chosen != NULL ? strtoul(chosen, NULL, 10) : (unsigned long)getpid();
	char modules[600];

	snprintf(storm_build, sizeof(storm_build), "%s", from != NULL ? from : ".");
	snprintf(modules, sizeof(modules), "%s/modules/.libs", storm_build);
	setenv("STET_MODULE_PATH", modules, 1);
	setvbuf(stdout, NULL, _IOLBF, 0);
	seed[0] = (unsigned short)number;
	printf("# STORM_SEED=%u\n", seed[0]);
	if ((acks.created = calloc(ACKS_MAX, sizeof(acks.created[0]))) == NULL)
		storm_bail("calloc");
}

int
main(void)
{
	const char *rounds = getenv("STORM_ROUNDS");
	int count = rounds != NULL ? (int)strtol(rounds, NULL, 10) : 10;
	struct writer w[WRITERS];
	size_t lost = 0;
	bool good;

	set_up();
	printf("1..4\n");
	prepare();
	for (int i = 0; i < WRITERS; i++)
		w[i] = (struct writer){ .index = i, .next = (uint32_t)i };
	start();
	for (int i = 0; i < count; i++)
		lost += round_of_storm(w);
	lost += missing(0);
	good = say(lost == 0, 1, "what was acknowledged survives the kills");
	good = say(tell_changes(count), 2, "something of every kind was acknowledged") && good;
	good = say(lies_found() == KINDS, 3, "what is not so is found") && good;
	stop(SIGTERM);
	good = say(verified(), 4, "verify is content") && good;
	storm_backups_remove();
	if (good)
		nftw(storm_site, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	else
		printf("# the data is in %s\n", storm_site);
	free(acks.created);
	return good ? 0 : 1;
}
