/*
 * culprit.c - the file of marks: a header, the slot of the crash handler, then the slots of marks.
 * Slots have a fixed size, so that each is one pwrite.
 */
#include "module/culprit.h"

#include "base/arena.h"
#include "base/clock.h"
#include "module/descriptor.h"
#include "module/module.h"
#include "module/running.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define MARKS 64
#define CONSTRUCTOR "its constructor"
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
static void
copy(char *to, size_t size, const char *from)
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
culprit_mark(const char *module, const char *site, const char *what)
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
	copy(slot.module, sizeof(slot.module), module);
	copy(slot.site, sizeof(slot.site), site != NULL ? site : "");
	copy(slot.what, sizeof(slot.what), what);
	write_slot(&slot, offset_of(mark));
	return mark;
}

int
culprit_mark_loading(const char *module)
{
	copy(loading, sizeof(loading), module);
	return culprit_mark(module, NULL, CONSTRUCTOR);
}

void
culprit_unmark(int mark)
{
	const struct slot none = { .state = SLOT_FREE };

	loading[0] = '\0';
	if (mark < 0)
		return;
	write_slot(&none, offset_of(mark));
	atomic_store(&taken[mark], false);
}

/* ---- called by the crash handler ---- */

static void
by_path(struct culprit *c, const char *path)
{
	size_t count = modules_count();

	for (size_t i = 0; i < count; i++) {
		const struct loaded *l = modules_at(i);

		if (l->bundled || strcmp(l->path, path) != 0)
			continue;
		copy(c->module, sizeof(c->module), l->m.name);
		copy(c->what, sizeof(c->what), "its code");
		c->plugin = true;
	}
}

void
culprit_keep(const struct culprit *c, const char *how)
{
	static struct slot slot;
	size_t len;

	slot.state = SLOT_CRASHED;
	slot.at = clock_now();
	copy(slot.module, sizeof(slot.module), c->plugin ? c->module : "");
	copy(slot.site, sizeof(slot.site), c->site);
	copy(slot.what, sizeof(slot.what), c->what);
	len = strlen(slot.what);
	copy(slot.what + len, sizeof(slot.what) - len, " (");
	len = strlen(slot.what);
	copy(slot.what + len, sizeof(slot.what) - len, how);
	len = strlen(slot.what);
	copy(slot.what + len, sizeof(slot.what) - len, ")");
	write_slot(&slot, offsetof(struct file, crash));
}

static void
here(struct culprit *c)
{
	const struct running *r = running_here();
	size_t len;

	if (loading[0] != '\0') {
		copy(c->module, sizeof(c->module), loading);
		copy(c->what, sizeof(c->what), CONSTRUCTOR);
		c->plugin = true;
	}
	if (r == NULL)
		return;
	copy(c->what, sizeof(c->what), running_kind_name[r->kind]);
	len = strlen(c->what);
	copy(c->what + len, sizeof(c->what) - len, r->name != NULL ? " " : "");
	len = strlen(c->what);
	copy(c->what + len, sizeof(c->what) - len, r->name != NULL ? r->name : "");
	if (r->module != NULL) {
		copy(c->module, sizeof(c->module), r->module->m.name);
		c->plugin = !r->module->bundled;
	}
	copy(c->call, sizeof(c->call), r->call->id);
	if (r->call->site != NULL)
		copy(c->site, sizeof(c->site), site_name(r->call->site));
}

const struct crash_witness culprit_witness = {
	.here = here, .by_path = by_path, .keep = culprit_keep
};

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

	copy(death.module, sizeof(death.module), slot->module);
	copy(death.site, sizeof(death.site), slot->site);
	copy(death.what, sizeof(death.what), slot->what);
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
culprit_begin(const char *path, void (*fn)(const struct death *, void *), void *arg, char **why)
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
culprit_end(void)
{
	int fd = atomic_exchange(&file_fd, -1);

	if (fd < 0)
		return;
	(void)!ftruncate(fd, 0);
	close(fd);
}
