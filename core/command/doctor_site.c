/* doctor_site.c - checks of one site: directory, free space, database, backups, addresses. */
#include "backup/keeper.h"
#include "backup/told.h"
#include "base/clock.h"
#include "base/dir.h"
#include "base/words.h"
#include "command/doctor.h"
#include "command/probe.h"
#include "conf/confdatabase.h"
#include "db/ask.h"
#include "site/datadir.h"
#include "site/migrate.h"
#include "site/site.h"
#include <errno.h>
#include <ftw.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define ROOM_LEAST (64u << 20)
#define INODES_LEAST 1000
#define LOG_LONG (256u << 20)
#define AHEAD_MS 60000 /* a record may be newer than now by this much */

/* ---- the directory ---- */

/* Files with another owner. Static, because nftw passes no argument. */
static struct {
	uid_t owner;
	unsigned others;
	char first[256];
} strangers;

static int
look_at(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)type;
	(void)ftw;
	if (st->st_uid == strangers.owner)
		return 0;
	if (strangers.others++ == 0)
		(void)snprintf(strangers.first, sizeof(strangers.first), "%s", path);
	return 0;
}

static void
check_owners(struct doctor *d)
{
	const char *user = d->conf->user;
	const struct passwd *pw = user != NULL ? getpwnam(user) : NULL;
	struct stat st;

	if (stat(d->site->data, &st) != 0)
		return;
	if (user != NULL && pw == NULL)
		doctor_say(d, "owner", STET_TROUBLE, "Make the user, or mend the key user.",
		    "there is no user %s", user);
	else if (pw != NULL && pw->pw_uid != st.st_uid)
		doctor_say(d, "owner", STET_TROUBLE, "chown -R it to the user of the daemon.",
		    "the daemon runs as %s, who does not own %s", user, d->site->data);
	strangers.owner = st.st_uid;
	strangers.others = 0;
	(void)nftw(d->site->data, look_at, 16, FTW_PHYS);
	if (strangers.others > 0)
		doctor_say(d, "owner", STET_TROUBLE,
		    "chown them to the owner of the directory: the daemon cannot write them.",
		    "%u files belong to somebody else: %s", strangers.others, strangers.first);
	else
		doctor_say(d, "owner", STET_FINE, NULL, "one for all files");
}

static void
check_directory(struct doctor *d)
{
	struct stat st;

	if (stat(d->site->data, &st) != 0) {
		doctor_say(d, "directory", STET_TROUBLE,
		    "\"stet init\" makes a site, \"stet restore\" puts one back.", "%s: %s",
		    d->site->data, strerror(errno));
		return;
	}
	if ((st.st_mode & 07) != 0)
		doctor_say(d, "directory", STET_WARNING,
		    "chmod o-rwx: it holds hashes of passwords and tokens, and all that is not public.",
		    "%s is open to everybody on this machine", d->site->data);
	else
		doctor_say(d, "directory", STET_FINE, NULL, "%s", d->site->data);
}

static void
check_room(struct doctor *d, uint64_t database)
{
	struct statvfs fs;
	uint64_t room;

	if (statvfs(d->site->data, &fs) != 0)
		return;
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (room < ROOM_LEAST)
		doctor_say(d, "room", STET_TROUBLE, "Free some, or writes will be refused.",
		    "the disk has room for %llu MiB", (unsigned long long)(room >> 20));
	else if (room < database + ROOM_LEAST)
		doctor_say(d, "room", STET_WARNING,
		    "Free some: backups and upgrades make a copy of the database.",
		    "the disk has room for %llu MiB, and the database has %llu",
		    (unsigned long long)(room >> 20), (unsigned long long)(database >> 20));
	else
		doctor_say(
		    d, "room", STET_FINE, NULL, "%llu MiB", (unsigned long long)(room >> 20));
	if (fs.f_files > 0 && fs.f_favail < INODES_LEAST)
		doctor_say(d, "room", STET_TROUBLE, "Remove files: no new ones can be made soon.",
		    "the disk has room for %llu more files", (unsigned long long)fs.f_favail);
}

/* ---- the database ---- */

static uint64_t
size_of(const char *directory, const char *name, int64_t *changed_ms)
{
	char *path = words_format("%s/%s", directory, name);
	struct stat st;
	uint64_t size = 0;

	if (stat(path, &st) == 0) {
		size = (uint64_t)st.st_size;
		if ((int64_t)st.st_mtime * 1000 > *changed_ms)
			*changed_ms = (int64_t)st.st_mtime * 1000;
	}
	free(path);
	return size;
}

