/*
 * storm.c - writers remember what was acknowledged while the daemon is killed (SIGKILL) at random
 * moments; nothing of it may be missing afterwards, and `stet verify` must be content. Prints TAP.
 * STORM_ROUNDS (5; `make storm` takes 100) and STORM_SEED are from the environment.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WRITERS 4
#define ACKS_MAX 2000000

static char data[64] = "/tmp/stet-storm-XXXXXX", token[128], build[512];
static unsigned short seed[3];
static pid_t daemon_pid;
static int port;

/* What was acknowledged. A create is known by its number; a counter by the last value stored. */
static struct {
	pthread_mutex_t lock;
	uint32_t *created;
	size_t count;
	long counter[WRITERS];
} acks = { .lock = PTHREAD_MUTEX_INITIALIZER };

static _Noreturn void
bail(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	if (daemon_pid > 0)
		kill(daemon_pid, SIGKILL);
	exit(1);
}

/* ---- the programs ---- */

/* Run `stet --data …` with up to 12 words; the first line it prints goes to out. true: it exited
 * with 0. */
static bool
stet(char *out, size_t size, const char *const *words)
{
	const char *argv[16] = { "stet", "--data", data };
	char path[600];
	int fd[2], status;
	ssize_t n;
	size_t len = 0;
	pid_t pid;

	for (int i = 0; words[i] != NULL; i++)
		argv[3 + i] = words[i];
	snprintf(path, sizeof(path), "%s/stet", build);
	if (pipe2(fd, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		bail("fork");
	if (pid == 0) {
		dup2(fd[1], STDOUT_FILENO);
		execv(path, (char **)(uintptr_t)argv);
		_exit(127);
	}
	close(fd[1]);
	while (len < size - 1 && (n = read(fd[0], out + len, size - 1 - len)) > 0)
		len += (size_t)n;
	close(fd[0]);
	out[len] = '\0';
	out[strcspn(out, "\n")] = '\0';
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#define STET(out, ...)                                              \
	do {                                                        \
		const char *const words_[] = { __VA_ARGS__, NULL }; \
		if (!stet(out, sizeof(out), words_))                \
			bail(words_[0]);                            \
	} while (0)

static void
start(void)
{
	char path[600], line[1024];
	int fd[2];
	FILE *log;

	if (pipe2(fd, O_CLOEXEC) != 0)
		bail("pipe");
	snprintf(path, sizeof(path), "%s/stetd", build);
	if ((daemon_pid = fork()) < 0)
		bail("fork");
	if (daemon_pid == 0) {
		dup2(fd[1], STDERR_FILENO);
		execl(path, path, "--foreground", "--data", data, "--listen", "127.0.0.1:0",
		    (char *)NULL);
		_exit(127);
	}
	close(fd[1]);
	log = fdopen(fd[0], "r");
	port = 0;
	while (port == 0 && fgets(line, sizeof(line), log) != NULL) {
		const char *at = strstr(line, "listening on http://127.0.0.1:");

		if (at != NULL)
			port = (int)strtol(at + 30, NULL, 10);
	}
	if (port == 0)
		bail("the daemon did not start");
	/* What it logs from now on is of no interest, but must not fill the pipe. */
	if (fork() == 0) {
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
	while (waitpid(-1, NULL, WNOHANG) > 0)
		;
}

/* ---- requests ---- */

static int
dial(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

/* The status of the answer, or -1 when the daemon went away; *reply is its text. */
static int
ask(int fd, const char *method, const char *path, const char *body, char *reply, size_t size)
{
	char text[2048], *end = NULL, *length;
	size_t have = 0, need = 0;
	int n = snprintf(text, sizeof(text),
	    "%s /_cms/api%s HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Length: %zu\r\n\r\n%s",
	    method, path, token, strlen(body), body);

	if (send(fd, text, (size_t)n, MSG_NOSIGNAL) != n)
		return -1;
	while (end == NULL || have < need) {
		ssize_t got = recv(fd, reply + have, size - 1 - have, 0);

		if (got <= 0)
			return -1;
		have += (size_t)got;
		reply[have] = '\0';
		if (end == NULL && (end = strstr(reply, "\r\n\r\n")) != NULL) {
			length = strcasestr(reply, "Content-Length:");
			need = (size_t)(end - reply) + 4 +
			       (length != NULL ? strtoul(length + 15, NULL, 10) : 0);
		}
	}
	return (int)strtol(reply + 9, NULL, 10);
}

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

static void *
write_until_gone(void *arg)
{
	struct writer *w = arg;
	char body[256], path[64], reply[8192];
	int fd = dial(), status;

	while (fd >= 0) {
		uint32_t number = w->next;

		w->next += WRITERS;
		snprintf(body, sizeof(body),
		    "{\"slug\":\"n%u\",\"data\":{\"title\":\"Item %u\",\"n\":%u}}", number, number,
		    number);
		if ((status = ask(fd, "POST", "/content/storm", body, reply, sizeof(reply))) != 201)
			break;
		acknowledged(number);
		snprintf(body, sizeof(body), "{\"data\":{\"n\":%ld}}", acks.counter[w->index] + 1);
		snprintf(path, sizeof(path), "/content/storm/counter-%d", w->index);
		if ((status = ask(fd, "PUT", path, body, reply, sizeof(reply))) != 200)
			break;
		acks.counter[w->index]++;
	}
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && status > 0)
		printf("# writer %d was answered %d: %s\n", w->index, status,
		    strstr(reply, "\r\n\r\n"));
	return NULL;
}

static void
round_of_storm(struct writer *w)
{
	start();
	for (int i = 0; i < WRITERS; i++)
		if (pthread_create(&w[i].thread, NULL, write_until_gone, &w[i]) != 0)
			bail("pthread_create");
	usleep(20000 + (unsigned)nrand48(seed) % 200000);
	stop(SIGKILL);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(w[i].thread, NULL);
}

/* How many acknowledged writes are not there. */
static size_t
missing(void)
{
	char path[64], reply[8192], want[64];
	size_t lost = 0;
	int fd = dial();

	for (size_t i = 0; i < acks.count; i++) {
		snprintf(path, sizeof(path), "/content/storm/n%u", acks.created[i]);
		snprintf(want, sizeof(want), "\"n\":%u", acks.created[i]);
		if (ask(fd, "GET", path, "", reply, sizeof(reply)) != 200 ||
		    strstr(reply, want) == NULL) {
			printf("# lost: %s\n", path);
			lost++;
		}
	}
	for (int i = 0; i < WRITERS; i++) {
		const char *at;
		long n;

		snprintf(path, sizeof(path), "/content/storm/counter-%d", i);
		at = ask(fd, "GET", path, "", reply, sizeof(reply)) == 200 ? strstr(reply, "\"n\":")
									   : NULL;
		n = at != NULL ? strtol(at + 4, NULL, 10) : -1;
		/* One more may have been stored without its answer getting through. */
		if (n != acks.counter[i] && n != acks.counter[i] + 1) {
			printf(
			    "# counter %d: %ld stored, %ld acknowledged\n", i, n, acks.counter[i]);
			lost++;
		}
		acks.counter[i] = n;
	}
	close(fd);
	return lost;
}

/* ---- the run ---- */

static void
prepare(void)
{
	char out[16384], item[128];

	if (mkdtemp(data) == NULL)
		bail("mkdtemp");
	STET(out, "init");
	STET(out, "user", "add", "storm@example.org", "--name", "Storm", "--role", "admin");
	STET(token, "token", "add", "storm@example.org", "--name", "storm", "--scope",
	    "content:read,content:write");
	STET(out, "call", "schema_create_collection", "slug=storm", "label=Storm", "supports=[]");
	STET(out, "call", "schema_create_field", "collection=storm", "slug=title", "label=Title",
	    "type=string");
	STET(out, "call", "schema_create_field", "collection=storm", "slug=n", "label=N",
	    "type=integer", "indexed=true");
	for (int i = 0; i < WRITERS; i++) {
		snprintf(item, sizeof(item),
		    "{\"collection\":\"storm\",\"slug\":\"counter-%d\",\"data\":{\"n\":0}}", i);
		STET(out, "call", "content_create", "--input", item);
	}
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

int
main(void)
{
	const char *rounds = getenv("STORM_ROUNDS"), *chosen = getenv("STORM_SEED");
	int count = rounds != NULL ? (int)strtol(rounds, NULL, 10) : 5;
	struct writer w[WRITERS];
	size_t lost;
	const char *const verify[] = { "verify", NULL };
	char words[16384];
	bool sound;

	snprintf(
	    build, sizeof(build), "%s", getenv("STET_BUILD") != NULL ? getenv("STET_BUILD") : ".");
	snprintf(words, sizeof(words), "%s/modules/.libs", build);
	setenv("STET_MODULE_PATH", words, 1);
	setvbuf(stdout, NULL, _IOLBF, 0);
	seed[0] =
	    (unsigned short)(chosen != NULL ? strtoul(chosen, NULL, 10) : (unsigned long)getpid());
	if ((acks.created = calloc(ACKS_MAX, sizeof(acks.created[0]))) == NULL)
		bail("calloc");
	printf("1..3\n");
	prepare();
	for (int i = 0; i < WRITERS; i++)
		w[i] = (struct writer){ .index = i, .next = (uint32_t)i };
	for (int i = 0; i < count; i++)
		round_of_storm(w);
	start();
	lost = missing();
	stop(SIGTERM);
	printf("%s 1 - %zu acknowledged creates survive %d kills\n", lost == 0 ? "ok" : "not ok",
	    acks.count, count);
	printf("%s 2 - the writers got through\n", acks.count > 0 ? "ok" : "not ok");
	sound = stet(words, sizeof(words), verify);
	printf("%s 3 - verify is content\n", sound ? "ok" : "not ok");
	if (lost == 0 && sound)
		nftw(data, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	else
		printf("# the data is in %s\n", data);
	free(acks.created);
	return lost != 0 || !sound || acks.count == 0;
}
