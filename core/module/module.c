/*
 * module.c - finds modules and opens each after the modules that it needs. The only user of
 * libltdl.
 */
#include "module/module.h"

#include "base/arena.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/words.h"
#include "call/loaded.h"
#include "call/status.h"
#include "conf/confdriver.h"
#include "module/descriptor.h"
#include "module/driverrow.h"
#include "module/filestamp.h"
#include "module/mark.h"
#include "module/registry.h"
#include "module/sqliterow.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <ltdl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that may become a module. */
struct candidate {
	char *name, *path;
	bool bundled, held;
	const struct stet_module *m; /* NULL: not opened, or invalid */
	char *reason; /* why it is refused */
	struct stat file; /* taken before it is opened */
	enum { WAITING, VISITING, DONE } mark;
};
struct candidates {
	struct candidate *at;
	size_t count;
	const char *only; /* name of the one file to look for; NULL: all that are no drivers */
};

static struct {
	pthread_mutex_t lock;
	struct module_refusal *at;
	size_t count;
} refusals = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Plugins that must not be loaded. */
static struct {
	char *name[MODULES_MAX], *reason[MODULES_MAX];
	size_t count;
} held;

void
modules_hold_back(const char *name, const char *reason)
{
	while (name == NULL && held.count > 0) {
		held.count--;
		free(held.name[held.count]);
		free(held.reason[held.count]);
	}
	if (name == NULL || held.count == MODULES_MAX)
		return;
	held.name[held.count] = xstrdup(name);
	held.reason[held.count++] = xstrdup(reason);
}

/* ---- candidates ---- */

static void __attribute__((format(printf, 2, 3))) refuse(struct candidate *c, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	free(c->reason);
	c->reason = xstrdup(text);
}

static struct candidate *
candidate_find(const struct candidates *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->at[i].name, name) == 0)
			return &list->at[i];
	return NULL;
}

/* Adds a file. A name that belongs to a loaded module of another file is refused; the same file
 * found again is not. */
static void
candidate_add(struct candidates *list, const char *name, const char *path, bool bundled)
{
	const struct loaded *old = modules_find(name);
	const struct candidate *other = candidate_find(list, name);
	struct candidate *c;

	if ((old != NULL && strcmp(old->path, path) == 0) ||
	    (other != NULL && strcmp(other->path, path) == 0))
		return;
	list->at = xrealloc(list->at, (list->count + 1) * sizeof(*list->at));
	c = &list->at[list->count++];
	*c = (struct candidate){ .name = xstrdup(name), .path = xstrdup(path), .bundled = bundled };
	if (!descriptor_name_ok(name))
		refuse(c,
		    "its file name is not made of a to z, 0 to 9, - and _, beginning with a letter");
	else if (old != NULL || other != NULL)
		refuse(c, "there is another module of this name, %s",
		    old != NULL ? old->path : other->path);
}

static void
refuse_held(struct candidate *c)
{
	for (size_t i = 0; i < held.count && c->reason == NULL && !c->bundled; i++)
		if (strcmp(held.name[i], c->name) == 0) {
			refuse(c, "%s", held.reason[i]);
			c->held = true;
		}
}

/* Names may have hyphens where symbols have underscores. Two names that differ only in that would
 * be the same to libltdl, to people, and as prefixes of ops. */
static bool
alike(const char *a, const char *b)
{
	for (; *a != '\0' && *b != '\0'; a++, b++)
		if (*a != *b && (strchr("-_", *a) == NULL || strchr("-_", *b) == NULL))
			return false;
	return *a == *b;
}

/* Returns true if such a name is loaded or comes earlier in the list. */
static void
refuse_alike(const struct candidates *list, struct candidate *c)
{
	size_t loaded = modules_count();

	for (size_t i = 0; i < loaded; i++)
		if (alike(modules_at(i)->m.name, c->name) &&
		    strcmp(modules_at(i)->m.name, c->name) != 0)
			refuse(c, "its name is that of the module %s but for - and _",
			    modules_at(i)->m.name);
	for (const struct candidate *other = list->at; other < c; other++)
		if (alike(other->name, c->name) && strcmp(other->name, c->name) != 0)
			refuse(c, "its name is that of the module %s but for - and _", other->name);
}

static int
by_name(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->bundled != y->bundled)
		return x->bundled ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* ---- files ---- */

/* Checks who can write the file: whoever can write or replace a module's file can run code as the
 * daemon. */
