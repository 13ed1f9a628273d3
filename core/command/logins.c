/* logins.c - stores the logins of the command line. */
#include "command/logins.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/words.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX 1048576

/* Returns the directory of the user's settings, or NULL with the reason in *why. */
static char *
settings_dup(char **why)
{
	const char *settings = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (settings != NULL && *settings == '/') /* the XDG specification ignores relative paths */
		return words_format("%s/stet", settings);
	if (home != NULL && *home == '/')
		return words_format("%s/.config/stet", home);
	*why = words_format("neither XDG_CONFIG_HOME nor HOME says where to keep logins");
	return NULL;
}

static bool
make(const char *directory)
{
	char *path = xstrdup(directory);
	bool good = true;

	for (char *slash = strchr(path + 1, '/'); good && slash != NULL;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		good = mkdir(path, 0755) == 0 || errno == EEXIST;
		*slash = '/';
	}
	good = good && (mkdir(path, 0700) == 0 || errno == EEXIST);
	free(path);
	return good;
}

/* Returns a locked descriptor of the directory, or -1. */
static int
lock(const char *directory)
{
	int fd = make(directory) ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int rc = -1;

	while (fd >= 0 && (rc = flock(fd, LOCK_EX)) != 0 && errno == EINTR)
		;
	if (fd >= 0 && rc != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Reads the file, if there is one. */
static bool
read_file(struct logins *l, char **why)
{
	int fd = open(l->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char *text = xmalloc(FILE_MAX);
	struct stat st;
	bool good = false;

	if (fd < 0 && errno == ENOENT)
		l->all = json_object();
	else if (fd < 0 || fstat(fd, &st) != 0 || !dir_read_small(fd, text, FILE_MAX))
		*why = words_format("%s: %s", l->path, strerror(errno));
	else if ((st.st_mode & 077) != 0)
		*why =
		    words_format("%s: others may read it, and it holds tokens: chmod 600", l->path);
	else
		l->all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	good = json_is_object(l->all);
	if (!good && *why == NULL)
		*why = words_format("%s is damaged: remove it, and sign in again", l->path);
	if (fd >= 0)
		close(fd);
	explicit_bzero(text, FILE_MAX);
	free(text);
	return good;
}

bool
logins_open(struct logins *l, char **why)
{
	char *directory;

	*l = (struct logins){ .directory = -1 };
	*why = NULL;
	if ((directory = settings_dup(why)) == NULL)
		return false;
	l->path = words_format("%s/logins.json", directory);
	l->directory = lock(directory);
	if (l->directory < 0)
		*why = words_format("%s: %s", directory, strerror(errno));
	free(directory);
	if (l->directory >= 0 && read_file(l, why))
		return true;
	logins_close(l);
	return false;
}

bool
logins_put(struct logins *l, const char *url, json_t *login, char **why)
{
	char *next = words_format("%s.next", l->path);
	bool good;

	if (login != NULL)
		json_object_set_new(l->all, url, login);
	else
		json_object_del(l->all, url);
	good = dir_replace_json(l->path, next, l->all, why);
	if (!good)
		(void)unlink(next);
	free(next);
	return good;
}

void
logins_close(struct logins *l)
{
	if (l->directory >= 0)
		close(l->directory);
	json_decref(l->all);
	free(l->path);
	*l = (struct logins){ .directory = -1 };
}
