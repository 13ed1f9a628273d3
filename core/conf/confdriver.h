/*
 * confdriver.h - drivers that stet.conf asks for, and the keys that they bring. Room module loads
 * them; here is what the reader of the file needs of them.
 */
#ifndef CORE_CONF_CONFDRIVER_H
#define CORE_CONF_CONFDRIVER_H

#include "base/buf.h"
#include "conf/confkey.h"

struct loaded;
struct stet_file_driver;

/* A loaded driver. Never freed. */
struct conf_driver {
	/* Its keys, with offsets in a block of `size` bytes, one block for each site. The last row
	 * has no name. */
	const struct conf_key *keys;
	size_t size;
	void *usual; /* a block with the defaults */
	const struct stet_file_driver *files; /* with members of this host's size */
	const struct loaded *loaded; /* the module, of which this is a part */
};
/* The driver that is part of the core, and the default. */
#define CONF_DIRECTORY "directory"
#define DRIVER_PREFIX "files-" /* names of the files of other drivers begin with it */

/* Loads the driver of files of this name. Returns NULL if there is none; *why then says so in
 * words, to be freed, unless its file does not exist (NULL). */
typedef const struct conf_driver *conf_driver_find(
    const char *module_path, const char *plugin_path, const char *name, char **why);

/* Sets how drivers are loaded. Without it there are none. */
void confdriver_set(conf_driver_find *);

/* Loads the drivers that a text in plain form (conftext.h) asks for: by `files`, or by the
 * beginning of a key that no table has. Fills `found`, which ends with NULL. If one cannot be
 * loaded, returns false and adds the reason to `wrong`. */
bool confdriver_load(
    const char *plain, const struct conf_driver *found[CONF_DRIVERS_MAX + 1], struct buf *wrong);

/* The key of this name in a table, or NULL. */
const struct conf_key *confdriver_key(const struct conf_key *, const char *name);

/* Checks that each site's driver of files is loaded, and that drivers find the sites' keys good.
 * Returns NULL, or what is wrong, which the caller frees. */
char *confdriver_check(const struct conf *);

/* The drivers of a site with the values of their keys, up to one without a driver. */
const struct conf_brought *confdriver_brought(const struct conf_site *);
/* The driver of this name that the file asks for, or NULL. */
const struct conf_driver *confdriver_named(const struct conf_site *, const char *name);
/* The name of the driver that stores the site's files. */
const char *confdriver_of(const struct conf_site *);
/* Gives a site these drivers, with keys that hold nothing yet. `drivers` ends with NULL. */
void confdriver_bring(struct conf_site *, const struct conf_driver *const *drivers);

/* Copies, compares and frees the values of drivers' keys of a site. */
void confdriver_copy(struct conf_site *to, const struct conf_site *from);
/* Appends the names of the keys that differ, with ", " between them and before the first unless
 * `names` is empty. */
void confdriver_changed(const struct conf_site *, const struct conf_site *, struct buf *names);
void confdriver_free(struct conf_site *);

#endif