static void
file_check(struct candidate *c)
{
	char *dir = xstrdup(c->path);
	const char *why;
	struct stat st;

	*strrchr(dir, '/') = '\0';
	if (stat(*dir != '\0' ? dir : "/", &st) != 0)
		refuse(c, "its directory cannot be examined: %s", strerror(errno));
	else if ((why = dir_owner_flaw(&st)) != NULL)
		refuse(c, "its directory %s %s", dir, why);
	else if (stat(c->path, &c->file) != 0)
		refuse(c, "its file cannot be examined: %s", strerror(errno));
	else if (!S_ISREG(c->file.st_mode))
		refuse(c, "it is not a regular file");
	else if ((why = dir_owner_flaw(&c->file)) != NULL)
		refuse(c, "its file %s", why);
	free(dir);
}

/* Adds "x.so" itself, or the object that "x.la" refers to: in the same directory or, in a build
 * tree, in .libs. */
static void
file_add(struct candidates *list, const char *dir, const char *file, bool bundled)
{
	const char *dot = strrchr(file, '.');
	char path[PATH_MAX], name[256], *real;
	enum conf_driver_kind kind;
	int n;

	if (dot == NULL || *file == '.' || (strcmp(dot, ".so") != 0 && strcmp(dot, ".la") != 0))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)(dot - file), file);
	if (list->only != NULL ? strcmp(name, list->only) != 0
			       : confdriver_name(name, &kind) != NULL)
		return;
	n = snprintf(path, sizeof(path), "%s/%s.so", dir, name);
	if (n > 0 && (size_t)n < sizeof(path) && dot[1] == 'l' && access(path, F_OK) != 0)
		n = snprintf(path, sizeof(path), "%s/.libs/%s.so", dir, name);
	if (n < 0 || (size_t)n >= sizeof(path)) {
		log_line(STET_WARN, "module %s/%s: its path is too long", dir, file);
		return;
	}
	/* Checks apply to the file that is opened, not to a link to it. */
	real = realpath(path, NULL);
	candidate_add(list, name, real != NULL ? real : path, bundled);
	free(real);
}

static void
directory_add(struct candidates *list, const char *path, bool bundled)
{
	const struct dirent *entry;
	const char *why = NULL;
	struct stat st;
	DIR *dir;

	if (*path == '\0')
		return;
	if ((dir = opendir(path)) == NULL) {
		if (errno != ENOENT)
			log_line(STET_WARN, "modules in %s: %s", path, strerror(errno));
		return;
	}
	if (fstat(dirfd(dir), &st) == 0)
		why = dir_owner_flaw(&st);
	while ((entry = readdir(dir)) != NULL) {
		size_t before = list->count;

		file_add(list, path, entry->d_name, bundled);
		/* A link may lead from an unsafe directory to a safe one. */
		if (why != NULL && list->count > before && list->at[before].reason == NULL)
			refuse(&list->at[before], "its directory %s %s", path, why);
	}
	closedir(dir);
}

static void
path_add(struct candidates *list, const char *path, bool bundled)
{
	char *copy = xstrdup(path != NULL ? path : ""), *rest = copy, *dir;

	while ((dir = strsep(&rest, ":")) != NULL)
		directory_add(list, dir, bundled);
	free(copy);
}

/* ---- opening ---- */

/* If there is no memory for a bundled module, the process ends: its data would be missing in
 * responses. */
static void
refuse_to_open(struct candidate *c, const char *why)
{
	if (c->bundled && errno == ENOMEM)
		stet_out_of_memory();
	refuse(c, "it cannot be opened: %s%s", why,
	    strstr(why, "undefined symbol: stet_") != NULL
		? ": it was built for another version of stet; build it anew"
		: "");
}

/* dlopen before libltdl, which has no RTLD_NOW: an undefined function is then found here and not
 * at its first call, which would end the daemon. */
static bool
resolves(struct candidate *c)
{
	int mark = c->bundled ? -1 : mark_set_loading(c->name);
	bool good;

	errno = 0;
	good = dlopen(c->path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) != NULL;
	if (!c->bundled)
		mark_clear(mark);
	if (!good)
		refuse_to_open(c, dlerror());
	return good;
}

static lt_dlhandle
handle_open(struct candidate *c)
{
	lt_dladvise advise;
	lt_dlhandle handle = NULL;

	errno = 0;
	if (lt_dladvise_init(&advise) != 0) {
		refuse_to_open(c, lt_dlerror());
		return NULL;
	}
	if (lt_dladvise_local(&advise) == 0 && lt_dladvise_resident(&advise) == 0)
		handle = lt_dlopenadvise(c->path, advise);
	if (handle == NULL)
		refuse_to_open(c, lt_dlerror());
	lt_dladvise_destroy(&advise);
	return handle;
}

