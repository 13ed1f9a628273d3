/* settings.h - what the files of this module know of each other. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include <stet/media.h>
#include <stet/module.h>
#include <stet/settings.h>

/* ---- stored.c: values as they are stored, a JSON text for each name ---- */

/* {name: value} of all that are set, media references as {mediaId, alt?}. Owned by the call. */
STET_MUST enum stet_status stored_read(struct stet_call *, const json_t **out);
/* Set these and no others. What is empty ("", {}, a mediaId of "") is cleared. */
STET_MUST enum stet_status stored_write(struct stet_call *, struct stet_tx *, const json_t *values);

/* ---- values.c: the members of a body beyond what shapes say ---- */

extern const char *const settings_media[]; /* members that are media references; NULL-terminated */

/* The values of this call's arguments, by their stored names, checked. `rest`: the op has siteTitle
 * besides title. */
STET_MUST enum stet_status values_take(struct stet_call *, bool rest, json_t **out);

/* ---- reply.c: settings as replies show them ---- */

/* All that are set; `rest`: with title as siteTitle. */
STET_MUST enum stet_status settings_put_reply(struct stet_call *, bool rest);
/* What robots may do, as a text file. */
stet_handler settings_robots;

#endif
