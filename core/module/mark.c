/*
 * mark.c - the file of marks: a header, the slot of the crash handler, then the slots of marks.
 * Slots have a fixed size, so that each is one pwrite.
 */
#include "module/mark.h"

#include "base/arena.h"
#include "base/clock.h"
#include "module/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define MARKS 64
#define MAGIC "stet running 1\n"

enum slot_state { SLOT_FREE, SLOT_RUNNING, SLOT_CRASHED };

struct slot {
	uint32_t state, spare;
	int64_t at; /* milliseconds since the epoch */
	char module[64], site[128], what[192];
};
struct file {
	char magic[16];
	struct slot crash;
	struct slot mark[MARKS];
};

static atomic_int file_fd = -1;
/* The plugin whose constructor this thread runs; "": none. In static TLS, which a signal handler
 * can read safely. */
static _Thread_local char loading[64] __attribute__((tls_model("initial-exec")));
static atomic_bool taken[MARKS];

/* ---- writing ---- */

/* Async-signal-safe. */
void
mark_copy(char *to, size_t size, const char *from)
{
	size_t len = 0;

	for (; len < size - 1 && from[len] != '\0'; len++)
		to[len] = from[len];
	memset(to + len, 0, size - len);
}

static void
write_slot(const struct slot *slot, size_t offset)
{
	int fd = atomic_load(&file_fd);

	if (fd >= 0)
		(void)!pwrite(fd, slot, sizeof(*slot), (off_t)offset);
}

static size_t
offset_of(int mark)
{
	return offsetof(struct file, mark) + (size_t)mark * sizeof(struct slot);
}

int
mark_set(const char *module, const char *site, const char *what)
{
	struct slot slot = { .state = SLOT_RUNNING };
	int mark = 0;

	if (atomic_load(&file_fd) < 0)
		return -1;
	while (mark < MARKS && atomic_exchange(&taken[mark], true))
		mark++;
	if (mark == MARKS)
		return -1;
	slot.at = clock_now();
	mark_copy(slot.module, sizeof(slot.module), module);
	mark_copy(slot.site, sizeof(slot.site), site != NULL ? site : "");
	mark_copy(slot.what, sizeof(slot.what), what);
	write_slot(&slot, offset_of(mark));
	return mark;
}

int
mark_set_loading(const char *module)
{
	mark_copy(loading, sizeof(loading), module);
	return mark_set(module, NULL, MARK_CONSTRUCTOR);
}

const char *
mark_loading(void)
{
	return loading;
}

void
mark_clear(int mark)
{
	const struct slot none = { .state = SLOT_FREE };

	loading[0] = '\0';
	if (mark < 0)
		return;
	write_slot(&none, offset_of(mark));
	atomic_store(&taken[mark], false);
}

void
mark_keep(const struct culprit *c, const char *how)
{
	static struct slot slot;
	size_t len;

	slot.state = SLOT_CRASHED;
	slot.at = clock_now();
	mark_copy(slot.module, sizeof(slot.module), c->plugin ? c->module : "");
	mark_copy(slot.site, sizeof(slot.site), c->site);
	mark_copy(slot.what, sizeof(slot.what), c->what);
	len = strlen(slot.what);
	mark_copy(slot.what + len, sizeof(slot.what) - len, " (");
	len = strlen(slot.what);
	mark_copy(slot.what + len, sizeof(slot.what) - len, how);
	len = strlen(slot.what);
	mark_copy(slot.what + len, sizeof(slot.what) - len, ")");
	write_slot(&slot, offsetof(struct file, crash));
}

/* ---- reading ---- */

/* Repairs and checks a slot, since the file may be damaged: strings are terminated, and the name
 * is a valid one. */
static bool
is_good(struct slot *slot)
{
	slot->module[sizeof(slot->module) - 1] = '\0';
	slot->site[sizeof(slot->site) - 1] = '\0';
	slot->what[sizeof(slot->what) - 1] = '\0';
	return slot->state != SLOT_FREE && descriptor_name_ok(slot->module);
}

static void
report(const struct slot *slot, void (*fn)(const struct death *, void *), void *arg)
{
	struct death death = { .at = slot->at };

	mark_copy(death.module, sizeof(death.module), slot->module);
	mark_copy(death.site, sizeof(death.site), slot->site);
	mark_copy(death.what, sizeof(death.what), slot->what);
	fn(&death, arg);
}

static bool
same_plugin(const struct slot *a, const struct slot *b)
{
	return strcmp(a->module, b->module) == 0 && strcmp(a->site, b->site) == 0;
}

/* Reports each plugin and site once. */
static void
report_marks(struct file *file, void (*fn)(const struct death *, void *), void *arg)
{
	for (int i = 0; i < MARKS; i++) {
		bool before = false;

		if (!is_good(&file->mark[i]))
			continue;
		for (int k = 0; k < i && !before; k++)
			before = file->mark[k].state != SLOT_FREE &&
				 same_plugin(&file->mark[k], &file->mark[i]);
		if (!before)
			report(&file->mark[i], fn, arg);
	}
}

static void
read_file(int fd, void (*fn)(const struct death *, void *), void *arg)
{
	struct file *file = xcalloc(1, sizeof(*file));

	if (pread(fd, file, sizeof(*file), 0) > (ssize_t)sizeof(file->magic) &&
	    memcmp(file->magic, MAGIC, sizeof(file->magic)) == 0) {
		if (file->crash.state != SLOT_CRASHED)
			report_marks(file, fn, arg);
		else if (is_good(&file->crash))
			report(&file->crash, fn, arg);
	}
	free(file);
}

/* ---- opening and closing the file ---- */

static bool
clear(int fd)
{
	char magic[sizeof(((struct file *)0)->magic)] = MAGIC;

	return ftruncate(fd, 0) == 0 && ftruncate(fd, sizeof(struct file)) == 0 &&
	       pwrite(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic);
}

bool
mark_begin(const char *path, void (*fn)(const struct death *, void *), void *arg, char **why)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		read_file(fd, fn, arg);
		if (clear(fd)) {
			atomic_store(&file_fd, fd);
			return true;
		}
	}
	*why = xstrdup(errno == EWOULDBLOCK ? "another daemon uses it" : strerror(errno));
	if (fd >= 0)
		close(fd);
	return false;
}

void
mark_end(void)
{
	int fd = atomic_exchange(&file_fd, -1);

	if (fd < 0)
		return;
	(void)!ftruncate(fd, 0);
	close(fd);
}
