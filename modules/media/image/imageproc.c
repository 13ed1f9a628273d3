/* imageproc.c - starts the program stet-image, sends it requests, reads its answers. */
#include "image/imageproc.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <stet/buf.h>
#include <stet/call.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define GRACE_MS 5000 /* added to the time limit of the worker */
#define START_MS 15000 /* limit for the program's start, on a busy machine */
#define TRIES 2

/* The program. Its control socket is closed in all other child processes. */
static struct {
	pthread_mutex_t lock;
	pid_t pid; /* 0: not running */
	int control;
	uint64_t started; /* number of starts: identifies the program that a caller has asked */
} program = { .lock = PTHREAD_MUTEX_INITIALIZER, .control = -1 };

/* Images being decoded now. */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t left;
	long count;
} decoding = { .lock = PTHREAD_MUTEX_INITIALIZER, .left = PTHREAD_COND_INITIALIZER };

static void
enter(void)
{
	long most = sysconf(_SC_NPROCESSORS_ONLN);

	pthread_mutex_lock(&decoding.lock);
	while (decoding.count >= (most > 2 ? most : 2))
		pthread_cond_wait(&decoding.left, &decoding.lock);
	decoding.count++;
	pthread_mutex_unlock(&decoding.lock);
}

static void
leave(void)
{
	pthread_mutex_lock(&decoding.lock);
	decoding.count--;
	pthread_cond_signal(&decoding.left);
	pthread_mutex_unlock(&decoding.lock);
}

/* ---- the program; under its lock ---- */

static void
stop(void)
{
	if (program.pid == 0)
		return;
	close(program.control);
	program.control = -1;
	(void)kill(program.pid, SIGKILL);
	while (waitpid(program.pid, NULL, 0) == -1 && errno == EINTR)
		;
	program.pid = 0;
}

static bool
actions_of(posix_spawn_file_actions_t *to, int control)
{
	return posix_spawn_file_actions_addopen(to, 0, "/dev/null", O_RDWR, 0) == 0 &&
	       posix_spawn_file_actions_adddup2(to, 0, 1) == 0 &&
	       posix_spawn_file_actions_adddup2(to, 0, 2) == 0 &&
	       posix_spawn_file_actions_adddup2(to, control, IMAGEWIRE_CONTROL) == 0 &&
	       posix_spawn_file_actions_addclosefrom_np(to, IMAGEWIRE_CONTROL + 1) == 0;
}

/* Resets signals for the child, whatever this thread blocks. */
static bool
attributes_of(posix_spawnattr_t *to)
{
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	return posix_spawnattr_setsigmask(to, &none) == 0 &&
	       posix_spawnattr_setsigdefault(to, &all) == 0 &&
	       posix_spawnattr_setflags(to, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) == 0;
}

static int
spawn(const char *path, int control)
{
	static char locale[] = "LC_ALL=C";
	char *const argv[] = { (char *)(uintptr_t)path, NULL }, *const env[] = { locale, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = ENOMEM;

	if (posix_spawn_file_actions_init(&actions) != 0)
		return error;
	if (posix_spawnattr_init(&attributes) == 0) {
		if (actions_of(&actions, control) && attributes_of(&attributes))
			error = posix_spawn(&program.pid, path, &actions, &attributes, argv, env);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static bool
start(const char **why)
{
	const char *chosen = secure_getenv("STET_HELPER_PATH");
	char *path = stet_format_dup("%s/stet-image", chosen != NULL ? chosen : HELPER_PATH);
	int pair[2], error;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == -1) {
		*why = "no socket for stet-image";
		free(path);
		return false;
	}
	error = spawn(path, pair[1]);
	close(pair[1]);
	if (error == 0) {
		program.control = pair[0];
		program.started++;
	} else {
		close(pair[0]);
		program.pid = 0;
		stet_log(NULL, error == ENOENT ? STET_DEBUG : STET_WARN, "cannot start \"%s\": %s",
		    path, strerror(error));
		*why = error == ENOENT ? "the program stet-image is not installed"
				       : "the program stet-image cannot be started";
	}
	free(path);
	return error == 0;
}

static bool
send_ask(const struct imagewire_ask *ask, const int fds[IMAGEWIRE_FDS])
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int) * IMAGEWIRE_FDS)];
	} control = { .room = { 0 } };
	struct iovec iov = { (void *)(uintptr_t)ask, sizeof(*ask) };
	struct msghdr message = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control) };
	struct cmsghdr *head = CMSG_FIRSTHDR(&message);
	ssize_t n;

	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(sizeof(int) * IMAGEWIRE_FDS);
	memcpy(CMSG_DATA(head), fds, sizeof(int) * IMAGEWIRE_FDS);
	do
		n = sendmsg(program.control, &message, MSG_NOSIGNAL);
	while (n == -1 && errno == EINTR);
	return n == (ssize_t)sizeof(*ask);
}

