/* doctor.h - `stet doctor`: what is not as it should be around the sites, with advice. */
#ifndef CORE_DOCTOR_H
#define CORE_DOCTOR_H

#include "command/command.h"

enum doctor_grade { DOCTOR_FINE, DOCTOR_NOTE, DOCTOR_WARNING, DOCTOR_ERROR };

/* What was found so far. */
struct doctor {
	const struct conf *conf;
	bool embedded; /* there is no file of it */
	json_t *findings; /* {"site", "check", "grade", "text", "advice"} */
	const struct conf_site *site; /* that is looked at; NULL: the whole */
	enum doctor_grade worst;
};
/* Advice may be NULL. */
void doctor_say(struct doctor *, const char *check, enum doctor_grade, const char *advice,
    const char *fmt, ...) STET_FMT(5, 6);

/* doctor_site.c: all that is asked of one site; doctor_machine.c: of the machine. */
void doctor_site(struct doctor *);
void doctor_machine(struct doctor *);
/* doctor_key.c: the key of the site that is looked at, and what it seals. */
void doctor_key(struct doctor *);
/* Its end, and whether it is for these hosts; NULL: any. */
void doctor_certificate(struct doctor *, const char *path, char *const *hosts);

/* All sites of the configuration, or the one that is named. Returns an exit status: 1 when there is
 * a warning or worse. */
int doctor_run(const struct conf *, const struct options *, int argc, char **argv);

#endif
