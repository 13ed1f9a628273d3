/* doctor.h - `stet doctor`: what is not as it should be around the sites, with advice. */
#ifndef CORE_DOCTOR_H
#define CORE_DOCTOR_H

#include "command/command.h"
#include <stet/check.h>

/* What was found so far. */
struct doctor {
	const struct conf *conf;
	bool embedded; /* there is no file of it */
	json_t *findings; /* {"site", "check", "grade", "text", "advice"} */
	const struct conf_site *site; /* that is looked at; NULL: the whole */
	enum stet_grade worst;
};
/* Adds a finding (finding.c). Advice may be NULL. */
void doctor_say(struct doctor *, const char *check, enum stet_grade, const char *advice,
    const char *fmt, ...) STET_FMT(5, 6);

/* A check of the core, which looks at a site from outside. Modules bring others (<stet/check.h>).
 */
struct doctor_check {
	void (*run)(struct doctor *);
	enum doctor_need {
		DOCTOR_NOTHING,
		DOCTOR_DIRECTORY, /* the data directory is there */
		DOCTOR_DATABASE /* and a file of the database in it */
	} need;
};
/* doctor_machine.c: of the machine; doctor_site.c: of a site. Ended by one without `run`. */
extern const struct doctor_check doctor_of_machine[], doctor_of_site[];
/* doctor_modules.c: what the modules of the site look at. */
void doctor_modules(struct doctor *);
/* doctor_key.c: the key of the site that is looked at, and what it seals. */
void doctor_key(struct doctor *);
/* doctor_mail.c: the mail server of the site that is looked at, and mails that were given up. */
void doctor_mail(struct doctor *);
/* doctor_files.c: the bucket that keeps files of the site that is looked at. */
void doctor_files(struct doctor *);
/* Its end, and whether it is for these hosts; NULL: any. */
void doctor_certificate(struct doctor *, const char *path, char *const *hosts);

/* All sites of the configuration, or the one that is named. Returns an exit status: 1 when there is
 * a warning or worse. */
int doctor_run(const struct conf *, const struct options *, int argc, char **argv);

#endif
