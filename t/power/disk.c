/*
 * disk.c - what may be on a disk after a power cut.
 *
 * A node is a file or a directory. A name is an entry of a directory; names are kept as whole
 * paths, since no directory with something in it is ever renamed by the daemon. Both have a durable
 * state, and a list of changes since then. A sync of a node that began makes durable, once it has
 * ended, the changes that were there when it began; the sync of a directory those of its names.
 */
#include "disk.h"
#include "content.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SYNCS_MAX 64 /* syncs in progress at once */

struct node {
	uint64_t ino;
	bool directory;
	struct content durable;
	struct change *change;
	size_t count, room;
	uint64_t late; /* DISK_LATE: the changes that the sync before made durable */
};

/* A change of a directory entry: the path leads to a node from now on, or is removed (NULL). A
 * rename is two such changes, which become durable together. */
struct name {
	char *path;
	struct node *node;
	bool with_next;
	uint64_t number;
};

struct names {
	struct name *name;
	size_t count, room;
};

struct sync {
	uint64_t number, changes;
	struct node *node;
};

struct disk {
	enum disk_lie lie;
	struct node **node;
	size_t count, room;
	struct names durable, live, changed;
	struct sync sync[SYNCS_MAX];
	uint64_t changes; /* all changes so far are durable */
	char why[PATH_MAX + 100];
};

static void *
grown(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room * 2 + 16;
	array = realloc(array, *room * size);
	if (array == NULL)
		abort();
	return array;
}

/* ---- nodes and names ---- */

static struct node *
node_add(struct disk *d, uint64_t ino, bool directory)
{
	struct node *n = calloc(1, sizeof(*n));

	if (n == NULL)
		abort();
	n->ino = ino;
	n->directory = directory;
	d->node = grown(d->node, d->count, &d->room, sizeof(struct node *));
	d->node[d->count++] = n;
	return n;
}

/* Finds the newest node with this inode number: the number may have been reused. */
static struct node *
node_find(const struct disk *d, uint64_t ino)
{
	for (size_t i = d->count; i-- > 0;)
		if (d->node[i]->ino == ino)
			return d->node[i];
	return NULL;
}

static struct name *
name_find(const struct names *names, const char *path)
{
	for (size_t i = names->count; i-- > 0;)
		if (strcmp(names->name[i].path, path) == 0)
			return &names->name[i];
	return NULL;
}

static struct name *
name_add(struct names *names, const char *path, struct node *node)
{
	struct name *name;

	names->name = grown(names->name, names->count, &names->room, sizeof(struct name));
	name = &names->name[names->count++];
	*name = (struct name){ .path = strdup(path), .node = node };
	if (name->path == NULL)
		abort();
	return name;
}

static void
name_remove(struct names *names, size_t i)
{
	free(names->name[i].path);
	memmove(&names->name[i], &names->name[i + 1], (--names->count - i) * sizeof(struct name));
}

/* Sets the node of a path; NULL removes the path. */
static void
name_set(struct names *names, const char *path, struct node *node)
{
	struct name *name = name_find(names, path);

	if (name != NULL && node != NULL)
		name->node = node;
	else if (name != NULL)
		name_remove(names, (size_t)(name - names->name));
	else if (node != NULL)
		(void)name_add(names, path, node);
}

static void
names_free(struct names *names)
{
	while (names->count > 0)
		name_remove(names, names->count - 1);
	free(names->name);
}

/* ---- the state at first ---- */

static bool
read_file(struct node *n, const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool good = fd >= 0 && fstat(fd, &st) == 0;

	if (good) {
		content_resize(&n->durable, (size_t)st.st_size);
		good = st.st_size == 0 ||
		       pread(fd, n->durable.bytes, n->durable.size, 0) == st.st_size;
	}
	if (fd >= 0)
		close(fd);
	return good;
}

static bool
is_index(const char *path)
{
	size_t len = strlen(path);

	return len >= 4 && strcmp(path + len - 4, "-shm") == 0;
}

