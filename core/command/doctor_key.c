/* doctor_key.c - checks that a site's key exists, is the right one, and opens the sealed values. */
#include "base/arena.h"
#include "base/dir.h"
#include "base/words.h"
#include "command/doctor.h"
#include "conf/confdatabase.h"
#include "secrets/sealed.h"
#include "site/own.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CHECK "key"

/* The key according to the configuration and the database. */
struct subject {
	struct doctor *d;
	char *path;
	char *database; /* NULL: in PostgreSQL; then the sealed values are not looked at */
	char *id; /* id of the sealing key in the database; NULL: none yet */
	struct sitekeys keys;
};

static void
check_mode(const struct subject *s)
{
	struct stat st;

	if (stat(s->path, &st) == 0 && (st.st_mode & 077) != 0)
		doctor_say(s->d, CHECK, STET_WARNING, "chmod 600 it.",
		    "%s can be read by others than its owner", s->path);
}

static void
say_missing(const struct subject *s, enum sitekey_found found, const char *why)
{
	if (found == SITEKEY_MISSING && s->id == NULL)
		doctor_say(s->d, CHECK, STET_NOTE, NULL,
		    "it has none yet: one is made when the site is opened");
	else
		doctor_say(s->d, CHECK, STET_TROUBLE,
		    "Put the key back, from where you keep it or from an encrypted backup. If it is"
		    " lost: \"stet key adopt\", then enter the secrets anew.",
		    "the site's secrets cannot be opened: %s", why);
}

static void
check_values(const struct subject *s)
{
	json_t *problems = json_array(), *problem;
	uint64_t count;
	char *why;
	size_t i;

	if (!sealed_check(s->database, &s->keys, &own_sealed, problems, &count, &why))
		doctor_say(s->d, "secrets", STET_TROUBLE, NULL, "%s", why);
	else if (json_array_size(problems) == 0)
		doctor_say(s->d, "secrets", STET_FINE, NULL, "%llu, all can be opened",
		    (unsigned long long)count);
	json_array_foreach(problems, i, problem) doctor_say(s->d, "secrets", STET_TROUBLE,
	    "Enter it anew, or put the right key back.", "%s", json_string_value(problem));
	json_decref(problems);
	free(why);
}

static void
check_which(const struct subject *s)
{
	const struct sitekey *key = s->id != NULL ? sitekey_find(&s->keys, s->id) : NULL;

	if (s->id != NULL && key == NULL)
		doctor_say(s->d, CHECK, STET_TROUBLE,
		    "Put the right key there. If it is lost: \"stet key adopt\", then enter the"
		    " secrets anew.",
		    "%s holds another key than %s, with which the site's secrets are sealed",
		    s->path, s->id);
	else if (s->keys.count > 1)
		doctor_say(s->d, CHECK, STET_WARNING, "Run \"stet key rotate\" again.",
		    "%s holds two keys: changing it was interrupted", s->path);
	else
		doctor_say(s->d, CHECK, STET_FINE, NULL, "%s, %s", s->path, s->keys.key[0].id_text);
	check_mode(s);
	if (s->id != NULL)
		check_values(s);
}

void
doctor_key(struct doctor *d)
{
	struct subject s = { .d = d };
	enum sitekey_found found;
	char *why;

	s.path = sitekey_path(d->site->data, d->site->key_file);
	s.database = confdatabase_place(d->site);
	s.id = sealed_key_id(s.database);
	found = sitekey_read(s.path, &s.keys, &why);
	if (found == SITEKEY_THERE)
		check_which(&s);
	else
		say_missing(&s, found, why);
	sitekey_wipe(&s.keys);
	free(why);
	free(s.id);
	free(s.path);
	free(s.database);
}
