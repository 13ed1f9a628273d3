/*
 * lack.h - modules that a site uses, and one of its daemons does not have: their files are missing
 * there, or its configuration leaves them out. Other daemons go on to use them.
 */
#ifndef CORE_SITE_LACK_H
#define CORE_SITE_LACK_H

#include "module/generation.h"

/* Of a site that several daemons may serve: notes what this daemon lacks (table site_lack), and
 * counts an absence of a module that it has now, and has lacked (absence.h). A failure is logged
 * only. */
void lack_note(struct site *, const struct generation *, const struct site_wants *);

#endif