static void
take_in(struct disk *d, const char *root, const char *relative)
{
	char path[PATH_MAX], below[PATH_MAX];
	const struct dirent *entry;
	struct node *n;
	struct stat st;
	DIR *dir;

	(void)snprintf(path, sizeof(path), "%s/%s", root, relative);
	if (is_index(path) || lstat(path, &st) != 0 ||
	    (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
		return;
	n = node_add(d, st.st_ino, S_ISDIR(st.st_mode));
	(void)name_add(&d->durable, relative, n);
	(void)name_add(&d->live, relative, n);
	if (!n->directory) {
		if (!read_file(n, path))
			abort();
		return;
	}
	if ((dir = opendir(path)) == NULL)
		abort();
	while ((entry = readdir(dir)) != NULL) {
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (snprintf(below, sizeof(below), "%s%s%s", relative, *relative != '\0' ? "/" : "",
			entry->d_name) < (int)sizeof(below))
			take_in(d, root, below);
	}
	closedir(dir);
}

struct disk *
disk_new(const char *directory, enum disk_lie lie)
{
	struct disk *d = calloc(1, sizeof(*d));

	if (d == NULL)
		abort();
	d->lie = lie;
	take_in(d, directory, "");
	return d;
}

void
disk_free(struct disk *d)
{
	for (size_t i = 0; i < d->count; i++) {
		free(d->node[i]->durable.bytes);
		free(d->node[i]->change);
		free(d->node[i]);
	}
	free(d->node);
	names_free(&d->durable);
	names_free(&d->live);
	names_free(&d->changed);
	free(d);
}

const char *
disk_why(const struct disk *d)
{
	return d->why;
}

/* ---- what happens to it ---- */

static bool
fails(struct disk *d, const char *what, const char *path)
{
	(void)snprintf(d->why, sizeof(d->why), "%s: %s", what, path);
	return false;
}

static void
change_node(struct disk *d, struct node *n, struct change change)
{
	change.number = ++d->changes;
	n->change = grown(n->change, n->count, &n->room, sizeof(struct change));
	n->change[n->count++] = change;
}

static void
change_name(struct disk *d, const char *path, struct node *node, bool with_next)
{
	struct name *name = name_add(&d->changed, path, node);

	name->number = ++d->changes;
	name->with_next = with_next;
	name_set(&d->live, path, node);
}

static bool
is_in(const char *path, const char *directory)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash != NULL ? (size_t)(slash - path) : 0;

	return strlen(directory) == len && strncmp(path, directory, len) == 0;
}

/* Makes the changes of a file durable, up to a number. */
static void
settle_file(struct node *n, uint64_t until)
{
	size_t done = 0;

	while (done < n->count && n->change[done].number <= until)
		content_change(&n->durable, &n->change[done++]);
	if (done > 0)
		memmove(n->change, n->change + done, (n->count -= done) * sizeof(struct change));
}

static const char *
path_of(const struct disk *d, const struct node *n)
{
	for (size_t i = 0; i < d->live.count; i++)
		if (d->live.name[i].node == n)
			return d->live.name[i].path;
	return NULL;
}

/* Applies a change of a name, and the changes that belong to it, to a state. Returns the number of
 * changes applied. */
static size_t
apply_name(struct names *to, const struct names *changed, size_t i)
{
	size_t count = changed->name[i].with_next ? 2 : 1;

	for (size_t k = 0; k < count; k++)
		name_set(to, changed->name[i + k].path, changed->name[i + k].node);
	return count;
}

/* Makes the changes of names in a directory durable, up to a number. A rename between two
 * directories is durable once either of them was synced. */
static void
settle_names(struct disk *d, const char *directory, uint64_t until)
{
	for (size_t i = 0; i < d->changed.count;) {
		const struct name *name = &d->changed.name[i];
		size_t count = name->with_next ? 2 : 1;

		if (name->number > until ||
		    (!is_in(name->path, directory) && !is_in(name[count - 1].path, directory))) {
			i += count;
			continue;
		}
		(void)apply_name(&d->durable, &d->changed, i);
		while (count-- > 0)
			name_remove(&d->changed, i);
	}
}

static bool
sync_begins(struct disk *d, struct node *n, uint64_t number)
{
	for (size_t i = 0; i < SYNCS_MAX; i++)
		if (d->sync[i].node == NULL) {
			d->sync[i] = (struct sync){ number, d->changes, n };
			return true;
		}
	return fails(d, "too many syncs at once", "");
}

static void
settle(struct disk *d, struct node *n, uint64_t until)
{
	const char *path = path_of(d, n);
	uint64_t late = n->late;

	n->late = until;
	if (d->lie == DISK_NO_SYNC || (d->lie == DISK_NO_NAMES && n->directory))
		return;
	if (d->lie == DISK_LATE)
		until = late;
	if (!n->directory)
		settle_file(n, until);
	else if (path != NULL)
		settle_names(d, path, until);
}

static bool
sync_ends(struct disk *d, uint64_t number)
{
	for (size_t i = 0; i < SYNCS_MAX; i++)
		if (d->sync[i].node != NULL && d->sync[i].number == number) {
			settle(d, d->sync[i].node, d->sync[i].changes);
			d->sync[i].node = NULL;
			return true;
		}
	return fails(d, "a sync ends that has not begun", "");
}

static bool
renamed(struct disk *d, const char *from, const char *to)
{
	const struct name *name = name_find(&d->live, from);
	struct node *n = name != NULL ? name->node : NULL;

	if (n == NULL || n->directory)
		return fails(d, "a rename that is not modelled", from);
	change_name(d, to, n, true);
	change_name(d, from, NULL, false);
	return true;
}

static bool
feed_name(struct disk *d, const struct record_head *head, const char *path)
{
	struct node *n = NULL;

	switch (head->kind) {
	case RECORD_CREATE:
	case RECORD_MKDIR:
		n = node_add(d, head->ino, head->kind == RECORD_MKDIR);
		break;
	case RECORD_LINK:
		n = node_find(d, head->ino);
		break;
	case RECORD_RENAME:
		return renamed(d, path, path + strlen(path) + 1);
	case RECORD_UNLINK:
		if (name_find(&d->live, path) == NULL)
			return true; /* a socket is not modelled */
		break;
	default:
		return fails(d, "unknown", path);
	}
	if (n == NULL && head->kind != RECORD_UNLINK)
		return fails(d, "a link to what was not recorded", path);
	if (head->paths > 0)
		change_name(d, path, n, false);
	return true;
}

bool
disk_feed(struct disk *d, const struct record_head *head, const char *paths, const void *bytes)
{
	struct node *n;

	if (head->kind == RECORD_MARK)
		return true;
	if (head->kind == RECORD_SYNCED)
		return sync_ends(d, head->at);
	if (head->kind != RECORD_WRITE && head->kind != RECORD_SIZE && head->kind != RECORD_SYNC)
		return feed_name(d, head, paths);
	n = node_find(d, head->ino);
	if (n == NULL)
		return fails(d, "a file that was not recorded", "");
	if (head->kind == RECORD_SYNC)
		return sync_begins(d, n, head->at);
	change_node(d, n,
	    (struct change){ .at = head->at,
		.len = head->len,
		.bytes = head->kind == RECORD_WRITE ? bytes : NULL });
	return true;
}

/* ---- the disk after a power cut ---- */

static struct names
surviving(const struct disk *d, enum disk_mode mode, uint64_t *seed)
{
	struct names names = { 0 };

	for (size_t i = 0; i < d->durable.count; i++)
		(void)name_add(&names, d->durable.name[i].path, d->durable.name[i].node);
	for (size_t i = 0; i < d->changed.count;) {
		size_t count = d->changed.name[i].with_next ? 2 : 1;

		if (mode == DISK_KEPT || (mode != DISK_DROPPED && disk_random(seed) % 2 == 0))
			(void)apply_name(&names, &d->changed, i);
		i += count;
	}
	return names;
}

static struct content
content_of(const struct node *n, enum disk_mode mode, uint64_t seed)
{
	struct content c = { 0 };

	if (n->durable.size > 0)
		content_put(&c, 0, n->durable.bytes, n->durable.size);
	seed ^= n->ino;
	for (size_t i = 0; i < n->count; i++)
		content_change_some(&c, &n->change[i], mode, &seed);
	return c;
}

static bool
write_file(const char *path, const struct content *c)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	size_t done = 0;
	ssize_t n = 0;

	while (fd >= 0 && done < c->size && (n = write(fd, c->bytes + done, c->size - done)) > 0)
		done += (size_t)n;
	return fd >= 0 && close(fd) == 0 && done == c->size;
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->path, ((const struct name *)b)->path);
}

