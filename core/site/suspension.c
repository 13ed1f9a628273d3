/*
 * suspension.c - notes on modules in a data directory: a file MODULE.json with the deaths of the
 * daemon and the suspension, MODULE.daemon.json for the whole daemon, and an empty file MODULE.off
 * as a request to disable it. Files are replaced whole.
 */
#include "site/suspension.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/log.h"
#include "base/words.h"
#include "module/descriptor.h"
#include "module/mark.h"
#include "module/module.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OFF ".off"

static const char *const suffix[] = {
	[SUSPENSION_SITE] = ".json", [SUSPENSION_DAEMON] = ".daemon.json"
};
static char *home;

const char *
suspension_home(void)
{
	return home;
}

/* ---- the files ---- */

/* The name of a file below the data directory. */
static char *
name_of(const char *module, const char *end)
{
	return words_format(DATADIR_MODULES "/%s%s", module, end);
}

/* Reads a file of notes. A damaged or foreign file counts as empty. */
static json_t *
read_notes(const char *data, enum suspension_scope scope, const char *module)
{
	char *path = words_format("%s/" DATADIR_MODULES "/%s%s", data, module, suffix[scope]);
	json_t *notes = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);

	free(path);
	if (json_is_object(notes))
		return notes;
	json_decref(notes);
	return json_object();
}

static void
write_notes(const char *data, enum suspension_scope scope, const char *module, const json_t *notes)
{
	char *name = name_of(module, suffix[scope]), *why;

	if (!dir_put_json(data, name, notes, &why)) {
		log_line(STET_WARN, "%s", why);
		free(why);
	}
	free(name);
}

static void
remove_file(const char *data, const char *module, const char *end)
{
	char *path = words_format("%s/" DATADIR_MODULES "/%s%s", data, module, end);

	if (unlink(path) != 0 && errno != ENOENT)
		log_line(STET_WARN, "%s: %s", path, strerror(errno));
	free(path);
}

/* Returns the module that a file is about, to be freed; NULL: it is another kind of file. */
static char *
module_of_dup(const char *file, const char *end)
{
	size_t len = strlen(file), tail = strlen(end);
	char *name;

	if (len <= tail || strcmp(file + len - tail, end) != 0)
		return NULL;
	name = words_format("%.*s", (int)(len - tail), file);
	if (descriptor_name_ok(name))
		return name;
	free(name);
	return NULL;
}

/* Returns the modules that have a file of this kind. Each is to be freed, then the list. */
static char **
modules_noted_dup(const char *data, const char *end)
{
	char **list = xcalloc(1, sizeof(*list)), *path = words_format("%s/" DATADIR_MODULES, data);
	DIR *dir = opendir(path);
	const struct dirent *entry;
	size_t count = 0;

	while (dir != NULL && count < MODULES_MAX && (entry = readdir(dir)) != NULL) {
		char *name = module_of_dup(entry->d_name, end);

		if (name == NULL)
			continue;
		list = xrealloc(list, (count + 2) * sizeof(*list));
		list[count++] = name;
		list[count] = NULL;
	}
	if (dir != NULL)
		closedir(dir);
	free(path);
	return list;
}

/* ---- suspensions ---- */

static void
suspend(json_t *notes, int64_t at, const char *reason)
{
	json_object_set_new(notes, "suspended", json_integer(at));
	json_object_set_new(notes, "reason", json_string(reason));
	json_object_del(notes, "told");
}

/* Returns true if the last deaths are SUSPENSION_DEATHS within the time. The clock may have been
 * set between them: times too far apart in either direction do not count. */
static bool
are_enough(const json_t *died)
{
	size_t count = json_array_size(died);
	int64_t first, last;

	if (count < SUSPENSION_DEATHS)
		return false;
	first = json_integer_value(json_array_get(died, count - SUSPENSION_DEATHS));
	last = json_integer_value(json_array_get(died, count - 1));
	return last >= first && last - first <= SUSPENSION_WITHIN_MS;
}

/* Records that the daemon died at that time while the module did `what`. Returns true if that
 * suspends it. */
static bool
suspension_died(
    const char *data, enum suspension_scope scope, const char *module, int64_t at, const char *what)
{
	json_t *notes = read_notes(data, scope, module), *died;
	bool suspended = json_object_get(notes, "suspended") != NULL, begins;
	char *reason;

	if (!json_is_array(json_object_get(notes, "died")))
		json_object_set_new(notes, "died", json_array());
	died = json_object_get(notes, "died");
	json_array_append_new(died, json_integer(at));
	while (json_array_size(died) > SUSPENSION_DEATHS)
		json_array_remove(died, 0);
	json_object_set_new(notes, "what", json_string(what));
	begins = !suspended && are_enough(died);
	if (begins) {
		reason = words_format("stetd died %d times within %d minutes while it ran, the last"
				      " time in %s",
		    SUSPENSION_DEATHS, SUSPENSION_WITHIN_MS / 60000, what);
		suspend(notes, at, reason);
		free(reason);
	}
	write_notes(data, scope, module, notes);
	json_decref(notes);
	return begins;
}