static void
check_migrations(struct doctor *d, const json_t *journal)
{
	const char *module;
	json_t *row;
	unsigned foreign = 0;

	json_object_foreach((json_t *)(uintptr_t)journal, module, row)
	{
		bool known;
		char *why =
		    migrate_refusal(module, json_integer_value(json_object_get(row, "version")),
			json_string_value(json_object_get(row, "digest")), &known);

		if (why != NULL)
			doctor_say(d, "migrations", STET_TROUBLE,
			    "Until then the site is served, and writes are refused.", "%s", why);
		foreign += why != NULL;
		free(why);
		if (!known)
			doctor_say(d, "migrations", STET_NOTE,
			    "Its tables stay as they are; install it, or forget it.",
			    "the module %s made tables, and is not installed", module);
	}
	if (foreign == 0)
		doctor_say(d, "migrations", STET_FINE, NULL, "known to this version");
}

static void
check_time(struct doctor *d, int64_t newest)
{
	char then[CLOCK_TEXT_SIZE];

	if (newest <= clock_now() + AHEAD_MS)
		return;
	clock_text(newest, then);
	doctor_say(d, "clock", STET_TROUBLE,
	    "The clock was set back, or had been ahead: new items sort before older ones until"
	    " then.",
	    "something of the site is from %s, which is yet to come", then);
}

/* Says where the database is, and why it cannot be used: `why`, or NULL. */
static void
say_elsewhere(struct doctor *d, const char *why, const char *advice)
{
	d->away = why != NULL;
	doctor_say(d, "database", why != NULL ? STET_TROUBLE : STET_FINE, advice,
	    "%s, schema %s%s%s", d->site->database, d->site->database_schema,
	    why != NULL ? ": " : "", why != NULL ? why : "");
}

static void
check_elsewhere(struct doctor *d)
{
	char *place = confdatabase_place(d->site), *why = site_lacks_engine(d->site);
	enum db_there there = why == NULL ? db_there(place) : DB_UNKNOWN;
	json_t *journal = there == DB_THERE ? db_ask_journal(place, &why) : NULL;

	check_room(d, 0);
	if (there == DB_NOT_THERE)
		say_elsewhere(d, "it holds no site",
		    "\"stet init\" makes one; \"stet restore\" puts a backup back.");
	else if (there == DB_UNKNOWN && why == NULL)
		say_elsewhere(d, "it does not answer", "Until it does, the site answers 503.");
	else
		say_elsewhere(d, why, NULL);
	if (journal != NULL)
		check_migrations(d, journal);
	json_decref(journal);
	free(place);
	free(why);
}

static void
check_file(struct doctor *d)
{
	int64_t newest = 0;
	uint64_t size = size_of(d->site->data, SITE_DATABASE, &newest);
	uint64_t log = size_of(d->site->data, SITE_DATABASE "-wal", &newest);
	char *path = words_format("%s/" SITE_DATABASE, d->site->data), *why = NULL;
	json_t *journal = size > 0 ? db_ask_journal(path, &why) : NULL;

	check_room(d, size);
	if (journal == NULL)
		doctor_say(d, "database", STET_TROUBLE,
		    "\"stet verify\" tells more; \"stet restore\" puts a backup back.", "%s",
		    why != NULL ? why : "there is none");
	else if (log > LOG_LONG)
		doctor_say(d, "database", STET_WARNING,
		    "Something reads for very long: a backup by other means, or a shell of SQLite."
		    " Without one, restart the daemon.",
		    "its log has %llu MiB", (unsigned long long)(log >> 20));
	else
		doctor_say(d, "database", STET_FINE, NULL, "%llu MiB, its log %llu",
		    (unsigned long long)(size >> 20), (unsigned long long)(log >> 20));
	if (journal != NULL)
		check_migrations(d, journal);
	check_time(d, newest);
	json_decref(journal);
	free(path);
	free(why);
}

static void
check_database(struct doctor *d)
{
	if (d->site->database != NULL)
		check_elsewhere(d);
	else
		check_file(d);
}

/* ---- backups ---- */