static void
candidate_open(struct candidate *c)
{
	const struct stet_module *m;
	lt_dlhandle handle;
	const char *why;

	file_check(c);
	if (c->reason == NULL && filestamp_replaced(c->path, &c->file))
		refuse(c,
		    "its file is another one than that which was refused; restart the daemon to use it");
	if (c->reason != NULL || !resolves(c) || (handle = handle_open(c)) == NULL)
		return;
	filestamp_opened(c->path, &c->file);
	m = lt_dlsym(handle, "stet_module");
	if (m == NULL)
		refuse(c, "it has no descriptor: it does not export %s_LTX_stet_module",
		    lt_dlgetinfo(handle)->name);
	else if ((why = descriptor_check(m, c->name)) != NULL)
		refuse(c, "%s", why);
	else if (!c->bundled && (why = descriptor_check_plugin(m)) != NULL)
		refuse(c, "%s", why);
	else
		c->m = m;
}

/* ---- order ---- */

static struct loaded *
loaded_new(const struct candidate *c)
{
	struct loaded *l = xcalloc(1, sizeof(*l));

	l->member_size = c->m->member_size;
	descriptor_copy(c->m, &l->m, &l->memory, sizeof(struct stet_member));
	l->bundled = c->bundled;
	l->path = xstrdup(c->path);
	return l;
}

static void
module_add(struct candidate *c)
{
	size_t count = modules_count();
	struct loaded *l;
	const char *why;

	if (count == MODULES_MAX) {
		refuse(c, "there are %d modules already", MODULES_MAX);
		return;
	}
	l = loaded_new(c);
	why =
	    status_add((struct stet_status_def *)(uintptr_t)l->m.statuses.row, l->m.statuses.count);
	if (why != NULL) {
		refuse(c, "%s", why);
		arena_free(&l->memory);
		free(l->path);
		free(l);
		return;
	}
	l->index = (int)count;
	filestamp_keep(l->index, &c->file);
	registry_add(l);
	sqliterow_add(&l->m);
	log_line(STET_INFO, "module %s %s: loaded from %s", l->m.name, l->m.version, l->path);
}

/* Adds the modules that this one needs, then the module. */
static void
visit(struct candidates *list, struct candidate *c)
{
	c->mark = VISITING;
	for (size_t i = 0; c->m->needs != NULL && c->m->needs[i] != NULL && c->reason == NULL;
	     i++) {
		const char *need = c->m->needs[i];
		struct candidate *other = candidate_find(list, need);

		if (modules_find(need) != NULL)
			continue;
		if (other != NULL && other->reason == NULL && other->mark == WAITING)
			visit(list, other);
		if (modules_find(need) != NULL)
			continue;
		if (other == NULL)
			refuse(c, "it needs the module %s, which is not there", need);
		else if (other->mark == VISITING)
			refuse(c, "it needs the module %s, which needs it in turn", need);
		else
			refuse(c, "it needs the module %s, which is refused", need);
	}
	c->mark = DONE;
	if (c->reason == NULL)
		module_add(c);
}

/* Returns true if a loaded module, or one about to be loaded, declares the permission. */
static bool
permission_known(const struct candidates *list, const char *name)
{
	size_t count = modules_count() + list->count;

	for (size_t i = 0; i < count; i++) {
		const struct stet_module *m =
		    i < list->count ? list->at[i].m : &modules_at(i - list->count)->m;
		struct stet_permission row;

		for (uint32_t k = 0; m != NULL && k < m->permissions.count; k++) {
			stet_table_row(&m->permissions, k, &row, sizeof(row));
			if (strcmp(row.name, name) == 0)
				return true;
		}
	}
	return false;
}

static void
permissions_check(const struct candidates *list, struct candidate *c)
{
	struct stet_op op;
	struct stet_admin_page page;
	struct stet_module m;

	stet_extend(&m, sizeof(m), c->m, c->m->size);
	for (uint32_t i = 0; i < m.ops.count && c->reason == NULL; i++) {
		stet_table_row(&m.ops, i, &op, sizeof(op));
		if (op.permission != NULL && !permission_known(list, op.permission))
			refuse(c,
			    "its operation %s needs the permission %s, which no module declares",
			    op.name, op.permission);
	}
	for (uint32_t i = 0; i < m.admin_pages.count && c->reason == NULL; i++) {
		stet_table_row(&m.admin_pages, i, &page, sizeof(page));
		if (page.permission != NULL && !permission_known(list, page.permission))
			refuse(c,
			    "its admin page %s needs the permission %s, which no module declares",
			    page.name, page.permission);
	}
}