/* If a directory was lost, its entries are lost, too. */
static bool
write_name(const char *directory, const struct name *name, enum disk_mode mode, uint64_t seed)
{
	char path[PATH_MAX];
	struct content c;
	bool good;

	(void)snprintf(path, sizeof(path), "%s/%s", directory, name->path);
	if (name->node->directory)
		return mkdir(path, 0700) == 0 || errno == ENOENT;
	c = content_of(name->node, mode, seed);
	good = write_file(path, &c) || errno == ENOENT;
	free(c.bytes);
	return good;
}

bool
disk_write(const struct disk *d, const char *directory, enum disk_mode mode,
    enum disk_mode of_names, uint64_t seed)
{
	struct names names = surviving(d, of_names, &seed);
	bool good = true;

	/* Creates directories before their entries. */
	qsort(names.name, names.count, sizeof(struct name), by_path);
	for (size_t i = 0; good && i < names.count; i++)
		good = write_name(directory, &names.name[i], mode, seed);
	names_free(&names);
	return good;
}

/* ---- is the record whole? ---- */

static bool
same_file(const struct node *n, const char *path)
{
	struct node there = { 0 };
	struct content c = content_of(n, DISK_KEPT, 0);
	bool same = read_file(&there, path) && there.durable.size == c.size &&
		    (c.size == 0 || memcmp(there.durable.bytes, c.bytes, c.size) == 0);

	free(there.durable.bytes);
	free(c.bytes);
	return same;
}

bool
disk_same(const struct disk *d, const char *directory, char *why, size_t size)
{
	struct disk *there = disk_new(directory, DISK_HONEST);
	bool same = true;
	char path[PATH_MAX];

	for (size_t i = 0; same && i < there->live.count; i++)
		if (name_find(&d->live, there->live.name[i].path) == NULL) {
			(void)snprintf(why, size, "%s was not recorded", there->live.name[i].path);
			same = false;
		}
	for (size_t i = 0; same && i < d->live.count; i++) {
		const struct name *name = &d->live.name[i];

		(void)snprintf(path, sizeof(path), "%s/%s", directory, name->path);
		if (name_find(&there->live, name->path) == NULL ||
		    (!name->node->directory && !same_file(name->node, path))) {
			(void)snprintf(why, size, "%s is not what was recorded", name->path);
			same = false;
		}
	}
	disk_free(there);
	return same;
}