/* Starts the program if needed, and sends the request. If an idle program has just ended, starts it
 * again. */
static bool
post(const struct imagewire_ask *ask, const int fds[IMAGEWIRE_FDS], uint64_t *asked,
    const char **why)
{
	bool sent = false;

	pthread_mutex_lock(&program.lock);
	for (int i = 0; i < TRIES && !sent; i++) {
		if (program.pid == 0 && !start(why))
			break;
		sent = send_ask(ask, fds);
		if (!sent) {
			stop();
			*why = "the program stet-image has ended";
		}
	}
	*asked = program.started;
	pthread_mutex_unlock(&program.lock);
	return sent;
}

/* Kills the program that did not answer, unless another thread has done so. */
static void
give_up(uint64_t asked)
{
	pthread_mutex_lock(&program.lock);
	if (program.started == asked)
		stop();
	pthread_mutex_unlock(&program.lock);
}

/* ---- a request ---- */

static int64_t
monotonic(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads the answer. Returns 1, 0 if the program ended without an answer, or -1 if it took too
 * long. */
static int
await(int fd, struct imagewire_answer *answer, int64_t ms)
{
	int64_t until = monotonic() + ms, left;
	struct pollfd watch = { .fd = fd, .events = POLLIN };

	while ((left = until - monotonic()) > 0) {
		int n = poll(&watch, 1, (int)left);

		if (n == -1 && errno != EINTR)
			return -1;
		if (n > 0)
			return read(fd, answer, sizeof(*answer)) == (ssize_t)sizeof(*answer) &&
			       answer->version == IMAGEWIRE_VERSION;
	}
	return -1;
}

/* Sends one request. Returns as await, or -1 if it could not be sent. */
static int
attempt(const struct imagewire_ask *ask, int in, int out, struct imagewire_answer *answer,
    const char **why)
{
	int ends[2], got = -1, fds[IMAGEWIRE_FDS];
	uint64_t asked;
	bool sent;

	if (pipe2(ends, O_CLOEXEC) == -1) {
		*why = "no pipe for stet-image";
		return -1;
	}
	fds[IMAGEWIRE_IN] = in;
	fds[IMAGEWIRE_OUT] = out;
	fds[IMAGEWIRE_REPLY] = ends[1];
	sent = post(ask, fds, &asked, why);
	close(ends[1]);
	if (sent) {
		got = await(ends[0], answer, ask->seconds * 1000LL + GRACE_MS + START_MS);
		if (got < 1) {
			*why = got == 0 ? "the program stet-image ended"
					: "the program stet-image does not answer";
			give_up(asked);
		}
	}
	close(ends[0]);
	return got;
}

bool
imageproc_ask(const struct imagewire_ask *ask, int in, int out, struct imagewire_answer *answer,
    const char **why)
{
	int got = 0;

	enter();
	/* An idle program may end while a request is on its way. */
	for (int i = 0; i < TRIES && got == 0; i++)
		got = attempt(ask, in, out, answer, why);
	leave();
	return got == 1;
}
