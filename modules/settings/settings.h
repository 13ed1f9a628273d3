/* settings.h - what the files of the settings module share. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stet/media.h>
#include <stet/module.h>
#include <stet/settings.h>

/* ---- stored.c: values in the database, a JSON text for each name ---- */

/* Reads all settings that have a value: {name: value}; media references are {mediaId, alt?}. Owned
 * by the call. */
STET_MUST enum stet_status stored_read(struct stet_call *, const json_t **out);
/* Writes these settings and leaves others unchanged. An empty value ("", {}, a mediaId of "")
 * removes the setting. */
STET_MUST enum stet_status stored_write(struct stet_call *, struct stet_tx *, const json_t *values);

/* ---- values.c: validating what shapes cannot express ---- */

extern const char
    *const settings_media[]; /* names of settings that are media references; NULL-terminated */

/* Validates the call's arguments, and returns them by their stored names. `rest`: the op has
 * siteTitle as another name of title. */
STET_MUST enum stet_status values_take(struct stet_call *, bool rest, json_t **out);

/* ---- reply.c: settings as JSON ---- */

/* Writes all settings that have a value as the reply. `rest`: the title is named siteTitle. */
STET_MUST enum stet_status settings_put_reply(struct stet_call *, bool rest);
/* robots.txt: what search engines may read. */
stet_handler settings_robots;

#endif
