/* log.c - one line per event, to standard error or a file. */
#include "base/log.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SELDOM_MS 60000

#define LINE_MAX_BYTES 4096

/* A log. Its descriptor keeps its number for the life of the process (re-opening dups over it),
 * so that threads that write need no lock. Only the main thread uses the names. */
struct sink {
	char *path;
	atomic_int fd;
};

static struct sink events = { .fd = STDERR_FILENO };
static struct sink access_log = { .fd = -1 };
static atomic_bool access_json;
static atomic_int least_level = STET_INFO;

static int
sink_open(struct sink *sink, const char *path, int fallback)
{
	char *name = NULL;
	int old = atomic_load(&sink->fd), fd = fallback;

	if (path != NULL) {
		/* O_NONBLOCK: opening a pipe that has no reader would block this thread. */
		fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0640);
		if (fd == -1)
			return -1;
		(void)fcntl(fd, F_SETFL, O_APPEND);
		name = xstrdup(path);
	}
	if (fd >= 0 && fd != STDERR_FILENO && old >= 0 && old != STDERR_FILENO) {
		/* A line that is being written goes either to the old file or to the new one. */
		if (dup3(fd, old, O_CLOEXEC) == -1) {
			close(fd);
			free(name);
			return -1;
		}
		close(fd);
	} else {
		atomic_store(&sink->fd, fd);
		/* The old descriptor stays open, because another thread may be writing to it.
		 * This happens once or twice in the life of a process. */
	}
	free(sink->path);
	sink->path = name;
	return 0;
}

int
log_open(const char *path, enum stet_level least)
{
	log_level(least);
	return sink_open(&events, path, STDERR_FILENO);
}

bool
log_access_json(void)
{
	return atomic_load_explicit(&access_json, memory_order_relaxed);
}

int
log_access_open(const char *path, bool json)
{
	atomic_store(&access_json, json);
	return sink_open(&access_log, path, -1);
}

void
log_reopen(void)
{
	struct sink *sinks[] = { &events, &access_log };

	for (size_t i = 0; i < sizeof(sinks) / sizeof(sinks[0]); i++) {
		char *path = sinks[i]->path == NULL ? NULL : xstrdup(sinks[i]->path);

		if (path != NULL && sink_open(sinks[i], path, -1) == -1)
			log_line(STET_ERROR, "cannot open the log \"%s\" again: %s", path,
			    strerror(errno));
		free(path);
	}
}

void
log_close(void)
{
	free(events.path);
	events.path = NULL;
	free(access_log.path);
	access_log.path = NULL;
}

int
log_fd(void)
{
	return atomic_load(&events.fd);
}

void
log_level(enum stet_level least)
{
	atomic_store(&least_level, (int)least);
}

bool
log_wants(enum stet_level level)
{
	return (int)level >= atomic_load_explicit(&least_level, memory_order_relaxed);
}

/* An error here is ignored: the daemon must not stop, and there is no other place to report it. */
static void
put(int fd, const char *text, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, text, len);

		if (n == -1 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		text += n;
		len -= (size_t)n;
	}
}

bool
log_access_wanted(void)
{
	return atomic_load_explicit(&access_log.fd, memory_order_relaxed) != -1;
}

void
log_access(const char *lines, size_t len)
{
	int fd = atomic_load(&access_log.fd);

	if (fd != -1)
		put(fd, lines, len);
}

static void vline(enum stet_level, const char *, va_list) STET_FMT(2, 0);

static void
vline(enum stet_level level, const char *fmt, va_list ap)
{
	static const char *const name[] = { " debug ", " info ", " warning ", " error " };
	char line[LINE_MAX_BYTES];
	size_t len, head;
	int n;

	clock_text(clock_now(), line);
	len = CLOCK_TEXT_SIZE - 1;
	head = strlen(name[level]);
	memcpy(line + len, name[level], head);
	len += head;
	head = len;
	n = vsnprintf(line + len, sizeof(line) - len - 1, fmt, ap);
	if (n > 0)
		len += (size_t)n;
	if (len > sizeof(line) - 2)
		len = sizeof(line) - 2;
	/* An event is one line, whatever bytes foreign text has. */
	for (size_t i = head; i < len; i++)
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			line[i] = ' ';
	line[len++] = '\n';
	put(atomic_load(&events.fd), line, len);
}

void
log_line(enum stet_level level, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	if (!log_wants(level))
		return;
	va_start(ap, fmt);
	vline(level, fmt, ap);
	va_end(ap);
	errno = saved;
}

_Noreturn void
log_bug(const char *file, int line, const char *what)
{
	log_line(STET_ERROR, "bug: %s:%d: \"%s\" does not hold", file, line, what);
	abort();
}

void
log_seldom(struct log_gate *gate, enum stet_level level, const char *fmt, ...)
{
	long long next = atomic_load(&gate->next), now = clock_monotonic();
	unsigned held;
	va_list ap;
	char *text;

	if (!log_wants(level))
		return;
	if (now < next || !atomic_compare_exchange_strong(&gate->next, &next, now + SELDOM_MS)) {
		atomic_fetch_add(&gate->held, 1);
		return;
	}
	held = atomic_exchange(&gate->held, 0);
	va_start(ap, fmt);
	text = words_vformat(fmt, ap);
	va_end(ap);
	if (held > 0)
		log_line(level, "%s (and %u more like it)", text, held);
	else
		log_line(level, "%s", text);
	free(text);
}
