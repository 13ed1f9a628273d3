/*
 * logins.h - logins of the command line: tokens by the URLs of sites, in a file that only its owner
 * may read, ~/.config/stet/logins.json (XDG_CONFIG_HOME).
 */
#ifndef CORE_COMMAND_LOGINS_H
#define CORE_COMMAND_LOGINS_H

#include <jansson.h>
#include <stdbool.h>

struct logins {
	char *path;
	json_t *all; /* object: by URL */
	int directory; /* locked until logins_close */
};

/* Reads the file, and locks out other commands until logins_close. Returns false if the file cannot
 * be read or others may read it, with *why to be freed; then nothing is to be closed. */
bool logins_open(struct logins *, char **why);
/* Stores the login of a site, or removes it if `login` is NULL; takes the reference. It is durable
 * when this returns true; else *why, to be freed. */
bool logins_put(struct logins *, const char *url, json_t *login, char **why);
void logins_close(struct logins *);

#endif
