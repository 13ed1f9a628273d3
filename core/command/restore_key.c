/*
 * restore_key.c - finds the key for a site that is restored. An encrypted backup contains it.
 * Otherwise it comes from the given file, from the configuration, or from the site that is
 * replaced. Without a key the site is restored all the same: its content is complete, its secrets
 * are lost.
 */
#include "command/restore_key.h"
#include "base/arena.h"
#include "base/dir.h"
#include "base/words.h"
#include "secrets/sealed.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns true if this file has the key with this id, which is then in *key. */
static bool
has_key(const char *path, const char *id, struct sitekeys *out, char **why)
{
	const struct sitekey *key;
	struct sitekeys keys;
	enum sitekey_found found = sitekey_read(path, &keys, why);
	bool good;

	key = found == SITEKEY_THERE ? sitekey_find(&keys, id) : NULL;
	good = key != NULL;
	if (good) {
		out->key[0] = *key;
		out->count = 1;
	} else if (found == SITEKEY_THERE)
		*why = words_format(
		    "%s is not the key of the site in the backup, which is %s", path, id);
	sitekey_wipe(&keys);
	return good;
}

/* has_key for the key file in a data directory. */
static bool
directory_has(const char *data, const char *id, struct sitekeys *out)
{
	char *path = sitekey_path(data, NULL), *why = NULL;
	bool good = has_key(path, id, out, &why);

	free(why);
	free(path);
	return good;
}

static bool
configured(const struct conf_site *site, const char *id, json_t *notes)
{
	struct sitekeys keys = { .count = 0 };
	char *why = NULL;
	bool good = has_key(site->key_file, id, &keys, &why);

	sitekey_wipe(&keys);
	if (!good)
		json_array_append_new(notes,
		    json_sprintf("key-file has to hold the key %s before the site's secrets can be"
				 " opened: %s",
			id, why));
	free(why);
	return good;
}

static void
note_lost(const char *id, const char *data, json_t *notes)
{
	json_array_append_new(notes,
	    json_sprintf(
		"the backup does not hold the key of the site, %s: its secrets (those of"
		" webhooks) cannot be opened; content is whole. Put the key into %s/" DATADIR_KEY
		", or restore again with --key-file. If it is lost, go on"
		" with \"stet key adopt\"",
		id, data));
}

/* Writes `keys` into the restored directory. */
static bool
put(const char *beside, const struct sitekeys *keys, char **why)
{
	return sitekey_write(beside, NULL, keys, true, NULL, why);
}

static bool
find(const char *beside, const struct conf_site *site, const char *id, const char *file,
    json_t *notes, char **why)
{
	struct sitekeys keys = { .count = 0 };
	bool good = true;

	if (file != NULL)
		good = has_key(file, id, &keys, why) && put(beside, &keys, why);
	else if (directory_has(beside, id, &keys))
		good = true; /* the archive contained it */
	else if (site->key_file == NULL && directory_has(site->data, id, &keys))
		good = put(beside, &keys, why);
	else if (site->key_file == NULL)
		note_lost(id, site->data, notes);
	sitekey_wipe(&keys);
	if (good && site->key_file != NULL)
		(void)configured(site, id, notes);
	return good;
}

bool
restore_key(
    const char *beside, const struct conf_site *site, const char *file, json_t *notes, char **why)
{
	char *database = words_format("%s/" SITE_DATABASE, beside);
	char *id = sealed_key_id(database);
	bool good = true;

	if (id != NULL)
		good = find(beside, site, id, file, notes, why);
	else if (file != NULL)
		json_array_append_new(
		    notes, json_sprintf(
			       "%s was not needed: the backup is older than keys of sites", file));
	free(id);
	free(database);
	return good;
}
