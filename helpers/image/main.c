/*
 * main.c - stet-image: decodes images that nobody vouches for. The daemon starts it when the first
 * image comes, and sends requests over a socket (image/imagewire.h). Loading libvips takes 30 to 90
 * ms, so it is loaded once, by this process, which never reads an image. For each image it forks a
 * worker, which gives up all rights (confine.h), reads the image, answers and ends. Whatever an
 * image does to a worker, the next one begins as this process was.
 */
#include "confine.h"
#include "decode.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKERS_MOST 64

struct worker {
	pid_t pid; /* 0: none */
	int reply;
};

static struct worker workers[WORKERS_MOST];
static bool with_landlock;

static void
reply(int fd, struct imagewire_answer *answer)
{
	ssize_t n;

	answer->version = IMAGEWIRE_VERSION;
	answer->landlock = with_landlock;
	answer->readable = decode_formats();
	do
		n = write(fd, answer, sizeof(*answer)); /* shorter than PIPE_BUF: whole, or not */
	while (n == -1 && errno == EINTR);
}

/* ---- a worker ---- */

/* Keeps the three descriptors as 3, 4 and 5, and closes all others: the control socket, and what
 * belongs to other workers. */
static bool
keep_descriptors(int fds[IMAGEWIRE_FDS])
{
	for (int i = 0; i < IMAGEWIRE_FDS; i++) {
		int high = fcntl(fds[i], F_DUPFD, 3 + IMAGEWIRE_FDS + 2 * WORKERS_MOST);

		if (high == -1)
			return false;
		fds[i] = high;
	}
	for (int i = 0; i < IMAGEWIRE_FDS; i++) {
		if (dup2(fds[i], 3 + i) == -1)
			return false;
		fds[i] = 3 + i;
	}
	return close_range(3 + IMAGEWIRE_FDS, ~0U, 0) == 0;
}

_Noreturn static void
work(const struct imagewire_ask *ask, int fds[IMAGEWIRE_FDS])
{
	struct confine_limits limits = { ask->seconds, ask->memory, ask->size };
	struct imagewire_answer answer = { .state = IMAGEWIRE_UNCONFINED };
	sigset_t none;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	if (!keep_descriptors(fds))
		_exit(1);
	if (confine_worker(&limits)) {
		answer.state = IMAGEWIRE_DONE;
		if (ask->task == IMAGEWIRE_LOOK)
			decode_look(fds[IMAGEWIRE_IN], ask, &answer);
		else if (ask->task == IMAGEWIRE_MAKE)
			decode_make(fds[IMAGEWIRE_IN], fds[IMAGEWIRE_OUT], ask, &answer);
	}
	reply(fds[IMAGEWIRE_REPLY], &answer);
	_exit(0);
}

/* ---- the server ---- */

static struct worker *
idle_worker(void)
{
	for (size_t i = 0; i < WORKERS_MOST; i++)
		if (workers[i].pid == 0)
			return &workers[i];
	return NULL;
}

static bool
is_busy(void)
{
	for (size_t i = 0; i < WORKERS_MOST; i++)
		if (workers[i].pid != 0)
			return true;
	return false;
}

static void
start(const struct imagewire_ask *ask, int fds[IMAGEWIRE_FDS])
{
	struct imagewire_answer answer = { .state = IMAGEWIRE_MISMATCH };
	struct worker *w = idle_worker();

	if (ask->version != IMAGEWIRE_VERSION) {
		reply(fds[IMAGEWIRE_REPLY], &answer);
		close(fds[IMAGEWIRE_REPLY]);
	} else if (w == NULL || (w->pid = fork()) == -1) {
		if (w != NULL)
			w->pid = 0;
		close(fds[IMAGEWIRE_REPLY]); /* the daemon reads that nothing came */
	} else if (w->pid == 0) {
		work(ask, fds);
	} else {
		w->reply = fds[IMAGEWIRE_REPLY];
	}
	close(fds[IMAGEWIRE_IN]);
	close(fds[IMAGEWIRE_OUT]);
}

/* Tells the daemon of workers that a signal ended. What a worker said itself it reads first. */
static void
reap(void)
{
	struct imagewire_answer answer = { .state = IMAGEWIRE_KILLED };
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		for (size_t i = 0; i < WORKERS_MOST; i++) {
			if (workers[i].pid != pid)
				continue;
			answer.signal = WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : 0;
			if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
				reply(workers[i].reply, &answer);
			close(workers[i].reply);
			workers[i].pid = 0;
		}
}

/* Takes a request. Returns false when the daemon has closed the socket. */
static bool
take(void)
{
	struct imagewire_ask ask;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int) * IMAGEWIRE_FDS)];
	} control;
	struct iovec iov = { &ask, sizeof(ask) };
	struct msghdr message = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control) };
	struct cmsghdr *head;
	int fds[IMAGEWIRE_FDS];
	ssize_t n = recvmsg(IMAGEWIRE_CONTROL, &message, MSG_CMSG_CLOEXEC);

	if (n == -1)
		return errno == EINTR || errno == EAGAIN;
	if (n != (ssize_t)sizeof(ask))
		return false;
	head = CMSG_FIRSTHDR(&message);
	if (head == NULL || head->cmsg_type != SCM_RIGHTS ||
	    head->cmsg_len != CMSG_LEN(sizeof(fds)))
		return false;
	memcpy(fds, CMSG_DATA(head), sizeof(fds));
	start(&ask, fds);
	return true;
}

static void
serve(int children)
{
	struct pollfd watch[] = { { IMAGEWIRE_CONTROL, POLLIN, 0 }, { children, POLLIN, 0 } };

	for (;;) {
		struct signalfd_siginfo told;
		int n = poll(watch, 2, IMAGEWIRE_IDLE_SECONDS * 1000);

		if (n == 0 && !is_busy())
			return;
		if (n == -1 && errno != EINTR)
			return;
		if (n > 0 && watch[1].revents != 0 &&
		    read(children, &told, sizeof(told)) == (ssize_t)sizeof(told))
			reap();
		if (n > 0 && watch[0].revents != 0 && !take())
			return;
	}
}

int
main(int argc, char **argv)
{
	sigset_t child;
	int children;

	if (argc != 1 || fcntl(IMAGEWIRE_CONTROL, F_GETFD) == -1) {
		static const char text[] = "stet-image is started by stetd, and by nobody else\n";

		return write(STDERR_FILENO, text, sizeof(text) - 1) < 0 ? 3 : 2;
	}
	/* Workers inherit these: memory of threads would count against their limit. */
	(void)mallopt(M_ARENA_MAX, 1);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &child, NULL) != 0 ||
	    (children = signalfd(-1, &child, SFD_CLOEXEC)) == -1)
		return 1;
	if (!decode_open(argv[0]))
		return 1;
	/* If this fails, so does confine_worker, and each request is told that. */
	(void)confine_server(&with_landlock);
	serve(children);
	return 0;
}
