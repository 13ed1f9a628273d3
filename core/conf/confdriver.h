/*
 * confdriver.h - drivers that stet.conf asks for, and the keys that they bring. The folder module/
 * loads drivers; this file has what the reader of stet.conf needs to know about them.
 */
#ifndef CORE_CONF_CONFDRIVER_H
#define CORE_CONF_CONFDRIVER_H

#include "base/buf.h"
#include "conf/confkey.h"

struct loaded;
struct stet_file_driver;
struct stet_mail_transport;

/* What a driver does. The beginning of its module's name tells it: "files-", "mail-", "database-".
 */
enum conf_driver_kind { CONF_FILES, CONF_MAIL, CONF_DATABASE, CONF_DRIVER_KINDS };

/* A loaded driver. Never freed. */
struct conf_driver {
	/* Its keys, with offsets in a block of `size` bytes, one block for each site. The last row
	 * has no name. */
	const struct conf_key *keys;
	size_t size;
	void *usual; /* a block with the defaults */
	enum conf_driver_kind kind;
	const char *name; /* "s3" of files-s3 */
	/* For CONF_FILES and CONF_MAIL: with all members that this version knows. */
	const struct stet_file_driver *files;
	const struct stet_mail_transport *mail;
	const struct loaded *loaded; /* the module that the driver is part of */
};
/* The driver of files that is part of the core, and the default. */
#define CONF_DIRECTORY "directory"

/* Returns the driver's name in the name of a module, "s3" for files-s3. Returns NULL if the module
 * is no driver. */
const char *confdriver_name(const char *module, enum conf_driver_kind *);

/* Loads the driver of this kind and name. Returns NULL on failure; *why is then the reason, which
 * the caller frees, or NULL if the module's file `file` does not exist. */
typedef const struct conf_driver *conf_driver_find(
    const char *module_path, const char *plugin_path, const char *file, char **why);

/* Sets the function that loads drivers. Until then no driver can be loaded. */
void confdriver_set(conf_driver_find *);

/* Loads the drivers that a text in plain form (conftext.h) asks for: by `files`, by the schemes of
 * `mail` and `database`, or by the beginning of a key that no table has. Fills `found`, which ends
 * with NULL. If one cannot be loaded, returns false and adds the reason to `wrong`. */
bool confdriver_load(
    const char *plain, const struct conf_driver *found[CONF_DRIVERS_MAX + 1], struct buf *wrong);

/* The key of this name in a table, or NULL. */
const struct conf_key *confdriver_key(const struct conf_key *, const char *name);

/* Returns true if the scheme of this `mail` URL belongs to one of these drivers, or is a scheme of
 * SMTP: without that module the daemon starts anyway, and mails wait. `drivers` ends with NULL. */
bool confdriver_sends(const struct conf_driver *const *drivers, const char *url);

/* Checks that each site's driver of files is loaded, and that drivers find the sites' keys good.
 * Returns NULL, or what is wrong, which the caller frees. */
char *confdriver_check(const struct conf *);

/* The drivers of a site with the values of their keys, up to one without a driver. */
const struct conf_brought *confdriver_brought(const struct conf_site *);
/* The driver of files of this name that the file asks for, or NULL. */
const struct stet_file_driver *confdriver_files(const struct conf_site *, const char *name);
/* The transport of the site's `mail`, or NULL. */
const struct stet_mail_transport *confdriver_mail(const struct conf_site *);
/* The name of the driver that stores the site's files. */
const char *confdriver_of(const struct conf_site *);
/* Gives a site these drivers, with zeroed values of their keys. `drivers` ends with NULL. */
void confdriver_bring(struct conf_site *, const struct conf_driver *const *drivers);

/* Copy, compare and free the values of drivers' keys of a site. */
void confdriver_copy(struct conf_site *to, const struct conf_site *from);
/* Appends the names of the keys that differ to `names`, separated by ", ". */
void confdriver_changed(const struct conf_site *, const struct conf_site *, struct buf *names);
void confdriver_free(struct conf_site *);

#endif
