/* doctor.h - `stet doctor`: finds problems of the machine and the sites, and gives advice. */
#ifndef CORE_DOCTOR_H
#define CORE_DOCTOR_H

#include "command/command.h"
#include <stet/check.h>

/* The findings so far. */
struct doctor {
	const struct conf *conf;
	bool embedded; /* the built-in configuration is used: there is no file */
	json_t *findings; /* {"site", "check", "grade", "text", "advice"} */
	size_t of_machine; /* the first so many are about the machine, the others about a site */
	json_t *asked; /* doctor_modules.c: the modules' checks of the machine that were begun */
	const struct conf_site *site; /* the site being checked; NULL: the machine */
	bool away; /* its database does not answer: checks that need it are left out */
	enum stet_grade worst;
};
/* Adds a finding (finding.c), after those of its kind. Advice may be NULL. */
void doctor_say(struct doctor *, const char *check, enum stet_grade, const char *advice,
    const char *fmt, ...) STET_FMT(5, 6);

/* A check of the core, which examines a site from outside. Modules bring others
 * (<stet/check.h>). */
struct doctor_check {
	void (*run)(struct doctor *);
	enum doctor_need {
		DOCTOR_NOTHING,
		DOCTOR_DIRECTORY, /* needs the data directory */
		DOCTOR_DATABASE /* needs a database, too */
	} need;
};
/* Checks of the machine (doctor_machine.c) and of a site (doctor_site.c). The last row has no
 * `run`. */
extern const struct doctor_check doctor_of_machine[], doctor_of_site[];
/* doctor_modules.c: runs the checks that the site's modules bring (table `checks`). */
void doctor_modules(struct doctor *);
/* doctor_key.c: checks the site's key and its sealed values. */
void doctor_key(struct doctor *);
/* doctor_engine.c: what the engine finds wrong with the site's database. */
void doctor_engine(struct doctor *);
/* doctor_mail.c: checks the site's mail server, and counts mails that were given up. */
void doctor_mail(struct doctor *);
/* doctor_files.c: checks the bucket that keeps the site's files. */
void doctor_files(struct doctor *);
/* Checks a certificate's expiry, and that it matches these hosts; NULL: any. */
void doctor_certificate(struct doctor *, const char *path, char *const *hosts);

/* Checks all sites of the configuration, or the named one. Returns an exit status: 1 if there is a
 * warning or worse. */
int doctor_run(const struct conf *, const struct options *, int argc, char **argv);

#endif