/* ---- refusals ---- */

static bool
refused_before(const struct candidate *c)
{
	for (size_t i = 0; i < refusals.count; i++)
		if (strcmp(refusals.at[i].path, c->path) == 0 &&
		    strcmp(refusals.at[i].reason, c->reason) == 0)
			return true;
	return false;
}

/* Stores the refusals, and logs those that the last scan did not have. */
static void
refusals_replace(const struct candidates *list)
{
	struct module_refusal *now = xcalloc(list->count + 1, sizeof(*now)), *old;
	size_t count = 0, old_count;

	pthread_mutex_lock(&refusals.lock);
	for (size_t i = 0; i < list->count; i++) {
		const struct candidate *c = &list->at[i];

		if (c->reason == NULL)
			continue;
		if (!refused_before(c))
			log_line(STET_WARN, "module %s is refused: %s", c->path, c->reason);
		now[count++] = (struct module_refusal){ xstrdup(c->name), xstrdup(c->path),
			xstrdup(c->reason), c->bundled, c->held };
	}
	old = refusals.at;
	old_count = refusals.count;
	refusals.at = now;
	refusals.count = count;
	pthread_mutex_unlock(&refusals.lock);
	for (size_t i = 0; i < old_count; i++) {
		free(old[i].name);
		free(old[i].path);
		free(old[i].reason);
	}
	free(old);
}

void
modules_refused(void (*fn)(const struct module_refusal *, void *), void *arg)
{
	pthread_mutex_lock(&refusals.lock);
	for (size_t i = 0; i < refusals.count; i++)
		fn(&refusals.at[i], arg);
	pthread_mutex_unlock(&refusals.lock);
}

/* Logs loaded modules whose files were replaced: only a restart loads the new ones. */
static void
tell_replaced(void)
{
	size_t count = modules_count();

	for (size_t i = 0; i < count; i++)
		if (filestamp_changed(modules_at(i)->index, modules_at(i)->path))
			log_line(STET_WARN,
			    "module %s: its file is another one than the one that runs; restart the "
			    "daemon to use it",
			    modules_at(i)->m.name);
}

static bool
is_ready(void)
{
	static bool ready;

	if (!ready && lt_dlinit() != 0)
		log_line(STET_ERROR, "modules cannot be opened: %s", lt_dlerror());
	else
		ready = true;
	return ready;
}

static void
candidates_free(struct candidates *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->at[i].name);
		free(list->at[i].path);
		free(list->at[i].reason);
	}
	free(list->at);
}

const struct loaded *
modules_load_driver(const char *module_path, const char *plugin_path, const char *file, char **why)
{
	const struct loaded *driver = NULL;
	struct candidates list = { .only = file };
	const char *lacks;
	struct candidate *c;

	*why = NULL;
	if (is_ready()) {
		path_add(&list, module_path, true);
		if (list.count == 0)
			path_add(&list, plugin_path, false);
	}
	if (list.count > 0) {
		c = &list.at[0];
		candidate_open(c);
		if (c->reason == NULL)
			driver = loaded_new(c);
		if (driver != NULL && (lacks = driverrow_lacks(&driver->m)) != NULL)
			refuse(c, "%s", lacks);
		*why = c->reason != NULL ? xstrdup(c->reason) : NULL;
	}
	candidates_free(&list);
	return *why == NULL ? driver : NULL;
}

void
modules_scan(const char *module_path, const char *plugin_path)
{
	struct candidates list = { 0 };

	if (!is_ready())
		return;
	tell_replaced();
	path_add(&list, module_path, true);
	path_add(&list, plugin_path, false);
	if (list.count > 0)
		qsort(list.at, list.count, sizeof(*list.at), by_name);
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i].reason == NULL)
			refuse_alike(&list, &list.at[i]);
	for (size_t i = 0; i < list.count; i++)
		refuse_held(&list.at[i]);
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i].reason == NULL)
			candidate_open(&list.at[i]);
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i].reason == NULL)
			permissions_check(&list, &list.at[i]);
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i].reason == NULL && list.at[i].mark == WAITING)
			visit(&list, &list.at[i]);
	refusals_replace(&list);
	candidates_free(&list);
}