void
suspension_begin(
    const char *data, enum suspension_scope scope, const char *module, const char *reason)
{
	json_t *notes = read_notes(data, scope, module);

	if (json_object_get(notes, "suspended") == NULL) {
		suspend(notes, clock_now(), reason);
		write_notes(data, scope, module, notes);
	}
	json_decref(notes);
}

bool
suspension_read(
    const char *data, enum suspension_scope scope, const char *module, struct suspension *out)
{
	json_t *notes = data != NULL ? read_notes(data, scope, module) : NULL;
	const json_t *since = json_object_get(notes, "suspended");
	const char *reason = json_string_value(json_object_get(notes, "reason"));
	bool suspended = json_is_integer(since);
	char text[CLOCK_TEXT_SIZE];

	if (suspended) {
		out->since = json_integer_value(since);
		out->told = json_is_true(json_object_get(notes, "told"));
		clock_text(out->since, text);
		(void)snprintf(out->reason, sizeof(out->reason),
		    "it is suspended since %s: %.200s; enable it again when it is mended", text,
		    reason != NULL ? reason : "it took stetd down");
	}
	json_decref(notes);
	return suspended;
}

void
suspension_lift(const char *data, enum suspension_scope scope, const char *module)
{
	if (data != NULL)
		remove_file(data, module, suffix[scope]);
}

void
suspension_told(const char *data, enum suspension_scope scope, const char *module)
{
	json_t *notes = read_notes(data, scope, module);

	if (json_object_get(notes, "suspended") != NULL) {
		json_object_set_new(notes, "told", json_true());
		write_notes(data, scope, module, notes);
	}
	json_decref(notes);
}

static void
free_list(char **list)
{
	for (char **name = list; *name != NULL; name++)
		free(*name);
	free(list);
}

void
suspension_each(const char *data, enum suspension_scope scope,
    void (*fn)(const char *, const struct suspension *, void *), void *arg)
{
	char **list;

	if (data == NULL)
		return;
	list = modules_noted_dup(data, suffix[scope]);
	for (char **name = list; *name != NULL; name++) {
		struct suspension s;

		if (suspension_read(data, scope, *name, &s))
			fn(*name, &s, arg);
	}
	free_list(list);
}

/* ---- requests ---- */

bool
disable_request(const char *data, const char *module, char **why)
{
	char *name = name_of(module, OFF);
	json_t *at = json_integer(clock_now());
	bool good = dir_put_json(data, name, at, why);

	json_decref(at);
	free(name);
	return good;
}

void
disable_request_forget(const char *data, const char *module)
{
	remove_file(data, module, OFF);
}

void
disable_request_each(const char *data, void (*fn)(const char *, void *), void *arg)
{
	char **list = modules_noted_dup(data, OFF);

	for (char **name = list; *name != NULL; name++)
		fn(*name, arg);
	free_list(list);
}

/* ---- the start of the daemon ---- */

static const struct conf_site *
site_called(const struct conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->site_count; i++)
		if (strncmp(conf->sites[i].name, name, sizeof(((struct death *)0)->site) - 1) == 0)
			return &conf->sites[i];
	return NULL;
}

static void
note_death(const struct death *death, void *arg)
{
	const struct conf *conf = arg;
	bool whole = death->site[0] == '\0';
	const struct conf_site *site = whole ? &conf->sites[0] : site_called(conf, death->site);
	const char *on = whole ? "" : " on site ";

	log_line(STET_WARN, "the daemon died while the plugin %s ran%s%s: in %s", death->module, on,
	    death->site, death->what);
	if (site == NULL) /* the site was removed from the configuration */
		return;
	if (suspension_died(site->data, whole ? SUSPENSION_DAEMON : SUSPENSION_SITE, death->module,
		death->at, death->what))
		log_line(STET_ERROR,
		    "the plugin %s is suspended%s%s: stetd died %d times within %d minutes while it"
		    " ran. \"stet module enable %s\" takes it back",
		    death->module, on, death->site, SUSPENSION_DEATHS, SUSPENSION_WITHIN_MS / 60000,
		    death->module);
}

void
suspension_begin_daemon(const struct conf *conf)
{
	char *path, *why = NULL;

	if (conf->site_count == 0)
		return;
	path = words_format("%s/" DATADIR_MODULES "/running", conf->sites[0].data);
	if (!dir_make(conf->sites[0].data, &why) ||
	    !mark_begin(path, note_death, (void *)(uintptr_t)conf, &why))
		log_line(STET_WARN, "%s: crashes of plugins cannot be recorded: %s", path, why);
	free(why);
	free(path);
}

static void
hold_back(const char *module, const struct suspension *s, void *arg)
{
	(void)arg;
	modules_hold_back(module, s->reason);
}

void
suspension_hold_back(const struct conf *conf)
{
	const char *data = conf->site_count > 0 ? conf->sites[0].data : NULL;

	if (home == NULL && data != NULL)
		/* kept until the process ends, also if the configuration changes */
		home = xstrdup(data);
	modules_hold_back(NULL, NULL);
	suspension_each(home, SUSPENSION_DAEMON, hold_back, NULL);
}