static void
check_made(struct doctor *d, const json_t *status, bool elsewhere)
{
	int64_t made = json_integer_value(json_object_get(status, "made"));
	int64_t period = keeper_period(d->site);
	const char *file = json_string_value(json_object_get(status, "file"));
	char then[CLOCK_TEXT_SIZE];

	clock_text(made, then);
	if (made == 0)
		doctor_say(
		    d, "backups", STET_WARNING, "Is the daemon running?", "none was made yet");
	else if (clock_now() - made > 2 * period)
		doctor_say(d, "backups", STET_TROUBLE,
		    "The daemon's log says why, if it was running.", "the last is from %s", then);
	else if (!elsewhere && (file == NULL || access(file, F_OK) != 0))
		doctor_say(d, "backups", STET_TROUBLE, "Who has removed it?",
		    "the last, %s, is not there", file != NULL ? file : "?");
	else
		doctor_say(d, "backups", STET_FINE, NULL, "the last is from %s: %s%s", then, file,
		    elsewhere ? ", made by another daemon" : "");
}

static void
check_backups(struct doctor *d)
{
	json_t *status = keeper_status(d->site->data);
	char *place = d->site->database != NULL ? confdatabase_place(d->site) : NULL;
	bool elsewhere = place != NULL && told_ask(place, status);
	const char *error = json_string_value(json_object_get(status, "error"));

	if (!d->site->backup_at.set && d->site->backup_every == 0)
		doctor_say(d, "backups", STET_NOTE,
		    "backup-at = \"03:30\" makes one each day, unless something else calls \"stet"
		    " backup\".",
		    "none are made by the daemon");
	else {
		if (error != NULL)
			doctor_say(d, "backups", STET_TROUBLE, "It is tried again soon.",
			    "the last try failed: %s", error);
		check_made(d, status, elsewhere);
	}
	free(place);
	json_decref(status);
}

/* ---- from outside ---- */

/* Returns true if the configuration maps the URL's host to this site. */
static bool
leads_here(const struct conf_site *site)
{
	const char *host = strstr(site->base_url, "://");
	size_t len;

	if (host == NULL)
		return false;
	host += 3;
	len = *host == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":/");
	for (size_t i = 0; site->hosts[i] != NULL; i++)
		if (strcmp(site->hosts[i], "*") == 0 ||
		    (strlen(site->hosts[i]) == len && strncasecmp(site->hosts[i], host, len) == 0))
			return true;
	return false;
}

static void
check_url(struct doctor *d)
{
	struct probe_finding found[PROBE_FINDINGS];
	bool proved = probe_site(d->conf, d->site, found);

	if (proved)
		doctor_say(d, "base-url", STET_FINE, NULL, "%s leads here", d->site->base_url);
	else if (!leads_here(d->site))
		doctor_say(d, "base-url", STET_WARNING,
		    "Name its host among hosts, unless a proxy changes Host.",
		    "%s is not one of the site's hosts", d->site->base_url);
	for (size_t i = 0; i < PROBE_FINDINGS && found[i].text != NULL; i++) {
		doctor_say(d, "base-url", STET_WARNING, found[i].advice, "%s: %s",
		    d->site->base_url, found[i].text);
		free(found[i].text);
		free(found[i].advice);
	}
}

/* Checks the daemon. The URL is requested only if a daemon runs and a configuration gives the
 * URL. */
static void
check_daemon(struct doctor *d)
{
	int pid = dir_daemon(d->site->data);

	if (pid == 0)
		doctor_say(d, "daemon", STET_NOTE, NULL, "none has the site");
	else
		doctor_say(d, "daemon", STET_FINE, NULL, "process %d", pid);
	if (pid != 0 && !d->embedded)
		check_url(d);
}

static void
check_certificate(struct doctor *d)
{
	if (d->site->tls_certificate != NULL)
		doctor_certificate(d, d->site->tls_certificate, d->site->hosts);
}

const struct doctor_check doctor_of_site[] = {
	{ check_directory, DOCTOR_NOTHING },
	{ check_owners, DOCTOR_DIRECTORY },
	{ check_database, DOCTOR_DIRECTORY },
	{ doctor_engine, DOCTOR_DIRECTORY },
	{ doctor_key, DOCTOR_DATABASE },
	{ check_backups, DOCTOR_DATABASE },
	{ doctor_mail, DOCTOR_DATABASE },
	{ doctor_files, DOCTOR_DIRECTORY },
	{ doctor_modules, DOCTOR_DATABASE },
	{ check_daemon, DOCTOR_DATABASE },
	{ check_certificate, DOCTOR_DATABASE },
	{ 0 },
};
