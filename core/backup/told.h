/*
 * told.h - what the daemons of a site tell each other of its last scheduled backup, whichever of
 * them has made it (table site_backup). Where one daemon alone has the database, there is nothing
 * of this.
 */
#ifndef CORE_BACKUP_TOLD_H
#define CORE_BACKUP_TOLD_H

#include "call/call.h"
#include <jansson.h>

/* Stores the status of this daemon (keeper.h) after an attempt. A failure is logged. */
void told_put(struct site *, const json_t *status);
/* Takes over into the status of this daemon what was stored, if that is newer. If the database does
 * not answer, it stays as it is. */
void told_take(struct site *, json_t *status);
/* The same in a call that reads. */
enum stet_status told_read(struct stet_call *, json_t *status);
/* The same for a command, which has not opened the site. Returns true if another daemon has made
 * the last one. */
bool told_ask(const char *place, json_t *status);

#endif
